"""Carries out tool calls within a run: journalled before and after, not repeated if the outcome is unknown."""

import asyncio
import mimetypes
from collections.abc import Sequence
from typing import Protocol

from pydantic import BaseModel

from pilotfish.browser.actions.input_gate import CHECK
from pilotfish.core import events
from pilotfish.core.messages import Message, ModelTier, ToolCall
from pilotfish.enforcement.download_review import accept_downloads
from pilotfish.enforcement.enforcer import EnforcementResult, PolicyEnforcer
from pilotfish.enforcement.fetch_limits import FetchLimits
from pilotfish.enforcement.request_guard import RequestGuard
from pilotfish.runtime.model_caller import ModelQuestion
from pilotfish.runtime.run_base import RunBase
from pilotfish.runtime.run_context import Json
from pilotfish.runtime.step_screenshots import keep_screenshot
from pilotfish.tools.base import RUNNING, BrowserSource, SiteLimits, Tool, ToolClock, ToolContext, ToolResult

UNKNOWN = (
    "The program was interrupted during this action, so it is unknown whether it took effect. "
    "It was not repeated. Look at the page before going on."
)


class QuestionAsker(Protocol):
    """Asks a model within a step."""

    async def __call__(self, key: str, question: ModelQuestion) -> BaseModel: ...


class ToolExecutor:
    """Executes the tool calls of one run, as far as its policy allows them."""

    def __init__(self, run: RunBase, enforcer: PolicyEnforcer, guard: RequestGuard, ask_model: QuestionAsker) -> None:
        self.run = run
        self.enforcer = enforcer
        self.guard = guard
        self.ask_model = ask_model

    async def execute(self, key: str, calls: Sequence[ToolCall], inner: bool = False) -> list[ToolResult]:
        """Execute a batch as one step. `key` is the step's number; `inner` marks calls of the runtime itself."""
        name = "act " + ", ".join(call.tool for call in calls)
        outcome = await self.run.step(name, lambda: self._execute_all(key, calls, inner))
        return [ToolResult.model_validate(each) for each in outcome["results"]]

    async def _execute_all(self, key: str, calls: Sequence[ToolCall], inner: bool) -> Json:
        tools = self.run.context.tools
        together = not any(call.tool in tools and tools[call.tool].effect for call in calls)
        if together:
            done = await asyncio.gather(*(self._execute_one(f"{key}.{n}", call, inner) for n, call in enumerate(calls)))
        else:
            done = [await self._execute_one(f"{key}.{n}", call, inner) for n, call in enumerate(calls)]
        return {"results": [result.model_dump(mode="json") for result in done]}

    async def _execute_one(self, key: str, call: ToolCall, inner: bool) -> ToolResult:
        if past := self.run.past.get(f"{key}.finished"):
            assert isinstance(past, events.ToolFinished)
            return ToolResult.model_validate(past.model_dump(include=set(ToolResult.model_fields)))
        tool = self.run.context.tools.get(call.tool)
        decision = await self._check_allowed(tool, call, key, inner)
        started = events.ToolStarted(
            run=self.run.id, key=f"{key}.started", call=call.id, tool=call.tool, args=call.args
        )
        entry = (await self.run.context.journal.append(*decision.notes, started))[-1]
        if tool is None:
            error = f"There is no tool named {call.tool!r}. Use one of the tools of the request."
            result = ToolResult(ok=False, error=error)
        elif tool.effect and not entry.is_new:
            result = ToolResult(ok=False, error=UNKNOWN, unknown=True)
        elif decision.refusal:
            result = ToolResult(ok=False, error=decision.refusal, data={"refused": True})
        else:
            result = await self._run(tool, call, key)
        await self._record_finished(key, call, result)
        return result

    async def _check_allowed(self, tool: Tool | None, call: ToolCall, key: str, inner: bool) -> EnforcementResult:
        """Whether the call may be carried out: it must have been offered, and the policy must allow it.

        After a crash an interrupted call is judged again, unless it is not repeated anyway.
        """
        if tool is None or (tool.effect and f"{key}.started" in self.run.past):
            return EnforcementResult()
        if not (why := self.run.refuse_tool(call, inner)):
            return await self.enforcer.enforce(tool, call, key)
        details = {"tool": call.tool, "what": f"use {call.tool}", "decision": "refused", "effect": "forbidden"}
        details |= {"rule": "tools of the run", "why": "it was not offered", "site": ""}
        note = events.Noted(run=self.run.id, key=f"{key}.policy", topic="policy", text=why, details=details)
        return EnforcementResult(why, (note,))

    async def _run(self, tool: Tool, call: ToolCall, key: str) -> ToolResult:
        run, enforcer = self.run, self.enforcer

        async def think(prompt: str, shape: type[BaseModel], *, tier: ModelTier = "light") -> BaseModel:
            nonlocal thought
            thought += 1
            question = ModelQuestion((Message(role="user", text=prompt),), tool.name, tier, shape)
            return await self.ask_model(f"{key}.{thought}", question)

        async def person(question: str, choices: tuple[str, ...] = ()) -> str | None:
            return await run.ask_person(f"{key}.input", question, choices)

        thought, limits = 0, FetchLimits(run.limits, enforcer, call.args.get("urls"))
        context = ToolContext(
            run=run.id,
            user=run.record.user,
            folder=run.folder,
            conversation=run.record.conversation,
            messages=tuple(run.messages),
            think=think,  # pyright: ignore[reportArgumentType]
            person=person,
            services={**run.context.services, BrowserSource: run.browser, SiteLimits: limits},
        )
        enforcer.clock = ToolClock()
        RUNNING.set(enforcer.clock)
        if tool.group in ("page", "browser", "extract"):
            run.browser.take_control()
        CHECK.set(enforcer.inputs.check)
        with run.redactor:
            result = await tool.run(context, await enforcer.secrets.fill(key, call.args))
        await run.browser.save()
        await keep_screenshot(run, tool, key)
        downloads, withheld = await accept_downloads(run, enforcer, key), self.guard.drain()
        if added := " ".join(filter(None, (downloads, withheld))):
            data = {**result.data, "added": added, "withheld": bool(withheld)}
            result = result.model_copy(update={"output": f"{result.output} {added}".strip(), "data": data})
        shown = {"output": result.output, "error": result.error, "text": result.text, "data": result.data}
        return await self._add_blocked(key, result.model_copy(update=await enforcer.secrets.redact(shown)))

    async def _add_blocked(self, key: str, result: ToolResult) -> ToolResult:
        """Write blocked connections to the journal; add the reason to a call that failed."""
        blocked = self.run.browser.proxy.drain()
        for number, one in enumerate(blocked):
            details = {"host": one.host, "port": one.port, "why": one.why}
            note = events.Noted(
                run=self.run.id, topic="blocked", text=f"Kept from {one.host}: {one.why}.", details=details
            )
            await self.run.emit(f"{key}.blocked{number}", note)
        if blocked and not result.ok:
            return result.model_copy(update={"error": f"{result.error} It was refused: {blocked[0].why}."})
        return result

    async def _record_finished(self, key: str, call: ToolCall, result: ToolResult) -> None:
        fields = result.model_dump(include=set(events.ToolFinished.model_fields) & set(ToolResult.model_fields))
        finished = events.ToolFinished(run=self.run.id, key=f"{key}.finished", call=call.id, tool=call.tool, **fields)
        await self.run.context.journal.append(*self._file_events(key, call, result), finished)
        self.run.spending.charge(result.usage)

    def _file_events(self, key: str, call: ToolCall, result: ToolResult) -> list[events.Event]:
        folder = self.run.folder
        return [
            events.FileSaved(
                run=self.run.id,
                key=f"{key}.file{n}",
                name=name,
                media=media_type(name),
                size=(folder / name).stat().st_size,
                purpose=call.tool,
            )
            for n, name in enumerate(result.files)
        ]


def media_type(name: str) -> str:
    return mimetypes.guess_type(name)[0] or "application/octet-stream"
