"""Three phases in every step: reason, act, observe. Replies of the first and the last end with a block of JSON."""

from collections.abc import Sequence

from pilotfish.core.errors import StoppedUnanswered
from pilotfish.core.messages import Message, ToolCall
from pilotfish.loop_support.control_block import ObservationBlock, ReasonBlock, split_block
from pilotfish.loop_support.step_memory import StepMemory
from pilotfish.loop_support.tool_calling import ask_for_calls, list_offered, name_tools, offer_page_tools
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run
from pilotfish.tools.base import ToolResult

GROUPS = ("talk", "page", "browser", "read", "web", "memory", "clock", "recall", "image", "other")
NO_ANSWER_IN_TIME = "Nobody answered the question in time, so the run was stopped."
NO_ANSWER_FIX = "Send a new message to go on; agent.input_timeout says how long a question waits."


@loop("strict", steps=20)
async def strict(run: Run) -> None:
    """Run three phases per step. A reply without a valid control block counts as free text, and the loop continues."""
    memory = StepMemory(run)
    for step in range(1, run.limit + 1):
        run.begin_step(step)
        await run.report("reasoning", "started", f"Step {step}", iteration=step, limit=run.limit)
        plan = await run_reason_phase(run, step, memory)
        if plan.finish:
            return await run.finish(plan.plan)
        await run_act_phase(run, plan, memory)
        if answer := await run_observe_phase(run, step, memory):
            return await run.finish(answer)
    return None


async def run_reason_phase(run: Run, step: int, memory: StepMemory) -> ReasonBlock:
    """Ask the model for a plan, or for the answer if it has one."""
    prompt = run.prompt(
        "strict_reason",
        step=step,
        limit=run.limit,
        tools=name_tools(run.context.tools[name].spec for name in run.tools if run.context.tools[name].group != "plan")
        or "none",
        files=memory.manifest(),
        known=await memory.describe_known(),
    )
    reply = await run.ask([*run.messages, memory.message(prompt)], purpose="reason")
    text, block = split_block(reply.text, ReasonBlock)
    block = block or ReasonBlock(plan=reply.text)
    await show_phase(run, text or block.plan, "reason", step)
    return block


async def run_act_phase(run: Run, plan: ReasonBlock, memory: StepMemory) -> None:
    """Ask the model for tool calls and carry them out. After an action on the page, read the page."""
    named = [name for name in run.tools if name in plan.plan]
    names = await list_offered(run, *plan.tools_to_consider, *named, *GROUPS)
    if not names:
        return await memory.keep_results((), (), "No tools are selected; nothing was done.")
    seen = await run.observe() if await run.has_tabs() else None
    page = run.untrusted.wrap(seen.text) if seen else "No page is open."
    names += [spec.name for spec in offer_page_tools(run, seen)] if seen else []
    prompt = Message(role="user", text=run.prompt("strict_act", plan=plan.plan, page=page))
    reply = await ask_for_calls(run, [*run.messages, prompt], purpose="act", tools=names)
    results = await carry_out(run, reply.calls)
    lines = [
        f"{call.tool}: {result.output if result.ok else 'failed: ' + result.error}"
        for call, result in zip(reply.calls, results, strict=True)
    ]
    if run.progress.unseen:
        lines.append(f"The page now:\n{(await run.observe()).text}")
    return await memory.keep_results(reply.calls, results, "\n".join(lines) or reply.text or "No tool was called.")


async def carry_out(run: Run, calls: Sequence[ToolCall]) -> list[ToolResult]:
    """Carry out calls one by one. A person's answer joins the conversation; without one the run stops."""
    results: list[ToolResult] = []
    for call in calls:
        result = (await run.act(call))[0]
        if result.data.get("timeout"):
            await run.note("timeout", NO_ANSWER_IN_TIME)
            raise StoppedUnanswered(NO_ANSWER_IN_TIME, NO_ANSWER_FIX)
        if call.tool == "request_input":
            run.messages.append(Message(role="user", text=result.output, origin="person" if result.ok else "tool"))
        results.append(result)
    return results


async def run_observe_phase(run: Run, step: int, memory: StepMemory) -> str:
    """Ask the model what the results mean. Returns the answer if there is one."""
    prompt = run.prompt("strict_observe", step=step, results=run.untrusted.wrap(memory.results, "tools"))
    reply = await run.ask([*run.messages, memory.message(prompt)], purpose="observe")
    text, block = split_block(reply.text, ObservationBlock)
    block = block or ObservationBlock(observation=reply.text)
    await show_phase(run, text or block.observation or block.final_answer, "observe", step)
    memory.observe(step, block.observation or reply.text)
    return block.final_answer or ("" if block.should_continue else block.observation)


async def show_phase(run: Run, text: str, phase: str, step: int) -> None:
    await run.reason(text, phase, step, public=run.settings.agent.phases_visible)
