"""Rewrites the markup of a saved page: only listed elements, attributes and kinds of address are written out again."""

import html
import re
from collections.abc import Iterator
from urllib.parse import urljoin

from pilotfish.web.extract.dom import Node, parse_html, plain_text

ELEMENTS = frozenset({
    "a", "abbr", "address", "article", "aside", "b", "bdi", "bdo", "blockquote", "body", "br", "button", "caption",
    "center", "cite", "code", "col", "colgroup", "data", "datalist", "dd", "del", "details", "dfn", "dialog", "div",
    "dl", "dt", "em", "fieldset", "figcaption", "figure", "font", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
    "header", "hgroup", "hr", "i", "img", "input", "ins", "kbd", "label", "legend", "li", "main", "mark", "menu",
    "meter", "nav", "ol", "optgroup", "option", "output", "p", "pre", "progress", "q", "rp", "rt", "ruby", "s", "samp",
    "search", "section", "select", "small", "span", "strike", "strong", "sub", "summary", "sup", "table", "tbody",
    "td", "textarea", "tfoot", "th", "thead", "time", "tr", "tt", "u", "ul", "var", "wbr",
})  # fmt: skip
DROPPED_ELEMENTS = frozenset({
    "applet", "audio", "base", "canvas", "embed", "frame", "frameset", "head", "iframe", "link", "meta", "noembed",
    "noframes", "noscript", "object", "plaintext", "script", "style", "template", "title", "video", "xmp",
})  # fmt: skip
VOID_ELEMENTS = frozenset({"br", "col", "hr", "img", "input", "wbr"})
ATTRIBUTES = frozenset({
    "abbr", "align", "alt", "aria-checked", "aria-describedby", "aria-expanded", "aria-hidden", "aria-label",
    "aria-labelledby", "aria-selected", "checked", "class", "cols", "colspan", "datetime", "dir", "disabled", "for",
    "headers", "height", "hidden", "id", "label", "lang", "max", "min", "multiple", "open", "placeholder", "readonly",
    "reversed", "role", "rows", "rowspan", "scope", "selected", "size", "span", "start", "style", "summary", "title",
    "type", "valign", "value", "width",
})  # fmt: skip
LINK_ADDRESS = re.compile(r"https?://[^\s]+|mailto:[^\s]+|#[^\s]*", re.IGNORECASE)
PICTURE_ADDRESS = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)[;,]", re.IGNORECASE)
DROPPED_INPUTS = frozenset({"hidden", "image", "file", "password"})


def sanitize_html(text: str) -> tuple[str, str, str]:
    """Title, styles and body of a page, rewritten from the listed elements only."""
    tree = parse_html(text)
    title, body = tree.find(".//title"), tree.find("body")
    styles = "".join(sheet.text for sheet in tree.iter("style") if sheet.text and "<" not in sheet.text)
    base = next((node.get("href") or "" for node in tree.iter("base")), "")
    base = base if base.startswith(("http://", "https://")) else ""
    return (
        plain_text(title) if title is not None else "",
        styles,
        "".join(write_html(body, base)) if body is not None else "",
    )


def write_html(node: Node, base: str) -> Iterator[str]:
    """The node as markup. Of an element that is not listed stays what is in it; text is always escaped."""
    tag = node.tag
    if not isinstance(tag, str) or tag in DROPPED_ELEMENTS:
        return
    if tag == "input" and (node.get("type") or "").lower() in DROPPED_INPUTS:
        return
    kept = tag in ELEMENTS
    if kept:
        yield f"<{tag}{''.join(allowed_attributes(node, base))}>"
    if tag not in VOID_ELEMENTS:
        yield html.escape(node.text or "")
        for child in node:
            yield from write_html(child, base)
            yield html.escape(child.tail or "")
        if kept:
            yield f"</{tag}>"


def allowed_attributes(node: Node, base: str) -> Iterator[str]:
    for name, value in node.attrib.items():
        if name == "href" and node.tag == "a":
            value = whole_link(value, base)
            if not value:
                continue
        elif not (name in ATTRIBUTES or (name == "src" and node.tag == "img" and PICTURE_ADDRESS.match(value))):
            continue
        yield f' {name}="{html.escape(value)}"'


def whole_link(href: str, base: str) -> str:
    """The address of a link where it leads to the web, to a mailbox or within the page; else nothing."""
    href = href.strip()
    try:
        place = href if href.startswith("#") or not base else urljoin(base, href)
    except ValueError:
        return ""
    return place if LINK_ADDRESS.fullmatch(place) else ""
