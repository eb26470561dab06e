"""Reading an action in plain words, such as `type "Ann" into [1] textbox "Name"`, without a model."""

import re
from typing import Any

from rapidfuzz import fuzz

from pilotfish.core.messages import Call

ID = re.compile(r"\[(\d+)\]")
QUOTED = re.compile(r'["“”]([^"“”]*)["“”]|(?<!\w)\'([^\']*)\'(?!\w)')
LINE = re.compile(r'\[(\d+)\] (\w+)(?: "((?:[^"\\]|\\.)*)")?')
VERBS = {
    "click": ("click", "press the", "tap", "check", "uncheck", "tick", "choose the", "open the", "toggle", "push"),
    "type": ("type", "enter", "fill", "write", "input", "set"),
    "select": ("select", "choose", "pick"),
    "press_key": ("press", "hit"),
    "hover": ("hover", "point at"),
    "scroll": ("scroll",),
    "back": ("go back", "navigate back"),
    "goto": ("go to", "navigate to", "open http", "visit"),
    "wait": ("wait",),
}
PARTIAL = 88
KEYS = {"enter", "tab", "escape", "backspace", "delete", "space", "home", "end", "pageup", "pagedown"}


def parse(action: str, page: str, id: str) -> Call | None:
    """The call that these words mean, or None where they are not plain."""
    text = action.strip().strip(".")
    verb = next((verb for verb, words in VERBS.items() if text.lower().startswith(words)), "")
    made = _made(verb, text, page)
    return Call(id=id, tool=made[0], args=made[1]) if made else None


def _made(verb: str, text: str, page: str) -> tuple[str, dict[str, Any]] | None:
    quotes = [a or b for a, b in QUOTED.findall(text)]
    target = _target(text, quotes, page, verb)
    match verb:
        case "press_key":
            key = re.sub(r"^(press|hit)( the)?|key$", "", text, flags=re.IGNORECASE).strip(" \"'")
            plain = key.lower() in KEYS or key.lower().startswith(("arrow", "ctrl+", "shift+", "alt+"))
            return ("press_key", {"key": key}) if plain else _on("click", target)
        case "click" | "hover":
            return _on(verb, target)
        case "type" if quotes and target is not None:
            return "type", {"id": target, "text": quotes[0], "submit": "press enter" in text.lower()}
        case "select" if quotes and target is not None:
            role = _role(target, page)
            return ("select", {"id": target, "option": quotes[0]}) if role in SELECTS else _on("click", target)
        case "scroll":
            direction = next((d for d in ("up", "top", "bottom") if d in text.lower().split()), "down")
            return "scroll", {"direction": direction}
        case "goto" if found := re.search(r"https?://\S+|\b[\w-]+(\.[\w-]+)+\S*", text):
            return "navigate", {"action": "goto", "url": found[0].rstrip(".,\"'")}
        case "back":
            return "navigate", {"action": "back"}
        case "wait":
            return "wait_for", {"kind": "network_idle"}
        case _:
            return None


SELECTS = {"combobox", "listbox", "select"}


def _on(tool: str, target: int | None) -> tuple[str, dict[str, Any]] | None:
    return None if target is None else (tool, {"id": target})


def _role(id: int, page: str) -> str:
    return next((role for number, role, _ in LINE.findall(page) if int(number) == id), "")


def _target(text: str, quotes: list[str], page: str, verb: str) -> int | None:
    """The element that is meant: by its number if it is on the page, else by the best part of a name."""
    lines = {int(number): (role, name) for number, role, name in LINE.findall(page)}
    if (found := ID.findall(text)) and int(found[-1]) in lines:
        return int(found[-1])
    wanted = quotes[-1] if quotes and not (verb in ("type", "select") and len(quotes) < 2) else text
    ranked = sorted(
        (
            (role in text.lower(), fuzz.ratio(wanted.lower(), name.lower()), number)
            for number, (role, name) in lines.items()
            if name and fuzz.partial_ratio(wanted.lower(), name.lower()) >= PARTIAL
        ),
        reverse=True,
    )
    if not ranked or (len(ranked) > 1 and ranked[0][:2] == ranked[1][:2]):
        return None
    return ranked[0][2]
