"""Merges two readings of a page: trafilatura tells what belongs to the text, our blocks give its form."""

from pilotfish.web.extract.dom import list_words

WordRuns = set[tuple[str, ...]]
RUN = 3
NEAR = 30
ALONE = 80
"""So many words of ours are believed against a reading that shares next to nothing with them."""


def word_runs(text: str) -> WordRuns:
    """Runs of words: two texts that share them say the same thing in the same order."""
    found = list_words(text)
    return {tuple(found[at : at + RUN]) for at in range(max(1, len(found) - RUN + 1))} if found else set()


def are_same(one: WordRuns, other: WordRuns) -> bool:
    """Whether the shorter of two blocks stands in the longer."""
    return bool(one and other) and len(one & other) >= min(len(one), len(other)) * 0.6


def merge_readings(ours: str, theirs: str) -> str:
    """Take trafilatura's blocks in our form, with the tables, code, lists and headings that it lost in between.

    Where it found next to nothing, or something else, ours is taken as it is.
    """
    count, other = len(list_words(ours)), len(list_words(theirs))
    if not other or other < count * (0.25 if other < 120 else 0.15):
        return ours
    blocks = split_blocks(ours)
    known = [word_runs(block) for block in blocks]
    their_runs = word_runs(theirs)
    if count >= ALONE and len(their_runs & word_runs(ours)) < len(their_runs) * 0.1:
        return ours
    kept: list[str] = []
    last, whole = -1, False
    for block in split_blocks(theirs):
        mine = word_runs(block)
        reach = len(blocks) if len(mine) > 4 else last + NEAR
        order = [*range(last + 1, min(reach, len(blocks))), *([last] if last >= 0 else [])]
        match = next((at for at in order if are_same(mine, known[at])), None)
        if match is None and whole and plain_words(block) in plain_words(blocks[last]):
            continue
        if match is None or (match == last and not whole):
            kept.append(block)
        elif match != last:
            if last >= 0 and match - last < NEAR:
                kept += [
                    between
                    for between in blocks[last + 1 : match]
                    if is_solid(between) and not are_same(word_runs(between), their_runs)
                ]
            last, whole = match, are_alike(blocks[match], block)
            kept.append(blocks[match] if whole else block)
    return "\n\n".join(kept)


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


def is_solid(block: str) -> bool:
    """A kind of block that a reader of running text tends to miss but that belongs to it."""
    return block.startswith(("|", "```", "> ")) or (block.startswith("- ") and len(list_words(block)) > 20)
