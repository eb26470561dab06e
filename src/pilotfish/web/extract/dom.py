"""Parses HTML into a tree, and helpers that read and change it."""

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from lxml import etree, html  # pyright: ignore[reportAttributeAccessIssue]

Node: TypeAlias = Any
"""An lxml element; lxml has no types of its own."""

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
BLOCKS = HEADINGS | {
    *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div", "dl"),
    *("dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hr", "html", "legend", "li", "main"),
    *(
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ),
}
HEAD = frozenset({"title", "meta", "link", "script", "style", "base", "noscript", "template"})
MOST_DEPTH = 120
HASH = re.compile(r"__(?=[\w-]{0,4}[A-Z0-9])[\w-]{5} ")
"""What tools put behind a class name to make it the only one: the `ad` in `table_root__adKqa` is none."""
PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
SPACE = re.compile(r"[\s\u200b\u2060\ufeff]+")
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+(?:['’][^\W_]+)*")


def parse_html(text: str) -> Node:
    """The page's tree; an empty one where there is nothing to parse."""
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text.replace("\0", "").replace("\x1f", ""))
    try:
        tree = html.document_fromstring(
            text, parser=html.HTMLParser(encoding=None, huge_tree=True, remove_pis=True, remove_comments=True)
        )
    except (etree.ParserError, ValueError):
        return html.document_fromstring("<html><body></body></html>")
    fill_body(tree)
    flatten_depth(tree)
    return tree


def to_html(tree: Node) -> str:
    """The tree as HTML again."""
    return str(html.tostring(tree, encoding="unicode"))


def fill_body(tree: Node) -> None:
    """Put into the body what the parser left in the head: it does not know that `<article>` ends one."""
    head, place = tree.find("head"), tree.find("body")
    astray = [] if head is None else [child for child in head if child.tag not in HEAD]
    if not astray:
        return
    if place is None:
        place = etree.SubElement(tree, "body")
    place[:0] = astray


def flatten_depth(tree: Node) -> None:
    """Turn what is nested too deep (old pages that never close a tag) into plain text."""
    level = [tree]
    for _ in range(MOST_DEPTH):
        level = [child for node in level for child in node]
        if not level:
            return
    for node in level:
        text = plain_text(node)
        for child in list(node):
            node.remove(child)
        node.text = text


def body_of(tree: Node) -> Node:
    found = tree.find("body")
    return tree if found is None else found


def one_line(text: str) -> str:
    """Text on one line."""
    return SPACE.sub(" ", text).strip()


def plain_text(node: Node) -> str:
    """All text below a node, on one line."""
    return one_line(" ".join(node.itertext()))


def list_words(text: str) -> list[str]:
    """Words in lower case; a Chinese or Japanese character counts as one."""
    return WORD.findall(text.lower())


def count_words(node: Node) -> int:
    """How many words stand below a node."""
    text = " ".join(node.itertext())
    return len(text.split()) if text.isascii() else len(WORD.findall(text))


def count_linked(node: Node) -> int:
    """How many of them are links."""
    return sum(count_words(link) for link in node.iter("a"))


def count_unlinked(node: Node) -> int:
    """How many are not."""
    return max(0, count_words(node) - count_linked(node))


def link_density(node: Node) -> float:
    """The share of words that are links."""
    count = count_words(node)
    return count_linked(node) / count if count else 0.0


def list_hints(node: Node, but: str = "") -> list[frozenset[str]]:
    """The words in each of a node's class names, its id, role and test id: `siteFooter` is {site, footer}."""
    named = [name for name in ("id", "role", "data-testid") if name != but]
    values = [*HASH.sub(" ", f"{node.get('class') or ''} ").split(), *(node.get(name) or "" for name in named)]
    return [frozenset(piece.lower() for piece in PIECE.findall(value)) for value in values if value]


def list_elements(node: Node) -> Iterator[Node]:
    """Elements below a node, without comments, in reading order. The tree may be cut while going through it."""
    yield from list(node.iter(etree.Element))


def drop_node(node: Node) -> None:
    """Take a node out, leaving the text that follows it."""
    if node.getparent() is not None:
        node.drop_tree()


def is_within_tags(node: Node, tags: frozenset[str] | set[str]) -> bool:
    return any(above.tag in tags for above in node.iterancestors())
