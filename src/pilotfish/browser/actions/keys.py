"""Names of keys as people write them, and a run's own clipboard, separate from the person's and other runs'."""

from typing import Literal, NamedTuple

KEYS = {
    "ctrl": "Control", "cmd": "Meta", "command": "Meta", "win": "Meta", "option": "Alt", "esc": "Escape",
    "return": "Enter", "del": "Delete", "ins": "Insert", "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft",
    "right": "ArrowRight", "pgup": "PageUp", "pgdn": "PageDown", "pagedown": "PageDown", "pageup": "PageUp",
    "space": "Space", "spacebar": "Space", "\r": "Enter", "\n": "Enter", "numpadenter": "Enter", " ": "Space",
    "controlleft": "Control", "controlright": "Control", "altleft": "Alt", "altright": "Alt", "altgraph": "Alt",
    "metaleft": "Meta", "metaright": "Meta", "shiftleft": "Shift", "shiftright": "Shift", "controlormeta": "Control",
}  # fmt: skip
WHOLE = frozenset({"Control", "Meta", "Alt", "Shift", "Enter", "Escape", "Tab", "Backspace", "Delete", "Home", "End"})
ClipboardMove = Literal["copy", "cut", "paste"]
CLIPBOARD_CHORDS: dict[frozenset[str], ClipboardMove] = {
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


class ClipboardText(NamedTuple):
    """A text that a run copied, and the address of its page."""

    text: str = ""
    url: str = ""


def key_name(key: str) -> str:
    """A key or chord as people write it ("ctrl+a", "esc"), as the browser names it."""
    parts = ["+"] if key == "+" else key.split("+")
    known = {name.lower(): name for name in WHOLE} | KEYS
    return "+".join(known.get(part.lower()) or known.get(part.strip().lower(), part.strip()) for part in parts)


def find_clipboard_move(key: str) -> ClipboardMove | None:
    """`copy`, `cut` or `paste`, if the chord does that."""
    return CLIPBOARD_CHORDS.get(frozenset(key_name(key).lower().split("+")))


def split_key(key: str) -> tuple[frozenset[str], str]:
    """The modifiers of a chord and its last key, in lower case, as the browser reads them."""
    *held, last = key_name(key).lower().split("+") if key != "+" else ["+"]
    return frozenset(held), last
