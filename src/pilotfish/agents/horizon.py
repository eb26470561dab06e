"""Rolling-horizon automation: plan a few steps, carry them out one by one, plan again when the world has changed."""

from typing import Literal

from pydantic import BaseModel, Field

from pilotfish.core.messages import Call, Message
from pilotfish.runtime.aids.calling import calls, offered
from pilotfish.runtime.aids.todo import Foresight, Todo, grounded
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run
from pilotfish.runtime.seeing import Page
from pilotfish.tools.plan import Step

TOOLS = ("click", "type", "select", "press_key", "scroll", "navigate", "drag", "get_text", "find", "request_input")
MORE = ("done", "page", "browser", "other", "read")
HORIZON, DIRECT = 3, 2


class Kind(BaseModel):
    kind: Literal["simple", "complex", "follow_up"]


class Verdict(BaseModel):
    """Whether the task is complete, and what shows it."""

    evidence: str = Field(default="", max_length=300)
    complete: bool
    missing: str = Field(default="", max_length=300)
    answer: str = Field(default="", max_length=1500)


@loop("horizon")
async def horizon(run: Run) -> None:
    """Plan, execute, check; plan again on failure, on a changed page, on an unknown tool or at the horizon's end."""
    kind, todo, why = await classify(run), Todo(run), ""
    await run.observe()
    while run.open:
        steps = [Step(action=run.task)] if kind == "simple" and len(todo.log) < DIRECT else await plan(run, todo, why)
        if why := await carry(run, todo, steps):
            continue
        verdict, seen = await check(run, todo)
        if verdict.complete and grounded(verdict.evidence, seen, *todo.log):
            await todo.show([])
            return await run.finish(verdict.answer or verdict.evidence)
        why = verdict.missing or f"nothing shows that it is done: {verdict.evidence or 'no evidence'}"
        await run.report("observing_results", "completed", f"Not finished yet: {why}")
    return None


async def classify(run: Run) -> str:
    """Once per run: does it need a plan?"""
    messages = [Message(role="system", text=run.prompt("horizon_classify")), *run.messages[-3:]]
    kind = (await run.decide(Kind, messages, purpose="classify", tier="light")).kind
    await run.report("analyzing", "completed", f"This looks like a {kind.replace('_', '-')} task", kind=kind)
    return kind


async def plan(run: Run, todo: Todo, why: str) -> list[Step]:
    await run.report("planning", "started", f"Planning again: {why}" if why else "Planning the next steps")
    task = "\n".join([run.task, "Already done:", todo.told, *todo.cause(why)])
    result = (await run.act(Call(id=f"plan{run.steps}", tool="planner", args={"task": task, "max_steps": HORIZON})))[0]
    return [Step.model_validate(step) for step in result.data.get("steps", ())] or [Step(action=run.task)]


async def carry(run: Run, todo: Todo, steps: list[Step]) -> str:
    """Carry out the steps; why a new plan is needed, or nothing where the task may be complete."""
    ahead = Foresight()
    for number, step in enumerate(steps):
        await todo.show([each.action for each in steps[number:]])
        if await todo.researched(step):
            continue
        page = await run.observe()
        if why := ahead.surprised(page):
            return why
        wanted = ahead.direct(step, page, f"s{run.steps}") or await execute(run, todo, step, page)
        if failure := await todo.carried(step, wanted):
            return failure
        if not wanted or wanted[-1].tool == "done":
            break
        ahead.expect(step, page)
    return ""


async def execute(run: Run, todo: Todo, step: Step, page: Page) -> list[Call]:
    """The calls that a model makes of a step; none when it wants no tool."""
    text = f"Task: {run.task}\nDone:\n{todo.told}\nStep: {step.action}\n{run.fence.wrap(page.text)}"
    system = Message(role="system", text=run.prompt("horizon_execute"))
    messages = [system, *run.messages[-3:-1], Message(role="user", text=text)]
    reply = await calls(run, messages, purpose="execute", tools=await offered(run, *TOOLS, *MORE))
    todo.log += [] if reply.calls else [f"{step.action}: {reply.text[:200]}"]
    return list(reply.calls)


async def check(run: Run, todo: Todo) -> tuple[Verdict, str]:
    """Completion is judged by what the page shows, after one more look."""
    page = await run.observe()
    text = f"Task: {run.task}\nDone:\n{todo.told}\n{run.fence.wrap(page.text)}"
    messages = [Message(role="system", text=run.prompt("horizon_check")), Message(role="user", text=text)]
    return await run.decide(Verdict, messages, purpose="check"), page.text
