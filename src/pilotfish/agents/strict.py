"""Reason, act, observe, in that order, every step."""

from typing import TypeVar

from pydantic import BaseModel, Field

from pilotfish.core.errors import Stopped
from pilotfish.core.messages import Message
from pilotfish.llm.structured import parse
from pilotfish.runtime.aids.calling import brief, calls, offered
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run

Block = TypeVar("Block", bound=BaseModel)
GROUPS = ("talk", "page", "browser", "read", "web", "memory", "clock", "recall", "image", "other")
LATE = "Nobody answered the question in time, so the run was stopped."


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
    known: list[str] = []
    for step in range(1, run.limit + 1):
        await run.report("reasoning", "started", f"Step {step}", iteration=step, limit=run.limit)
        plan = await reason(run, step, known)
        if plan.finish:
            return await run.finish(plan.plan)
        seen, answer = await observe(run, step, await act(run, plan))
        if answer:
            return await run.finish(answer)
        known.append(f"Step {step}: {seen}")
    return await run.finish(f"The {run.limit} steps are used up before the request was fulfilled.\n\n{known[-1]}")


async def reason(run: Run, step: int, known: list[str]) -> Reason:
    files = "".join(f"- {name}\n" for name in run.options.get("files", ()))
    prompt = run.prompt(
        "strict_reason",
        step=step,
        limit=run.limit,
        tools=brief(run.kit.tools[name].spec for name in run.tools if run.kit.tools[name].group != "plan") or "none",
        files=f"Attached files:\n{files}" if files else "",
        known="Known so far:\n" + "\n".join(line[:600] for line in known[-6:]) if known else "",
    )
    reply = await run.ask([*run.messages, Message(role="user", text=prompt)], purpose="reason")
    await run.reason(reply.text, "reason", step)
    return block_of(reply.text, Reason) or Reason(plan=reply.text)


async def act(run: Run, plan: Reason) -> str:
    """Call what the model wants to call; with no tools selected, nothing. After a touch, the page is looked at."""
    names = await offered(run, *plan.tools_to_consider, *GROUPS)
    if not names:
        return "No tools are selected; nothing was done."
    page = run.fence.wrap((await run.observe()).text) if await run.has_tabs() else "No page is open."
    prompt = Message(role="user", text=run.prompt("strict_act", plan=plan.plan, page=page))
    reply = await calls(run, [*run.messages, prompt], purpose="act", tools=names)
    lines = list[str]()
    for call in reply.calls:
        result = (await run.act(call))[0]
        if result.data.get("timeout"):
            await run.note("timeout", LATE)
            raise Stopped(LATE)
        if call.tool == "request_input":
            run.messages.append(Message(role="user", text=result.output))
        lines.append(f"{call.tool}: {result.output if result.ok else 'failed: ' + result.error}")
    if run.progress.unseen:
        lines.append(f"The page now:\n{(await run.observe()).text}")
    return "\n".join(lines) or reply.text or "No tool was called."


async def observe(run: Run, step: int, results: str) -> tuple[str, str]:
    prompt = run.prompt("strict_observe", step=step, results=run.fence.wrap(results, "tools"))
    reply = await run.ask([*run.messages, Message(role="user", text=prompt)], purpose="observe")
    await run.reason(reply.text, "observe", step)
    block = block_of(reply.text, Observation) or Observation(observation=reply.text)
    answer = block.final_answer or ("" if block.should_continue else block.observation)
    return block.observation or reply.text, answer


def block_of(text: str, shape: type[Block]) -> Block | None:
    try:
        return parse(text, shape)
    except ValueError:
        return None
