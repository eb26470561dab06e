"""Tells the blocks of a shop's page that speak of its product from those that sell, ship, ask or show other goods."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

from pilotfish.web.extract.dom import BLOCKS, Node, drop, elements, hints, linked, plain, size, words
from pilotfish.web.extract.facts import Facts
from pilotfish.web.extract.kinds import PRICE
from pilotfish.web.extract.merge import Grams, grams, spelled
from pilotfish.web.extract.phrases import IDLE, OPINION
from pilotfish.web.extract.prune import chrome

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
    "told": 0.50,
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
"""Words in the names of boxes that tell what they hold."""
TOLD = ("descri", "detail", "spec", "feature", "overview", "about", "summary", "info", "ingredient", "material")
"""How words in the names of boxes with the story begin."""
NEAR, CELL, CLOSE, SHORT = 3, 60, 30, 12
"""So many blocks on each side are neighbours; so few words fill a cell of data; a price so few blocks after the name
and in a block of so few words is the product's."""


@dataclass(frozen=True)
class Block:
    """A piece of the page that goes or stays as one, and what speaks for it."""

    node: Node
    text: str
    count: int
    signs: dict[str, float] = field(default_factory=dict[str, float])


def clear(root: Node, facts: Facts, prose: str) -> None:
    """Drop all blocks but those that speak of the product. Its name and price always stay, what buyers say never."""
    blocks, top = weighed(root, facts, prose)
    whole = top >= 0 and "buyers" in blocks[top].signs
    kept = best([(0.0 if "buyers" in block.signs and not whole else chance(block), block.count) for block in blocks])
    if top >= 0:
        kept.add(top)
        after = range(top, min(top + CLOSE, len(blocks)))
        kept.update([at for at in after if PRICE.search(blocks[at].text) and blocks[at].count < SHORT][:1])
    for at, block in enumerate(blocks):
        if at not in kept:
            drop(block.node)


def chance(block: Block) -> float:
    """How likely a block belongs to the product."""
    return 1 / (1 + math.exp(-sum(weight * block.signs.get(name, 0.0) for name, weight in WEIGHTS.items())))


def best(chances: Sequence[tuple[float, int]]) -> set[int]:
    """The likeliest blocks, as many as promise the best balance between what is missed and what is too much."""
    order = sorted(range(len(chances)), key=lambda at: -chances[at][0])
    hoped = sum(likely * count for likely, count in chances)
    hit, taken, most, end = 0.0, 0, 0.0, 0
    for at, index in enumerate(order, 1):
        likely, count = chances[index]
        hit, taken = hit + likely * count, taken + count
        if (worth := hit / max(1.0, taken + hoped)) > most:
            most, end = worth, at
    return set(order[:end])


def weighed(root: Node, facts: Facts, prose: str) -> tuple[list[Block], int]:
    """All blocks with their signs, and which of them is the product's name, or -1."""
    wrap(root)
    blocks = [Block(node, text, len(words(text))) for node in units(root, boxes(root)) if (text := plain(node))]
    top = name(blocks, set(words(facts.title)))
    told, spoken = grams(prose), spelled(prose)
    known: dict[Node, frozenset[str]] = {root: frozenset()}
    for at, block in enumerate(blocks):
        block.signs.update(dict.fromkeys(inherited(block.node, known), 1.0))
        block.signs.update(
            always=1.0,
            before=float(at < top),
            far=math.log(1 + at - top) / 5 if 0 <= top < at else 0.5 * (top < 0),
            link=1.0 if "a" in block.signs else linked(block.node) / max(1, block.count),
            price=float(bool(PRICE.search(block.text))),
            opinion=min(3, len(OPINION.findall(block.text))) / 3,
            idle=float(bool(IDLE.match(block.text))),
            prose=shared(block, told, spoken),
        )
    for at, block in enumerate(blocks):
        around = [*blocks[max(0, at - NEAR) : at], *blocks[at + 1 : at + 1 + NEAR]]
        for sign in ("link", "price", "opinion", "prose"):
            block.signs[f"near {sign}"] = sum(other.signs[sign] for other in around) / max(1, len(around))
    return blocks, top


def shared(block: Block, told: Grams, spoken: str) -> float:
    """How much of a block a reader of running text has taken, too."""
    if block.count <= NEAR:
        return float(spelled(block.text) in spoken)
    own = grams(block.text)
    return len(own & told) / len(own)


def name(blocks: Sequence[Block], title: set[str]) -> int:
    """Which block is the heading that says most of the page's title and little else."""
    heads = [at for at, block in enumerate(blocks) if next(block.node.iterancestors("h1"), block.node).tag == "h1"]

    def worth(at: int) -> float:
        return len(set(words(blocks[at].text)) & title) - 0.1 * blocks[at].count

    return max(heads, key=worth, default=-1)


def inherited(node: Node, known: dict[Node, frozenset[str]]) -> frozenset[str]:
    """What the names and tags of a node and of all around it say."""
    if node not in known:
        named = frozenset[str]().union(*hints(node))
        own = {sign for sign, hint in NAMES.items() if named & hint}
        own |= {"told"} if any(word.startswith(TOLD) for word in named) else set()
        own |= {"chrome"} if node.tag != "main" and chrome(node) else set()
        own |= {"a"} if node.tag == "a" else set()
        known[node] = inherited(node.getparent(), known) | own
    return known[node]


def boxes(root: Node) -> set[Node]:
    """The nodes that hold blocks."""
    found: set[Node] = {root}
    for node in root.iter(*BLOCKS - {"td", "th"}):
        for above in node.iterancestors():
            if above in found:
                break
            found.add(above)
    return found


def units(node: Node, around: set[Node]) -> Iterator[Node]:
    """The smallest blocks, a row of a table as one."""
    for child in node:
        if child in around and not (child.tag == "tr" and all(size(cell) < CELL for cell in child)):
            yield from units(child, around)
        else:
            yield child


def wrap(root: Node) -> None:
    """Put text that stands loose beside blocks into paragraphs, so that it goes or stays alone."""
    around = boxes(root)
    for node in elements(root):
        if not any(child in around or child.tag in BLOCKS for child in node):
            continue
        loose = etree.Element("p")
        loose.text, node.text = node.text, None
        for child in list(node):
            after, child.tail = child.tail, None
            if child in around or child.tag in BLOCKS:
                if plain(loose):
                    child.addprevious(loose)
                loose = etree.Element("p")
                loose.text = after
            else:
                loose.append(child)
                child.tail = after
        if plain(loose):
            node.append(loose)
