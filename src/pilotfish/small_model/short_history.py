"""What a run in the short form did: lines for the model, and which effects were caused by which action."""

from typing import TYPE_CHECKING

from pilotfish.context.fitting import token_estimate
from pilotfish.context.page_cut import plain_line
from pilotfish.core import events
from pilotfish.core.messages import ToolCall
from pilotfish.core.pages import ElementQuery, ObservedPage
from pilotfish.core.policy import SENDING_EFFECTS, EffectKind
from pilotfish.core.recipe import ELEMENT_ARGUMENTS
from pilotfish.loop_support.run_history import RunHistory, describe_call, is_page_report
from pilotfish.runtime.run_context import Json
from pilotfish.small_model.page_matter import read_matter, shows_effect
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
NEVER_TWICE = frozenset[EffectKind]({"buy", "send", "publish", "account", "upload", "secret"})
"""Effects that are not caused a second time by the same press, whatever the page shows of the first."""
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
        self.entries: set[str] = set()
        """What was entered into fields."""
        self._last: tuple[str, tuple[str, ...]] = "", ()
        self._caused: dict[tuple[str, ...], frozenset[str]] = {}
        """What the page showed when an effect was caused; nothing where it must not be caused again."""
        self._matter: frozenset[str] = frozenset()
        self._seen_events = 0

    def begin_actions(self, number: int, actions: "Sequence[TurnAction]", page: ObservedPage) -> int:
        """Note where each action acts. Returns how many may be carried out, up to one that had its effect before.

        A press whose effect this page shows, such as that of a counter or of what loads more rows, acts anew.
        """
        self.fresh, self.pictured, self.dialog = [], [], False
        stayed, self._matter = self._last[0] == page.url, read_matter(page.text)
        places = [self._find_place(action, page) for action in actions]
        self._places = {f"t{number}.{at}": place for at, place in enumerate(places)}
        repeated = (at for at, place in enumerate(places) if self._repeats(place, stayed=stayed))
        return next(repeated, len(actions))

    def _repeats(self, place: tuple[str, ...], *, stayed: bool) -> bool:
        """Whether an action had its effect before. `stayed`: the last action was on this page."""
        before = self._caused.get(place)
        return before is not None and not (stayed and before and shows_effect(before, self._matter))

    def _find_place(self, action: "TurnAction", page: ObservedPage) -> tuple[str, ...]:
        """The place of an action and what was entered before it: the same button with another entry acts anew.

        What the action before has brought up on the same page, such as a row's menu, belongs to the place of that one.
        """
        address, opener = self._last
        new = address == page.url and any(f"*[{id}]" in page.text for id in action.ids)
        own = find_place(action, page)
        self._last = page.url, own
        place = (*own, *(opener if new else ()), *sorted(self.entries))
        if action.tool in ENTRY_TOOLS:
            self.entries |= {str(value) for name, value in action.args.items() if name not in ELEMENT_ARGUMENTS}
        return place

    async def record(self, call: ToolCall, elements: "Mapping[str, ElementQuery]", result: ToolResult) -> None:
        await super().record(call, elements, result)
        if result.ok and not is_page_report(result):
            came = "nothing" if result.data.get("found") is False else "see below"
            self._lines[-1] = f"{self._count}. {describe_call(call, elements)} → {came}"
            self.fresh = [("", result)]
        self._lines[-1] = drop_origin(self._lines[-1], self._last[0])
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
            found, last, noted = dict[str, bool](), self._seen_events, list[events.Noted]()
            for event in await self.run.store.events(self.run.id, last):
                last = event.seq
                noted += [event] if isinstance(event, events.Noted) and is_effect(event) else []
                if isinstance(event, events.ToolFinished):
                    found |= {event.call: causes_once(noted)} if noted and event.ok else {}
                    noted = []
            return {"calls": found, "last": last}

        outcome = await self.run.step("read effects", read)
        self._seen_events = outcome["last"]
        self.mark_caused(outcome["calls"])

    def mark_caused(self, calls: "Mapping[str, bool]") -> None:
        """Remember that these of the last actions had an effect outside the page, and whether it may be caused only
        once."""
        caused = {self._places[call]: once for call, once in calls.items() if call in self._places}
        self._caused |= {place: frozenset() if once else self._matter for place, once in caused.items()}
        places = list(caused)
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


def drop_origin(line: str, url: str) -> str:
    """A line in which addresses of the same site as `url` begin with their path, so that more of it stays."""
    return line.replace("/".join([*url.split("/")[:3], ""]), "/")


def causes_once(noted: "Sequence[events.Noted]") -> bool:
    """Whether one of the effects of an action must not be caused again."""
    return any(entry.details.get("effect") in NEVER_TWICE for entry in noted)


def is_effect(event: events.Noted) -> bool:
    """Whether a journal entry tells of an effect outside the page that was let through."""
    details = event.details
    sent = event.topic == "held_request" and details.get("decision") == "sent"
    return sent or (
        event.topic == "policy" and details.get("decision") == "allowed" and details.get("effect") in SENDING_EFFECTS
    )
