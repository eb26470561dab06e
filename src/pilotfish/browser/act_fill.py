"""Filling fields: typed text, chosen options, set values; each read back and compared with what was meant."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pilotfish.browser.act import Deed, begin, named, strike
from pilotfish.browser.act_slide import slide
from pilotfish.browser.changes import Change
from pilotfish.browser.dates import standard
from pilotfish.browser.guard import BrowserGone, Unresponsive
from pilotfish.browser.session import Session
from pilotfish.browser.wait import HESITATION, quiet, script, settle
from pilotfish.core.errors import ToolError

if TYPE_CHECKING:
    from pilotfish.browser.spot import Spot
    from pilotfish.browser.view import Element

Mode = Literal["replace", "append"]
By = Literal["value", "text", "index"]

PICKED = frozenset({"date", "time", "datetime-local", "month", "week", "color", "range"})
FORMATS = {
    "date": "YYYY-MM-DD", "time": "HH:MM", "datetime-local": "YYYY-MM-DDTHH:MM", "month": "YYYY-MM",
    "week": "YYYY-Www", "color": "#rrggbb", "range": "a number",
}  # fmt: skip
TYPED = 40
"""Texts up to this length are typed key by key; longer ones are inserted, but for their last character."""
FOCUSED = """([traits, args]) => {{
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at && ({traits})(at) === traits ? {{ value: ({act})(at, ...args) }} : null;
}}"""
OFFERED = frozenset(
    {
        "option",
        "menuitem",
        "menuitemradio",
        "menuitemcheckbox",
        "treeitem",
        "listitem",
        "radio",
        "clickable",
        "button",
        "link",
    }
)


async def type_text(session: Session, id: int, text: str, mode: Mode = "replace", submit: bool = False) -> Change:
    """Type into a field, see that it holds the text, and press Enter if it is to be sent."""
    deed = await begin(session)
    spot = await deed.spot(id)
    refuse(id, spot)
    if spot.type in PICKED:
        did = await put(deed, id, spot, text)
    elif spot.role == "slider":
        did = await slide(deed, id, spot, text)
    else:
        field = await write(deed, id, spot, text, mode)
        did = f"Typed {quoted(spot, text)} into {named(id, spot)}{await verify(field, spot, text, mode)}"
        if offers(spot) and not submit:
            await quiet(deed.tab, HESITATION)
    if submit:
        await deed.input(deed.tab.page.keyboard.press("Enter"), "pressing Enter")
        did += " and pressed Enter"
    return await deed.end(did)


async def select(session: Session, id: int, option: str, by: By = "text") -> Change:
    """Choose an option of a select, or of a list that a button or field opens."""
    deed = await begin(session)
    spot = await deed.spot(id)
    if not spot.select:
        return await pick(deed, id, spot, option)
    chosen = await deed.run(id, "choose", option, by)
    if not chosen["ok"]:
        why = f"{chosen['disabled']!r} is disabled" if chosen.get("disabled") else f"there is no option {option!r}"
        raise ToolError(f"In {named(id, spot)} {why}. Options: {', '.join(chosen['options'])}.")
    return await deed.end(f"Chose {', '.join(map(repr, chosen['chosen']))} in {named(id, spot)}")


def offers(spot: "Spot") -> bool:
    """Whether a field may offer something for what is typed, a moment later: those that do keep the browser's own
    suggestions away."""
    return spot.role == "combobox" or (spot.facts.get("ac") == "off" and spot.type != "password")


def refuse(id: int, spot: "Spot") -> None:
    """Say which tool fits what cannot be typed into."""
    other = (
        "select" if spot.select
        else "upload" if spot.file
        else "click" if spot.type in ("checkbox", "radio", "button", "submit", "reset", "image")
        else ""
    )  # fmt: skip
    if other:
        raise ToolError(f"{named(id, spot)} cannot be typed into; use {other}.")
    if "readonly" in spot.states:
        raise ToolError(f"{named(id, spot)} is read-only; perhaps a click on it opens a picker.")


async def write(deed: Deed, id: int, spot: "Spot", text: str, mode: Mode) -> "Field":
    """Click into the field as a person would, then real keys."""
    keyboard = deed.tab.page.keyboard
    field = Field(deed, id, await deed.run(id, "traits"))
    await strike(deed, id)
    taken = await field.run("caret")
    if not taken and not spot.editable:
        raise ToolError(f"{named(id, spot)} does not take text.")
    if taken == "keys":
        await deed.input(keyboard.press("Control+a"), "selecting what is there")
    if mode == "append":
        await deed.input(keyboard.press("Control+End"), "moving to the end")
    elif not text:
        await deed.input(keyboard.press("Delete"), "clearing the field")
    await deed.input(enter(deed, text), f"typing into [{id}]")
    return field


@dataclass(frozen=True)
class Field:
    """A field that is being filled. Pages may draw it anew meanwhile: then it is the one with the focus, if alike."""

    deed: Deed
    id: int
    traits: str

    async def run(self, name: str, *args: object) -> Any:
        try:
            return await self.deed.run(self.id, name, *args)
        except (BrowserGone, Unresponsive):
            raise
        except ToolError as gone:
            code = FOCUSED.format(traits=script("traits"), act=script(name))
            work = self.deed.tab.page.evaluate(code, [self.traits, list(args)])
            found = await self.deed.tab.guard.call(work, f"acting on [{self.id}]")
            if found is None:
                raise gone from None
            return found["value"]


async def enter(deed: Deed, text: str) -> None:
    """Keys for short texts, so that pages that listen to keys hear them; never Enter, which may send the form."""
    keyboard = deed.tab.page.keyboard
    if "\n" in text:
        await keyboard.insert_text(text)
    elif len(text) <= TYPED:
        await keyboard.type(text)
    else:
        await keyboard.insert_text(text[:-1])
        await keyboard.type(text[-1])


async def verify(field: Field, spot: "Spot", text: str, mode: Mode) -> str:
    """What to add to the report: nothing where the field holds the text, else what it holds."""
    appended = mode == "append"
    held = await field.run("check", text, appended)
    if not held["same"] and not held["alike"] and not appended and not spot.contenteditable:
        await field.run("set", text)
        held = await field.run("check", text, appended)
    if held["same"]:
        return ""
    if held["empty"] and text:
        raise ToolError(f"{named(field.id, spot)} did not take the text; it is still empty.")
    return f', and it now holds "{held["held"]}"'


async def put(deed: Deed, id: int, spot: "Spot", text: str) -> str:
    """Set a field that has a picker instead of text."""
    text = standard(spot.type, text)
    held = await deed.run(id, "set", text)
    if not held or (held != text and spot.type not in ("range", "color", "time", "datetime-local")):
        raise ToolError(f"{named(id, spot)} did not take {text!r}; it wants {FORMATS[spot.type]}.")
    return f"Set {named(id, spot)} to {held!r}"


async def pick(deed: Deed, id: int, spot: "Spot", option: str) -> Change:
    """A list made of other things: open it, type if it takes text, click what is called so."""
    before = {element.id for element in deed.before.elements}
    await strike(deed, id)
    await settle(deed.tab, deed.mark, deed.visits)
    found = await offered(deed, option, before)
    if found is None and spot.editable:
        await deed.run(id, "caret")
        await deed.input(enter(deed, option), f"typing into [{id}]")
        await settle(deed.tab, deed.mark, deed.visits)
        found = await offered(deed, option, before)
    if found is None:
        view = await deed.tab.look()
        there = ", ".join(e.name for e in view.elements if e.role == "option")[:400]
        raise ToolError(f"{named(id, spot)} offers no {option!r}. " + (f"It offers: {there}." if there else ""))
    chosen = await strike(deed, found.id)
    return await deed.end(f"Chose {named(found.id, chosen)} in {named(id, spot)}")


async def offered(deed: Deed, option: str, before: set[int]) -> "Element | None":
    """The element that the list offers under this name: exact first, then the only one that begins so."""
    view = await deed.tab.look()
    want = " ".join(option.split()).casefold()
    there = [e for e in view.elements if e.role in OFFERED and (e.role == "option" or e.id not in before)]
    exact = [e for e in there if e.name.casefold() == want]
    begun = [e for e in there if e.name.casefold().startswith(want)]
    return exact[0] if exact else begun[0] if len(begun) == 1 else None


def quoted(spot: "Spot", text: str) -> str:
    if spot.type == "password":
        return f"{len(text)} characters"
    return repr(text) if len(text) <= 80 else f"{len(text)} characters"
