"""Finds the effects of an input on the element it reaches, and the inputs that a tool will send."""

import re
from collections.abc import Iterator

from pilotfish.browser.actions.keys import find_clipboard_move, split_key
from pilotfish.core.policy import Action, ActionTarget, FormField, InputEvent, drag_events
from pilotfish.safety.address import parse_address, site_of
from pilotfish.safety.address_words import action_word
from pilotfish.safety.control_words import load_words
from pilotfish.safety.effects import (
    HARMLESS_ROLES,
    EffectFinding,
    action_effect,
    click_effect,
    find_strongest,
    is_payment_field,
    is_personal_field,
    spell_name,
    submit_effect,
)

HOVERS = frozenset({"mouseover", "mouseenter", "pointerover", "pointerenter", "mousemove", "pointermove", "mouseout"})
CODES = frozenset({"current-password", "new-password", "one-time-code"})
READS = re.compile(r"(?i)\b(get|list|read|search|find|fetch|show|describe|query|count|look|view|check|lookup)\b")
ARROWS = frozenset({"arrowup", "arrowdown", "arrowleft", "arrowright", "home", "end", "pageup", "pagedown"})
PASSIVE = ARROWS | {"tab", "escape"}
EDITING = PASSIVE | frozenset("acxvzy0+-=") | {"control", "alt", "meta", "shift", "insert", "delete", "backspace"}


def typing_effects(target: ActionTarget, text: str) -> Iterator[EffectFinding]:
    """The effects of typing into a field, before anything is sent."""
    field = FormField(type=target.type, autocomplete=target.autocomplete, label=target.name)
    if target.type == "password" or target.autocomplete in CODES:
        yield EffectFinding("secret", "a field for a password or code")
    elif text and (is_payment_field(field) or is_personal_field(field)):
        yield EffectFinding("personal", "a field for personal or payment details")
    elif not target.editable and " " in text:
        yield from click_effect(target)
    else:
        yield EffectFinding("view", "nothing is sent yet")


def enter_effects(target: ActionTarget, with_modifier: bool = False) -> Iterator[EffectFinding]:
    """The effects of the Enter key in a field or on a control."""
    known, name = load_words(), f"{target.name} {target.about}"
    if not target.editable:
        yield from click_effect(target)
    elif target.multiline:
        yield _enter_effect(target, with_modifier)
    elif target.form and (target.form.fields or target.form.submit):
        yield from submit_effect(target.form, target.form.submit)
    elif target.type == "search" or known["field.search"].find_phrase(name):
        yield EffectFinding("search", "a search field")
    elif word := known["field.message"].find_phrase(target.name):
        yield EffectFinding("send", f"Enter in a field for “{word}”")
    else:
        yield EffectFinding("local", "a field outside any form")


def _enter_effect(target: ActionTarget, with_modifier: bool) -> EffectFinding:
    """The effect of Enter in a field of several lines: it may send the text."""
    if with_modifier:
        return EffectFinding("send", "these keys may send a message")
    listens = {kind.removeprefix("on") for kind in target.handlers} & {"keydown", "keypress", "keyup"}
    if target.tag != "textarea" or listens or load_words()["field.message"].find_phrase(target.name):
        return EffectFinding("send", "Enter may send a message")
    return EffectFinding("view", "a new line")


def choose_effects(target: ActionTarget, option: str) -> Iterator[EffectFinding]:
    """The effects of choosing an option, by its label and by what the list does on change."""
    if found := find_strongest(option):
        yield found
    if target.form and submits_on_change(target):
        yield from submit_effect(target.form, option or target.form.submit)
    yield EffectFinding("view", "a choice that sends nothing")


def submits_on_change(target: ActionTarget) -> bool:
    """Whether a list's change handler submits the form."""
    return target.form is not None and "onchange" in target.handlers and "submit" in target.hints.lower()


def hover_effects(target: ActionTarget) -> EffectFinding:
    """The mouse over an element: looking, unless a script acts on it and its words say what it does.

    The script may listen by an attribute or by `addEventListener`. What listens around it is left to the requests.
    """
    listened = {kind.removeprefix("on") for one in target.all for kind in one.handlers}
    words = (find_strongest(one.name, one.hints) for one in target.all) if listened & HOVERS else ()
    return next(filter(None, words), None) or EffectFinding("view", "the mouse moves over it")


def tool_effects(target: ActionTarget) -> Iterator[EffectFinding]:
    """The effects of calling a page's tool: of a form what filling it in and sending it does; else by its words.

    Nothing that a page says of a script makes it harmless here; `policy_judge` trusts a hint on a site of the task.
    """
    named = find_strongest(spell_name(target.name))
    if target.form is not None:
        for field in target.form.fields:
            if field.filled and field.type not in ("hidden", "submit", "button"):
                filled = ActionTarget(type=field.type, autocomplete=field.autocomplete, name=field.label, editable=True)
                yield from typing_effects(filled, "given")
        if target.submits:
            yield from submit_effect(target.form, target.form.submit)
    else:
        yield EffectFinding("use", "it is a tool of the page")
        named = named or (None if target.type == "reads" else find_strongest(target.about))
    if named:
        yield named


def dialog_effects(message: str) -> EffectFinding:
    """The effect of answering a page's dialog with OK."""
    return find_strongest(message) or EffectFinding("view", "a question of the page")


def input_findings(event: InputEvent) -> Iterator[EffectFinding]:
    """All effects of an input on the elements it reaches."""
    target = event.target
    if event.kind == "dialog":
        yield dialog_effects(event.text)
    elif event.kind == "key":
        yield from _key_effects(event.key, target)
    elif target is None:
        yield EffectFinding("view", "there is nothing")
    elif target.role == "unknown":
        yield EffectFinding("submit", "it is in a frame that cannot be looked into")
    elif event.kind == "tool":
        yield from tool_effects(target)
    elif event.kind == "click":
        yield from click_effect(target)
    elif event.kind == "text":
        yield from typing_effects(target, event.text)
    elif event.kind == "choose":
        yield from choose_effects(target, event.text)
    elif event.kind == "files":
        there = site_of(target.form.action) if target.form else ""
        yield EffectFinding("upload", "a file of this machine is given away", there)
    elif event.kind == "drop":
        pair = [target, *([event.onto] if event.onto else [])]
        yield from (find_strongest(one.name, one.hints) or EffectFinding("local", "dragging") for one in pair)
        here, there = site_of(target.origin), site_of(pair[-1].origin)
        if here != there:
            places = (here or "a frame without a site", there or "a frame without a site")
            yield EffectFinding("carry", f"“{target.name}” is dragged from {places[0]} to {places[1]}", there)
    elif event.kind == "mark":
        yield find_strongest(target.name, target.hints) or EffectFinding("view", "words are marked")
    else:
        yield hover_effects(target)


def planned_inputs(action: Action) -> Iterator[InputEvent]:
    """The inputs that a tool of the page will send."""
    first = action.targets[0] if action.targets else None
    text = str(action.args.get("text", ""))
    match action.tool:
        case "click" if first:
            yield InputEvent(kind="click", target=first)
        case "type" if first:
            yield InputEvent(kind="click", target=first)
            yield InputEvent(kind="text", target=first, text=text)
            if action.args.get("submit"):
                yield InputEvent(kind="key", target=first, key="Enter")
        case "press_key":
            yield InputEvent(kind="key", target=first, key=str(action.args.get("key", "")))
            yield from (InputEvent(kind="click", target=named) for named in action.targets[1:])
        case "select" if first:
            yield from _choice_inputs(first, action.chosen or str(action.args.get("option", "")))
        case "drag" if first:
            yield from drag_events(first, action.targets[-1] if len(action.targets) > 1 else None)
        case "hover" if first:
            yield InputEvent(kind="hover", target=first)
        case "page_tool" if first:
            yield InputEvent(kind="tool", target=first)
        case "upload" if first:
            yield InputEvent(kind="click", target=first)
            yield InputEvent(kind="files", target=first)
        case _:
            pass


def _choice_inputs(target: ActionTarget, option: str) -> Iterator[InputEvent]:
    if target.tag != "select":
        yield InputEvent(kind="click", target=target)
    yield InputEvent(kind="choose", target=target, text=option)


def list_findings(action: Action) -> Iterator[EffectFinding]:
    """All effects of an action."""
    events = list(planned_inputs(action))
    for event in events:
        yield from input_findings(event)
    if not events:
        yield from _address_findings(action)
        yield _pageless_effect(action)


def _address_findings(action: Action) -> Iterator[EffectFinding]:
    """The effects that an address's words name, if it is opened or fetched and the person did not name it."""
    for url in (target_address(action), *fetched_addresses(action)):
        if (word := action_word(url)) and not action.stated_by_user:
            yield EffectFinding(action_effect(word), f"the address says “{word}”", site_of(url))


def _pageless_effect(action: Action) -> EffectFinding:
    """The effect of an action that sends no input to a page."""
    match action.tool:
        case "download":
            return EffectFinding("download", f"{action.args.get('name', 'it')} can run on this machine")
        case "upload":
            return EffectFinding("upload", "a file of this machine is given away")
        case "memory_save":
            return EffectFinding("remember", "a fact about the person is kept")
        case _ if action.from_mcp:
            return mcp_findings(action)
        case _:
            return EffectFinding("read", "it changes nothing")


def mcp_findings(action: Action) -> EffectFinding:
    """The effect of an MCP server's tool: by its name first, then by what its server declares."""
    spelled = spell_name(action.tool)
    if found := find_strongest(spelled):
        return found
    if action.quiet or READS.search(spelled):
        return EffectFinding("read", "another server's tool, which only reads")
    return EffectFinding("use", "another server's tool, which may change something")


def _key_effects(key: str, target: ActionTarget | None) -> Iterator[EffectFinding]:
    """The effects of a key or chord on the focused element."""
    held, last = split_key(key)
    strong = held - {"shift"}
    if find_clipboard_move(key) == "paste":
        yield from (
            typing_effects(target, "what was copied") if target else [EffectFinding("view", "nothing has the focus")]
        )
    elif target is not None and target.role == "unknown" and last not in PASSIVE:
        yield EffectFinding("submit", "the focus is in a frame that cannot be looked into")
    elif last == "enter" and target is not None:
        yield from enter_effects(target, bool(strong))
    elif last == "space" and target is not None and (not target.editable or _is_toggle(target)):
        yield from click_effect(target)
    elif target is not None and _changes_choice(last, target):
        yield from choose_effects(target, target.name)
    elif last in ("delete", "backspace") and not (target and target.editable):
        yield EffectFinding("delete", "the key may delete what is selected")
    elif last in ("enter", "space") or (strong and last not in EDITING):
        yield EffectFinding("local", "keys that the page may act on")
    else:
        yield EffectFinding("view", "a key")


def _is_toggle(target: ActionTarget) -> bool:
    return target.type in ("checkbox", "radio", "file", "color") or target.role in HARMLESS_ROLES


def _changes_choice(last: str, target: ActionTarget) -> bool:
    """Whether a key changes the choice of a list or of radio buttons."""
    moves = last in ARROWS or (target.tag == "select" and len(last) == 1)
    return moves and (target.tag == "select" or target.type == "radio" or target.role == "radio")


def target_address(action: Action) -> str:
    """The first address that an action opens; empty if it opens none."""
    return next(target_addresses(action), "")


def fetched_addresses(action: Action) -> list[str]:
    """The addresses that are read without the browser."""
    urls = action.args.get("urls", ()) if action.tool == "web_fetch" else ()
    return [str(url) for url in urls] if isinstance(urls, list | tuple) else []


def target_addresses(action: Action) -> Iterator[str]:
    """The addresses that an action opens: in its arguments, of the links it follows, of the forms it sends."""
    if (action.tool == "navigate" and action.args.get("action", "goto") == "goto") or (
        action.tool == "manage_tabs" and action.args.get("action") == "open"
    ):
        yield str(action.args.get("url", ""))
    for event in planned_inputs(action):
        yield from dict.fromkeys(filter(None, _list_reached_addresses(event)))


def _list_reached_addresses(event: InputEvent) -> Iterator[str]:
    """The addresses that an input leads to."""
    target = event.target
    sends = event.kind == "key" and split_key(event.key)[1] == "enter"
    if target is None:
        return
    if event.kind == "tool":
        yield target.form.action if target.submits and target.form and parse_address(target.form.action) else ""
    elif event.kind == "click" or (sends and not target.editable):
        for one in target.all:
            yield one.href
            if one.submits and one.form and parse_address(one.form.action):
                yield one.form.action
    elif (sends and not target.multiline) or (event.kind == "choose" and submits_on_change(target)):
        yield target.form.action if target.form and parse_address(target.form.action) else ""
