"""A deed in words for people: what would be done, to what, and where it leads."""

from collections.abc import Mapping
from typing import Any

from pilotfish.core.policy import Deed, Target
from pilotfish.safety.address import site
from pilotfish.safety.effects import address

KINDS = {"textbox": "field", "searchbox": "search field", "combobox": "list", "listbox": "list", "a": "link"}
CLICKS = {"double": "double-click", "right": "right-click"}
MOVES = {"back": "go back", "forward": "go forward", "reload": "load the page again"}
NAME, VALUE, ADDRESS = 80, 120, 200


def described(deed: Deed) -> str:
    """What a deed is, to follow “May I …”."""
    args, things = deed.args, [named(target) for target in deed.targets]
    first = things[0] if things else "the page"
    match deed.tool:
        case "click":
            return f"{CLICKS.get(str(args.get('kind', '')), 'click')} {first}{_leading(deed)}"
        case "type":
            sent = " and press Enter" if args.get("submit") else ""
            return f"type {_quoted(args.get('text', ''))} into {first}{sent}{_leading(deed)}"
        case "press_key":
            return f"press {args.get('key', 'a key')}{f' in {first}' if things else ''}{_leading(deed)}"
        case "select":
            return f"choose {_quoted(args.get('option', ''))} in {first}"
        case "drag":
            return f"drag {' onto '.join(things)}"
        case "mark":
            return f"mark {_quoted(args.get('text', ''))}"
        case "upload":
            return f"upload {_quoted(args.get('path', 'a file'))} into {first}"
        case _:
            return _elsewhere(deed)


def _elsewhere(deed: Deed) -> str:
    """What touches no element of a page."""
    args = deed.args
    match deed.tool:
        case "navigate":
            return MOVES.get(str(args.get("action", "")), f"open {_cut(str(args.get('url', '')), ADDRESS)}")
        case "manage_tabs" if args.get("action") == "open":
            return f"open {_cut(str(args.get('url', '')), ADDRESS)} in a new tab"
        case "web_fetch":
            return f"fetch {', '.join(_cut(str(url), ADDRESS) for url in args.get('urls', ()))}"
        case "web_search":
            return f"search the web for {_quoted(args.get('query', ''))}"
        case "memory_save":
            return f"remember {', '.join(_quoted(getattr(fact, 'content', fact)) for fact in args.get('facts', ()))}"
        case _:
            return f"use the tool {deed.tool}{_listed(args)}"


def place(deed: Deed) -> str:
    """The site on which a deed is done; empty for what is done on none."""
    if deed.guest or deed.tool in ("navigate", "manage_tabs", "web_fetch", "web_search", "memory_save"):
        return ""
    return site(deed.targets[0].origin if deed.targets else deed.page) or deed.page


def named(target: Target) -> str:
    """An element by its kind and name."""
    kind = KINDS.get(target.role or target.tag, target.role or target.tag) or "element"
    name = (target.label or target.name).strip()
    return f"the {kind} {_quoted(name, NAME)}" if name else f"a {kind} without a name"


def _leading(deed: Deed) -> str:
    """Where a link or form leads, where that is another site."""
    there = site(address(deed))
    return f", which leads to {there}" if there and there != place(deed) else ""


def _listed(args: Mapping[str, Any]) -> str:
    told = ", ".join(f"{name} {_quoted(value)}" for name, value in args.items() if value)
    return f" with {told}" if told else ""


def _quoted(value: object, most: int = VALUE) -> str:
    return f"“{_cut(' '.join(str(value).split()), most)}”"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
