"""Finds the row of each element, and the words of each row."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pilotfish.browser.perception.element import ElementView

ROW_ROLES = frozenset({"listitem", "row", "article", "option", "treeitem"})


@dataclass(frozen=True)
class RowIndex:
    """The rows of a look, and where each node stands."""

    nodes: "Sequence[ElementView]"

    @cached_property
    def row_of(self) -> list[int]:
        """For each node the position of the row that it stands in, -1 outside rows."""
        found: list[int] = []
        for at, node in enumerate(self.nodes):
            own = node.kind == "item" or node.role in ROW_ROLES
            found.append(at if own else found[node.parent] if 0 <= node.parent < at else -1)
        return found

    @cached_property
    def words(self) -> Mapping[int, tuple[str, ...]]:
        """What each row says, by its position."""
        said: dict[int, list[str]] = {}
        for node, row in zip(self.nodes, self.row_of, strict=True):
            if row >= 0 and node.name and node.role != "hint":
                said.setdefault(row, []).append(node.name)
        return {row: tuple(names) for row, names in said.items()}

    @cached_property
    def texts(self) -> Mapping[int, tuple[str, ...]]:
        """What each row says beside its elements, by its position."""
        said: dict[int, list[str]] = {}
        for node, row in zip(self.nodes, self.row_of, strict=True):
            if row >= 0 and node.name and not node.id and node.role != "hint":
                said.setdefault(row, []).append(node.name)
        return {row: tuple(names) for row, names in said.items()}

    @cached_property
    def row_texts(self) -> frozenset[tuple[str, ...]]:
        return frozenset(self.words.values())

    @cached_property
    def surroundings(self) -> Mapping[int, tuple[bool, tuple[str, ...]]]:
        """By element number: whether it stands in a row, and what else that row says; else the text before it."""
        found: dict[int, tuple[bool, tuple[str, ...]]] = {}
        said = ""
        for node, row in zip(self.nodes, self.row_of, strict=True):
            if node.id:
                rest = list(self.words.get(row, ()))
                if node.name in rest:
                    rest.remove(node.name)
                found[node.id] = (True, tuple(rest)) if row >= 0 else (False, (said,))
            elif node.name and node.kind != "image":
                said = node.name
        return found

    @cached_property
    def ids(self) -> Mapping[int, frozenset[int]]:
        """The element numbers of each row, by its position."""
        found: dict[int, set[int]] = {}
        for node, row in zip(self.nodes, self.row_of, strict=True):
            if row >= 0 and node.id:
                found.setdefault(row, set()).add(node.id)
        return {row: frozenset(ids) for row, ids in found.items()}

    def find_differing(self, other: "RowIndex") -> list[int]:
        """The positions of rows that the other index has neither by an element number nor by all that they say.

        A row whose elements all came or went, as where they show under the mouse only, is known by its other words.
        """
        known = frozenset[int]().union(*other.ids.values())
        said = Counter(other.words.values())
        left = [row for row in self.words if not self.ids.get(row, frozenset()) & known]
        said.subtract(words for row, words in self.words.items() if row not in left)
        found: list[int] = []
        for row in left:
            said[self.words[row]] -= 1
            if said[self.words[row]] < 0:
                found.append(row)
        spare = Counter(
            (row in other.ids, words) for row, words in other.texts.items() if other.words[row] not in self.row_texts
        )
        for row in list(found):
            key = (row not in self.ids, self.texts.get(row, ()))
            if spare[key] > 0:
                spare[key] -= 1
                found.remove(row)
        return found

    def line(self, row: int) -> str:
        return " ".join(self.words[row])[:160]


def is_within(nodes: "Sequence[ElementView]", at: int, roles: Collection[str]) -> bool:
    while at >= 0:
        if nodes[at].role in roles:
            return True
        at = nodes[at].parent
    return False
