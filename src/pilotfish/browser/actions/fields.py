"""Fills fields: types text, chooses options, sets values; reads each back and compares it."""

from typing import TYPE_CHECKING, Literal

from pilotfish.browser.actions.dates import standard_form
from pilotfish.browser.actions.pointer import PageAction, begin_action, click_element, describe_element
from pilotfish.browser.actions.sliders import set_slider
from pilotfish.browser.actions.text_entry import FilledField, TypingMode, enter_text, find_field, type_over
from pilotfish.browser.perception.changes import ChangeReport
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.browser.sessions.waiting import wait_until_settled
from pilotfish.core.errors import ToolError

if TYPE_CHECKING:
    from pilotfish.browser.perception.element import ElementView
    from pilotfish.browser.perception.element_spot import ElementSpot

OptionKey = Literal["value", "text", "index"]

PICKER_TYPES = frozenset({"date", "time", "datetime-local", "month", "week", "color", "range"})
PICKER_FORMATS = {
    "date": "YYYY-MM-DD", "time": "HH:MM", "datetime-local": "YYYY-MM-DDTHH:MM", "month": "YYYY-MM",
    "week": "YYYY-Www", "color": "#rrggbb", "range": "a number",
}  # fmt: skip
BUTTON_TYPES = frozenset({"checkbox", "radio", "button", "submit", "reset", "image"})
OPTION_ROLES = frozenset({
    "option", "menuitem", "menuitemradio", "menuitemcheckbox", "treeitem", "listitem", "radio", "clickable",
    "button", "link",
})  # fmt: skip


async def type_text(
    session: BrowserSession, id: int, text: str, mode: TypingMode = "replace", submit: bool = False
) -> ChangeReport:
    """Type into a field, check that it holds the text, and press Enter if wanted."""
    action = await begin_action(session)
    spot, field = await find_field(action, id)
    refuse_typing(id, spot)
    if spot.type in PICKER_TYPES:
        did = await set_value(field, spot, text)
    elif spot.role == "slider":
        did = await set_slider(action, id, spot, text)
    else:
        return await enter_text(field, spot, text, mode, submit)
    if submit:
        await action.tab.input.press("Enter", "pressing Enter")
        did += " and pressed Enter"
    return await action.finish(did)


async def replace_part(session: BrowserSession, id: int, part: str, text: str, submit: bool = False) -> ChangeReport:
    """Type over the only place in a field that reads so; the rest of the field stays."""
    action = await begin_action(session)
    spot, field = await find_field(action, id)
    refuse_typing(id, spot)
    return await type_over(field, spot, part, text, submit)


async def select(session: BrowserSession, id: int, option: str, by: OptionKey = "text") -> ChangeReport:
    """Choose an option of a select, or of a list that a button or field opens."""
    action = await begin_action(session)
    spot = await action.locate(id)
    if not spot.select:
        return await pick_option(action, id, spot, option)
    found = await action.tab.input.find_option(id, option, by)
    if not found["ok"]:
        why = f"{found['disabled']!r} is disabled" if found.get("disabled") else f"there is no option {option!r}"
        raise ToolError(f"In {describe_element(id, spot)} {why}. Options: {', '.join(found['options'])}.")
    chosen = await action.tab.input.choose(id, found["index"], found["label"])
    return await action.finish(f"Chose {', '.join(map(repr, chosen))} in {describe_element(id, spot)}")


def refuse_typing(id: int, spot: "ElementSpot") -> None:
    """Raise for an element that cannot be typed into, naming the tool that fits."""
    other = (
        "select" if spot.select
        else "upload" if spot.file
        else "click" if spot.type in BUTTON_TYPES or (spot.tag in ("button", "a", "summary") and not spot.editable)
        else ""
    )  # fmt: skip
    if other:
        raise ToolError(f"{describe_element(id, spot)} cannot be typed into; use {other}.")
    if "readonly" in spot.states:
        raise ToolError(f"{describe_element(id, spot)} is read-only; perhaps a click on it opens a picker.")


async def set_value(field: FilledField, spot: "ElementSpot", text: str) -> str:
    """Set a field that has a picker instead of text."""
    id, text = field.id, standard_form(spot.type, text)
    held = await field.action.tab.input.set_value(id, text, field.evaluate)
    if not held or (held != text and spot.type not in ("range", "color", "time", "datetime-local")):
        raise ToolError(f"{describe_element(id, spot)} did not take {text!r}; it wants {PICKER_FORMATS[spot.type]}.")
    return f"Set {describe_element(id, spot)} to {held!r}"


async def pick_option(action: PageAction, id: int, spot: "ElementSpot", option: str) -> ChangeReport:
    """Choose in a list that is no select: open it, type if it takes text, click the option of that name."""
    before = {element.id for element in action.before.elements}
    await click_element(action, id)
    await wait_until_settled(action.tab, action.mark, action.visits)
    found = await find_option(action, option, before)
    if found is None and spot.editable:
        await action.tab.input.select_content(
            FilledField(action, id, await action.run_script(id, "read_traits")).evaluate
        )
        await action.tab.input.write(option, f"typing into [{id}]")
        await wait_until_settled(action.tab, action.mark, action.visits)
        found = await find_option(action, option, before)
    if found is None:
        view = await action.tab.look()
        there = ", ".join(e.name for e in view.elements if e.role == "option")[:400]
        raise ToolError(
            f"{describe_element(id, spot)} offers no {option!r}. " + (f"It offers: {there}." if there else "")
        )
    chosen = await click_element(action, found.id)
    return await action.finish(f"Chose {describe_element(found.id, chosen)} in {describe_element(id, spot)}")


async def find_option(action: PageAction, option: str, before: set[int]) -> "ElementView | None":
    """The element that the list offers under this name: exact first, then the only one that begins so."""
    view = await action.tab.look()
    want = " ".join(option.split()).casefold()
    there = [e for e in view.elements if e.role in OPTION_ROLES and (e.role == "option" or e.id not in before)]
    exact = [e for e in there if e.name.casefold() == want]
    begun = [e for e in there if e.name.casefold().startswith(want)]
    return exact[0] if exact else begun[0] if len(begun) == 1 else None
