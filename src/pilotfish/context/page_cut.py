"""Cuts a page to the lines that matter for a goal, by structure and shared words, in any language."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from pilotfish.context.fitting import token_estimate

ELEMENT_LINE = re.compile(r"\[\d{1,9}\] (\w{1,40})")
WORD = re.compile(r"[^\W_]{1,60}")
DENSE_SCRIPTS = "\u2e7f"
"""Scripts after this character write words without spaces; pairs of characters stand for words."""
STEM_LENGTH, SHORTEST_WORD = 4, 3
LONGEST_LINE = 200
"""Characters of a line."""
FRONT_WEIGHT, SHARED_WEIGHT, CHANGED_WEIGHT, FIELD_WEIGHT = 8.0, 6.0, 4.0, 3.0
HEADING_WEIGHT, NEW_WEIGHT, LINK_WEIGHT, FIRST_WEIGHT = 2.0, 2.0, 1.0, 1.0
"""How much a line counts: in front, with words of the goal, changed, a field, a heading or button, not on the page
before this one, a link, the first below another."""
ASIDE_WEIGHT, ASIDE_ROLES = -1.0, ("complementary", "contentinfo")
"""How much a line counts less that stands beside the matter of the page, and the parts of a page that do."""
ELEMENT_NUMBER = re.compile(r"\*?\[\d{1,9}\] ")
FIELD_ROLES = frozenset(
    {"textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox", "checkbox", "radio", "switch"}
)
BUTTON_ROLES = frozenset({"button", "tab", "menuitem", "option", "treeitem"})
OUTLINE_STARTS = ("below: ", "behind what lies on top: ", "pages: ", "… about ")
"""How the lines begin that tell what is around the part of the page that was read."""


class CutLine(NamedTuple):
    """A line of a page, how deep it is indented, and the place of the line that it belongs to."""

    text: str
    depth: int
    parent: int


def list_terms(text: str) -> Iterator[str]:
    """What two texts can share: words, beginnings of words, and pairs of characters of dense scripts."""
    for word in WORD.findall(text.casefold()):
        if max(word) > DENSE_SCRIPTS:
            yield from (word[at : at + 2] for at in range(max(1, len(word) - 1)))
        elif len(word) >= SHORTEST_WORD or word.isdecimal():
            yield word
            if len(word) > STEM_LENGTH and not word.isdecimal():
                yield f"{word[:STEM_LENGTH]}…"


def cut_page(page: str, words: str, before: Collection[str], room: int) -> str:
    """The page within so many tokens. `words` are goal and notes; `before` are the lines of the last page.

    What is left out is counted where it stood.
    """
    if token_estimate(page) <= room:
        return page
    lines = read_lines(page)
    scores = rank_lines(lines, words, before)
    kept = {at for at, line in enumerate(lines) if at < count_head(lines) or line.text.startswith(OUTLINE_STARTS)}
    spent, added = sum(token_estimate(lines[at].text) for at in kept), list[set[int]]()
    for at in sorted(range(len(lines)), key=lambda at: (-scores[at], at)):
        chain = {at, *ancestors(lines, at)} - kept
        cost = sum(token_estimate(lines[each].text) for each in chain)
        if chain and spent + cost <= room:
            spent += cost
            kept |= chain
            added.append(chain)
    text = write_lines(lines, kept)
    while added and token_estimate(text) > room:
        kept -= added.pop()
        text = write_lines(lines, kept)
    return text


def read_lines(page: str) -> list[CutLine]:
    lines, above = list[CutLine](), list[int]()
    for at, text in enumerate(page.splitlines()):
        depth = len(text) - len(text.lstrip(" "))
        while above and lines[above[-1]].depth >= depth:
            above.pop()
        short = text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]}…"
        lines.append(CutLine(short, depth, above[-1] if above else -1))
        above.append(at)
    return lines


def count_head(lines: Sequence[CutLine]) -> int:
    """How many lines tell where this is: up to the position on the page, which stands in brackets."""
    return next((at + 1 for at, line in enumerate(lines[:8]) if line.text.startswith("(")), 2)


def ancestors(lines: Sequence[CutLine], at: int) -> Iterator[int]:
    while (at := lines[at].parent) >= 0:
        yield at


def rank_lines(lines: Sequence[CutLine], words: str, before: Collection[str]) -> list[float]:
    """How much each line matters."""
    wanted = set(list_terms(words))
    shared = [wanted & set(list_terms(line.text)) for line in lines]
    usual = Counter(term for terms in shared for term in terms)
    known = set(map(unnumbered_line, before))
    fresh = [bool(known) and unnumbered_line(line.text) not in known for line in lines]
    newness = NEW_WEIGHT if sum(fresh) * 2 > len(lines) else CHANGED_WEIGHT
    scores = list[float]()
    for at, line in enumerate(lines):
        around = [lines[each].text for each in (at, *ancestors(lines, at))]
        score = rank_kind(line.text) + SHARED_WEIGHT * min(1.0, sum(1 / usual[term] for term in shared[at]))
        score += newness * fresh[at]
        score += FIRST_WEIGHT * (line.parent == at - 1 or at == 0)
        score += ASIDE_WEIGHT * any(text.lstrip().startswith(ASIDE_ROLES) for text in around)
        scores.append(score + FRONT_WEIGHT * any("(in front" in text for text in around))
    return scores


def rank_kind(line: str) -> float:
    """How much a line matters by what kind of thing it shows."""
    if line.lstrip().startswith("#"):
        return HEADING_WEIGHT
    roles = set(ELEMENT_LINE.findall(line))
    if roles & FIELD_ROLES:
        return FIELD_WEIGHT
    if " | " in line:
        return LINK_WEIGHT / 2
    return HEADING_WEIGHT if roles & BUTTON_ROLES else LINK_WEIGHT if roles else LINK_WEIGHT / 2


def plain_line(line: str) -> str:
    """A line without its indentation and the mark of what is new."""
    return line.strip().replace("*[", "[")


def unnumbered_line(line: str) -> str:
    """A line without its indentation and the numbers of its elements, which differ from page to page."""
    return ELEMENT_NUMBER.sub("", line.strip())


def write_lines(lines: Sequence[CutLine], kept: Collection[int]) -> str:
    """The kept lines in order, and the number of those that are left out between them."""
    parts, left = list[str](), 0
    for at, line in enumerate(lines):
        if at not in kept:
            left += 1
            continue
        parts += [f"… {left} more"] if left else []
        parts.append(line.text)
        left = 0
    return "\n".join([*parts, *([f"… {left} more"] if left else [])])
