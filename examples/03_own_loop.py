"""A loop of one's own: one async function over a run. Every step of it survives a crash."""

import asyncio
from typing import Literal

from pydantic import BaseModel, Field

from pilotfish import Pilotfish, loop
from pilotfish.core.events import Progressed, RunFinished
from pilotfish.core.messages import Message
from pilotfish.runtime.run import Run


class Verdict(BaseModel):
    """The model's answer is held to this shape."""

    mood: Literal["praise", "complaint", "question"]
    summary: str = Field(description="one short sentence")


@loop("triage")
async def triage(run: Run) -> None:
    """Sort a letter, then say what was decided."""
    await run.report("reasoning", "started", "reading the letter")
    order = Message(role="system", text="Sort the letter: is it praise, a complaint or a question? Answer in JSON.")
    decision = await run.decide(Verdict, [order, *run.messages], purpose="sort")
    await run.finish(f"{decision.mood}: {decision.summary}")


async def main() -> None:
    letter = "The ferry left ten minutes early and we stood on the pier. Please give us our money back."
    async with Pilotfish() as fish:
        async for event in fish.run(letter, loop="triage"):
            match event:
                case Progressed():
                    print(event.text)
                case RunFinished():
                    print(event.text or event.error)
                case _:
                    pass


if __name__ == "__main__":
    asyncio.run(main())
