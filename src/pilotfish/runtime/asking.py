"""Asking a model within a run: afford it, fit the window, call, charge, journal."""

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from pydantic import BaseModel

from pilotfish.core import events
from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message, Reply, Request, Tier
from pilotfish.core.usage import Usage
from pilotfish.runtime.kit import Json
from pilotfish.runtime.window.door import Fitted, Gauge

if TYPE_CHECKING:
    from pilotfish.llm.base import Kind, Model
    from pilotfish.runtime.run import Run


@dataclass(frozen=True)
class Question:
    """What is asked, of whom, and what the answer must look like."""

    messages: tuple[Message, ...]
    purpose: str
    tier: Tier
    shape: type[BaseModel] | None = None
    tools: tuple[str, ...] = ()
    aloud: bool = False
    hold: str = ""
    loose: bool = False


class Ear:
    """Hears a reply as it comes, passes it on to people, and knows when the first word was.

    A reply that begins with `hold` is a signal to the loop, not words for people: its start is held until clear.
    """

    def __init__(self, run: "Run", call: str, question: Question) -> None:
        self.run = run
        self.call = call
        self.aloud = question.aloud
        self.began = time.perf_counter()
        self.first: float | None = None
        self._hold = question.hold
        self._held = ""

    def __call__(self, text: str, kind: "Kind") -> None:
        if self.first is None:
            self.first = time.perf_counter() - self.began
        if kind == "content":
            text = self._released(text)
        if text and (self.aloud or kind == "reasoning"):
            self.run.kit.journal.tell(events.Delta(run=self.run.id, call=self.call, text=text, kind=kind))

    def _released(self, text: str) -> str:
        if not self._hold:
            return text
        self._held += text
        start = self._held.lstrip()[: len(self._hold)]
        if self._hold.startswith(start):
            return ""
        self._hold, held, self._held = "", self._held, ""
        return held

    def close(self) -> None:
        """The reply is over: what was held because it was short goes out now."""
        if self._held and not self._held.lstrip().startswith(self._hold):
            self._hold, held = "", self._held
            self(held, "content")


class Asking:
    """One model call of a run; `key` is its place in the story."""

    def __init__(self, run: "Run", key: str) -> None:
        self.run = run
        self.key = key

    async def ask(self, question: Question) -> tuple[Reply, Json | None]:
        """The reply, and the value in it where a shape was asked for."""
        outcome = await self.run.step(f"ask {question.purpose}", lambda: self._reply(question))
        return Reply.model_validate(outcome["reply"]), outcome["value"]

    async def think(self, question: Question) -> BaseModel:
        """Ask from within a step, as a tool does: no step of its own, but journalled and charged."""
        assert question.shape is not None
        return question.shape.model_validate((await self._reply(question))["value"])

    async def _reply(self, question: Question) -> Json:
        model = await self._model(question)
        question = replace(question, messages=await self.run.warden.seal.heard(question.messages))
        request = self._request(question, model)
        if past := self.run.past.get(f"{self.key}.replied"):
            assert isinstance(past, events.ModelReplied)
            return await self._again(past, question)
        context = model.measure(model.fitted(request))
        await self.run.purse.afford(self.key, ahead(model.name, context))
        call = f"{self.run.id}:{self.key}"
        tier, purpose = question.tier, question.purpose
        asked = events.ModelAsked(
            run=self.run.id,
            key=f"{self.key}.asked",
            call=call,
            tier=tier,
            model=model.name,
            purpose=purpose,
            tokens=context,
        )
        self.run.kit.journal.post(asked)
        ear = Ear(self.run, call, question)
        try:
            value, reply = await self._call(model, request, question, ear)
            ear.close()
        except ModelError as error:
            await self._failed(call, model.name, error)
            raise
        replied = events.ModelReplied(
            run=self.run.id,
            call=call,
            tier=tier,
            model=reply.model or model.name,
            purpose=purpose,
            text=reply.text,
            calls=reply.calls,
            usage=reply.usage,
            seconds=time.perf_counter() - ear.began,
            first=ear.first,
            context=min(reply.usage.input or context, model.facts.window),
            window=model.facts.window,
        )
        await self.run.emit(f"{self.key}.replied", replied)
        await self._charge(replied.model, reply.usage)
        return {"reply": reply.model_dump(mode="json"), "value": value}

    async def _failed(self, call: str, model: str, error: ModelError) -> None:
        usage = getattr(error, "usage", Usage())
        failed = events.ModelFailed(
            run=self.run.id, call=call, model=model, error=error.message, fix=error.fix, usage=usage
        )
        await self.run.emit(f"{self.key}.failed", failed)
        self.run.budget.charge(usage)

    async def _charge(self, model: str, usage: Usage) -> None:
        self.run.budget.charge(usage)
        if not usage.priced and self.run.budget.limit is not None:
            note = f"Nobody knows what {model} costs: its calls count as unknown, and no budget can hold them."
            await self.run.emit(f"price {model}", events.Noted(run=self.run.id, topic="price", text=note))

    async def _model(self, question: Question) -> Fitted:
        run = self.run
        model = await run.kit.minds.of(question.tier, run.options.get("model", ""))
        return Fitted(model, cast(Gauge, run.kit.services[Gauge]), run.task)

    async def _call(self, model: "Model", request: Request, question: Question, ear: Ear) -> tuple[Json | None, Reply]:
        if question.shape is None:
            return None, await model.reply(request, ear)
        from pilotfish.llm import structured

        try:
            value, reply = await structured.ask(model, request, question.shape, ear)
        except structured.Misshapen as error:
            if not question.loose:
                raise
            note = f"{model.name} did not keep to the form asked for; its raw text is used."
            await self.run.emit(f"{self.key}.raw", events.Noted(run=self.run.id, topic="parsing", text=note))
            return None, Reply(text=error.text, usage=error.usage, model=model.name)
        return value.model_dump(mode="json"), reply

    async def _again(self, past: events.ModelReplied, question: Question) -> Json:
        """The reply was journalled, but a crash came before the step was recorded: use it, do not pay twice."""
        reply = Reply(text=past.text, calls=past.calls, usage=past.usage, model=past.model)
        if question.shape is None:
            return {"reply": reply.model_dump(mode="json"), "value": None}
        from pilotfish.llm import structured

        try:
            value = structured.parse(past.text, question.shape).model_dump(mode="json")
        except ValueError:
            value = None
        return {"reply": reply.model_dump(mode="json"), "value": value}

    def _request(self, question: Question, model: "Model") -> Request:
        kit = self.run.kit
        return Request(
            messages=question.messages,
            tools=tuple(kit.tools[name].spec for name in question.tools if name in kit.tools),
            max_tokens=min(model.facts.answer, model.facts.window // 4),
            temperature=kit.settings.models.temperature,
        )


def ahead(model: str, context: int) -> float:
    """The cents that a call costs at least: what is sent, before a word comes back."""
    from pilotfish.llm.prices import price

    return price(model, Usage(input=context)).cost * 100
