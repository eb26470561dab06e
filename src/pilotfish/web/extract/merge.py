"""Two readings of the same page made one: ours block by block, trafilatura's as a second opinion."""

from collections import Counter
from collections.abc import Sequence

from pilotfish.web.extract.dom import words


def overlap(part: Sequence[str], whole: Counter[str]) -> float:
    """The share of words that also stand in the other text."""
    return sum((Counter(part) & whole).values()) / len(part) if part else 0.0


def grams(text: str, length: int = 4) -> set[tuple[str, ...]]:
    """Runs of words: two texts that share them say the same thing in the same order."""
    found = words(text)
    return {tuple(found[at : at + length]) for at in range(max(1, len(found) - length + 1))} if found else set()


def said(block: str, known: set[tuple[str, ...]], bag: Counter[str]) -> bool:
    """Whether a block is part of the other text."""
    mine = grams(block)
    if len(words(block)) < 8:
        return overlap(words(block), bag) > 0.9 and (len(words(block)) < 4 or len(mine & known) > 0)
    return len(mine & known) >= len(mine) * 0.5


def merge(ours: str, theirs: str) -> str:
    """Our blocks that both agree on, with the tables, code, lists and headings between them.

    Where we miss much of theirs, theirs is taken; where they miss nearly all of ours, ours.
    """
    if not theirs:
        return ours
    mine, other = Counter(words(ours)), Counter(words(theirs))
    if other.total() < mine.total() * 0.25 and mine.total() > 80:
        return ours
    if overlap(words(theirs), mine) < 0.9:
        return theirs
    known = grams(theirs)
    blocks = ours.split("\n\n")
    agreed = [said(block, known, other) for block in blocks]
    hits = [index for index, yes in enumerate(agreed) if yes]
    if not hits:
        return theirs
    kept = [
        block for index, block in enumerate(blocks) if agreed[index] or (hits[0] < index < hits[-1] and solid(block))
    ]
    return "\n\n".join(kept)


def solid(block: str) -> bool:
    """A kind of block that a reader of running text tends to miss but that belongs to it."""
    return block.startswith(("|", "```", "> ", "#", "1. ")) or (block.startswith("- ") and len(words(block)) > 20)
