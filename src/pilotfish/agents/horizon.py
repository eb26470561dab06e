"""Rolling-horizon automation: plan a few steps, carry them out one by one, plan again when the world has changed."""

from typing import Literal

from pydantic import BaseModel, Field

from pilotfish.core.messages import Call, Message
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run
from pilotfish.tools.base import Result
from pilotfish.tools.plan import Step

GROUPS = ("page", "browser", "read")
HORIZON = 3


class Kind(BaseModel):
    kind: Literal["simple", "complex", "follow_up"]


class Verdict(BaseModel):
    """Whether the task is complete, and what shows it."""

    complete: bool
    evidence: str = Field(default="", max_length=300)
    missing: str = Field(default="", max_length=300)
    answer: str = Field(default="", max_length=1500)


@loop("horizon")
async def horizon(run: Run) -> None:
    """Plan, execute, check; plan again on failure, on a changed page, on an unknown tool or at the horizon's end."""
    kind = await classify(run)
    done: list[str] = []
    missing = ""
    while run.open:
        steps = [Step(action=run.task)] if kind == "simple" and not done else await plan(run, done, missing)
        await run.plan([*((line, "done") for line in done), *((s.action, "open") for s in steps)])
        for step in steps:
            result = await execute(run, step, done)
            if result is None or not result.ok or (result.data.get("changed") and step is not steps[-1]):
                break
        verdict = await check(run, done)
        if verdict.complete and verdict.evidence:
            await run.plan([(line, "done") for line in done])
            return await run.finish(verdict.answer or verdict.evidence)
        missing = verdict.missing
    return None


async def classify(run: Run) -> str:
    """Once per run: does it need a plan?"""
    messages = [Message(role="system", text=run.prompt("horizon_classify")), *run.messages[-4:]]
    kind = (await run.decide(Kind, messages, purpose="classify", tier="light")).kind
    await run.report("analyzing", "completed", f"This looks like a {kind.replace('_', '-')} task", kind=kind)
    return kind


async def plan(run: Run, done: list[str], missing: str) -> list[Step]:
    task = f"{run.task}\nAlready done: {'; '.join(done[-8:]) or 'nothing'}\nStill open: {missing or 'see the task'}"
    await run.report("planning", "started", "Planning the next steps")
    result = (await run.act(Call(id=f"plan{run.steps}", tool="planner", args={"task": task, "max_steps": HORIZON})))[0]
    steps = [Step.model_validate(step) for step in result.data.get("steps", ())]
    return steps or [Step(action=run.task)]


async def execute(run: Run, step: Step, done: list[str]) -> Result | None:
    """One step by a model with the browser tools; None when it wants no tool."""
    page = await run.observe()
    if step.expect and done and step.expect.lower() in page.text.lower():
        done.append(f"{step.action} (the page shows “{step.expect}”)")
        return Result(text="already so")
    tools = [name for name in run.tools if run.kit.tools[name].group in GROUPS]
    told = "\n".join(done[-8:]) or "nothing"
    text = f"Task: {run.task}\nDone: {told}\n{run.progress.hints()}\nStep: {step.action}\n{run.fence.wrap(page.text)}"
    messages = [Message(role="system", text=run.prompt("horizon_execute")), Message(role="user", text=text)]
    reply = await run.ask(messages, purpose="execute", tools=tools)
    if not reply.calls:
        done.append(f"{step.action}: {reply.text[:200]}")
        return None
    result = Result()
    for call in reply.calls:
        result = (await run.act(call))[0]
        done.append(
            f"{call.tool} {dict(call.args)} → {(result.output if result.ok else 'failed: ' + result.error)[:250]}"
        )
        if not result.ok or result.data.get("changed"):
            break
    return result


async def check(run: Run, done: list[str]) -> Verdict:
    """Completion is judged by what the page shows, after one more look."""
    page = await run.observe()
    text = f"Task: {run.task}\nDone:\n" + "\n".join(done[-12:]) + f"\nPage: {page.url}\n{run.fence.wrap(page.text)}"
    messages = [Message(role="system", text=run.prompt("horizon_check")), Message(role="user", text=text)]
    return await run.decide(Verdict, messages, purpose="check")
