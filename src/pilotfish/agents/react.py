"""Research with tools, memory and a budget: reason, act, observe, until the answer is known."""

from collections.abc import Sequence

from pilotfish.core.errors import OutOfBudget
from pilotfish.core.messages import ToolCall
from pilotfish.loop_support import estimates
from pilotfish.loop_support.scratchpad import Scratchpad
from pilotfish.loop_support.tool_calling import list_offered, thought_shape
from pilotfish.loop_support.tool_stages import act_in_stages
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run

TOOLS = (
    "web_search", "web_fetch", "memory_retrieve", "memory_save", "image_generate", "recall_details", "get_current_time",
    "request_input",
)  # fmt: skip
CALLS_AT_ONCE = 4
TOOL_TOKENS = 4000
STYLES = {
    "tool_first": (0.95, "Gather information with tools first; answer directly only if you are at least 95 % sure."),
    "direct": (0.6, "Answer directly when you are at least 60 % sure; use tools only for what you do not know."),
    "balanced": (0.8, "Use tools where they make the answer better; answer directly if you are at least 80 % sure."),
}


@loop("react")
async def react(run: Run) -> None:
    """Reason and use tools in rounds, then answer with sources. If the budget runs out, answer with what was found."""
    pages = ("collect", "find") if await run.has_tabs() else ()
    scratch = Scratchpad(run, await list_offered(run, *TOOLS, *pages, "other", room=TOOL_TOKENS))
    await scratch.open()
    limit = estimates.allowed_rounds(run.task, run.options.get("iterations") or run.context.settings.agent.iterations)
    await run.note(
        "estimate",
        await estimates.predict_cost(run, limit),
        complexity=estimates.rate_complexity(run.task),
        iterations=limit,
    )
    try:
        answer = await run_rounds(run, scratch, limit)
    except OutOfBudget as error:
        await run.say(scratch.partial_answer(error.message), scratch.sources)
        run.answer = scratch.partial_answer(error.message)
        raise
    off = (*run.context.settings.agent.disabled_tools, *run.options.get("disabled_tools", ()))
    answer += estimates.find_missing_tools(run.task, scratch.tools, off)
    await run.finish(scratch.with_sources(answer), scratch.sources)


async def run_rounds(run: Run, scratch: Scratchpad, limit: int) -> str:
    """Let the model call tools until it answers, at most `limit` times. Returns the answer."""
    threshold, style = STYLES[run.context.settings.agent.style]
    ask = ask_native if scratch.native else ask_written
    for number in range(1, limit + 1):
        await run.report("reasoning", "started", f"Round {number} of at most {limit}", iteration=number, limit=limit)
        answer, calls, confidence = await ask(run, scratch, style)
        if not calls:
            if scratch.missing:
                break
            if number < limit and scratch.must_look_up(confidence < threshold):
                scratch.require_tool("You are not sure enough. Look it up with a tool before you answer.")
            elif number == limit or not scratch.raise_doubt(answer):
                return answer
            continue
        results = await act_in_stages(run, *calls)
        await scratch.add(calls, results, answer)
        if found := scratch.next_fetch(calls, results):
            await scratch.add([found], await act_in_stages(run, found), "")
            if not scratch.request_missing():
                break
    await run.report("generating_response", "started", "Answering with what was found")
    messages = [*scratch.prompt("react_native", style), scratch.closing_message()]
    return (await run.ask(messages, purpose="answer", stream=True)).text


async def ask_native(run: Run, scratch: Scratchpad, style: str) -> tuple[str, Sequence[ToolCall], float]:
    """Ask a model that makes native tool calls. Returns its text, its calls and a confidence of 1."""
    messages = scratch.prompt("react_native", style)
    reply = await run.ask(messages, purpose="reason", tools=scratch.tools, stream=True)
    return reply.text, reply.calls, 1.0


async def ask_written(run: Run, scratch: Scratchpad, style: str) -> tuple[str, Sequence[ToolCall], float]:
    """Ask a model that writes calls as JSON. Returns its text, calls and confidence; other text is the answer."""
    most = 1 if scratch.small else CALLS_AT_ONCE
    thought = await run.attempt(thought_shape(scratch.specs, most), scratch.prompt("react", style), purpose="reason")
    if isinstance(thought, str):
        return thought, (), 1.0
    await run.reason(thought.thinking, "reason")
    if thought.action == "respond" or not thought.tool_calls:
        return thought.response or thought.thinking, (), thought.confidence
    calls = [
        ToolCall(
            id=f"{scratch.count}.{n}", tool=written.tool, args=written.parameters, offered=written.tool in scratch.tools
        )
        for n, written in enumerate(thought.tool_calls)
    ]
    return thought.thinking, calls, thought.confidence
