"""Builds the request of each turn: the rules, the task, the history, the notes and the page."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from pilotfish.core.messages import Message, ToolSpec
from pilotfish.core.pages import ObservedPage
from pilotfish.loop_support.page_updates import PageUpdates
from pilotfish.loop_support.run_history import RunHistory
from pilotfish.loop_support.run_notes import RunNotes, open_notes
from pilotfish.loop_support.tool_calling import list_offered, offer_page_tools
from pilotfish.loop_support.turn import RESEARCH, Turn, describe_signatures

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

EARLIER_MESSAGES, MESSAGE_LENGTH = 8, 1500
"""How many earlier messages of the conversation the request has, and how many characters of each."""
LAST_TURNS = 5
"""How many turns before the limit the request begins to say how many are left."""
SAME_MILESTONE = 70
TOOL_ROOM = 4000
"""Tokens of the specifications of all tools. The prompt has a line of each, which is less than half of that."""


class WorkingMemory:
    """Keeps history, notes and milestones, and builds requests: fixed parts first, then what grows, then the rest."""

    def __init__(self, run: "Run", specs: Sequence[ToolSpec], notes: RunNotes, window: int) -> None:
        self.run = run
        self.specs = specs
        self.notes = notes
        self.history = RunHistory(run, window)
        self.updates = PageUpdates(run.untrusted)
        self._room = window // 4
        self._milestones: list[tuple[str, str]] = []
        self._opening = self._write_opening()

    def offer(self, page: ObservedPage) -> None:
        """Offer the tool that calls tools of pages from the first page on that has some."""
        new = [spec for spec in offer_page_tools(self.run, page) if spec not in self.specs]
        if new:
            self.specs = [*self.specs, *new]
            self._opening = self._write_opening()

    @property
    def offered(self) -> list[str]:
        return [spec.name for spec in self.specs]

    def _write_opening(self) -> list[Message]:
        """The messages at the beginning of every request: the rules with the tools, the conversation, and the task."""
        horizon = self.run.settings.agent.horizon
        rules = self.run.prompt("horizon", horizon=horizon, tools=describe_signatures(self.specs))
        *before, task = self.run.messages
        earlier = self.run.untrusted.recount(before[-EARLIER_MESSAGES:], MESSAGE_LENGTH)
        conversation = [Message(role="user", text=f"Earlier in this conversation:\n{earlier}")] if earlier else []
        return [
            Message(role="system", text=rules),
            *conversation,
            task.model_copy(update={"text": f"Task: {task.text}\nToday is {self.run.day}.", "stable": True}),
        ]

    async def messages(self, page: ObservedPage, number: int) -> list[Message]:
        """The request of a turn. After trouble the page is sent whole, else its changes if they are small."""
        self.history.see_page(page)
        if self.history.troubled:
            self.updates.forget()
        left, turns = self.run.estimate_turns_left(number), self.history.messages()
        messages, changes = self.updates.arrange(page, number, turns, self.history.turn_count)
        parts = [
            f"Your notes:\n{self.run.untrusted.wrap(self.notes.text, 'notes')}" if self.notes.text else "",
            f"Results of your last actions:\n{found}" if (found := self.history.fresh_results(self._room)) else "",
            changes,
            f"This is turn {number}" + (f"; {left} more are left." if left < LAST_TURNS else "."),
        ]
        pictures = await self.run.tool_pictures(self.history.pictured)
        return [*self._opening, *messages, Message(role="user", text="\n".join(filter(None, parts)), images=pictures)]

    async def keep(self, turn: Turn) -> None:
        """Keep the assessment, notes and milestones of a turn."""
        self.history.begin_turn(turn.assessment)
        if turn.assessment:
            await self.run.reason(turn.assessment, "turn")
        self.history.remark(await self.notes.edit(turn.notes))
        if turn.milestones:
            await self._show_milestones([(text, "open") for text in turn.milestones])

    async def complete(self) -> None:
        """Show all milestones as done."""
        await self._show_milestones([])

    async def _show_milestones(self, ahead: Sequence[tuple[str, str]]) -> None:
        """Show the todo list. Milestones that are no longer named are done; the first of the others is in progress."""
        words = [text for text, _ in ahead]
        done = [(text, "done") for text, state in self._milestones if state == "done" or not _is_among(text, words)]
        kept = [item for item in done if not _is_among(item[0], words)]
        listed = [*kept, *((text, "open" if place else "doing") for place, text in enumerate(words))]
        if listed != self._milestones:
            self._milestones = listed
            await self.run.plan(listed)


def _is_among(text: str, words: Sequence[str]) -> bool:
    return any(fuzz.ratio(text.casefold(), each.casefold()) >= SAME_MILESTONE for each in words)


async def open_memory(run: "Run", *tools: str) -> WorkingMemory:
    """The memory of a new run, with the tools of these names or groups; screenshots only for a model with vision."""
    facts = await run.facts()
    names = [name for name in await list_offered(run, *tools, room=TOOL_ROOM) if facts.vision or name != "screenshot"]
    specs = [run.context.tools[name].spec for name in names]
    return WorkingMemory(run, [*specs, RESEARCH], await open_notes(run), facts.window)
