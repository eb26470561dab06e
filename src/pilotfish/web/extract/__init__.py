"""Extracts the main text of an HTML page as Markdown, with its title, author, date and links.

Articles are read twice, by trafilatura and by our own blocks, and merged. Products are weighed block
by block, where the first reading counts as one sign of many. Forums, collections, listings and documentation have no
one column of prose, so our blocks alone read them: the page is pruned of what surrounds its content, the part that
holds the content is chosen, the rest is cleared by kind.
"""

import re
from dataclasses import dataclass
from urllib.parse import urljoin

from pilotfish.web.extract import main_region, markdown, product_blocks
from pilotfish.web.extract.declared_facts import DeclaredFacts, read_declared
from pilotfish.web.extract.dom import Node, body_of, count_words, list_words, one_line, parse_html, plain_text, to_html
from pilotfish.web.extract.merge import merge_readings
from pilotfish.web.extract.page_kinds import PageKind, classify_page
from pilotfish.web.extract.prune import drop_controls, drop_machine_parts, drop_sections, prune_page

HEAVY_PAGE = 1_500_000
MOST_LINKS = 200
POST_WORDS = 60


@dataclass(frozen=True)
class PageExtract:
    """The main text of a page and its facts."""

    text: str
    kind: PageKind = "page"
    title: str = ""
    author: str = ""
    date: str = ""
    links: tuple[tuple[str, str], ...] = ()


def extract_page(html: str, url: str = "") -> PageExtract:
    """Read a page. It is slow: call it in a thread."""
    tree = parse_html(html)
    facts = read_declared(tree)
    drop_machine_parts(tree)
    kind = classify_page(tree, facts, url)
    prose = trafilatura_reading(lighten_html(html)) if kind in ("article", "page", "product") else ""
    text, root = product_reading(html, facts, prose) if kind == "product" else own_reading(tree, kind)
    if prose and kind != "product":
        text = merge_readings(text, prose)
    text = add_declared(text, kind, facts)
    return PageExtract(text, kind, facts.title, facts.author, facts.date, list_links(root, url))


def own_reading(tree: Node, kind: PageKind) -> tuple[str, Node]:
    """Our own reading, and the part of the page that it came from."""
    title = tree.find(".//h1")
    heading = one_line(plain_text(title)) if title is not None else ""
    scope = main_region.main_scope(tree)
    prune_page(scope, kind)
    root = main_region.choose_region(scope, kind)
    before = count_words(root)
    spare = markdown.render_markdown(root)
    main_region.drop_extras(root, kind)
    main_region.drop_link_groups(root, kind)
    text = markdown.render_markdown(root) if count_words(root) > least_words(before, kind) else spare
    if kind in ("article", "page"):
        return main_region.drop_control_labels(text, once=False), root
    if kind in ("collection", "listing"):
        text = main_region.drop_labels(text)
    missing = heading and len(heading) < 200 and heading not in one_line(text)
    return main_region.drop_control_labels(f"# {heading}\n\n{text}" if missing else text), root


def product_reading(html: str, facts: DeclaredFacts, prose: str) -> tuple[str, Node]:
    """A product by the blocks that speak of it, and what is left of the page. Shops fold their descriptions away, so
    what is hidden counts too."""
    root = body_of(parse_html(html))
    drop_controls(root)
    drop_sections(root, "product")
    product_blocks.keep_product(root, facts, prose)
    return main_region.drop_control_labels(main_region.drop_labels(markdown.render_markdown(root))), root


def least_words(before: int, kind: PageKind) -> float:
    """How many words must be left after clearing, or it went too far; posts may be short beside their panels."""
    return min(before * 0.15, POST_WORDS) if kind == "forum" else before * 0.15


def lighten_html(html: str) -> str:
    """The page without scripts where it is large; nothing where it is too large to be read twice."""
    if len(html) >= HEAVY_PAGE:
        tree = parse_html(html)
        drop_controls(body_of(tree))
        html = to_html(tree)
    return html if len(html) < HEAVY_PAGE else ""


def trafilatura_reading(html: str) -> str:
    """The running text of a page as trafilatura reads it."""
    from trafilatura import extract as read

    html = html if re.search(r"<body\b", html, re.I) else f"<html><body>{html}</body></html>"
    text = read(html, include_comments=False, include_tables=True, include_formatting=True, output_format="markdown")
    return main_region.drop_control_labels(text or "", once=False)


def add_declared(text: str, kind: PageKind, facts: DeclaredFacts) -> str:
    """Add what the page declares but does not show without its scripts."""
    if len(list_words(text)) < 60 and len(facts.body) > len(text):
        return facts.body
    short = len(list_words(text)) < 150
    if kind == "product" and short and facts.description[:60] and facts.description[:60] not in one_line(text):
        return f"{text}\n\n{facts.description}".strip()
    return text


def list_links(root: Node, url: str) -> tuple[tuple[str, str], ...]:
    """The links of the main text, each address once."""
    found: dict[str, str] = {}
    for node in root.iter("a"):
        href = (node.get("href") or "").strip()
        if not href or href.startswith(("#", "javascript:", "mailto:", "tel:", "data:")):
            continue
        try:
            place = urljoin(url, href).split("#", 1)[0]
        except ValueError:
            continue
        text = plain_text(node)
        if text and len(found) < MOST_LINKS:
            found.setdefault(place, text[:120])
    return tuple((text, place) for place, text in found.items())


def needs_scripts(html: str, text: str) -> bool:
    """Whether a page seems to be empty until its scripts have run."""
    if len(list_words(text)) >= 60:
        return False
    tree = parse_html(html)
    scripts = sum(len(node.text or "") + 500 * bool(node.get("src")) for node in tree.iter("script"))
    asks = any(re.search(r"javascript", plain_text(node), re.I) for node in tree.iter("noscript"))
    mount = tree.xpath("//*[@id='root' or @id='app' or @id='__next' or @id='__nuxt' or @data-reactroot]")
    hollow = any(count_words(node) < 20 for node in mount)
    return bool(scripts) and (asks or hollow or (scripts > 2000 and count_words(body_of(tree)) < 60))
