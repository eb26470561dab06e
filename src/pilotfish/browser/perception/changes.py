"""Reports what an action changed, in a few lines; the whole page only if most of it is new."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import starmap
from typing import TYPE_CHECKING, Literal

from pilotfish.browser.perception.headline import describe_states, write_headline
from pilotfish.browser.perception.page_diff import PageDiff, visible_states
from pilotfish.browser.sessions.tab import SessionNotice
from pilotfish.core.gestures import PointerTarget
from pilotfish.core.recipe import ElementRef

if TYPE_CHECKING:
    from pilotfish.browser.perception.element import ElementView
    from pilotfish.browser.perception.snapshot import Snapshot

MOST_NAMED = 12
"""How many elements of a kind are named before the rest is counted."""
MOST_NAMED_OUT_OF_VIEW = 4
"""The same for elements that are out of view."""
FOLD_STATES = frozenset({"expanded", "collapsed", "focused"})


@dataclass(frozen=True)
class ChangeReport:
    """An action, the page after it, and the differences."""

    action: str
    tab: int
    moved: Literal["", "document", "route"]
    notices: tuple[SessionNotice, ...]
    delta: PageDiff
    view: "Snapshot"
    pointer: PointerTarget | None = None
    touched: Mapping[int, ElementRef] = field(default_factory=dict[int, ElementRef])

    @property
    def url(self) -> str:
        return self.view.url

    @property
    def title(self) -> str:
        return self.view.title

    def touched_values(self) -> dict[int, tuple[str, str]]:
        """What the touched fields held before and after, by id, where the page stayed the same."""
        edited = {after.id: before.value for before, after in self.delta.changed}
        found = {} if self.moved == "document" else {id: self.view.get(id) for id in self.touched}
        shown = {id: node for id, node in found.items() if node is not None and (node.value or edited.get(id))}
        return {id: (edited.get(id, node.value), node.value) for id, node in shown.items()}

    @property
    def is_large(self) -> bool:
        """Whether so much is new that the report shows the whole page."""
        added = len(self.delta.added) + len(self.delta.renewed)
        drawn = self.moved == "route" and added > 3 and added + len(self.delta.removed) > MOST_NAMED
        return self.moved == "document" or drawn or added > max(MOST_NAMED, len(self.view.elements) // 2)

    @property
    def is_nothing(self) -> bool:
        return not (self.moved or self.notices or self.delta.size)

    @property
    def only_shows(self) -> bool:
        """Whether only another part of the page is shown now: another route, a dialog, a menu, an unfolded part."""
        if self.notices or self.delta.texts.messages or self.moved == "document":
            return False
        unfolded = [is_unfolding(*pair) for pair in self.delta.changed]
        return self.moved == "route" or (bool(self.delta.groups.opened or unfolded) and all(unfolded))

    @cached_property
    def headline(self) -> str:
        """The most important part of the change, in one line."""
        return write_headline(self)

    def text(self, budget: int = 2000) -> str:
        """The report for the model: sentences, then the page if the change is large."""
        lines = [f"{self.action}."]
        if self.moved == "document":
            lines.append(f'The page is now "{self.title}" at {shorten_url(self.url)}.')
        elif self.moved == "route":
            lines.append(f"The address is now {shorten_url(self.url)}.")
        lines += [notice.text for notice in self.notices]
        if self.is_nothing:
            lines.append("Nothing changed on the page.")
        if self.is_large:
            changes = [] if self.moved == "document" or self.is_nothing else [f"In short: {self.headline}."]
            return "\n".join([*lines, *changes, "", self.view.render(budget)])
        return "\n".join([*lines, *self._differences()])

    def _differences(self) -> list[str]:
        delta, texts, lines = self.delta, self.delta.texts, list[str]()
        if delta.target.altered:
            lines.append("It looks different now, as what is chosen may.")
        if texts.came:
            lines.append("New text: " + list_elements(f'"{text[:200]}"' for text in texts.came))
        if texts.edited:
            lines.append("Changed text: " + list_elements(f'"{a[:80]}" → "{b[:80]}"' for a, b in texts.edited))
        if delta.changed:
            lines.append("Changed: " + list_elements(starmap(self._describe_edit, delta.changed)))
        if delta.shifted:
            lines.append("Moved: " + list_elements(map(describe_element, leave_out_named(delta.shifted))))
        if delta.added:
            lines.append("New: " + list_elements(map(describe_element, delta.added)))
        if delta.renewed:
            anew = (f"[{old.id}] is now {describe_element(new)}" for old, new in delta.renewed)
            lines.append("Numbered anew: " + list_elements(anew))
        if delta.groups.closed:
            lines.append("Closed: " + list_elements(delta.groups.closed))
        if delta.groups.rows_gone:
            lines.append(
                "Rows gone: " + list_elements((f'"{row}"' for row in delta.groups.rows_gone), MOST_NAMED_OUT_OF_VIEW)
            )
        if gone := [element for element in delta.removed if element.id not in delta.groups.reported]:
            lines.append("Gone: " + list_elements(map(describe_element, gone)))
        if delta.out_of_view:
            lines.append(
                "Out of sight: " + list_elements(map(describe_element, delta.out_of_view), MOST_NAMED_OUT_OF_VIEW)
            )
        if lost := [text for text in texts.gone if text not in delta.groups.reported]:
            lines.append("Text gone: " + list_elements((f'"{text[:80]}"' for text in lost), MOST_NAMED_OUT_OF_VIEW))
        return lines

    def _describe_edit(self, before: "ElementView", after: "ElementView") -> str:
        """One element's change, without role and name where the action has just told both."""
        line = describe_edit(before, after)
        name = f'[{after.id}] {after.role} "{after.name}"'
        return line.replace(name, f"[{after.id}]", 1) if name in self.action else line


def leave_out_named(elements: "Sequence[ElementView]") -> "list[ElementView]":
    """Elements without those that are called by the row of another one: they moved with it."""
    names = {element.name for element in elements}
    return [one for one in elements if one.name[one.name.rfind("(") + 1 : -1] not in names]


def is_unfolding(before: "ElementView", after: "ElementView") -> bool:
    """Whether an element changed in nothing but being unfolded or folded."""
    same = (before.role, before.name, before.value) == (after.role, after.name, after.value)
    return same and visible_states(before) ^ visible_states(after) <= FOLD_STATES


def describe_edit(before: "ElementView", after: "ElementView") -> str:
    """One element's change: what it is now, and what it was."""
    changes: list[str] = []
    if before.name != after.name:
        changes.append(f'was "{before.name}"')
    if before.value != after.value:
        changes.append(f'value was "{before.value}"' if before.value else "was empty")
    states = describe_states(before, after)
    same = visible_states(after) & visible_states(before) if states else visible_states(after)
    return describe_element(after, same) + "".join(f" ({each})" for each in filter(None, ("; ".join(changes), states)))


def describe_element(element: "ElementView", states: frozenset[str] | None = None) -> str:
    """An element in a line: number, role, name, value, states."""
    value = f' = "{element.value}"' if element.value else ""
    flags = sorted((visible_states(element) if states is None else states) - {"focused"})
    return f'[{element.id}] {element.role} "{element.name}"{value}{f" ({chr(44).join(flags)})" if flags else ""}'


def list_elements(items: Iterable[str], most: int = MOST_NAMED) -> str:
    every = list(items)
    rest = f"; and {len(every) - most} more" if len(every) > most else ""
    return "; ".join(every[:most]) + rest + "."


def shorten_url(url: str) -> str:
    return url if len(url) <= 120 else url[:117] + "…"
