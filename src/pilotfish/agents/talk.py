"""Talks with the person: opens no page, searches nothing, and saves facts that the person asks to have remembered."""

from pilotfish.core.messages import Message
from pilotfish.loop_support.known_person import consult_memory, put_beside_question
from pilotfish.loop_support.tool_calling import ask_for_calls, list_offered
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run

TOOLS = ("memory_save", "memory_retrieve", "get_current_time")
MOST_ROUNDS = 3


@loop("talk")
async def talk(run: Run) -> None:
    """Answer from the conversation and the person's memory, with at most a few tool calls."""
    tools = await list_offered(run, *TOOLS)
    tools = [name for name in tools if name in TOOLS]
    system = Message(role="system", text=run.prompt("talk"))
    messages = put_beside_question([system, *run.messages], await consult_memory(run))
    for _ in range(MOST_ROUNDS):
        reply = await ask_for_calls(run, messages, purpose="talk", tools=tools, stream=True)
        if not reply.calls:
            return await run.finish(reply.text)
        results = await run.act(*reply.calls)
        messages.append(Message(role="assistant", text=reply.text, calls=reply.calls))
        for call, result in zip(reply.calls, results, strict=True):
            text = run.untrusted.wrap(result.output if result.ok else f"Failed: {result.error}", "tool")
            messages.append(Message(role="tool", call=call.id, tool=call.tool, text=text))
    return await run.finish((await run.ask(messages, purpose="talk", stream=True)).text)
