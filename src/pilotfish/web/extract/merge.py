"""Two readings of the same page made one: trafilatura says what belongs to the text, our blocks say how it looks."""

from pilotfish.web.extract.dom import words

Grams = set[tuple[str, ...]]
RUN = 3
NEAR = 30
ALONE = 80
"""So many words of ours are believed against a reading that shares next to nothing with them."""


def grams(text: str) -> Grams:
    """Runs of words: two texts that share them say the same thing in the same order."""
    found = words(text)
    return {tuple(found[at : at + RUN]) for at in range(max(1, len(found) - RUN + 1))} if found else set()


def same(one: Grams, other: Grams) -> bool:
    """Whether the shorter of two blocks stands in the longer."""
    return bool(one and other) and len(one & other) >= min(len(one), len(other)) * 0.6


def merge(ours: str, theirs: str) -> str:
    """Their blocks in our dress, with the tables, code, lists and headings that they lost in between.

    Where they found next to nothing, or something else altogether, ours is taken as it is.
    """
    count, other = len(words(ours)), len(words(theirs))
    if not other or other < count * (0.25 if other < 120 else 0.15):
        return ours
    blocks = parts(ours)
    known = [grams(block) for block in blocks]
    told = grams(theirs)
    if count >= ALONE and len(told & grams(ours)) < len(told) * 0.1:
        return ours
    kept: list[str] = []
    last, whole = -1, False
    for block in parts(theirs):
        mine = grams(block)
        reach = len(blocks) if len(mine) > 4 else last + NEAR
        order = [*range(last + 1, min(reach, len(blocks))), *([last] if last >= 0 else [])]
        match = next((at for at in order if same(mine, known[at])), None)
        if match is None and whole and spelled(block) in spelled(blocks[last]):
            continue
        if match is None or (match == last and not whole):
            kept.append(block)
        elif match != last:
            if last >= 0 and match - last < NEAR:
                kept += [
                    between for between in blocks[last + 1 : match] if solid(between) and not same(grams(between), told)
                ]
            last, whole = match, alike(blocks[match], block)
            kept.append(blocks[match] if whole else block)
    return "\n\n".join(kept)


def parts(text: str) -> list[str]:
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


def spelled(text: str) -> str:
    return f" {' '.join(words(text))} "


def alike(ours: str, theirs: str) -> bool:
    """Whether two forms of a block say about as much."""
    mine, other = len(words(ours)), len(words(theirs))
    return other * 0.8 <= mine <= other * 1.3 + 5


def solid(block: str) -> bool:
    """A kind of block that a reader of running text tends to miss but that belongs to it."""
    return block.startswith(("|", "```", "> ")) or (block.startswith("- ") and len(words(block)) > 20)
