"""Merges two readings of a page: trafilatura tells what belongs to the text, our blocks give its form."""

from collections.abc import Sequence

from pilotfish.web.extract.dom import list_words

WordRuns = set[tuple[str, ...]]
RUN_LENGTH = 3
NEAR_BLOCKS = 30
ENOUGH_WORDS = 80
"""With so many words, our reading is taken instead of one that shares next to nothing with it."""


def word_runs(text: str) -> WordRuns:
    """Runs of words: two texts that share them say the same thing in the same order."""
    found = list_words(text)
    return {tuple(found[at : at + RUN_LENGTH]) for at in range(max(1, len(found) - RUN_LENGTH + 1))} if found else set()


def are_same(one: WordRuns, other: WordRuns) -> bool:
    """Whether the shorter of two blocks stands in the longer."""
    return bool(one and other) and len(one & other) >= min(len(one), len(other)) * 0.6


def merge_readings(ours: str, theirs: str) -> str:
    """Take trafilatura's blocks in our form, with the tables, code, lists and headings that it lost in between.

    Where it found next to nothing, or something else, ours is taken as it is.
    """
    if is_unlike(ours, theirs):
        return ours
    blocks = split_blocks(ours)
    known, their_runs = [word_runs(block) for block in blocks], word_runs(theirs)
    kept: list[str] = []
    last, whole = -1, False  # the last block of ours that was found in theirs; whether it was taken in our form
    for block in split_blocks(theirs):
        match = find_block(word_runs(block), known, last)
        if match is None and whole and plain_words(block) in plain_words(blocks[last]):
            continue
        if match is None or (match == last and not whole):
            kept.append(block)
        elif match != last:
            if last >= 0 and match - last < NEAR_BLOCKS:
                kept += [
                    lost
                    for lost in blocks[last + 1 : match]
                    if is_often_missed(lost) and not are_same(word_runs(lost), their_runs)
                ]
            last, whole = match, are_alike(blocks[match], block)
            kept.append(blocks[match] if whole else block)
    return "\n\n".join(kept)


def is_unlike(ours: str, theirs: str) -> bool:
    """Whether the other reading found next to nothing, or something else than ours."""
    count, other = len(list_words(ours)), len(list_words(theirs))
    if not other or other < count * (0.25 if other < 120 else 0.15):
        return True
    their_runs = word_runs(theirs)
    return count >= ENOUGH_WORDS and len(their_runs & word_runs(ours)) < len(their_runs) * 0.1


def find_block(wanted: WordRuns, known: Sequence[WordRuns], last: int) -> int | None:
    """The first block after the last one that says the same, else the last one; a short block is looked for nearby."""
    end = len(known) if len(wanted) > 4 else min(last + NEAR_BLOCKS, len(known))
    places = [*range(last + 1, end), *([last] if last >= 0 else [])]
    return next((at for at in places if are_same(wanted, known[at])), None)


def split_blocks(text: str) -> list[str]:
    """Markdown cut at its empty lines, code kept whole."""
    found = [""]
    fenced = False
    for line in text.split("\n"):
        fence = line.startswith("```")
        if not fenced and (fence or not line.strip()):
            found.append("")
        found[-1] += f"{line}\n"
        if fence:
            fenced = not fenced
            found += [] if fenced else [""]
    return [part.strip("\n") for part in found if part.strip()]


def plain_words(text: str) -> str:
    return f" {' '.join(list_words(text))} "


def are_alike(ours: str, theirs: str) -> bool:
    """Whether two forms of a block say about as much."""
    mine, other = len(list_words(ours)), len(list_words(theirs))
    return other * 0.8 <= mine <= other * 1.3 + 5


def is_often_missed(block: str) -> bool:
    """Whether it is a table, code, a quotation or a long list: trafilatura often leaves these out."""
    return block.startswith(("|", "```", "> ")) or (block.startswith("- ") and len(list_words(block)) > 20)
