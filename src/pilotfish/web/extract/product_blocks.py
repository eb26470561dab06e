"""Finds the blocks of a shop page that describe its product, apart from selling, shipping and other goods."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from pilotfish.web.extract.declared_facts import DeclaredFacts
from pilotfish.web.extract.dom import (
    BLOCKS,
    Node,
    count_linked,
    count_words,
    drop_node,
    list_elements,
    list_hints,
    list_words,
    plain_text,
)
from pilotfish.web.extract.merge import WordRuns, plain_words, word_runs
from pilotfish.web.extract.page_kinds import PRICE
from pilotfish.web.extract.phrases import IDLE_LINE, OPINION_WORD
from pilotfish.web.extract.prune import is_chrome

WEIGHTS: Mapping[str, float] = {
    "always": 1.12,
    "before": -2.54,
    "far": -2.61,
    "idle": -1.97,
    "prose": 1.51,
    "near prose": 0.45,
    "link": -0.47,
    "near link": -0.95,
    "near price": -3.07,
    "opinion": -0.45,
    "near opinion": -3.01,
    "chrome": -1.17,
    "seller": -1.11,
    "choice": -0.58,
    "descriptive": 0.50,
    "folded": 1.01,
}
"""How much each sign speaks for a block, or against it. They come from a logistic regression over the blocks of 54 shop
pages with known text, each page counting alike, from the even half of the set that docs/why/0017 names."""

NAMES: Mapping[str, frozenset[str]] = {
    "buyers": frozenset({"review", "reviews", "ratings", "testimonial", "testimonials", "yotpo", "stamped"}),
    "seller": frozenset({"swatch", "swatches", "wishlist", "shipping", "delivery", "cart", "carousel", "thumbnails"}),
    "choice": frozenset(
        {
            *("option", "options", "variant", "variants", "selector", "size", "sizes", "color", "colors", "quantity"),
            *("gallery", "media", "badge", "badges", "payment", "popup", "modal", "drawer"),
        }
    ),
    "folded": frozenset(
        {"faq", "faqs", "question", "questions", "accordion", "tab", "tabs", "panel", "collapse", "collapsible"}
    ),
}
"""Words in the names of boxes that say what they hold."""
DESCRIPTIVE = ("descri", "detail", "spec", "feature", "overview", "about", "summary", "info", "ingredient", "material")
"""How words in the names of boxes with descriptions begin."""
NEIGHBOUR_BLOCKS, CELL_WORDS, PRICE_BLOCKS, PRICE_WORDS = 3, 60, 30, 12
"""So many blocks on each side are neighbours; so few words fill a cell of data; a price so few blocks after the name
and in a block of so few words is the product's."""


@dataclass(frozen=True)
class PageBlock:
    """A piece of the page that is kept or dropped as one, and its features."""

    node: Node
    text: str
    count: int
    signs: dict[str, float] = field(default_factory=dict[str, float])


def keep_product(root: Node, facts: DeclaredFacts, prose: str) -> None:
    """Drop all blocks but those that speak of the product. Its name and price always stay, what buyers say never."""
    blocks, top = weigh_blocks(root, facts, prose)
    whole = top >= 0 and "buyers" in blocks[top].signs
    kept = best_blocks(
        [(0.0 if "buyers" in block.signs and not whole else block_chance(block), block.count) for block in blocks]
    )
    if top >= 0:
        kept.add(top)
        after = range(top, min(top + PRICE_BLOCKS, len(blocks)))
        kept.update([at for at in after if PRICE.search(blocks[at].text) and blocks[at].count < PRICE_WORDS][:1])
    for at, block in enumerate(blocks):
        if at not in kept:
            drop_node(block.node)


def block_chance(block: PageBlock) -> float:
    """How likely a block belongs to the product."""
    return 1 / (1 + math.exp(-sum(weight * block.signs.get(name, 0.0) for name, weight in WEIGHTS.items())))


def best_blocks(chances: Sequence[tuple[float, int]]) -> set[int]:
    """The likeliest blocks, as many as give the best expected balance of precision and recall."""
    order = sorted(range(len(chances)), key=lambda at: -chances[at][0])
    hoped = sum(likely * count for likely, count in chances)
    hit, taken, most, end = 0.0, 0, 0.0, 0
    for at, index in enumerate(order, 1):
        likely, count = chances[index]
        hit, taken = hit + likely * count, taken + count
        if (worth := hit / max(1.0, taken + hoped)) > most:
            most, end = worth, at
    return set(order[:end])


def weigh_blocks(root: Node, facts: DeclaredFacts, prose: str) -> tuple[list[PageBlock], int]:
    """All blocks with their features, and the index of the product's name, or -1."""
    wrap_loose_text(root)
    blocks = [
        PageBlock(node, text, len(list_words(text)))
        for node in list_units(root, list_boxes(root))
        if (text := plain_text(node))
    ]
    top = find_name_block(blocks, set(list_words(facts.title)))
    prose_runs, prose_words = word_runs(prose), plain_words(prose)
    known: dict[Node, frozenset[str]] = {root: frozenset()}
    for at, block in enumerate(blocks):
        block.signs.update(dict.fromkeys(inherited_words(block.node, known), 1.0))
        block.signs.update(
            always=1.0,
            before=float(at < top),
            far=math.log(1 + at - top) / 5 if 0 <= top < at else 0.5 * (top < 0),
            link=1.0 if "a" in block.signs else count_linked(block.node) / max(1, block.count),
            price=float(bool(PRICE.search(block.text))),
            opinion=min(3, len(OPINION_WORD.findall(block.text))) / 3,
            idle=float(bool(IDLE_LINE.match(block.text))),
            prose=shared_part(block, prose_runs, prose_words),
        )
    for at, block in enumerate(blocks):
        around = [*blocks[max(0, at - NEIGHBOUR_BLOCKS) : at], *blocks[at + 1 : at + 1 + NEIGHBOUR_BLOCKS]]
        for sign in ("link", "price", "opinion", "prose"):
            block.signs[f"near {sign}"] = sum(other.signs[sign] for other in around) / max(1, len(around))
    return blocks, top


def shared_part(block: PageBlock, prose_runs: WordRuns, prose_words: str) -> float:
    """How much of a block a reader of running text has taken, too."""
    if block.count <= NEIGHBOUR_BLOCKS:
        return float(plain_words(block.text) in prose_words)
    own = word_runs(block.text)
    return len(own & prose_runs) / len(own)


def find_name_block(blocks: Sequence[PageBlock], title: set[str]) -> int:
    """Which block is the heading that says most of the page's title and little else."""
    heads = [at for at, block in enumerate(blocks) if next(block.node.iterancestors("h1"), block.node).tag == "h1"]

    def worth(at: int) -> float:
        return len(set(list_words(blocks[at].text)) & title) - 0.1 * blocks[at].count

    return max(heads, key=worth, default=-1)


def inherited_words(node: Node, known: dict[Node, frozenset[str]]) -> frozenset[str]:
    """What the names and tags of a node and of all around it say."""
    if node not in known:
        named = frozenset[str]().union(*list_hints(node))
        own = {sign for sign, hint in NAMES.items() if named & hint}
        own |= {"descriptive"} if any(word.startswith(DESCRIPTIVE) for word in named) else set()
        own |= {"chrome"} if node.tag != "main" and is_chrome(node) else set()
        own |= {"a"} if node.tag == "a" else set()
        known[node] = inherited_words(node.getparent(), known) | own
    return known[node]


def list_boxes(root: Node) -> set[Node]:
    """The nodes that hold blocks."""
    found: set[Node] = {root}
    for node in root.iter(*BLOCKS - {"td", "th"}):
        for above in node.iterancestors():
            if above in found:
                break
            found.add(above)
    return found


def list_units(node: Node, around: set[Node]) -> Iterator[Node]:
    """The smallest blocks, a row of a table as one."""
    for child in node:
        if child in around and not (child.tag == "tr" and all(count_words(cell) < CELL_WORDS for cell in child)):
            yield from list_units(child, around)
        else:
            yield child


def wrap_loose_text(root: Node) -> None:
    """Put text that stands loose beside blocks into paragraphs, so that it goes or stays alone."""
    around = list_boxes(root)
    for node in list_elements(root):
        if not any(child in around or child.tag in BLOCKS for child in node):
            continue
        loose = etree.Element("p")
        loose.text, node.text = node.text, None
        for child in list(node):
            after, child.tail = child.tail, None
            if child in around or child.tag in BLOCKS:
                if plain_text(loose):
                    child.addprevious(loose)
                loose = etree.Element("p")
                loose.text = after
            else:
                loose.append(child)
                child.tail = after
        if plain_text(loose):
            node.append(loose)
