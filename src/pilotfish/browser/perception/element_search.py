"""Finds elements of a snapshot by role, name and row, and describes an element by these."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from pilotfish.browser.perception.render import ROW_ROLES, shorten
from pilotfish.core.pages import ElementQuery

if TYPE_CHECKING:
    from pilotfish.browser.perception.element import ElementView
    from pilotfish.browser.perception.snapshot import Snapshot

FAMILIES = (
    frozenset({"textbox", "searchbox", "combobox", "spinbutton"}),
    frozenset({"button", "link", "menuitem", "tab", "clickable", "option", "treeitem"}),
    frozenset({"checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio"}),
)
"""Roles that people and models confuse when they have not seen the page."""
ROW_LENGTH = 160
GROUP = 12
"""The most elements that a group may hold to count as a row."""


class ElementSearch:
    """Searches one snapshot."""

    def __init__(self, view: "Snapshot") -> None:
        self.nodes = view.nodes

    @cached_property
    def _texts(self) -> list[str]:
        """For each node, the words of everything in it. Children come after their parents in reading order."""
        parts = [[normalize_text(f"{node.name} {node.value}")] for node in self.nodes]
        for at in range(len(self.nodes) - 1, -1, -1):
            parent = self.nodes[at].parent
            if parent >= 0:
                parts[parent][1:1] = parts[at]
        return [" ".join(filter(None, each)) for each in parts]

    def find(self, query: ElementQuery) -> "list[ElementView]":
        """The elements that fit the first of the query's names that any fits."""
        return next(filter(None, (self._find_named(query, name) for name in query.names)), [])

    def _find_named(self, query: ElementQuery, name: str) -> "list[ElementView]":
        """The elements that fit: by the exact role, else by a like role, else by the name alone.

        Where none is named so, those in which people read the name first.
        """
        there = [
            (at, node)
            for at, node in enumerate(self.nodes)
            if node.id and (not query.focused or "focused" in node.states)
        ]
        named = [at for at, node in there if is_named(node.name, name)]
        named = named or [at for at, node in there if is_shown(node, name)]
        role, like = query.role.casefold(), next((each for each in FAMILIES if query.role in each), frozenset[str]())
        groups = [[at for at in named if self.nodes[at].role in roles] for roles in ({role}, like)] if role else []
        # A box that is called by its row is not meant where another role is asked for: the row itself has such words.
        anyhow = [at for at in named if not (role and self.nodes[at].has_row_name)]
        for group in [*groups, anyhow] if name or not role else groups:
            if found := [at for at in group if not query.row or self._stands_in(at, row_parts(query.row), group)]:
                return [self.nodes[at] for at in self._best_named(found, row_parts(query.row))]
        return []

    def _best_named(self, found: list[int], words: list[str]) -> list[int]:
        """Of elements in several rows those whose row has the words as its name, else as a whole text or name in it."""
        if len(found) < 2 or not words:
            return found
        rows = {at: self._row_of(at) for at in found}
        called = [at for at in found if rows[at] >= 0 and normalize_text(self.nodes[rows[at]].name) in words]
        whole = [at for at in found if rows[at] >= 0 and all(word in self._names_in(rows[at]) for word in words)]
        return called or whole or found

    def _names_in(self, row: int) -> set[str]:
        return {normalize_text(node.name) for at, node in enumerate(self.nodes) if row in self._ancestors(at)}

    def _stands_in(self, at: int, words: list[str], rivals: list[int]) -> bool:
        """Whether an element's row has these words. Outside rows: whether a small group with one such element has."""
        if (row := self._row_of(at)) >= 0:
            return self._has_all(row, words)
        near = next((up for up in self._ancestors(at) if self._has_all(up, words)), -1)
        if near < 0 or any(near in self._ancestors(other) for other in rivals if other != at):
            return False
        return sum(bool(node.id) and near in self._ancestors(n) for n, node in enumerate(self.nodes)) <= GROUP

    def _has_all(self, at: int, words: list[str]) -> bool:
        return all(part in self._texts[at] for part in words)

    def _row_of(self, at: int) -> int:
        """The place of the nearest row around an element that says more than the element itself, or -1."""
        rows = (up for up in self._ancestors(at) if self._is_row(up))
        return next((up for up in rows if up == at or self._texts[up] != self._texts[at]), -1)

    def _ancestors(self, at: int) -> Iterator[int]:
        while at >= 0:
            yield at
            at = self.nodes[at].parent

    def describe(self, id: int) -> ElementQuery | None:
        """Role, name and row of an element; None where the snapshot does not show it."""
        at = next((place for place, node in enumerate(self.nodes) if node.id == id), None)
        if at is None:
            return None
        row = self._row_of(at)
        words = "" if row < 0 else " · ".join(dict.fromkeys(self._row_words(row)))
        words = "" if words == self.nodes[at].name else words
        return ElementQuery(role=self.nodes[at].role, name=self.nodes[at].name, row=shorten(words, ROW_LENGTH))

    def _is_row(self, at: int) -> bool:
        return self.nodes[at].kind == "item" or self.nodes[at].role in ROW_ROLES

    def _row_words(self, row: int) -> Iterator[str]:
        """The words that distinguish a row from others: its texts and links, not its buttons and boxes."""
        for at in range(row, len(self.nodes)):
            node = self.nodes[at]
            if row in self._ancestors(at) and node.name and (not node.id or node.role in ("link", "row", "listitem")):
                yield node.name


def normalize_text(text: str) -> str:
    return " ".join(text.casefold().split())


def row_parts(row: str) -> list[str]:
    """The words of a row, which may be parted as on the page or as in a description; the last may be cut with …"""
    parts = (normalize_text(part).rstrip("…") for part in row.replace("|", "·").split("·"))
    return [part.strip() for part in parts if part.strip()]


def is_shown(node: "ElementView", wanted: str) -> bool:
    """Whether people read the wanted name first in an element."""
    return bool(wanted) and normalize_text(node.shown_first) == normalize_text(wanted)


def is_named(name: str, wanted: str) -> bool:
    """Whether a name is the wanted one; a name that was cut with … stands for all that begin so."""
    name, wanted = normalize_text(name), normalize_text(wanted)
    return not wanted or name == wanted or (wanted.endswith("…") and name.startswith(wanted[:-1].rstrip()))


def merge_links(found: "list[ElementView]") -> "list[ElementView]":
    """The first of several links that lead to the same address; else all that were found."""
    same = len({(each.name, each.href) for each in found}) == 1 and all(each.href for each in found)
    return found[:1] if same else found
