"""The main text of an HTML page as Markdown, with its title, author, date and links.

Articles are read twice, by trafilatura and by our own blocks, and merged where both agree. Products are weighed block
by block, where the first reading counts as one sign of many. Forums, collections, listings and documentation have no
one column of prose, so our blocks alone read them: the page is pruned of what surrounds its content, the part that
holds the content is chosen, the rest is cleared by kind.
"""

import re
from dataclasses import dataclass
from urllib.parse import urljoin

from pilotfish.web.extract import goods, markdown, region
from pilotfish.web.extract.dom import Node, body, flat, parse, plain, size, source, words
from pilotfish.web.extract.facts import Facts, declared
from pilotfish.web.extract.kinds import Kind, classify
from pilotfish.web.extract.merge import merge
from pilotfish.web.extract.prune import bare, prune, sections, tidy

HEAVY = 1_500_000
LINKS = 200
STORY = 60


@dataclass(frozen=True)
class Extract:
    """What a page says."""

    text: str
    kind: Kind = "page"
    title: str = ""
    author: str = ""
    date: str = ""
    links: tuple[tuple[str, str], ...] = ()


def extract(html: str, url: str = "") -> Extract:
    """Read a page. It takes its time: call it in a thread."""
    tree = parse(html)
    facts = declared(tree)
    tidy(tree)
    kind = classify(tree, facts, url)
    prose = theirs(light(html)) if kind in ("article", "page", "product") else ""
    text, root = product(html, facts, prose) if kind == "product" else own(tree, kind)
    if prose and kind != "product":
        text = merge(text, prose)
    text = complete(text, kind, facts)
    return Extract(text, kind, facts.title, facts.author, facts.date, links(root, url))


def own(tree: Node, kind: Kind) -> tuple[str, Node]:
    """Our own reading, and the part of the page that it came from."""
    title = tree.find(".//h1")
    heading = flat(plain(title)) if title is not None else ""
    scope = region.scope(tree)
    prune(scope, kind)
    root = region.choose(scope, kind)
    before = size(root)
    spare = markdown.render(root)
    region.extras(root, kind)
    region.clear(root, kind)
    text = markdown.render(root) if size(root) > least(before, kind) else spare
    if kind in ("article", "page"):
        return region.lines(text, once=False), root
    if kind in ("collection", "listing"):
        text = region.unlabelled(text)
    missing = heading and len(heading) < 200 and heading not in flat(text)
    return region.lines(f"# {heading}\n\n{text}" if missing else text), root


def product(html: str, facts: Facts, prose: str) -> tuple[str, Node]:
    """A product by the blocks that speak of it, and what is left of the page. Shops fold their descriptions away, so
    what is hidden counts too."""
    root = body(parse(html))
    bare(root)
    sections(root, "product")
    goods.clear(root, facts, prose)
    return region.lines(region.unlabelled(markdown.render(root))), root


def least(before: int, kind: Kind) -> float:
    """How many words must be left after clearing, or it went too far; posts may be short beside their panels."""
    return min(before * 0.15, STORY) if kind == "forum" else before * 0.15


def light(html: str) -> str:
    """A page that is not too much to read twice: a heavy one without its scripts, or nothing."""
    if len(html) >= HEAVY:
        tree = parse(html)
        bare(body(tree))
        html = source(tree)
    return html if len(html) < HEAVY else ""


def theirs(html: str) -> str:
    """The running text of a page as trafilatura reads it."""
    from trafilatura import extract as read

    html = html if re.search(r"<body\b", html, re.I) else f"<html><body>{html}</body></html>"
    text = read(html, include_comments=False, include_tables=True, include_formatting=True, output_format="markdown")
    return region.lines(text or "", once=False)


def complete(text: str, kind: Kind, facts: Facts) -> str:
    """Add what the page declares but does not show without its scripts."""
    if len(words(text)) < 60 and len(facts.body) > len(text):
        return facts.body
    short = len(words(text)) < 150
    if kind == "product" and short and facts.description[:60] and facts.description[:60] not in flat(text):
        return f"{text}\n\n{facts.description}".strip()
    return text


def links(root: Node, url: str) -> tuple[tuple[str, str], ...]:
    """Where the main text leads, each place once."""
    found: dict[str, str] = {}
    for node in root.iter("a"):
        href = (node.get("href") or "").strip()
        if not href or href.startswith(("#", "javascript:", "mailto:", "tel:", "data:")):
            continue
        try:
            place = urljoin(url, href).split("#", 1)[0]
        except ValueError:
            continue
        text = plain(node)
        if text and len(found) < LINKS:
            found.setdefault(place, text[:120])
    return tuple((text, place) for place, text in found.items())


def scripted(html: str, text: str) -> bool:
    """Whether a page seems to be empty until its scripts have run."""
    if len(words(text)) >= 60:
        return False
    tree = parse(html)
    scripts = sum(len(node.text or "") + 500 * bool(node.get("src")) for node in tree.iter("script"))
    asks = any(re.search(r"javascript", plain(node), re.I) for node in tree.iter("noscript"))
    mount = tree.xpath("//*[@id='root' or @id='app' or @id='__next' or @id='__nuxt' or @data-reactroot]")
    hollow = any(size(node) < 20 for node in mount)
    return bool(scripts) and (asks or hollow or (scripts > 2000 and size(body(tree)) < 60))
