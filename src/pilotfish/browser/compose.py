"""What several frames saw, put together into one page."""

from collections.abc import Mapping, Sequence
from typing import Any

from pilotfish.browser.render import Outline
from pilotfish.browser.text import PDF
from pilotfish.browser.world import Answer

Raw = tuple[str, int, dict[str, Any]]
ODD = "Some of this page cannot be read."


class Composer:
    """Joins what the frames saw into one list: each frame's nodes where the frame stands, in page coordinates."""

    def __init__(self, answers: Sequence[Answer], wide: bool) -> None:
        self._by_path: dict[str, list[Answer]] = {}
        for answer in answers:
            self._by_path.setdefault(answer.data["path"], []).append(answer)
        self._main = answers[0]
        self._wide = wide
        self._out: list[Raw] = []

    def nodes(self) -> list[Raw]:
        self._add(self._main, -1, (0.0, 0.0, 1.0))
        return self._out

    def _add(self, answer: Answer, base: int, at: tuple[float, float, float]) -> None:
        places: list[int] = []
        nodes: list[dict[str, Any]] = answer.data["nodes"]
        for node, after in zip(nodes, [*nodes, None][1:], strict=True):
            parent = places[node["d"]] if node["d"] >= 0 else base
            if node.get("x") or echo(node, after) or not self._shows(node, base, at):
                places.append(parent)
                continue
            places.append(len(self._out))
            if base >= 0:
                node["fr"] = answer.data["path"]
                if "b" in node:
                    node["b"] = moved(node["b"], at)
            self._out.append((answer.key, parent, node))
            if node["k"] == "f":
                self._frame(answer, node)

    def _frame(self, answer: Answer, node: dict[str, Any]) -> None:
        path = f"{answer.data['path']}.{node['i']}".lstrip(".")
        inside = self._by_path.get(path)
        if inside and node["o"]:
            x, y, _, _, scale = node["b"]
            self._add(inside.pop(0), len(self._out) - 1, (x, y, scale))

    def _shows(self, node: Mapping[str, Any], base: int, at: tuple[float, float, float]) -> bool:
        """Inside a frame only what the page's own screen shows."""
        if self._wide or base < 0 or "b" not in node:
            return True
        width, height = self._main.data["size"]
        x, y, w, h = moved(node["b"], at)[:4]
        return x + w > 0 and y + h > 0 and x < width and y < height


def echo(node: Mapping[str, Any], after: Mapping[str, Any] | None) -> bool:
    """Whether a text or picture only says what the next node says too."""
    if after is None or node["k"] not in "ti" or after["k"] not in "cti":
        return False
    return node["n"].strip().rstrip(":* ") == after.get("n", "").strip().rstrip(":* ")


def visible_frames(main: Mapping[str, Any]) -> set[str]:
    return {node["i"] for node in main["nodes"] if node["k"] == "f" and node["o"]}


def moved(box: Sequence[float], at: tuple[float, float, float]) -> list[float]:
    x, y, scale = at
    return [x + box[0] * scale, y + box[1] * scale, box[2] * scale, box[3] * scale, *box[4:]]


def place(main: Mapping[str, Any], note: str = "") -> Outline:
    """Where on the page the screen is."""
    top, height, total = main["scroll"]
    screens = max(1, -(-total // height)) if height else 1
    return Outline(min(screens, 1 + round(top / height)) if height else 1, screens, note=note)


def outline(main: Mapping[str, Any], behind: Sequence[str] = ()) -> Outline:
    """What is around what was seen; `behind` names what lies under something that can be put away."""
    note = "This is a PDF: read its text." if main["kind"] == PDF else ODD if main["odd"] else ""
    where, height = place(main, note), main["scroll"][1]
    covered = " | ".join(behind) or (f"{main['covered']} elements" if main["covered"] else "")
    told = (main["above"], main["below"], covered, tuple(main["headings"]))
    return Outline(where.screen, where.screens, *told, note=note, fold=height)
