"""A run as its loop sees it: observe, say, ask, act, request_input, finish, fork.

Every one of these is a durable step. Between them a loop is plain deterministic code: after a crash it is called
again from the top, and each step that had finished hands back what it returned the first time. Events carry a key
made from the step's number, so the story is told once however often it is replayed.
"""

import base64
import functools
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from pydantic import BaseModel

from pilotfish.core import events
from pilotfish.core.errors import (
    BrowserError,
    Missing,
    ModelError,
    OutOfBudget,
    PersonError,
    PilotfishError,
    SettingsError,
    Stopped,
    StoreError,
)
from pilotfish.core.events import Event, Stage, State, Status
from pilotfish.core.messages import Call, Facts, Image, Message, Reply, Tier
from pilotfish.core.prompts import render
from pilotfish.core.records import RunRecord
from pilotfish.runtime.acting import Acting, media
from pilotfish.runtime.asking import Asking, Question
from pilotfish.runtime.browsing import browsing
from pilotfish.runtime.budget import Budget, Purse
from pilotfish.runtime.control import Control
from pilotfish.runtime.guard.fence import Fence
from pilotfish.runtime.guard.warden import Warden
from pilotfish.runtime.kit import Json, Kit
from pilotfish.runtime.loops import LOOPS, prompts
from pilotfish.runtime.progress import Progress
from pilotfish.runtime.seeing import Page, Seeing, TabText
from pilotfish.tools.base import Result
from pilotfish.tools.recall import Results

Shape = TypeVar("Shape", bound=BaseModel)
Kind = Literal["question", "approval", "budget"]
ERRORS: dict[str, type[PilotfishError]] = {
    kind.__name__: kind for kind in (ModelError, OutOfBudget, Missing, SettingsError, StoreError, BrowserError)
}


class Run:
    """One task under way."""

    def __init__(self, record: RunRecord, kit: Kit, control: Control, past: Mapping[str, Event]) -> None:
        self.record = record
        self.kit = kit
        self.control = control
        self.past = past
        self.messages: list[Message] = []
        self.budget = Budget(record.options.get("budget_cents", kit.settings.budget.run_cents), past.values())
        self.purse = Purse(self)
        self.fence = Fence(record.conversation)
        self.browsing = browsing(kit, record)
        self.warden = Warden(self)
        self.progress = Progress()
        self.results = cast(Results, kit.services[Results])
        self.prompts = Path()
        self.answer: str | None = None
        self.steps = 0
        self._number = 0
        self._state: State = record.state

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def task(self) -> str:
        return self.record.task

    @property
    def options(self) -> Mapping[str, Any]:
        return self.record.options

    @property
    def open(self) -> bool:
        """Whether the loop should go on: no answer yet and steps left."""
        return self.answer is None and self.steps < self.limit

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools of this run: those it names, else all, without what is switched off."""
        wanted = self.options.get("tools")
        names = self.kit.tools if wanted is None else [name for name in wanted if name in self.kit.tools]
        return tuple(name for name in names if name not in self.options.get("disabled_tools", ()))

    @property
    def limit(self) -> int:
        return self.options.get("max_steps") or self.kit.settings.agent.steps

    # What a loop tells people

    async def say(self, text: str, sources: Sequence[Mapping[str, Any]] = ()) -> None:
        """Add the assistant's words to the conversation."""
        message = Message(role="assistant", text=text)
        self.messages.append(message)
        await self.emit(self.key(), events.MessageAdded(run=self.id, message=message, sources=tuple(sources)))

    async def report(self, stage: Stage, status: Status, text: str, **details: Any) -> None:
        """Tell people where the run is."""
        self._tell(events.Progressed(run=self.id, stage=stage, status=status, text=text, details=details))

    async def note(self, topic: str, text: str, **details: Any) -> None:
        self._tell(events.Noted(run=self.id, topic=topic, text=text, details=details))

    async def reason(self, text: str, phase: str, step: int = 0) -> None:
        """Keep the model's thinking; people see it where the settings say so."""
        self._tell(events.Reasoned(run=self.id, text=text, phase=phase, step=step or self.steps))

    async def plan(self, items: Sequence[tuple[str, str]]) -> None:
        """Show the plan or todo list as it now stands."""
        self._tell(events.Planned(run=self.id, items=tuple(items)))

    async def finish(self, text: str, sources: Sequence[Mapping[str, Any]] = ()) -> None:
        """Give the answer; the loop ends."""
        await self.say(text, sources)
        self.answer = text

    # What a loop does

    def prompt(self, name: str, **values: Any) -> str:
        return render(self.prompts, name, values)

    async def ask(
        self,
        messages: Sequence[Message],
        *,
        purpose: str,
        tools: Sequence[str] = (),
        tier: Tier = "main",
        aloud: bool = False,
        hold: str = "",
    ) -> Reply:
        """Ask a model; with `aloud` people hear the answer as it comes, unless it begins with `hold`."""
        question = Question(self._hinted(messages, tier), purpose, tier, None, tuple(tools), aloud, hold)
        return (await Asking(self, self.key()).ask(question))[0]

    async def decide(
        self,
        shape: type[Shape],
        messages: Sequence[Message],
        *,
        purpose: str,
        tier: Tier = "main",
    ) -> Shape:
        """Ask a model for a value of a type; its JSON is constrained, repaired and validated."""
        question = Question(self._hinted(messages, tier), purpose, tier, shape)
        return shape.model_validate((await Asking(self, self.key()).ask(question))[1])

    async def attempt(self, shape: type[Shape], messages: Sequence[Message], *, purpose: str) -> Shape | str:
        """Like `decide`, but a model that cannot keep to the shape gives its raw text instead."""
        question = Question(self._hinted(messages, "main"), purpose, "main", shape, loose=True)
        reply, value = await Asking(self, self.key()).ask(question)
        return reply.text if value is None else shape.model_validate(value)

    async def facts(self, tier: Tier = "main") -> Facts:
        """What the model of a tier can do."""
        return (await self.kit.minds.of(tier, self.options.get("model", ""))).facts

    async def sight(self, tier: Tier) -> tuple[Image, ...]:
        """A picture of the page, where the model can see and pictures are wanted."""
        wanted = self.options.get("screenshots", self.kit.settings.agent.screenshots)
        if not wanted or not (await self.facts(tier)).vision or "screenshot" not in self.kit.tools:
            return ()
        return await self.pictures(await Acting(self, self.key()).act([Call(id="sight", tool="screenshot")]))

    async def pictures(self, results: Sequence[Result]) -> tuple[Image, ...]:
        """The pictures that tools made, if the model can see."""
        if not (await self.facts()).vision:
            return ()
        folder = self.kit.folder(self.id)
        names = [name for result in results for name in result.files if name.endswith((".png", ".jpg", ".jpeg"))]
        return tuple(Image(data=base64.b64encode((folder / name).read_bytes()), media=media(name)) for name in names)

    async def act(self, *calls: Call) -> list[Result]:
        """Carry out tool calls: together where none changes the world, else one after the other."""
        self.steps += 1
        results = await Acting(self, self.key()).act(calls)
        for call, result in zip(calls, results, strict=True):
            tool = self.kit.tools.get(call.tool)
            self.progress.acted(call, result, touched=tool is not None and tool.group in ("page", "browser"))
        return results

    async def observe(self, *, marks: bool = True, **how: Any) -> Page:
        """Look at the page that is in front; `marks` tell what is new on it."""
        page = await Seeing(self, self.key()).observe(marks, how)
        self.progress.saw(page.mark)
        return page

    async def has_tabs(self) -> bool:
        """Whether there is a page to speak about."""

        async def known() -> Json:
            return {"known": bool(self.options.get("tabs")) or self.browsing.known}

        return (await self.step("tabs", known))["known"]

    async def read(self) -> list[TabText]:
        """The readable text of the selected tabs."""
        return await Seeing(self, self.key()).read()

    async def request_input(
        self, question: str, choices: Sequence[str] = (), *, timeout: float | None = None, key: str = "", **details: Any
    ) -> str | None:
        """Ask the person and wait, through restarts too. None when nobody answered in time."""
        key = key or self.key()
        asked = functools.partial(self.inquire, key, question, tuple(choices), timeout, **details)
        answer = (await self.step(f"input {key}", lambda: _boxed(asked())))["answer"]
        if answer is not None:
            self.messages.append(Message(role="user", text=answer))
        return answer

    async def fork(self, task: str, loop: str, *, include_history: bool = False) -> RunRecord:
        """Run a sub-task under the same conversation and wait for its end."""
        left = None if self.budget.limit is None else max(0.0, self.budget.limit - self.budget.cents)
        options = {**self.options, "history": include_history, "budget_cents": left}
        child = self.record.model_copy(
            update={
                "id": f"{self.id}-{self.key()}",
                "task": task,
                "loop": loop,
                "parent": self.id,
                "options": options,
                "state": "queued",
            }
        )
        ended = await self.kit.spawn(child)
        self.budget.charge(ended.usage)
        return ended

    async def become(self, name: str) -> None:
        """Go on as another loop."""
        body = LOOPS.get(name)
        self.prompts = prompts(body)
        await body(self)

    # How it is done

    def key(self) -> str:
        """The number of the next step; the same in every replay."""
        self._number += 1
        return str(self._number)

    def _hinted(self, messages: Sequence[Message], tier: Tier) -> tuple[Message, ...]:
        """The messages; the last one also says what the sense of progress has for the model that leads the run."""
        hints = self.progress.hints() if tier in ("main", "decision") else ""
        if not hints:
            return tuple(messages)
        *before, last = messages
        if last.role == "user":
            return (*before, last.model_copy(update={"text": f"{last.text}\n\nNote: {hints}"}))
        return (*messages, Message(role="user", text=f"Note: {hints}"))

    def _tell(self, event: Event) -> None:
        """Keep what nothing waits for: the loop says it again, under the same key, if a crash comes first."""
        self.kit.journal.post(event.model_copy(update={"key": self.key()}))

    async def emit(self, key: str, event: Event) -> None:
        await self.kit.journal.append(event.model_copy(update={"key": key}))

    async def enter(self, state: State, why: str = "") -> None:
        """Change the control state, and say so."""
        if state == self._state:
            return
        self._state = state
        changed = events.StateChanged(run=self.id, state=state, why=why)
        if state == "running":
            self.kit.journal.post(changed)
        else:
            await self.emit("", changed)

    async def step(self, name: str, body: Callable[[], Awaitable[Json]]) -> Json:
        """One durable step: waits while paused, ends at once on stop, hands errors back as they were."""
        return await self._held(lambda: self.kit.step(name, lambda: self._outcome(body)))

    async def passing(self, body: Callable[[], Awaitable[Json]]) -> Json:
        """Like a step, but quicker, and done anew after a crash: for what nothing but the next question depends on."""
        return await self._held(lambda: self._outcome(body))

    async def _held(self, work: Callable[[], Awaitable[Json]]) -> Json:
        self.control.check()
        if self.control.paused:
            await self.enter("paused", "paused by the person")
            await self.control.resumed()
        await self.enter("running")
        outcome = await work()
        if outcome.get("stopped"):
            raise Stopped("Stopped.")
        if error := outcome.get("error"):
            raise ERRORS.get(error["type"], PersonError)(error["message"], error["fix"])
        return outcome["value"]

    async def _outcome(self, body: Callable[[], Awaitable[Json]]) -> Json:
        async def work() -> Json:
            return await body()

        try:
            return {"value": await self.control.guard(work())}
        except Stopped:
            return {"stopped": True}
        except (PersonError, OutOfBudget) as error:
            return {"error": {"type": type(error).__name__, "message": error.message, "fix": error.fix}}

    async def inquire(
        self,
        key: str,
        question: str,
        choices: tuple[str, ...] = (),
        timeout: float | None = None,
        *,
        kind: Kind = "question",
        **details: Any,
    ) -> str | None:
        """Ask the person from within a step. The question and its deadline stand in the journal, so they outlive us."""
        seconds = timeout or self.options.get("input_timeout") or self.kit.settings.agent.input_timeout
        request = f"{self.id}:{key}"
        asked = events.InputRequested(
            run=self.id,
            key=f"{key}.asked",
            request=request,
            kind=kind,
            question=question,
            choices=choices,
            details=details,
            deadline=events.now() + timedelta(seconds=seconds),
        )
        entry = (await self.kit.journal.append(asked))[0]
        assert isinstance(entry.event, events.InputRequested)
        await self.enter("awaiting_approval" if kind == "approval" else "awaiting_input", question)
        answer = await self.control.answer(request, entry.event.deadline)
        if answer is None:
            await self.emit(f"{key}.over", events.InputTimedOut(run=self.id, request=request))
        else:
            received = events.InputReceived(run=self.id, request=request, answer=answer.text, by=answer.by)
            await self.emit(f"{key}.over", received)
        await self.enter("running")
        return None if answer is None else answer.text


async def _boxed(answer: Awaitable[str | None]) -> Json:
    return {"answer": await answer}
