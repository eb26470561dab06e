"""Carrying out tool calls within a run: journalled before and after, never repeated when the outcome is unknown."""

import asyncio
import mimetypes
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import BaseModel

from pilotfish.core import events
from pilotfish.core.messages import Call, Message, Tier
from pilotfish.runtime.asking import Asking, Question
from pilotfish.runtime.frames import frame
from pilotfish.runtime.guard.intake import received
from pilotfish.runtime.guard.warden import Ruling
from pilotfish.runtime.kit import Json
from pilotfish.tools.base import Browsing, Context, Result, Tool

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

UNKNOWN = (
    "The program was interrupted during this action, so it is unknown whether it took effect. "
    "It was not repeated. Look at the page before going on."
)


class Acting:
    """One batch of calls; `key` is its place in the story."""

    def __init__(self, run: "Run", key: str) -> None:
        self.run = run
        self.key = key

    async def act(self, calls: Sequence[Call]) -> list[Result]:
        name = "act " + ", ".join(call.tool for call in calls)
        outcome = await self.run.step(name, lambda: self._all(calls))
        return [Result.model_validate(each) for each in outcome["results"]]

    async def _all(self, calls: Sequence[Call]) -> Json:
        tools = self.run.kit.tools
        together = not any(call.tool in tools and tools[call.tool].effect for call in calls)
        if together:
            done = await asyncio.gather(*(self._one(n, call) for n, call in enumerate(calls)))
        else:
            done = [await self._one(n, call) for n, call in enumerate(calls)]
        return {"results": [result.model_dump(mode="json") for result in done]}

    async def _one(self, number: int, call: Call) -> Result:
        key = f"{self.key}.{number}"
        if past := self.run.past.get(f"{key}.finished"):
            assert isinstance(past, events.ToolFinished)
            return Result.model_validate(past.model_dump(include=set(Result.model_fields)))
        tool = self.run.kit.tools.get(call.tool)
        again = f"{key}.started" in self.run.past
        ruling = await self.run.warden.rule(tool, call, key) if tool and not again else Ruling()
        started = events.ToolStarted(
            run=self.run.id, key=f"{key}.started", call=call.id, tool=call.tool, args=call.args
        )
        entry = (await self.run.kit.journal.append(*ruling.notes, started))[-1]
        if tool is None:
            names = ", ".join(sorted(self.run.kit.tools))
            result = Result(ok=False, error=f"There is no tool named {call.tool!r}. You have: {names}.")
        elif tool.effect and not entry.fresh:
            result = Result(ok=False, error=UNKNOWN, unknown=True)
        elif ruling.refusal:
            result = Result(ok=False, error=ruling.refusal, data={"refused": True})
        else:
            result = await self._run(tool, call, key)
        await self._finished(key, call, result)
        return result

    async def _run(self, tool: Tool, call: Call, key: str) -> Result:
        run = self.run

        async def think(prompt: str, shape: type[BaseModel], *, tier: Tier = "light") -> BaseModel:
            nonlocal thought
            thought += 1
            question = Question((Message(role="user", text=prompt),), tool.name, tier, shape)
            return await Asking(run, f"{key}.{thought}").think(question)

        async def person(question: str, choices: tuple[str, ...] = ()) -> str | None:
            return await run.inquire(f"{key}.input", question, choices)

        thought = 0
        context = Context(
            run=run.id,
            user=run.record.user,
            folder=run.kit.folder(run.id),
            conversation=run.record.conversation,
            messages=tuple(run.messages),
            think=think,  # pyright: ignore[reportArgumentType]
            person=person,
            services={**run.kit.services, Browsing: run.browsing},
        )
        with run.kit.journal.hush:
            result = await tool.run(context, await run.warden.seal.fill(key, call.args))
        await run.browsing.save()
        await frame(run, tool, key)
        if came := await received(run, key):
            result = result.model_copy(update={"output": f"{result.output} {came}".strip()})
        told = {"output": result.output, "error": result.error, "text": result.text, "data": result.data}
        return await self._fenced(key, result.model_copy(update=await run.warden.seal.clean(told)))

    async def _fenced(self, key: str, result: Result) -> Result:
        """Keep what the fence held back; a call that failed learns why."""
        blocked = self.run.browsing.proxy.drain()
        for number, one in enumerate(blocked):
            details = {"host": one.host, "port": one.port, "why": one.why}
            note = events.Noted(
                run=self.run.id, topic="blocked", text=f"Kept from {one.host}: {one.why}.", details=details
            )
            await self.run.emit(f"{key}.blocked{number}", note)
        if blocked and not result.ok:
            return result.model_copy(update={"error": f"{result.error} It was refused: {blocked[0].why}."})
        return result

    async def _finished(self, key: str, call: Call, result: Result) -> None:
        fields = result.model_dump(include=set(events.ToolFinished.model_fields) & set(Result.model_fields))
        finished = events.ToolFinished(run=self.run.id, key=f"{key}.finished", call=call.id, tool=call.tool, **fields)
        await self.run.kit.journal.append(*self._files(key, call, result), finished)
        self.run.budget.charge(result.usage)

    def _files(self, key: str, call: Call, result: Result) -> list[events.Event]:
        folder = self.run.kit.folder(self.run.id)
        return [
            events.FileSaved(
                run=self.run.id,
                key=f"{key}.file{n}",
                name=name,
                media=media(name),
                size=(folder / name).stat().st_size,
                purpose=call.tool,
            )
            for n, name in enumerate(result.files)
        ]


def media(name: str) -> str:
    return mimetypes.guess_type(name)[0] or "application/octet-stream"
