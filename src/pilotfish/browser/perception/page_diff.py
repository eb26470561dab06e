"""Compares two looks at a page by content: which elements, texts, rows and dialogs came, went or changed."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pilotfish.browser.perception.row_index import RowIndex, is_within

if TYPE_CHECKING:
    from pilotfish.browser.perception.element import ElementView
    from pilotfish.browser.perception.snapshot import Snapshot

STILL_PIXELS = 3
"""Pixels by which an element may move without counting as moved."""
NEAR_PIXELS = 40
"""Pixels by which an element may move and still count as the same one with another name."""
LIVE_ROLES = frozenset({"alert", "status", "log"})
TEXT_ROLES = ("text", "heading")
LAYER_ROLES = frozenset({"dialog", "alertdialog", "menu", "listbox", "tooltip", "panel"})
DIGITS = re.compile(r"\d+(?:[.,]\d+)*")

Pair = tuple["ElementView", "ElementView"]


@dataclass(frozen=True)
class TextDiff:
    """The plain text that came and went. `edited` holds (before, after) of texts that differ in numbers only.
    `messages` are those of `came` in an alert, a status or a log; `loose` are those that stand in no row."""

    came: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    edited: tuple[tuple[str, str], ...] = ()
    messages: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()


@dataclass(frozen=True)
class GroupDiff:
    """The rows, and the dialogs and menus, that came and went, each as a line of text. `reported` holds the element
    numbers and the texts of the rows, dialogs and menus that went."""

    rows_came: tuple[str, ...] = ()
    rows_gone: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    reported: frozenset[int | str] = frozenset()


@dataclass(frozen=True)
class TargetDiff:
    """What became of single elements. `altered`: the touched element looks different, though nothing else does;
    `focused` got the focus by an action without a target."""

    altered: bool = False
    focused: "ElementView | None" = None


@dataclass(frozen=True)
class PageDiff:
    """The difference of two looks. `pairs` holds (before, after) of elements that changed, or got another number though
    they show the same; `out_of_view` what is there but was not seen; `shifted` what is elsewhere though nothing else
    changed."""

    added: tuple["ElementView", ...] = ()
    removed: tuple["ElementView", ...] = ()
    pairs: tuple[Pair, ...] = ()
    out_of_view: tuple["ElementView", ...] = ()
    texts: TextDiff = TextDiff()
    groups: GroupDiff = GroupDiff()
    shifted: tuple["ElementView", ...] = ()
    target: TargetDiff = TargetDiff()

    @property
    def changed(self) -> list[Pair]:
        return [(before, after) for before, after in self.pairs if visible_facts(before) != visible_facts(after)]

    @property
    def renewed(self) -> list[Pair]:
        return [(before, after) for before, after in self.pairs if visible_facts(before) == visible_facts(after)]

    @property
    def size(self) -> int:
        """How many things differ in content."""
        texts = self.texts
        parts = (self.added, self.removed, self.changed, self.out_of_view, texts.came, texts.gone, texts.edited)
        return sum(map(len, parts)) + len(self.shifted) + self.target.altered


def compare_snapshots(before: "Snapshot", after: "Snapshot", away: Collection[int] = ()) -> PageDiff:
    """Match elements by number; then, among what is left, those that show the same in the same row; then those that
    only got another name. `away` are numbers of elements that are out of view, but still there."""
    old = {element.id: element for element in before.elements}
    new = {element.id: element for element in after.elements}
    was, now = RowIndex(before.nodes), RowIndex(after.nodes)
    pairs = [(old[key], new[key]) for key in new if key in old and visible_facts(old[key]) != visible_facts(new[key])]
    hidden = tuple(element for key, element in old.items() if key in away)
    removed = [element for key, element in old.items() if key not in new and key not in away]
    added = [element for key, element in new.items() if key not in old]
    for pair in (*match_equal(removed, added, was, now), *match_renamed(removed, added, was, now)):
        if pair[0] in removed and pair[1] in added:
            pairs.append(pair)
            removed.remove(pair[0])
            added.remove(pair[1])
    groups = compare_groups(before, after, was, now, frozenset(away))
    texts = compare_texts(before, after, now)
    if after.is_covered and not before.is_covered:
        groups, texts = replace(groups, rows_gone=(), reported=frozenset()), replace(texts, gone=(), edited=())
    delta = PageDiff(tuple(added), tuple(removed), tuple(pairs), hidden, texts, groups)
    return delta if delta.size else replace(delta, shifted=find_shifted(old, new))


def mark_dragged(delta: PageDiff, id: int) -> PageDiff:
    """The difference, in which the dragged element has moved if it is drawn elsewhere under another number."""
    if anew := next((pair for pair in delta.renewed if pair[0].id == id), None):
        pairs = tuple(pair for pair in delta.pairs if pair[0].id != id)
        return replace(delta, pairs=pairs, shifted=(*delta.shifted, anew[1]))
    gone = next((each for each in delta.removed if each.id == id and each.name), None)
    fresh = [each for each in delta.added if gone and visible_facts(each) == visible_facts(gone)]
    if len(fresh) != 1:
        return delta
    removed = tuple(each for each in delta.removed if each is not gone)
    added = tuple(each for each in delta.added if each is not fresh[0])
    return replace(delta, removed=removed, added=added, shifted=(*delta.shifted, fresh[0]))


def compare_documents(before: "Snapshot", after: "Snapshot") -> PageDiff:
    """What another document says: its messages; at the address of the one before also the texts that differ from it."""
    messages = list_messages(after)
    if urlsplit(before.url)[:3] != urlsplit(after.url)[:3]:
        return PageDiff(texts=TextDiff(messages=messages))
    return PageDiff(texts=replace(compare_texts(before, after, RowIndex(after.nodes)), messages=messages))


def find_refocused(before: "Snapshot", after: "Snapshot") -> "ElementView | None":
    """The element that has the focus now and did not have it before."""
    had = {element.id for element in before.elements if "focused" in element.states}
    return next((each for each in after.elements if "focused" in each.states and each.id not in had), None)


def match_equal(
    removed: "Sequence[ElementView]", added: "Sequence[ElementView]", was: RowIndex, now: RowIndex
) -> Iterator[Pair]:
    """Elements that show the same in equal surroundings, where there is only one such before and after."""

    def keyed(elements: "Sequence[ElementView]", rows: RowIndex) -> "dict[object, list[ElementView]]":
        found: dict[object, list[ElementView]] = {}
        for element in elements:
            found.setdefault((visible_facts(element), rows.surroundings[element.id]), []).append(element)
        return found

    old = keyed(removed, was)
    for key, fresh in keyed(added, now).items():
        gone = old.get(key, [])
        if len(fresh) == len(gone) == 1:
            yield gone[0], fresh[0]


def match_renamed(
    removed: "Sequence[ElementView]", added: "Sequence[ElementView]", was: RowIndex, now: RowIndex
) -> Iterator[Pair]:
    """Elements that got another name: about the same place and surroundings, and a like name or little else new. In a
    row that says the same besides, the place may be another, since rows are sorted by what was just changed."""
    few = len(removed) <= 3
    for fresh in added:
        for gone in removed:
            in_row, rest = was.surroundings[gone.id]
            if in_row and (True, rest) != now.surroundings[fresh.id]:
                continue
            same_row = not in_row or bool(rest) or differ_in_numbers(gone.name, fresh.name)
            if same_row and is_renamed(gone, fresh, few, moved=in_row and bool(rest)):
                yield gone, fresh
                break


def is_renamed(before: "ElementView", after: "ElementView", few: bool, *, moved: bool = False) -> bool:
    """Whether it may be the same thing under another name. `moved`: it may be elsewhere now."""
    if before.role != after.role or before.tag != after.tag:
        return False
    apart = max(abs(a - b) for a, b in zip(before.box[:2], after.box[:2], strict=True))
    alike = are_names_alike(before.name, after.name)
    return (alike and (moved or apart <= NEAR_PIXELS)) or (few and apart <= STILL_PIXELS)


def are_names_alike(one: str, two: str) -> bool:
    """Whether two names share a word, or one begins with the other."""
    a, b = one.casefold(), two.casefold()
    shared = {word for word in a.split() if word.isalpha()} & set(b.split())
    return bool(shared) or (bool(a and b) and (a.startswith(b) or b.startswith(a)))


def differ_in_numbers(one: str, two: str) -> bool:
    return one != two and DIGITS.sub("#", one) == DIGITS.sub("#", two)


def compare_texts(before: "Snapshot", after: "Snapshot", rows: RowIndex) -> TextDiff:
    was, now = Counter(list_texts(before)), Counter(list_texts(after))
    came, gone = list((now - was).elements()), list((was - now).elements())
    edited: list[tuple[str, str]] = []
    for text in list(came):
        old = next((each for each in gone if differ_in_numbers(each, text)), None)
        if old is not None:
            edited.append((old, text))
            came.remove(text)
            gone.remove(old)
    live = set(list_messages(after))
    texts = [(at, node) for at, node in enumerate(after.nodes) if node.name and node.kind in TEXT_ROLES]
    loose = {node.name for at, node in texts if rows.row_of[at] < 0}
    came, gone = list(dict.fromkeys(came)), list(dict.fromkeys(gone))
    messages = tuple(text for text in came if text in live)
    return TextDiff(tuple(came), tuple(gone), tuple(edited), messages, tuple(text for text in came if text in loose))


def list_messages(view: "Snapshot") -> tuple[str, ...]:
    """The texts that stand in an alert, a status or a log."""
    texts = ((at, node) for at, node in enumerate(view.nodes) if node.name and node.kind in TEXT_ROLES)
    return tuple(node.name for at, node in texts if is_within(view.nodes, at, LIVE_ROLES))


def compare_groups(
    before: "Snapshot", after: "Snapshot", was: RowIndex, now: RowIndex, away: frozenset[int]
) -> GroupDiff:
    came, gone = (
        now.find_differing(was),
        [row for row in was.find_differing(now) if not was.ids.get(row, frozenset()) & away],
    )
    hid, shown = Counter(list_open_layers(before)), Counter(list_open_layers(after))
    reported = {each for row in gone for each in (*was.ids.get(row, ()), *was.words[row])}
    reported |= set(list_parts(before, hid - shown))
    return GroupDiff(
        tuple(map(now.line, came)),
        tuple(map(was.line, gone)),
        tuple((shown - hid).elements()),
        tuple((hid - shown).elements()),
        frozenset(reported),
    )


def list_open_layers(view: "Snapshot") -> Iterator[str]:
    """The dialogs and menus of a look."""
    return (name_raised(node) for node in view.nodes if is_raised(node))


def is_raised(node: "ElementView") -> bool:
    return node.kind == "box" and node.role in LAYER_ROLES


def name_raised(node: "ElementView") -> str:
    return f'{node.role} "{node.name[:80]}"' if node.name else node.role


def list_parts(view: "Snapshot", closed: Collection[str]) -> Iterator[int | str]:
    """The element numbers and the texts in the dialogs and menus of these names."""
    inside: set[int] = set()
    for at, node in enumerate(view.nodes):
        if node.parent in inside or (is_raised(node) and name_raised(node) in closed):
            inside.add(at)
            yield node.id if node.id else node.name


def find_shifted(old: "Mapping[int, ElementView]", new: "Mapping[int, ElementView]") -> tuple["ElementView", ...]:
    """The elements that were dragged or sorted: their position changed, and not by as much as that of most others."""
    steps = {id: (new[id].box[0] - old[id].box[0], new[id].box[1] - old[id].box[1]) for id in new if id in old}
    usual = max(Counter(steps.values()).items(), key=lambda step: (step[1], step[0] == (0, 0)), default=((0, 0), 0))[0]
    return tuple(new[id] for id, step in steps.items() if math.dist(step, usual) > STILL_PIXELS)


def list_texts(view: "Snapshot") -> Iterable[str]:
    """The plain texts of the page, without hints of ours about it."""
    texts = (node for node in view.nodes if not node.id and node.kind != "image" and node.role != "hint")
    return (node.name for node in texts if node.name)


def list_missing(before: "Snapshot", after: "Snapshot") -> list[int]:
    """The numbers of elements that the second look does not show."""
    now = {element.id for element in after.elements}
    return [element.id for element in before.elements if element.id not in now]


def visible_states(element: "ElementView") -> frozenset[str]:
    return frozenset(element.states)


def visible_facts(element: "ElementView") -> tuple[object, ...]:
    """The visible facts of an element, without the focus."""
    return element.role, element.name, element.value, visible_states(element) - {"focused"}
