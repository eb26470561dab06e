"""The base of a run: its record, its journal, durable steps, and questions to the person.

Every step is durable. After a crash the loop is called again from the top, and each step that had finished returns
what it returned the first time. Events carry a key made from the step's number, so a replay writes none of them twice.
"""

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pilotfish.core import events
from pilotfish.core.errors import (
    BrowserError,
    ModelError,
    NotFoundError,
    OutOfBudget,
    PersonError,
    PilotfishError,
    SettingsError,
    Stopped,
    StoreError,
)
from pilotfish.core.events import Event, InputKind, RunState
from pilotfish.core.messages import Message, ModelTier, ToolCall
from pilotfish.core.records import RunRecord
from pilotfish.core.settings import Settings
from pilotfish.runtime.budget import RunSpending
from pilotfish.runtime.control import RunControl
from pilotfish.runtime.conversation_browsers import open_run_browser
from pilotfish.runtime.run_context import Json, RunContext
from pilotfish.runtime.steering import Steering
from pilotfish.runtime.work_time import WorkTime
from pilotfish.safety.untrusted_text import UntrustedText

if TYPE_CHECKING:
    from pilotfish.safety.secret_redactor import SecretRedactor
    from pilotfish.store.base import Store

ERRORS: dict[str, type[PilotfishError]] = {
    kind.__name__: kind for kind in (ModelError, OutOfBudget, NotFoundError, SettingsError, StoreError, BrowserError)
}


class RunBase:
    """A run without its loop: what the model caller, the page reader, the tools and the policy work with."""

    def __init__(self, record: RunRecord, context: RunContext, control: RunControl, past: Mapping[str, Event]) -> None:
        self.record = record
        self.context = context
        self.control = control
        self.past = past
        self.messages: list[Message] = []
        self.requests: dict[ModelTier, str] = {}
        self.steering = Steering(self, past)
        self.work_time = WorkTime(record.options.get("max_minutes"), context.settings.agent.minutes)
        self.spending = RunSpending(
            record.options.get("budget_cents", context.settings.budget.run_cents), past.values()
        )
        self.untrusted = UntrustedText(record.conversation)
        self.browser = open_run_browser(context, record)
        self.limits = self.browser.limits
        self._number = 0
        self._task = record.task
        self._state: RunState = record.state

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def task(self) -> str:
        """What the person wants: the run's task, or what they said after its answer."""
        return self._task

    @property
    def day(self) -> str:
        """The day on which the run began, here, with its weekday."""
        return f"{self.record.created.astimezone():%A, %Y-%m-%d}"

    @property
    def options(self) -> Mapping[str, Any]:
        return self.record.options

    @property
    def settings(self) -> Settings:
        return self.context.settings

    @property
    def home(self) -> Path:
        """The folder of all that Pilotfish keeps."""
        return self.context.home

    @property
    def folder(self) -> Path:
        """The folder of this run's files."""
        return self.context.folder(self.id)

    @property
    def store(self) -> "Store":
        return self.context.journal.store

    @property
    def redactor(self) -> "SecretRedactor":
        return self.context.journal.redactor

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools of this run: those it names, else all but those for debugging pages; without the disabled ones."""
        wanted, known = self.options.get("tools"), self.context.tools
        usual = [name for name, tool in known.items() if tool.group != "inspect"]
        names = usual if wanted is None else [name for name in wanted if name in known]
        return tuple(name for name in names if name not in self.options.get("disabled_tools", ()))

    def refuse_tool(self, call: ToolCall, inner: bool = False) -> str:
        """Why this call may not use its tool; empty if it may.

        A model's call must name a tool that its request offered. A loop's own call must name one of the run's tools,
        unless it is `inner` or of the group `plan`. A tool that is disabled for the run is refused to both.
        """
        off = call.tool in self.options.get("disabled_tools", ())
        free = inner or self.context.tools[call.tool].group == "plan"
        if call.offered and not off and (free or call.tool in self.tools):
            return ""
        return f"{call.tool} was not offered here, so it was not used. Use one of the tools of the request."

    def key(self) -> str:
        """The number of the next step; the same in every replay."""
        self._number += 1
        return str(self._number)

    async def flush_events(self, run: str) -> None:
        """Return when the events of a run, this one or a parent, are in the store."""
        await self.context.journal.flush(run)

    async def emit(self, key: str, event: Event) -> None:
        await self.context.journal.append(event.model_copy(update={"key": key}))

    async def change_state(self, state: RunState, why: str = "") -> None:
        """Change the control state and write that to the journal."""
        if state == self._state:
            return
        self._state = state
        changed = events.StateChanged(run=self.id, state=state, why=why)
        if state == "running":
            self.context.journal.post(changed)
        else:
            await self.emit("", changed)

    async def step(self, name: str, body: Callable[[], Awaitable[Json]]) -> Json:
        """Run one durable step: wait while paused, end at once on stop, raise the same error after a crash."""
        return await self._run_when_allowed(lambda: self.context.step(name, lambda: self._run_and_record_error(body)))

    async def unrecorded_step(self, body: Callable[[], Awaitable[Json]]) -> Json:
        """Like `step`, but not recorded and so faster; after a crash it runs again."""
        return await self._run_when_allowed(lambda: self._run_and_record_error(body))

    async def _run_when_allowed(self, work: Callable[[], Awaitable[Json]]) -> Json:
        self.control.check()
        if self.control.held:
            await self.control.wait_for_other_worker()
        if self.control.paused:
            await self.change_state("paused", self.control.paused_why)
            await self.control.wait_until_resumed()
        await self.change_state("running")
        self.work_time.check()
        with self.work_time.count_time():
            outcome = await work()
        if outcome.get("stopped"):
            raise Stopped("Stopped.")
        if error := outcome.get("error"):
            raise ERRORS.get(error["type"], PersonError)(error["message"], error["fix"])
        return outcome["value"]

    async def _run_and_record_error(self, body: Callable[[], Awaitable[Json]]) -> Json:
        async def work() -> Json:
            return await body()

        try:
            return {"value": await self.control.run_until_stopped(work())}
        except Stopped:
            return {"stopped": True}
        except (PersonError, OutOfBudget) as error:
            # A more special error is recorded as the kind that it is, such as a reply without JSON as a ModelError.
            kind = next((base.__name__ for base in type(error).__mro__ if base.__name__ in ERRORS), "")
            return {"error": {"type": kind, "message": error.message, "fix": error.fix}}

    async def ask_person(
        self,
        key: str,
        question: str,
        choices: tuple[str, ...] = (),
        timeout: float | None = None,
        *,
        kind: InputKind = "question",
        **details: Any,
    ) -> str | None:
        """Ask the person within a step. The journal keeps the question and its deadline across restarts."""
        seconds = timeout or self.options.get("input_timeout") or self.context.settings.agent.input_timeout
        request = f"{self.id}:{key}"
        asked = events.InputRequested(
            run=self.id,
            key=f"{key}.asked",
            request=request,
            kind=kind,
            question=question,
            choices=choices,
            details=details,
            deadline=events.current_time() + timedelta(seconds=seconds),
        )
        entry = (await self.context.journal.append(asked))[0]
        assert isinstance(entry.event, events.InputRequested)
        await self.change_state("awaiting_approval" if kind == "approval" else "awaiting_input", question)
        with self.work_time.pause_count():
            answer = await self.control.answer(request, entry.event.deadline)
        if answer is None:
            await self.emit(f"{key}.over", events.InputTimedOut(run=self.id, request=request))
        else:
            received = events.InputReceived(run=self.id, request=request, answer=answer.text, by=answer.by)
            await self.emit(f"{key}.over", received)
        await self.change_state("running")
        return None if answer is None else answer.text
