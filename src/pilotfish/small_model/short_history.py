"""What a run in the short form did: lines for the model, and which effects were caused by which action."""

from typing import TYPE_CHECKING

from pilotfish.context.fitting import token_estimate
from pilotfish.context.page_cut import plain_line
from pilotfish.core import events
from pilotfish.core.messages import ToolCall
from pilotfish.core.pages import ElementQuery, ObservedPage
from pilotfish.core.policy import SENDING_EFFECTS
from pilotfish.core.recipe import ELEMENT_ARGUMENTS
from pilotfish.loop_support.run_history import RunHistory, describe_call, is_page_report
from pilotfish.runtime.run_context import Json
from pilotfish.small_model.short_reply import ELEMENT
from pilotfish.tools.base import ToolResult

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pilotfish.loop_support.turn import TurnAction
    from pilotfish.runtime.run import Run

LINE_LENGTH = 150
"""Characters of a line."""
FOLDED_LINES = "… {} earlier"
ENTRY_TOOLS = ("type", "select")
DONE_BEFORE = "Not carried out, since it was done before with an effect: {}. Go on with what is missing, or say done."


class ShortHistory(RunHistory):
    """Lines that only grow until they are too long; then the older half is left out."""

    def __init__(self, run: "Run", room: int) -> None:
        super().__init__(run, 3 * room)
        self.changes = 0
        self.changed: list[str] = []
        """The places of the actions that changed something."""
        self.dialog = False
        self._older = 0
        self._places: dict[str, tuple[str, ...]] = {}
        self._entries: set[str] = set()
        self._last: tuple[str, tuple[str, ...]] = "", ()
        self._caused: set[tuple[str, ...]] = set()
        self._seen_events = 0

    def begin_actions(self, number: int, actions: "Sequence[TurnAction]", page: ObservedPage) -> int:
        """Note where each action acts. Returns how many may be carried out, up to one that had its effect before."""
        self.fresh, self.pictured, self.dialog = [], [], False
        places = [self._find_place(action, page) for action in actions]
        self._places = {f"t{number}.{at}": place for at, place in enumerate(places)}
        return next((at for at, place in enumerate(places) if place in self._caused), len(actions))

    def _find_place(self, action: "TurnAction", page: ObservedPage) -> tuple[str, ...]:
        """The place of an action and what was entered before it: the same button with another entry acts anew.

        What the action before has brought up on the same page, such as a row's menu, belongs to the place of that one.
        """
        address, opener = self._last
        new = address == page.url and any(f"*[{id}]" in page.text for id in action.ids)
        own = find_place(action, page)
        self._last = page.url, own
        place = (*own, *(opener if new else ()), *sorted(self._entries))
        if action.tool in ENTRY_TOOLS:
            self._entries |= {str(value) for name, value in action.args.items() if name not in ELEMENT_ARGUMENTS}
        return place

    async def record(self, call: ToolCall, elements: "Mapping[str, ElementQuery]", result: ToolResult) -> None:
        await super().record(call, elements, result)
        if result.ok and not is_page_report(result):
            came = "nothing" if result.data.get("found") is False else "see below"
            self._lines[-1] = f"{self._count}. {describe_call(call, elements)} → {came}"
            self.fresh = [("", result)]
        tool = self.run.context.tools.get(call.tool)
        acts = tool is not None and tool.effect and call.tool != "type"
        changed = result.ok and acts and result.data.get("changed", True)
        shown = result.data.get("moved") == "document" or result.data.get("only_shows", False)
        if changed and not shown:
            self.changes += 1
            self.changed += self._places.get(call.id, ())
        self.dialog = self.dialog or "dialog" in result.data.get("notices", ())

    async def read_effects(self) -> None:
        """Read from the journal which of the last actions had an effect outside the page."""

        async def read() -> Json:
            found, last, caused = list[str](), self._seen_events, False
            for event in await self.run.store.events(self.run.id, last):
                last = event.seq
                caused = caused or is_effect(event)
                if isinstance(event, events.ToolFinished):
                    found += [event.call] if caused and event.ok else []
                    caused = False
            return {"calls": found, "last": last}

        outcome = await self.run.step("read effects", read)
        self._seen_events = outcome["last"]
        self.mark_caused(outcome["calls"])

    def mark_caused(self, calls: "Sequence[str]") -> None:
        """Remember that these of the last actions had an effect outside the page."""
        places = [self._places[call] for call in calls if call in self._places]
        self._caused.update(places)
        self.changes += len(places)
        self.changed += [part for place in places for part in place]

    def lines(self) -> str:
        """The lines for a request."""
        shown = [line[:LINE_LENGTH] for line in self._lines]
        if token_estimate("\n".join(shown[self._older :])) > self._room:
            self._older += (len(shown) - self._older + 1) // 2
        folded = [FOLDED_LINES.format(self._older)] if self._older else []
        return "\n".join([*folded, *shown[self._older :]])


def find_place(action: "TurnAction", page: ObservedPage) -> tuple[str, ...]:
    """What an action does where: tool, arguments, address, title, headings, and the whole lines of its elements."""
    args = [f"{name}={value}" for name, value in action.args.items() if name not in ELEMENT_ARGUMENTS]
    lines, ids = [*map(plain_line, page.text.splitlines())], {str(id) for id in action.ids}
    marks = [(line, mark) for line in lines for mark in ELEMENT.finditer(line) if mark[1] in ids]
    rows = [ELEMENT.sub(r"\2", part) for line, mark in marks for part in (line[: mark.start()], line[mark.start() :])]
    headings = (line for line in lines if line.startswith("#"))
    return action.tool, *args, page.url, page.title, *headings, *(rows if ids else [page.mark])


def is_effect(event: events.Event) -> bool:
    """Whether a journal entry tells of an effect outside the page that was let through."""
    if not isinstance(event, events.Noted):
        return False
    details = event.details
    sent = event.topic == "held_request" and details.get("decision") == "sent"
    return sent or (
        event.topic == "policy" and details.get("decision") == "allowed" and details.get("effect") in SENDING_EFFECTS
    )
