"""Asks a model within a run: checks the budget, fits the window, calls, charges, and writes the journal."""

import asyncio
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from pydantic import BaseModel

from pilotfish.context.fitting import shared_start
from pilotfish.context.windowed_model import TokenRatios, WindowedModel
from pilotfish.core import events
from pilotfish.core.errors import ModelError, OutOfBudget
from pilotfish.core.messages import Message, ModelReply, ModelRequest, ModelTier
from pilotfish.core.usage import Usage
from pilotfish.enforcement.run_secrets import RunSecrets
from pilotfish.runtime.budget import Budget
from pilotfish.runtime.reply_listener import ReplyListener, StreamedParts
from pilotfish.runtime.run_base import RunBase
from pilotfish.runtime.run_context import Json
from pilotfish.runtime.steering import LEADING_TIERS

if TYPE_CHECKING:
    from pilotfish.llm.base import Model

BROKEN_TRIES = 3
"""How often a model is asked for a reply that breaks off."""


@dataclass(frozen=True)
class ModelQuestion:
    """The messages, the tier that answers, and the schema of the answer.

    `text_after` is the number of tries after which the raw text is taken for the answer; with 0 it never is.
    """

    messages: tuple[Message, ...]
    purpose: str
    tier: ModelTier
    shape: type[BaseModel] | None = None
    tools: tuple[str, ...] = ()
    streamed: StreamedParts = field(default_factory=StreamedParts)
    text_after: int = 0
    adapted: bool = False


class ModelCaller:
    """One model call of a run; `key` is its step's number in the journal."""

    def __init__(self, run: RunBase, budget: Budget, secrets: RunSecrets, key: str) -> None:
        self.run = run
        self.budget = budget
        self.secrets = secrets
        self.key = key

    async def ask(self, question: ModelQuestion) -> tuple[ModelReply, Json | None]:
        """The reply, and its value where a schema was given."""
        outcome = await self.run.step(f"ask {question.purpose}", lambda: self._steered_reply(question))
        self.run.steering.recall(self.key)
        return ModelReply.model_validate(outcome["reply"]), outcome["value"]

    async def ask_within_step(self, question: ModelQuestion) -> BaseModel:
        """Ask within a step, as a tool does: without a step of its own, but journalled and charged."""
        shape = question.shape
        assert shape is not None
        if question.tier in LEADING_TIERS:
            question = replace(question, messages=self.run.steering.show(question.messages))
        return shape.model_validate((await self._reply(question))["value"])

    async def _steered_reply(self, question: ModelQuestion) -> Json:
        """The reply to a request that also shows what the person said meanwhile."""
        if question.tier not in LEADING_TIERS:
            return await self._reply(question)
        steering = self.run.steering
        await steering.take(self.key, replayed=f"{self.key}.replied" in self.run.past)
        return await self._reply(replace(question, messages=steering.show(question.messages)))

    async def _reply(self, question: ModelQuestion) -> Json:
        model = await self._find_model(question)
        question = replace(question, messages=await self.secrets.redact_messages(question.messages))
        request = self._make_request(question, model)
        if past := self.run.past.get(f"{self.key}.replied"):
            assert isinstance(past, events.ModelReplied)
            return await self._reuse_reply(past, question)
        fitted = model.fit_request(request)
        context = model.measure(fitted)
        await self.budget.require(self.key, minimum_cost(model.name, context))
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
            repeated=self._count_repeated(fitted, tier, context),
        )
        self.run.context.journal.post(asked)
        try:
            value, reply, listener = await self._call_in_time(model, request, question, call)
        except (ModelError, OutOfBudget) as error:
            await self._record_failure(call, model.name, error)
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
            seconds=time.perf_counter() - listener.began,
            first=listener.first,
            context=min(reply.usage.input or context, model.facts.window),
            window=model.facts.window,
        )
        await self.run.emit(f"{self.key}.replied", replied)
        await self._charge(replied.model, reply.usage)
        return {"reply": reply.model_dump(mode="json"), "value": value}

    async def _call_in_time(
        self, model: "Model", request: ModelRequest, question: ModelQuestion, call: str
    ) -> tuple[Json | None, ModelReply, ReplyListener]:
        """The reply, within the time that the run has left. One that broke off is asked for again, up to `BROKEN_TRIES`
        times in all, unless people saw some of it as an answer."""
        for number in range(1, BROKEN_TRIES + 1):
            listener, timer = ReplyListener(self.run, call, question.streamed), asyncio.timeout(self.run.work_time.left)
            try:
                async with timer:
                    value, reply = await self._call_model(model, request, question, listener)
                reply = mark_calls(reply, request)
                listener.close(calls=bool(reply.calls))
                return value, reply, listener
            except TimeoutError as error:
                if not timer.expired():
                    raise
                raise self.run.work_time.used_up() from error
            except ModelError as error:
                if number == BROKEN_TRIES or not (error.transient and listener.broke_off_unseen):
                    raise
        raise AssertionError("the last try returns or raises")

    def _count_repeated(self, request: ModelRequest, tier: ModelTier, tokens: int) -> int:
        """How many tokens at the beginning of a request are those of the last request to the same tier."""
        parts = [
            *(spec.model_dump_json() for spec in request.tools),
            *(f"{m.role}: {m.text}" for m in request.messages),
        ]
        text = "\n".join(parts)
        before, self.run.requests[tier] = self.run.requests.get(tier, ""), text
        return tokens * shared_start(before, text) // max(1, len(text))

    async def _record_failure(self, call: str, model: str, error: ModelError | OutOfBudget) -> None:
        usage = getattr(error, "usage", Usage())
        failed = events.ModelFailed(
            run=self.run.id, call=call, model=model, error=error.message, fix=error.fix, usage=usage
        )
        await self.run.emit(f"{self.key}.failed", failed)
        self.run.spending.charge(usage)

    async def _charge(self, model: str, usage: Usage) -> None:
        self.run.spending.charge(usage)
        if not usage.priced and self.run.spending.limit is not None:
            note = f"Nobody knows what {model} costs: its calls count as unknown, and no budget can hold them."
            await self.run.emit(f"price {model}", events.Noted(run=self.run.id, topic="price", text=note))

    async def _find_model(self, question: ModelQuestion) -> WindowedModel:
        run = self.run
        model = await run.context.models.of(question.tier, run.options.get("model", ""))
        return WindowedModel(model, cast(TokenRatios, run.context.services[TokenRatios]), run.task)

    async def _call_model(
        self, model: "Model", request: ModelRequest, question: ModelQuestion, listener: ReplyListener
    ) -> tuple[Json | None, ModelReply]:
        if question.shape is None:
            return None, await model.reply(request, listener)
        from pilotfish.llm import structured

        try:
            tries = question.text_after or structured.TRIES
            value, reply = await structured.ask_for_shape(model, request, question.shape, listener, tries)
        except structured.InvalidAnswer as error:
            if not question.text_after:
                raise
            note = f"{model.name} did not keep to the form asked for; its raw text is used."
            await self.run.emit(f"{self.key}.raw", events.Noted(run=self.run.id, topic="parsing", text=note))
            return None, ModelReply(text=error.text, usage=error.usage, model=model.name)
        return value.model_dump(mode="json"), reply

    async def _reuse_reply(self, past: events.ModelReplied, question: ModelQuestion) -> Json:
        """Use a reply that was journalled before a crash although its step was not recorded; it is not paid twice."""
        reply = ModelReply(text=past.text, calls=past.calls, usage=past.usage, model=past.model)
        if question.shape is None:
            return {"reply": reply.model_dump(mode="json"), "value": None}
        from pilotfish.llm import structured

        try:
            value = structured.parse_answer(past.text, question.shape).model_dump(mode="json")
        except ValueError:
            value = None
        return {"reply": reply.model_dump(mode="json"), "value": value}

    def _make_request(self, question: ModelQuestion, model: "Model") -> ModelRequest:
        context, own = self.run.context, self.run.tools
        return ModelRequest(
            messages=question.messages,
            tools=tuple(context.tools[name].spec for name in question.tools if name in own),
            max_tokens=min(model.facts.answer, model.facts.window // 4),
            temperature=self.run.settings.models.temperature,
            adapted=question.adapted,
        )


def mark_calls(reply: ModelReply, request: ModelRequest) -> ModelReply:
    """The reply, with each call marked by whether its tool was offered in the request."""
    names = {spec.name for spec in request.tools}
    calls = tuple(call.model_copy(update={"offered": call.tool in names}) for call in reply.calls)
    return reply.model_copy(update={"calls": calls}) if calls else reply


def minimum_cost(model: str, context: int) -> float:
    """The cents that a call costs at least: the price of what is sent."""
    from pilotfish.llm.prices import add_price

    return add_price(model, Usage(input=context)).cost * 100
