"""Merges the answers of several frames into one page."""

from collections.abc import Mapping, Sequence
from typing import Any

from pilotfish.browser.perception.element import PageOutline
from pilotfish.browser.perception.isolated_world import FrameAnswer
from pilotfish.browser.perception.page_text import PDF

RawNode = tuple[str, int, dict[str, Any]]
CHECK_ROLES = frozenset({"checkbox", "radio", "switch"})
UNREADABLE_PART = "Some of this page cannot be read."


class FrameMerger:
    """Joins the nodes of all frames into one list, each at the place of its frame, in page coordinates."""

    def __init__(self, answers: Sequence[FrameAnswer], wide: bool) -> None:
        self._by_path: dict[str, list[FrameAnswer]] = {}
        for answer in answers:
            self._by_path.setdefault(answer.data["path"], []).append(answer)
        self._main = answers[0]
        self._wide = wide
        self._out: list[RawNode] = []

    def nodes(self) -> list[RawNode]:
        self._add(self._main, -1, (0.0, 0.0, 1.0))
        return self._out

    def _add(self, answer: FrameAnswer, base: int, at: tuple[float, float, float]) -> None:
        places: list[int] = []
        nodes: list[dict[str, Any]] = answer.data["nodes"]
        for before, node, after in zip([None, *nodes], nodes, [*nodes, None][1:], strict=False):
            parent = places[node["d"]] if node["d"] >= 0 else base
            kind = node["k"]
            repeated = kind in "ti" and (repeats_next(node, after) or repeats_last(before, node))
            if "x" in node or repeated or not (base < 0 or self._shows(node, at)):
                places.append(parent)
                continue
            places.append(len(self._out))
            if base >= 0 and "b" in node:
                node["b"] = shift_box(node["b"], at)
            self._out.append((answer.key, parent, node))
            if kind == "f":
                self._frame(answer, node)

    def _frame(self, answer: FrameAnswer, node: dict[str, Any]) -> None:
        path = f"{answer.data['path']}.{node['i']}".lstrip(".")
        inside = self._by_path.get(path)
        if inside and node["o"]:
            x, y, _, _, scale = node["b"]
            self._add(inside.pop(0), len(self._out) - 1, (x, y, scale))

    def _shows(self, node: Mapping[str, Any], at: tuple[float, float, float]) -> bool:
        """Inside a frame only what the page's own screen shows."""
        if self._wide or "b" not in node:
            return True
        width, height = self._main.data["size"]
        x, y, w, h = shift_box(node["b"], at)[:4]
        return x + w > 0 and y + h > 0 and x < width and y < height


def repeats_next(node: Mapping[str, Any], after: Mapping[str, Any] | None) -> bool:
    """Whether a text or picture only says what the next node says too."""
    if after is None or node["k"] not in "ti" or after["k"] not in "cti":
        return False
    return node["n"].strip().rstrip(":* ") == after.get("n", "").strip().rstrip(":* ")


def repeats_last(before: Mapping[str, Any] | None, node: Mapping[str, Any]) -> bool:
    """Whether a text only says what the box, circle or switch before it is called, or a control named by its row."""
    if before is None or node["k"] != "t" or before["k"] != "c" or not (before["r"] in CHECK_ROLES or "bn" in before):
        return False
    return node["n"].strip() == before["n"]


def visible_frames(main: Mapping[str, Any]) -> set[str]:
    return {node["i"] for node in main["nodes"] if node["k"] == "f" and node["o"]}


def shift_box(box: Sequence[float], at: tuple[float, float, float]) -> list[float]:
    x, y, scale = at
    return [x + box[0] * scale, y + box[1] * scale, box[2] * scale, box[3] * scale, *box[4:]]


def read_outline_position(main: Mapping[str, Any], note: str = "") -> PageOutline:
    """Where on the page the screen is."""
    top, height, total = main["scroll"]
    screens = max(1, -(-total // height)) if height else 1
    return PageOutline(min(screens, 1 + round(top / height)) if height else 1, screens, note=note)


def describe_found(words: str, frames: Sequence[Mapping[str, Any]]) -> str:
    """In how many places a text was found, and how many of them are left out."""
    count, left = (sum(frame[key] for frame in frames) for key in ("count", "left"))
    if not count:
        return f'"{words}" is nowhere on this page'
    cut = f"; {left} of them are not shown, look for more words" if left else ""
    return f'"{words}" was found in {count} places{cut}'


def describe_covered(main: Mapping[str, Any]) -> str:
    """How much lies behind what is on top, and how to read it where it was left out."""
    parts = [*main["layers"], f"{main['covered']} elements"] if main["covered"] or main["folded"] else []
    return " and ".join(parts) + ("; look with behind=true" if main["folded"] else "")


def read_outline(main: Mapping[str, Any], behind: Sequence[str] = ()) -> PageOutline:
    """What is around what was seen; `behind` names what lies under something that can be put away."""
    note = "This is a PDF: read its text." if main["kind"] == PDF else UNREADABLE_PART if main["odd"] else ""
    if main["cut"]:
        note = " ".join(filter(None, (note, f"{main['cut']} more elements are cut off by the boxes they stand in.")))
    where, (top, height, total) = read_outline_position(main, note), main["scroll"]
    covered = " | ".join(behind) or describe_covered(main)
    facts = (main["above"], main["below"], covered, tuple(main["headings"]))
    return PageOutline(where.screen, where.screens, *facts, note=note, scroll=(round(top), height, total))
