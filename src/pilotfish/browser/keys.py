"""Keys as people write them, and a run's own clipboard: what the person or another run copied is out of its reach."""

from typing import Literal, NamedTuple

KEYS = {
    "ctrl": "Control", "cmd": "Meta", "command": "Meta", "win": "Meta", "option": "Alt", "esc": "Escape",
    "return": "Enter", "del": "Delete", "ins": "Insert", "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft",
    "right": "ArrowRight", "pgup": "PageUp", "pgdn": "PageDown", "pagedown": "PageDown", "pageup": "PageUp",
    "space": "Space", "spacebar": "Space",
}  # fmt: skip
WHOLE = frozenset({"Control", "Meta", "Alt", "Shift", "Enter", "Escape", "Tab", "Backspace", "Delete", "Home", "End"})
Transfer = Literal["copy", "cut", "paste"]
TRANSFERS: dict[frozenset[str], Transfer] = {
    frozenset({"control", "c"}): "copy",
    frozenset({"meta", "c"}): "copy",
    frozenset({"control", "insert"}): "copy",
    frozenset({"control", "x"}): "cut",
    frozenset({"meta", "x"}): "cut",
    frozenset({"shift", "delete"}): "cut",
    frozenset({"control", "v"}): "paste",
    frozenset({"meta", "v"}): "paste",
    frozenset({"control", "shift", "v"}): "paste",
    frozenset({"meta", "shift", "v"}): "paste",
    frozenset({"shift", "insert"}): "paste",
}


class Clip(NamedTuple):
    """What a run copied, and from which address."""

    text: str = ""
    url: str = ""


def key_name(key: str) -> str:
    """A key or chord as people write it ("ctrl+a", "esc"), as the browser names it."""
    parts = ["+"] if key == "+" else [part.strip() for part in key.split("+")]
    known = {name.lower(): name for name in WHOLE} | KEYS
    return "+".join(known.get(part.lower(), part) for part in parts)


def transfer(key: str) -> Transfer | None:
    """Whether a chord copies, cuts or pastes."""
    return TRANSFERS.get(frozenset(key_name(key).lower().split("+")))
