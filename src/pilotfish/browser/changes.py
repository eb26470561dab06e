"""What an action changed, told in a few lines: the whole page only where little of it stayed."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from pilotfish.browser.tab import Notice
from pilotfish.core.hands import Aim
from pilotfish.core.recipe import Met

if TYPE_CHECKING:
    from pilotfish.browser.view import Element, View

SHOWN = 12
"""How many elements of a kind are named before the rest is counted."""
HIDDEN = 4
"""The same for what went out of sight."""
STILL = 3
"""Pixels that an element may tremble without having moved."""
NEAR = 40
"""How far, in pixels, an element may move and still be taken for the same thing with another name."""


@dataclass(frozen=True)
class Delta:
    """The difference of two looks. `pairs` holds (before, after) of what changed, or was made anew and looks the same,
    `away` what is there but out of sight, `said` and `unsaid` the plain text that came and went, `shifted` what is
    elsewhere though nothing else changed; `altered`: what was touched looks different, though nothing else does."""

    added: tuple["Element", ...] = ()
    removed: tuple["Element", ...] = ()
    pairs: tuple[tuple["Element", "Element"], ...] = ()
    away: tuple["Element", ...] = ()
    said: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()
    shifted: tuple["Element", ...] = ()
    altered: bool = False

    @property
    def changed(self) -> list[tuple["Element", "Element"]]:
        return [(before, after) for before, after in self.pairs if facts(before) != facts(after)]

    @property
    def renewed(self) -> list[tuple["Element", "Element"]]:
        return [(before, after) for before, after in self.pairs if facts(before) == facts(after)]

    @property
    def size(self) -> int:
        parts = (self.added, self.removed, self.changed, self.away, self.said, self.unsaid, self.shifted)
        return sum(map(len, parts)) + self.altered


@dataclass(frozen=True)
class Change:
    """What was done, where that led, and what is different now."""

    did: str
    tab: int
    moved: Literal["", "document", "route"]
    notices: tuple[Notice, ...]
    delta: Delta
    view: "View"
    aim: Aim | None = None
    met: Mapping[int, Met] = field(default_factory=dict[int, Met])

    @property
    def url(self) -> str:
        return self.view.url

    @property
    def title(self) -> str:
        return self.view.title

    @property
    def focus(self) -> "Element | None":
        return next((element for element in self.view.elements if "focused" in states(element)), None)

    @property
    def large(self) -> bool:
        """Whether so much is new that only the whole page tells it."""
        added = len(self.delta.added) + len(self.delta.renewed)
        drawn = self.moved == "route" and added > 3 and added + len(self.delta.removed) > SHOWN
        return self.moved == "document" or drawn or added > max(SHOWN, len(self.view.elements) // 2)

    @property
    def nothing(self) -> bool:
        return not (self.moved or self.notices or self.delta.size or self.delta.renewed)

    def text(self, budget: int = 2000) -> str:
        """For the model: sentences, then the page if it is as good as new."""
        lines = [f"{self.did}."]
        if self.moved == "document":
            lines.append(f'The page is now "{self.title}" at {short(self.url)}.')
        elif self.moved == "route":
            lines.append(f"The address is now {short(self.url)}.")
        lines += [notice.text for notice in self.notices]
        if self.large:
            return "\n".join([*lines, "", self.view.render(budget)])
        if self.nothing:
            return "\n".join([*lines, "Nothing changed on the page."])
        return "\n".join([*lines, *self._differences()])

    def _differences(self) -> list[str]:
        delta, lines = self.delta, list[str]()
        if delta.altered:
            lines.append("It looks different now, as what is chosen may.")
        if delta.said:
            lines.append("New text: " + listed(f'"{text[:200]}"' for text in delta.said))
        if delta.changed:
            lines.append("Changed: " + listed(edit(before, after) for before, after in delta.changed))
        if delta.shifted:
            lines.append("Moved: " + listed(map(label, delta.shifted)))
        if delta.added:
            lines.append("New: " + listed(map(label, delta.added)))
        if delta.renewed:
            lines.append("Numbered anew: " + listed(f"[{old.id}] is now {label(new)}" for old, new in delta.renewed))
        if delta.removed:
            lines.append("Gone: " + listed(map(label, delta.removed)))
        if delta.away:
            lines.append("Out of sight: " + listed(map(label, delta.away), HIDDEN))
        if delta.unsaid and not delta.said:
            lines.append("Text gone: " + listed(f'"{text[:80]}"' for text in delta.unsaid))
        return lines


def compare(before: "View", after: "View", away: Collection[int] = ()) -> Delta:
    """Match elements by number; then, among what is left, those made anew; then those that only got another name.
    `away` are numbers of what is out of sight, but still there."""
    old = {element.id: element for element in before.elements}
    new = {element.id: element for element in after.elements}
    pairs = [(old[key], new[key]) for key in new if key in old and facts(old[key]) != facts(new[key])]
    hidden = tuple(element for key, element in old.items() if key in away)
    removed = [element for key, element in old.items() if key not in new and key not in away]
    added = [element for key, element in new.items() if key not in old]
    few = len(removed) <= 3
    for element in list(added):
        twin = next((gone for gone in removed if facts(gone) == facts(element)), None)
        twin = twin or next((gone for gone in removed if renamed(gone, element, few)), None)
        if twin:
            pairs.append((twin, element))
            removed.remove(twin)
            added.remove(element)
    was, now = Counter(words(before)), Counter(words(after))
    said, unsaid = tuple((now - was).elements()), tuple((was - now).elements())
    delta = Delta(tuple(added), tuple(removed), tuple(pairs), hidden, said, unsaid)
    return delta if delta.size or pairs else replace(delta, shifted=shifted(old, new))


def shifted(old: "Mapping[int, Element]", new: "Mapping[int, Element]") -> tuple["Element", ...]:
    """What was dragged or sorted: what lies elsewhere while most of the page stayed, or scrolled by as much."""
    steps = {id: (new[id].box[0] - old[id].box[0], new[id].box[1] - old[id].box[1]) for id in new}
    usual = max(Counter(steps.values()).items(), key=lambda step: (step[1], step[0] == (0, 0)), default=((0, 0), 0))[0]
    return tuple(new[id] for id, step in steps.items() if math.dist(step, usual) > STILL)


def words(view: "View") -> Iterable[str]:
    return (node.name for node in view.nodes if not node.id and node.name and node.kind != "image")


def states(element: "Element") -> frozenset[str]:
    return frozenset(element.states)


def facts(element: "Element") -> tuple[object, ...]:
    """What a reader would see of an element; the focus is told apart."""
    return element.role, element.name, element.value, states(element) - {"focused"}


def renamed(before: "Element", after: "Element", few: bool) -> bool:
    """Whether it is the same thing under another name: about the same place, and a like name or little else new."""
    if before.role != after.role or before.tag != after.tag:
        return False
    apart = max(abs(a - b) for a, b in zip(before.box[:2], after.box[:2], strict=True))
    return apart <= NEAR and (alike(before.name, after.name) or (few and apart <= 3))


def alike(one: str, two: str) -> bool:
    """Whether two names share a word, or one begins with the other."""
    a, b = one.casefold(), two.casefold()
    shared = {word for word in a.split() if word.isalpha()} & set(b.split())
    return bool(shared) or (bool(a and b) and (a.startswith(b) or b.startswith(a)))


def edit(before: "Element", after: "Element") -> str:
    """One element's change: what it is now, and what it was."""
    told: list[str] = []
    if before.name != after.name:
        told.append(f'was "{before.name}"')
    if before.value != after.value:
        told.append(f'value was "{before.value}"' if before.value else "was empty")
    gone = states(before) - states(after) - {"focused"}
    if gone and not told:
        told.append("no longer " + ", ".join(sorted(gone)))
    return label(after) + (f" ({'; '.join(told)})" if told else "")


def label(element: "Element") -> str:
    """An element in a line: number, role, name, value, states."""
    value = f' = "{element.value}"' if element.value else ""
    flags = sorted(states(element) - {"focused"})
    return f'[{element.id}] {element.role} "{element.name}"{value}{f" ({chr(44).join(flags)})" if flags else ""}'


def missing(before: "View", after: "View") -> list[int]:
    """The numbers of what is no longer seen."""
    now = {element.id for element in after.elements}
    return [element.id for element in before.elements if element.id not in now]


def listed(items: Iterable[str], most: int = SHOWN) -> str:
    every = list(items)
    rest = f"; and {len(every) - most} more" if len(every) > most else ""
    return "; ".join(every[:most]) + rest + "."


def short(url: str) -> str:
    return url if len(url) <= 120 else url[:117] + "…"
