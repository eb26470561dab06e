"""What can be done on a page, one line each: a small model picks lines of this list instead of composing calls."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pilotfish.core.messages import Call
from pilotfish.runtime.aids.dragging import DRAGGING, drags
from pilotfish.runtime.aids.things import FIELDS, SET, Thing, on, things

LOOSE = frozenset({"clickable", "draggable", "shape", "slider", "image", "menuitem", "listitem"})
"""What people hover over or drag; buttons and links they click."""
CLICKING = re.compile(r"\b(click|focus|cursor)|点击", re.IGNORECASE)
"""Only then a field is clicked that could be typed into."""
COPYING = re.compile(r"\b(copy|paste|kopier|copi(?:e|a))|复制|粘贴", re.IGNORECASE)
ENDS = re.compile(r"\bscroll\b.*\b(top|bottom)\b", re.IGNORECASE)
MARKING = re.compile(r"\b(highlight|bold|italic|underline|font|style|select the|mark the)", re.IGNORECASE)
"""Only then words of the page are marked."""
POINTING = re.compile(r"\b(hover|mouse|point|highlight)", re.IGNORECASE)
WORDY = frozenset({"type", "select", "drag", "mark"})
KEYS = ("Enter", "Tab", "Escape", "ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft")
CLIPBOARD = ("Ctrl+A", "Ctrl+C", "Ctrl+V")
DONE, ASK, WAIT, MARK = "done", "ask", "wait", "mark"
MOST = 120
PAUSE = "1500"
"""Milliseconds: actions wait for what they set off, so this is for what comes by itself."""


class Move(BaseModel):
    """One line of the list, and the words that go with it."""

    act: str
    text: str = ""

    def __str__(self) -> str:
        return f'{self.act} "{self.text}"' if self.text else self.act


class Plan(BaseModel):
    """What a small model decides: the moves that this page allows on the way to the goal."""

    why: str = ""
    acts: list[Move] = Field(default_factory=list[Move])


class Moves:
    """The moves of one page, without those that were tried from here before. `asking` are those that brought up a
    dialog: they can be made again with an answer for it. `moved`: the way led here from another page."""

    def __init__(
        self,
        page: str,
        tried: Collection[str] = (),
        asking: Collection[str] = (),
        goal: str = "",
        moved: bool = False,
    ) -> None:
        lines = _lines(page, goal) | ({"go back": ("navigate", {"action": "back"})} if moved else {})
        lines |= {
            f"{line} and answer": (lines[line][0], lines[line][1] | {"answer": ""}) for line in asking if line in lines
        }
        for thing in things(page):  # menus within menus open when they are pointed at; a click is for when they do not
            if "menu" in thing.states and thing.role == "menuitem" and f"hover {thing.label}" not in tried:
                lines.pop(f"click {thing.label}", None)
        self._ids = {thing.name.casefold(): thing.id for thing in things(page)}
        alone = Counter(map(unnumbered, lines))
        spent = {*tried, *(line for line in map(unnumbered, tried) if alone[line] == 1)}
        self.calls = {line: call for line, call in lines.items() if not {line, unnumbered(line)} & spent}

    def shape(self, most: int, but: Collection[str] = ()) -> type[Plan]:
        """What the model may answer: only lines of the list, and words only where they mean something."""
        wordy = [line for line, (tool, args) in self.calls.items() if "answer" in args or _wordy(tool, args)]
        mute = [line for line in self.calls if line not in wordy and line not in but]
        ends = [act for act in (DONE, ASK) if act not in but]
        return _shape([_item([*mute, WAIT]), _item([*wordy, *ends], text=True)], most)

    def wording(self, field: Thing) -> type[Plan]:
        """The same where only the words for one field are wanted."""
        return _shape([_item([f"type into {field.label}"], text=True)], 1)

    def has(self, move: Move) -> bool:
        return move.act in self.calls or move.act in (DONE, ASK, WAIT)

    def call(self, move: Move, id: str) -> Call | None:
        """The call that a line means; none where the page no longer has it."""
        if move.act == WAIT:
            return Call(id=id, tool="wait_for", args={"kind": "time", "value": PAUSE})
        if move.act not in self.calls:
            return None
        tool, args = self.calls[move.act]
        words = {"answer": move.text or "ok"} if "answer" in args else _words(tool, move.text, self._ids)
        return Call(id=id, tool=tool, args={**args, **words})


def unnumbered(line: str) -> str:
    return re.sub(r" \[\d+\]", "", line)


def _shape(items: Sequence[Mapping[str, Any]], most: int) -> type[Plan]:
    acts = {"type": "array", "items": {"anyOf": items}, "minItems": 1, "maxItems": most}
    fields = {"why": {"type": "string", "maxLength": 80}, "acts": acts}
    schema: dict[str, Any] = {"type": "object", "properties": fields, "required": list(fields)}

    class Here(Plan):
        model_config = ConfigDict(json_schema_extra=lambda plain: (plain.clear(), plain.update(schema))[0])

    return Here


def _item(acts: Sequence[str], *, text: bool = False) -> dict[str, Any]:
    fields: dict[str, Any] = {"act": {"enum": acts}}
    if text:
        fields["text"] = {"type": "string", "maxLength": 200}
    return {"type": "object", "properties": fields, "required": list(fields)}


def _wordy(tool: str, args: Mapping[str, Any]) -> bool:
    return tool in WORDY and not {"option", "to_id", "dx"} & args.keys()


def _words(tool: str, text: str, ids: Mapping[str, int]) -> Mapping[str, Any]:
    match tool:
        case "type" | "mark":
            return {"text": text}
        case "select":
            return {"option": text} if text else {}
        case "drag":
            known = ids.get(text.casefold().strip())
            return (
                {"to_id": int(found[-1])} if (found := re.findall(r"\d+", text)) else {"to_id": known} if known else {}
            )
        case _:
            return {}


def _lines(page: str, goal: str) -> dict[str, tuple[str, dict[str, Any]]]:
    lines: dict[str, tuple[str, dict[str, Any]]] = {}
    every = things(page)[:MOST]
    boxes = [one for one in every if one.rolled >= 0]
    form = sum(one.empty for one in every) > 1 and not CLICKING.search(goal)
    for one in every:
        if one.role == "scrollable":
            continue
        if one.options:
            lines |= {f"select {o} in {one.label}": ("select", {"id": one.id, "option": o}) for o in one.options}
        elif one.role == "listbox":
            lines[f"select in {one.label}"] = ("select", {"id": one.id})
        elif one.role in FIELDS and not one.states & {"readonly", "disabled"}:
            lines[f"type into {one.label}"] = ("type", {"id": one.id})
        if not one.options and not one.idle and one.role not in SET and not (form and one.empty):
            lines[f"click {one.label}"] = ("click", {"id": one.id})
    loose = [one for one in every if one.role in LOOSE]
    pointed = [one for one in loose if one.states & {"menu"} or one.role != "clickable" or POINTING.search(goal)]
    lines |= {f"hover {one.label}": ("hover", {"id": one.id}) for one in pointed}
    lines |= drags([one for one in loose if one.role == "draggable" or DRAGGING.search(goal)], every, goal)
    lines |= {MARK: ("mark", {})} if MARKING.search(goal) else {}
    lines |= {f"press {key}": ("press_key", {"key": key}) for key in KEYS}
    fields = [one for one in every if one.role in FIELDS - SET] if COPYING.search(goal) else []
    lines |= {
        f"press {key} in {one.label}": ("press_key", {"key": key, "id": one.id}) for one in fields for key in CLIPBOARD
    }
    ways = [way for way, goes in (("down", on(page)), ("up", on(page, back=True))) if goes]
    lines |= {f"scroll {way}": ("scroll", {"direction": way}) for way in ways}
    for box in boxes:
        where = f" in {box.label}" if len(boxes) > 1 else ""
        ways = [way for way, end in (("down", 100), ("up", 0)) if box.rolled != end]
        lines |= {f"scroll {way}{where}": ("scroll", {"direction": way, "target": box.id}) for way in ways}
        for end in {said.lower() for said in ENDS.findall(goal)}:
            lines[f"scroll to the {end}{where}"] = ("scroll", {"direction": end, "target": box.id})
    return lines
