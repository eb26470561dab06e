"""Ask a question about a page and print the answer while it is written."""

import asyncio
from pathlib import Path

from pilotfish import Pilotfish
from pilotfish.core.events import RunFinished, TextDelta

PAGE = Path(__file__).with_name("ferry.html").as_uri()


async def main() -> None:
    async with Pilotfish() as fish:
        async for event in fish.run("What does a return ticket cost?", loop="chat", tabs=[PAGE]):
            match event:
                case TextDelta():
                    print(event.text, end="", flush=True)
                case RunFinished():
                    print(f"\n{event.outcome}, {event.usage.tokens} tokens")
                case _:
                    pass


if __name__ == "__main__":
    asyncio.run(main())
