"""Describes an action in words for people: what would be done, to what, and where it leads."""

from collections.abc import Mapping
from typing import Any

from pilotfish.core.policy import Action, ActionTarget
from pilotfish.safety.address import site_of
from pilotfish.safety.input_effects import target_address

KINDS = {"textbox": "field", "searchbox": "search field", "combobox": "list", "listbox": "list", "a": "link"}
CLICK_WORDS = {"double": "double-click", "right": "right-click"}
MOVES = {"back": "go back", "forward": "go forward", "reload": "load the page again"}
NAME_LENGTH, VALUE_LENGTH, ADDRESS_LENGTH = 80, 120, 200
"""Characters of a name, a value and an address that a person is shown."""


def describe_action(action: Action) -> str:
    """The action in words that follow “May I …”."""
    args, things = action.args, [describe_target(target) for target in action.targets]
    first = things[0] if things else "the page"
    match action.tool:
        case "click":
            clicks = CLICK_WORDS.get(str(args.get("kind", "")), "click")
            return f"{clicks} {first}{_describe_answer(args)}{_describe_destination(action)}"
        case "type":
            sent = " and press Enter" if args.get("submit") else ""
            return f"type {_quote_value(args.get('text', ''))} into {first}{sent}{_describe_destination(action)}"
        case "press_key":
            return f"press {args.get('key', 'a key')}{f' in {first}' if things else ''}{_describe_destination(action)}"
        case "select":
            return f"choose {_quote_value(args.get('option', ''))} in {first}"
        case "drag":
            return f"drag {' onto '.join(things)}"
        case "mark":
            return f"mark {_quote_value(args.get('text', ''))}"
        case "page_tool":
            given = args.get("arguments", {})
            named = f"{_quote_value(args.get('name', ''), NAME_LENGTH)}{_list_arguments(given)}"
            return f"call the page's tool {named}{_describe_answer(args)}"
        case "upload":
            files = str(args.get("path", "a file")).splitlines()
            return f"upload {', '.join(map(_quote_value, files))} into {first}"
        case _:
            return _describe_pageless(action)


def _describe_pageless(action: Action) -> str:
    """An action that touches no element of a page."""
    args = action.args
    match action.tool:
        case "navigate":
            return MOVES.get(str(args.get("action", "")), f"open {_cut_text(str(args.get('url', '')), ADDRESS_LENGTH)}")
        case "manage_tabs" if args.get("action") == "open":
            return f"open {_cut_text(str(args.get('url', '')), ADDRESS_LENGTH)} in a new tab"
        case "web_fetch":
            return f"fetch {', '.join(_cut_text(str(url), ADDRESS_LENGTH) for url in args.get('urls', ()))}"
        case "web_search":
            return f"search the web for {_quote_value(args.get('query', ''))}"
        case "memory_save":
            return (
                f"remember {', '.join(_quote_value(getattr(fact, 'content', fact)) for fact in args.get('facts', ()))}"
            )
        case "request":
            return f"let the page send {args.get('what', 'a request')}"
        case _:
            return f"use the tool {action.tool}{_list_arguments(args)}"


def action_site(action: Action) -> str:
    """The site on which an action is done; empty if it is done on none."""
    if action.from_mcp or action.tool in ("navigate", "manage_tabs", "web_fetch", "web_search", "memory_save"):
        return ""
    return site_of(action.targets[0].origin if action.targets else action.page) or action.page


def describe_target(target: ActionTarget) -> str:
    """An element by its kind and name."""
    kind = KINDS.get(target.role or target.tag, target.role or target.tag) or "element"
    name = (target.label or target.name).strip()
    return f"the {kind} {_quote_value(name, NAME_LENGTH)}" if name else f"a {kind} without a name"


def _describe_answer(args: Mapping[str, Any]) -> str:
    """What a dialog of the page would be answered with, unless it is just OK or Cancel."""
    answer = str(args.get("answer") or "")
    return f" and answer {_quote_value(answer)}" if answer.casefold() not in ("", "ok", "cancel") else ""


def _describe_destination(action: Action) -> str:
    """Where a link or form leads, if that is another site."""
    there = site_of(target_address(action))
    return f", which leads to {there}" if there and there != action_site(action) else ""


def _list_arguments(args: Mapping[str, Any]) -> str:
    arguments = ", ".join(f"{name} {_quote_value(value)}" for name, value in args.items() if value)
    return f" with {arguments}" if arguments else ""


def _quote_value(value: object, most: int = VALUE_LENGTH) -> str:
    return f"“{_cut_text(' '.join(str(value).split()), most)}”"


def _cut_text(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
