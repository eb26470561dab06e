"""Reason, act, observe, in that order, every step."""

from typing import TypeVar

from pydantic import BaseModel, Field

from pilotfish.core.errors import Stopped
from pilotfish.core.messages import Message
from pilotfish.llm.structured import parse
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run

Block = TypeVar("Block", bound=BaseModel)
TIMEOUT = "Nobody answered the question in time, so the run was stopped."


class Reason(BaseModel):
    plan: str
    tools_to_consider: list[str] = Field(default_factory=list)
    finish: bool = False


class Observation(BaseModel):
    observation: str = ""
    should_continue: bool = True
    final_answer: str = ""


@loop("strict")
async def strict(run: Run) -> None:
    """Three phases a step; a control block that is missing or malformed is free text, and the loop goes on."""
    observation = ""
    for step in range(1, run.limit + 1):
        await run.report("reasoning", "started", f"Step {step}", iteration=step, limit=run.limit)
        plan, finished = await reason(run, step, observation)
        if finished:
            return await run.finish(plan)
        results = await act(run, plan)
        observation, answer = await observe(run, step, results)
        if answer:
            return await run.finish(answer)
    return await run.finish(observation or "The steps are used up before the request was fulfilled.")


async def reason(run: Run, step: int, observation: str) -> tuple[str, bool]:
    files = "\n".join(f"- {name}" for name in run.options.get("files", ()))
    prompt = run.prompt(
        "strict_reason",
        step=step,
        limit=run.limit,
        tools=", ".join(run.tools) or "none",
        files=f"Attached files:\n{files}\n" if files else "",
        observation=f"Last observation: {observation}" if observation else "",
    )
    reply = await run.ask([*run.messages, Message(role="user", text=prompt)], purpose="reason")
    await run.reason(reply.text, "reason", step)
    block = block_of(reply.text, Reason)
    return (block.plan, block.finish) if block else (reply.text, False)


async def act(run: Run, plan: str) -> str:
    """Call what the model wants to call; with no tools selected, nothing."""
    if not run.tools:
        return "No tools are selected; nothing was done."
    prompt = run.prompt("strict_act", plan=plan)
    reply = await run.ask([*run.messages, Message(role="user", text=prompt)], purpose="act", tools=run.tools)
    lines: list[str] = []
    for call in reply.calls:
        result = (await run.act(call))[0]
        if result.data.get("timeout"):
            await run.note("timeout", TIMEOUT)
            raise Stopped(TIMEOUT)
        if call.tool == "request_input":
            run.messages.append(Message(role="user", text=result.output))
        lines.append(f"{call.tool}: {result.output if result.ok else 'failed: ' + result.error}")
    return "\n".join(lines) or reply.text or "No tool was called."


async def observe(run: Run, step: int, results: str) -> tuple[str, str]:
    prompt = run.prompt("strict_observe", step=step, results=run.fence.wrap(results, "tools"))
    reply = await run.ask([*run.messages, Message(role="user", text=prompt)], purpose="observe")
    await run.reason(reply.text, "observe", step)
    block = block_of(reply.text, Observation)
    if block is None:
        return reply.text, ""
    over = not block.should_continue or bool(block.final_answer)
    return block.observation or reply.text, (block.final_answer or block.observation) if over else ""


def block_of(text: str, shape: type[Block]) -> Block | None:
    """The control block in a text, if there is one that can be read."""
    try:
        return parse(text, shape)
    except ValueError:
        return None
