"""Types text into a field, also where the page draws the field anew meanwhile, and reads back what it holds."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pilotfish.browser.actions.pointer import PageAction, click_element, describe_element, report_change
from pilotfish.browser.perception.changes import ChangeReport
from pilotfish.browser.perception.isolated_world import PageError
from pilotfish.browser.sessions.call_guard import BrowserGone, Unresponsive
from pilotfish.browser.sessions.waiting import (
    REACTION_MILLISECONDS,
    read_action_script,
    wait_until_answered,
    wait_until_quiet,
)
from pilotfish.core.errors import ToolError

if TYPE_CHECKING:
    from pilotfish.browser.perception.element_spot import ElementSpot

log = logging.getLogger(__name__)
PAGE_FAILURES = (BrowserGone, Unresponsive, PageError)
"""Errors that say nothing about the field."""
TypingMode = Literal["replace", "append"]
FOCUSED_FIELD_SCRIPT = """([traits, args]) => {{
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at && ({traits})(at) === traits ? {{ value: ({act})(at, ...args) }} : null;
}}"""


class TypingOutcome(NamedTuple):
    """Whether keys were kept from reaching something else than the field, and whether the page changed meanwhile."""

    lost: bool = False
    answered: bool = False


@dataclass(frozen=True)
class FilledField:
    """A field that is being filled. Where the page drew it anew, it is the one that took its place, else the one with
    the focus, if alike."""

    action: PageAction
    id: int
    traits: str

    async def run(self, name: str, *args: object) -> Any:
        return await self.evaluate(read_action_script(name), *args)

    async def evaluate(self, act: str, *args: object) -> Any:
        """Run a script on the field."""
        tab = self.action.tab
        try:
            return await tab.guard.call(tab.observer.run(self.id, act, *args), f"acting on [{self.id}]")
        except PAGE_FAILURES:
            raise
        except ToolError as gone:
            code = FOCUSED_FIELD_SCRIPT.format(traits=read_action_script("read_traits"), act=act)
            work = tab.page.evaluate(code, [self.traits, list(args)])
            found = await tab.guard.call(work, f"acting on [{self.id}]")
            if found is None:
                raise gone from None
            return found["value"]

    async def type_after(self, prepare: Awaitable[Any], write: Callable[[Any], Awaitable[None]]) -> TypingOutcome:
        """Prepare the field, then type as `write` does with what preparing told. Keys that would reach anything but a
        field are held back meanwhile."""
        tab, known = self.action.tab, self.action.tab.observer.counter.known(self.id)
        try:
            prepared, _ = await asyncio.gather(prepare, self._hold_keys())
            await write(prepared)
        finally:
            try:
                ended = await tab.guard.call(tab.observer.world.ask(known.key, "typed"), f"typing into [{self.id}]")
            except (LookupError, ToolError):
                ended = {"lost": False, "answered": True}
        return TypingOutcome(ended["lost"], ended["answered"])

    async def _hold_keys(self) -> None:
        try:
            await self.action.run_script(self.id, "begin_typing")
        except PAGE_FAILURES:
            raise
        except ToolError:
            log.debug("[%d] was drawn anew before it was typed into", self.id)

    async def read_value(self, text: str, mode: TypingMode) -> dict[str, Any] | None:
        """What the field holds, compared with the text; None where the field is gone."""
        try:
            return await self.run("compare_value", text, mode == "append")
        except PAGE_FAILURES:
            raise
        except ToolError:
            return None


async def find_field(action: PageAction, id: int) -> tuple["ElementSpot", FilledField]:
    """Find a field, and what stays the same when the page draws it anew."""

    async def read_traits() -> str:
        try:
            return await action.run_script(id, "read_traits")
        except ToolError:
            return ""

    spot, traits = await asyncio.gather(action.locate(id), read_traits())
    return spot, FilledField(action, id, traits)


async def enter_text(
    field: FilledField, spot: "ElementSpot", text: str, mode: TypingMode, submit: bool
) -> ChangeReport:
    """Type the text, press Enter if it is to be sent, and report what the field holds when the page has settled."""
    action, id = field.action, field.id
    outcome = await write_text(field, spot, text, mode)
    held = await complete_text(field, spot, text, mode, outcome)
    did = f"Typed {quote_text(spot, text)} into {describe_element(id, spot)}"
    if submit:
        if held and held["empty"] and text and not outcome.answered:
            raise refuse_empty(id, spot)
        await action.tab.input.press("Enter", "pressing Enter")
        return await action.finish(f"{did}{describe_held(held, spot, text)} and pressed Enter")
    if spot.type == "number" or spot.role == "spinbutton":
        await action.tab.input.leave(field.evaluate)
        if spot.facts["hc"]:
            await watch_value(field, text, mode)
    elif may_answer(spot):
        await wait_until_answered(action.tab)
    await action.settle()
    held, change = await asyncio.gather(field.read_value(text, mode), report_change(action, did))
    if held and held["empty"] and text and change.is_nothing:
        raise refuse_empty(id, spot)
    return replace(change, action=did + describe_held(held, spot, text))


async def watch_value(field: FilledField, text: str, mode: TypingMode) -> None:
    """Wait until the page has set a field back, which causes no event, or has not done so in time."""
    deadline = time.monotonic() + REACTION_MILLISECONDS / 1000
    while time.monotonic() < deadline and (held := await field.read_value(text, mode)) and held["same"]:
        await field.action.tab.activity.wait_for_change(0.05)


async def type_over(field: FilledField, spot: "ElementSpot", part: str, text: str, submit: bool) -> ChangeReport:
    """Select the only place in a field that reads so, type the text over it, and report what the field holds."""
    action, id, gate = field.action, field.id, field.action.tab.input
    wanted = ""

    async def write(selected: Any) -> None:
        nonlocal wanted
        if selected["count"] != 1:
            raise refuse_part(id, spot, part, selected["count"])
        wanted = " ".join(selected["held"].split()).replace(" ".join(part.split()), text)
        if not text:
            await gate.press("Delete", "deleting a part of the field")
        await gate.write(text, f"typing into [{id}]")

    await click_element(action, id, found=spot)
    await field.type_after(gate.select_content(field.evaluate, part), write)
    await action.settle()
    did = f"Typed {quote_text(spot, text)} over {quote_text(spot, part)} in {describe_element(id, spot)}"
    did += describe_held(await field.read_value(wanted, "replace"), spot, wanted)
    if submit:
        await gate.press("Enter", "pressing Enter")
        did += " and pressed Enter"
    return await action.finish(did)


def refuse_part(id: int, spot: "ElementSpot", part: str, count: int) -> ToolError:
    """Why a part of a field cannot be typed over."""
    what, words = describe_element(id, spot), quote_text(spot, part)
    if count < 0:
        return ToolError(f"A part of {what} cannot be selected.", "Type all that it should hold.")
    if count:
        return ToolError(f"{what} has {words} {count} times.", "Add words from around the one that is meant.")
    return ToolError(f"{what} does not hold {words}.", "get_text with its id shows all that it holds.")


async def write_text(field: FilledField, spot: "ElementSpot", text: str, mode: TypingMode) -> TypingOutcome:
    """Click into the field as a person would, then real keys."""
    action, id, gate = field.action, field.id, field.action.tab.input

    async def write(taken: Any) -> None:
        if not taken and not spot.editable:
            raise ToolError(f"{describe_element(id, spot)} does not take text.")
        if taken == "keys":
            await gate.press("Control+a", "selecting what is there")
        if mode == "append":
            await gate.press("Control+End", "moving to the end")
        elif not text:
            await gate.press("Delete", "clearing the field")
        await gate.write(text, f"typing into [{id}]")

    await click_element(action, id, found=spot)
    return await field.type_after(gate.select_content(field.evaluate), write)


async def complete_text(
    field: FilledField, spot: "ElementSpot", text: str, mode: TypingMode, outcome: TypingOutcome
) -> dict[str, Any] | None:
    """Type what a field that was drawn anew did not get; set the value where keys do not bring it in."""
    held = await field.read_value(text, mode)
    if held and not held["same"] and outcome.answered:
        await wait_until_quiet(field.action.tab)
        held = await field.read_value(text, mode)
    while held and not held["same"] and outcome.lost and 0 <= (begun := held["begun"]) < len(text):
        outcome = await write_rest(field, text[begun:])
        held = await field.read_value(text, mode)
        if held and held["begun"] <= begun:
            break
    used = held is None or (held["empty"] and outcome.answered)
    if held and not used and not held["same"] and not held["alike"] and mode == "replace" and not spot.contenteditable:
        await field.action.tab.input.set_value(field.id, text, field.evaluate)
        held = await field.read_value(text, mode)
    return held


async def write_rest(field: FilledField, rest: str) -> TypingOutcome:
    """Type what is missing behind what the field holds."""
    gate = field.action.tab.input
    return await field.type_after(gate.refocus(field.evaluate), lambda _: gate.write(rest, f"typing into [{field.id}]"))


def describe_held(held: dict[str, Any] | None, spot: "ElementSpot", text: str) -> str:
    """What to add to the report: nothing where the field holds the text, else what it holds."""
    if held is None:
        return ", and the field is gone now"
    if held["same"]:
        return ""
    return ", and the field is empty again" if held["empty"] and text else f', and it now holds "{held["held"]}"'


def refuse_empty(id: int, spot: "ElementSpot") -> ToolError:
    return ToolError(f"{describe_element(id, spot)} did not take the text; it is still empty.")


def may_answer(spot: "ElementSpot") -> bool:
    """Whether the page may answer what is typed a moment later: with suggestions, or with a list that it filters."""
    asks = spot.role in ("combobox", "searchbox") or spot.facts["hr"]
    return asks or (spot.facts.get("ac") == "off" and spot.type != "password")


def quote_text(spot: "ElementSpot", text: str) -> str:
    if spot.type == "password":
        return f"{len(text)} characters"
    return repr(text) if len(text) <= 80 else f"{len(text)} characters"
