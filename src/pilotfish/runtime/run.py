"""A run as its loop uses it: observe, say, ask, act, request_input, finish, fork.

Each of these is a durable step. Between them a loop is plain deterministic code: after a crash it is called again from
the top, and each finished step returns what it returned the first time. `run_base.py` explains the steps.
"""

import asyncio
import base64
import functools
from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from pilotfish.core import events
from pilotfish.core.events import Event, Stage, StageStatus
from pilotfish.core.journal_reports import describe_progress
from pilotfish.core.messages import Image, Message, ModelFacts, ModelReply, ModelTier, ToolCall
from pilotfish.core.pages import ElementQuery, NumberedElement, ObservedPage, TabText
from pilotfish.core.prompts import render
from pilotfish.core.records import RunRecord
from pilotfish.enforcement.enforcer import PolicyEnforcer
from pilotfish.enforcement.request_guard import RequestGuard
from pilotfish.enforcement.run_secrets import RunSecrets
from pilotfish.runtime.budget import Budget, SpendingLedger
from pilotfish.runtime.control import RunControl
from pilotfish.runtime.loops import LOOPS, prompts, usual_steps
from pilotfish.runtime.model_caller import ModelCaller, ModelQuestion
from pilotfish.runtime.page_reader import PageReader
from pilotfish.runtime.progress import ProgressWatch
from pilotfish.runtime.reply_listener import StreamedParts
from pilotfish.runtime.run_base import RunBase
from pilotfish.runtime.run_context import Json, RunContext
from pilotfish.runtime.steering import LEADING_TIERS, append_text
from pilotfish.runtime.tool_executor import ToolExecutor, media_type
from pilotfish.tools.base import ToolResult
from pilotfish.tools.recall import ResultStore

Shape = TypeVar("Shape", bound=BaseModel)
FEW_STEPS, MANY_STEPS = 20, 50
"""The usual limits: for small models, and for others."""


class Run(RunBase):
    """One task under way."""

    def __init__(self, record: RunRecord, context: RunContext, control: RunControl, past: Mapping[str, Event]) -> None:
        super().__init__(record, context, control, past)
        self.budget = Budget(self, cast(SpendingLedger, context.services[SpendingLedger]))
        self.secrets = RunSecrets(self)
        self.enforcer = PolicyEnforcer(self, self.secrets, self._ask_light_model)
        self.request_guard = RequestGuard(self, self.enforcer, self.browser.kinds)
        self.tool_executor = ToolExecutor(self, self.enforcer, self.request_guard, self._ask_within_step)
        self.progress = ProgressWatch()
        self.results = cast(ResultStore, context.services[ResultStore])
        self.prompts = Path()
        self.answer: str | None = None
        self.data: Any = None
        self.places: tuple[Mapping[str, Any], ...] = ()
        self.steps = 0
        self._counts_actions = True
        self._usual_limit = usual_steps(record.loop) or FEW_STEPS

    @property
    def open(self) -> bool:
        """Whether the loop should go on: no answer yet and steps left."""
        return self.answer is None and self.steps < self.limit

    @property
    def limit(self) -> int:
        """The most turns or steps: of the run, of the settings, else what is usual."""
        return self.options.get("max_steps") or self.settings.agent.steps or self._usual_limit

    @property
    def stated_limit(self) -> int | None:
        """The most steps, where no model has to be asked for it."""
        return self.options.get("max_steps") or self.settings.agent.steps or usual_steps(self.record.loop)

    def estimate_turns_left(self, number: int) -> int:
        """How many turns come after turn `number`: what the limit allows, and the money and time if the turns to come
        take as much of them as those before."""
        spending, time = self.spending, self.work_time
        left = [self.limit - number]
        if spending.limit is not None and spending.cents > 0 and number > 1:
            left.append(int((spending.limit - spending.cents) * (number - 1) / spending.cents) - 1)
        if time.left is not None and time.used > 0 and number > 1:
            left.append(int(time.left * (number - 1) / time.used) - 1)
        return max(0, min(left))

    def begin_step(self, number: int) -> None:
        """Count by the loop's own steps from now on, not by its actions."""
        self.steps, self._counts_actions = number, False

    async def find_limit(self) -> int:
        """The limit, where the size of the model decides what is usual."""
        self._usual_limit = FEW_STEPS if (await self.facts()).small else MANY_STEPS
        return self.limit

    # What a loop reports to people

    async def say(self, text: str, sources: Sequence[Mapping[str, Any]] = ()) -> None:
        """Add the assistant's words to the conversation."""
        message = Message(role="assistant", text=text, origin="model")
        self.messages.append(message)
        await self.emit(self.key(), events.MessageAdded(run=self.id, message=message, sources=tuple(sources)))

    async def report(self, stage: Stage, status: StageStatus, text: str, **details: Any) -> None:
        """Report to people what the run is doing."""
        self._post(events.Progressed(run=self.id, stage=stage, status=status, text=text, details=details))

    async def note(self, topic: str, text: str, **details: Any) -> None:
        """Record a single fact about the run that people may want to know, such as a cut page or a chosen loop."""
        self._post(events.Noted(run=self.id, topic=topic, text=text, details=details))

    async def reason(self, text: str, phase: str, step: int = 0, *, public: bool = False) -> None:
        """Record the model's thinking; people see it if it is `public` or the setting `reasoning_visible` is on."""
        self._post(events.Reasoned(run=self.id, text=text, phase=phase, step=step or self.steps, public=public))

    async def plan(self, items: Sequence[tuple[str, str]]) -> None:
        """Show the present plan or todo list."""
        self._post(events.Planned(run=self.id, items=tuple(items)))

    async def finish(
        self,
        text: str,
        sources: Sequence[Mapping[str, Any]] = (),
        *,
        data: Any = None,
        places: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """Give the answer, and the data where some was asked for with its places on the pages; end the loop."""
        await self.say(text, sources)
        self.answer, self.data, self.places = text, data, tuple(places)

    async def begin_next_turn(self) -> bool:
        """Make what was said after the last model call the task of another turn; False where nothing was said."""
        said = await self.steering.take(self.key())
        if said:
            self.steering.messages.clear()
            self._task = "\n".join(message.text for message in said)
            self.answer = None
        return bool(said)

    async def describe_progress(self) -> str:
        """What was done so far and what is open, as people are told at an end that is not certain."""

        async def describe() -> Json:
            await self.flush_events(self.id)
            return {"text": describe_progress(await self.store.events(self.id))}

        return (await self.step("account", describe))["text"]

    # What a loop does

    def prompt(self, name: str, **values: Any) -> str:
        return render(self.prompts, name, values)

    async def ask(
        self,
        messages: Sequence[Message],
        *,
        purpose: str,
        tools: Sequence[str] = (),
        tier: ModelTier = "main",
        stream: bool = False,
        hold: str | tuple[str, ...] = (),
    ) -> ModelReply:
        """Ask a model; with `stream` the answer is streamed to people, unless it begins with `hold`."""
        signals = (hold,) if isinstance(hold, str) else hold
        streamed = StreamedParts(stream, signals, calls_possible=stream and bool(tools))
        question = ModelQuestion(self._add_hints(messages, tier), purpose, tier, None, tuple(tools), streamed)
        return (await self._model_caller(self.key()).ask(question))[0]

    async def decide(
        self,
        shape: type[Shape],
        messages: Sequence[Message],
        *,
        purpose: str,
        tier: ModelTier = "main",
        thought: str = "",
        adapted: bool = False,
    ) -> Shape:
        """Ask a model for a value of a type. Its JSON is constrained by the schema, repaired and validated.

        The field named by `thought` is streamed as the model's thinking. `adapted` marks a form that adapters were
        trained on.
        """
        parts = StreamedParts(thought=thought)
        question = ModelQuestion(self._add_hints(messages, tier), purpose, tier, shape, (), parts, adapted=adapted)
        return shape.model_validate((await self._model_caller(self.key()).ask(question))[1])

    async def attempt(
        self,
        shape: type[Shape],
        messages: Sequence[Message],
        *,
        purpose: str,
        tries: int = 3,
        tier: ModelTier = "main",
        thought: str = "",
        adapted: bool = False,
    ) -> Shape | str:
        """Like `decide`, but return the raw text if none of the tries fits the type."""
        asked, parts = self._add_hints(messages, tier), StreamedParts(thought=thought)
        return (await self._attempt(shape, ModelQuestion(asked, purpose, tier, shape, (), parts, tries, adapted)))[0]

    async def attempt_adapted(
        self, shape: type[Shape], messages: Sequence[Message], *, purpose: str, tries: int, tier: ModelTier
    ) -> tuple[Shape | str, ModelReply]:
        """Like `attempt`, in a form that adapters were trained on; also the reply, which may tell its tokens."""
        asked = self._add_hints(messages, tier)
        return await self._attempt(shape, ModelQuestion(asked, purpose, tier, shape, text_after=tries, adapted=True))

    async def _attempt(self, shape: type[Shape], question: ModelQuestion) -> tuple[Shape | str, ModelReply]:
        reply, value = await self._model_caller(self.key()).ask(question)
        return reply.text if value is None else shape.model_validate(value), reply

    async def facts(self, tier: ModelTier = "main") -> ModelFacts:
        """What the model of a tier can do."""
        return (await self.context.models.of(tier, self.options.get("model", ""))).facts

    async def model_name(self, tier: ModelTier) -> str:
        """The name of the model of a tier."""
        return (await self.context.models.of(tier, self.options.get("model", ""))).name

    async def page_picture(self, tier: ModelTier) -> tuple[Image, ...]:
        """A screenshot of the page, if the model has vision and screenshots are wanted."""
        wanted = self.options.get("screenshots", self.settings.agent.screenshots)
        if not wanted or not (await self.facts(tier)).vision or "screenshot" not in self.context.tools:
            return ()
        looking = [ToolCall(id="sight", tool="screenshot")]
        return await self.tool_pictures(await self.tool_executor.execute(self.key(), looking, inner=True), tier)

    async def tool_pictures(self, results: Sequence[ToolResult], tier: ModelTier = "main") -> tuple[Image, ...]:
        """The pictures that tools made, if the model of the tier has vision."""
        if not (await self.facts(tier)).vision:
            return ()
        folder = self.folder
        names = [name for result in results for name in result.files if name.endswith((".png", ".jpg", ".jpeg"))]
        data = [await asyncio.to_thread((folder / name).read_bytes) for name in names]
        return tuple(Image(data=base64.b64encode(d), media=media_type(n)) for n, d in zip(names, data, strict=True))

    async def act(self, *calls: ToolCall) -> list[ToolResult]:
        """Carry out tool calls: at the same time if none has effects, else one after the other."""
        self.steps += self._counts_actions
        results = await self.tool_executor.execute(self.key(), calls)
        for call, result in zip(calls, results, strict=True):
            tool = self.context.tools.get(call.tool)
            self.progress.record_action(call, result, touched=tool is not None and tool.group in ("page", "browser"))
        return results

    async def observe(
        self, *, marks: bool = True, room: int | None = None, tools: bool = True, **how: Any
    ) -> ObservedPage:
        """Take a snapshot of the active tab, in `room` tokens; with `marks`, new elements are marked; with `tools`, the
        tools that the page offers are listed."""
        page = await PageReader(self, self.secrets, self.key()).observe(marks, room, tools, how)
        self.progress.record_page(page.mark)
        return page

    async def describe_elements(self, ids: Sequence[int]) -> dict[int, ElementQuery]:
        """What element numbers stand for on the page as it was last seen."""
        return await PageReader(self, self.secrets, self.key()).describe_elements(ids) if ids else {}

    async def search_elements(self, query: ElementQuery, seconds: float = 0) -> list[NumberedElement]:
        """The elements of the page in front that fit a role, a name and a row. Waits so many seconds for the first."""
        return await PageReader(self, self.secrets, self.key()).search_elements(query, seconds)

    async def has_text(self, words: str, seconds: float = 0) -> bool:
        """Whether words stand anywhere on the page in front, or come within so many seconds."""
        return await PageReader(self, self.secrets, self.key()).has_text(words, seconds)

    async def is_gone(self, words: str, seconds: float) -> bool:
        """Whether words stand nowhere on the page in front, or go within so many seconds."""
        return await PageReader(self, self.secrets, self.key()).is_gone(words, seconds)

    async def is_addressed(self) -> bool:
        """Whether the person has said something that no model call has shown yet."""

        async def check_said() -> Json:
            return {"said": self.steering.is_waiting}

        return (await self.step("hear", check_said))["said"]

    async def has_tabs(self) -> bool:
        """Whether the run has a tab with a page."""

        async def check_tabs() -> Json:
            given = self.options.get("tabs") or self.options.get("pages")
            return {"known": bool(given) or self.browser.has_session}

        return (await self.step("tabs", check_tabs))["known"]

    async def read_tabs(self) -> list[TabText]:
        """The readable text of the selected tabs."""
        return await PageReader(self, self.secrets, self.key()).read()

    async def read_part(self, selector: str = "") -> TabText:
        """The readable text of the first given page, or of what a CSS selector matches on it."""
        return await PageReader(self, self.secrets, self.key()).read_part(selector)

    async def request_input(
        self, question: str, choices: Sequence[str] = (), *, timeout: float | None = None, key: str = "", **details: Any
    ) -> str | None:
        """Ask the person and wait, also across restarts. None if nobody answered in time."""
        key = key or self.key()
        asked = functools.partial(self.ask_person, key, question, tuple(choices), timeout, **details)
        answer = (await self.step(f"input {key}", lambda: _await_answer(asked())))["answer"]
        if answer is not None:
            self.messages.append(Message(role="user", text=answer, origin="person"))
        return answer

    async def fork(self, task: str, loop: str, *, include_history: bool = False) -> RunRecord:
        """Run a sub-task in the same conversation and wait for its end."""
        left = None if self.spending.limit is None else max(0.0, self.spending.limit - self.spending.cents)
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
        ended = await self.context.spawn(child)
        self.spending.charge(ended.usage)
        return ended

    async def continue_as(self, name: str) -> None:
        """Continue this run with another loop."""
        body = LOOPS.get(name)
        self.prompts = prompts(body)
        await body(self)

    # Internals

    def _model_caller(self, key: str) -> ModelCaller:
        return ModelCaller(self, self.budget, self.secrets, key)

    async def _ask_within_step(self, key: str, question: ModelQuestion) -> BaseModel:
        return await self._model_caller(key).ask_within_step(question)

    async def _ask_light_model(self, key: str, purpose: str, prompt: str, shape: type[Shape]) -> Shape:
        question = ModelQuestion((Message(role="user", text=prompt),), purpose, "light", shape)
        return shape.model_validate(await self._ask_within_step(key, question))

    def _add_hints(self, messages: Sequence[Message], tier: ModelTier) -> tuple[Message, ...]:
        """The messages; for the main model, the hints about progress are added to the last one."""
        hints = self.progress.take_hints() if tier in LEADING_TIERS else ""
        return append_text(messages, f"Note: {hints}") if hints else tuple(messages)

    def _post(self, event: Event) -> None:
        """Write an event without waiting; after a crash the loop writes it again under the same key."""
        self.context.journal.post(event.model_copy(update={"key": self.key()}))


async def _await_answer(answer: Awaitable[str | None]) -> Json:
    return {"answer": await answer}
