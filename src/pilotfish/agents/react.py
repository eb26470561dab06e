"""Research with tools, memory and a budget: reason, act, observe, until the answer is known."""

from collections.abc import Sequence

from pilotfish.core.errors import OutOfBudget
from pilotfish.core.messages import Call, Message
from pilotfish.runtime.aids.calling import offered, thoughts
from pilotfish.runtime.aids.estimate import complexity, iterations, missing, predict
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run
from pilotfish.runtime.window.scratch import Scratch

TOOLS = (
    "web_search",
    "web_fetch",
    "memory_retrieve",
    "memory_save",
    "image_generate",
    "recall_details",
    "get_current_time",
    "request_input",
)
TOGETHER = 4
CLOSING = "Answer the question now with what you have found, in plain Markdown."
SOBER = (
    "Answer the question now, only from what the tools returned. Say what each page tells about it, with its source as"
    " [1]; leave out pages that tell nothing. Then answer in one or two sentences."
)
PLAIN = "Question: {}\nAnswer it now in one sentence, only from what the tools returned. Leave out what was not asked."
STYLES = {
    "tool_first": (0.95, "Gather information with tools first; answer directly only if you are at least 95 % sure."),
    "direct": (0.6, "Answer directly when you are at least 60 % sure; use tools only for what you do not know."),
    "balanced": (0.8, "Use tools where they make the answer better; answer directly if you are at least 80 % sure."),
}


@loop("react")
async def react(run: Run) -> None:
    """Think, use tools, look at what came back; answer with sources. Out of money: answer with what was found."""
    scratch = Scratch(run, await offered(run, *TOOLS, "other"))
    await scratch.open()
    limit = iterations(run.task, run.options.get("iterations") or run.kit.settings.agent.iterations)
    await run.note("estimate", await predict(run, limit), complexity=complexity(run.task), iterations=limit)
    try:
        answer = await research(run, scratch, limit)
    except OutOfBudget as error:
        await run.say(scratch.partial(error.message), scratch.sources)
        run.answer = scratch.partial(error.message)
        raise
    off = (*run.kit.settings.agent.disabled_tools, *run.options.get("disabled_tools", ()))
    answer += missing(run.task, scratch.tools, off)
    await run.finish(scratch.cited(answer), scratch.sources)


async def research(run: Run, scratch: Scratch, limit: int) -> str:
    threshold, style = STYLES[run.kit.settings.agent.style]
    think = native if scratch.native else written
    for number in range(1, limit + 1):
        await run.report("reasoning", "started", f"Round {number} of at most {limit}", iteration=number, limit=limit)
        answer, calls, sure = await think(run, scratch, style)
        if not calls:
            if sure >= threshold or scratch.used or number == limit or not scratch.tools:
                return answer
            scratch.urge("You are not sure enough. Look it up with a tool before you answer.")
            continue
        tools = [call.tool for call in calls]
        await run.report("executing_tools", "started", f"Using {', '.join(tools)}", tools=tools)
        results = await run.act(*calls)
        await scratch.add(calls, results, answer)
        await run.report("executing_tools", "completed", f"Used {', '.join(tools)}", tools=tools)
        if found := scratch.lead(calls, results):
            await scratch.add([found], await run.act(found), "")
            break
    await run.report("generating_response", "started", "Answering with what was found")
    plain = PLAIN.format(run.task) if run.task.rstrip().endswith(("?", "？")) else SOBER
    closing = Message(role="user", text=plain if scratch.small else CLOSING)
    return (await run.ask([*scratch.prompt("react_native", style), closing], purpose="answer", aloud=True)).text


async def native(run: Run, scratch: Scratch, style: str) -> tuple[str, Sequence[Call], float]:
    """A model with tool calls of its own."""
    messages = scratch.prompt("react_native", style)
    reply = await run.ask(messages, purpose="reason", tools=scratch.tools, aloud=True)
    return reply.text, reply.calls, 1.0 if scratch.used else 0.85


async def written(run: Run, scratch: Scratch, style: str) -> tuple[str, Sequence[Call], float]:
    """A model that writes JSON; what cannot be read as such is taken as the answer."""
    most = 1 if scratch.small else TOGETHER
    thought = await run.attempt(thoughts(scratch.specs, most), scratch.prompt("react", style), purpose="reason")
    if isinstance(thought, str):
        return thought, (), 1.0
    await run.reason(thought.thinking, "reason")
    if thought.action == "respond" or not thought.tool_calls:
        return thought.response or thought.thinking, (), thought.confidence
    calls = [Call(id=f"{scratch.count}.{n}", tool=w.tool, args=w.parameters) for n, w in enumerate(thought.tool_calls)]
    return thought.thinking, calls, thought.confidence
