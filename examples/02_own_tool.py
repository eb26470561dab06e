"""A tool of one's own: the signature is the schema, the docstring is what the model reads."""

import asyncio

from pilotfish import Pilotfish, loop, tool
from pilotfish.core.errors import ToolError
from pilotfish.core.events import RunFinished, ToolFinished
from pilotfish.core.messages import Message
from pilotfish.runtime.run import Run
from pilotfish.tools.base import ToolContext

TIDES = {"lantern bay": "05:12 and 17:38", "gull island": "05:20 and 17:46"}


@tool(group="harbour")
async def high_tide(ctx: ToolContext, place: str) -> str:
    """Tell when the tide is high at a place today."""
    if place.lower() not in TIDES:
        raise ToolError(f"There is no tide table for {place}.", f"Known places: {', '.join(TIDES)}.")
    return f"High tide at {place}: {TIDES[place.lower()]}."


@loop("harbour")
async def harbour(run: Run) -> None:
    """Let the model use the tool until it answers in words."""
    messages = list(run.messages)
    while run.open:
        reply = await run.ask(messages, purpose="answer", tools=["high_tide"])
        if not reply.calls:
            return await run.finish(reply.text)
        messages.append(Message(role="assistant", text=reply.text, calls=reply.calls))
        for call, result in zip(reply.calls, await run.act(*reply.calls), strict=True):
            said = result.output if result.ok else result.error
            messages.append(Message(role="tool", call=call.id, tool=call.tool, text=said))
    return None


async def main() -> None:
    async with Pilotfish() as fish:
        async for event in fish.run("When is high tide at Gull Island?", loop="harbour"):
            match event:
                case ToolFinished():
                    print(f"{event.tool}: {event.output or event.error}")
                case RunFinished():
                    print(event.text or event.error)
                case _:
                    pass


if __name__ == "__main__":
    asyncio.run(main())
