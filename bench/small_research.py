"""Research of a small model on questions that one search answers and questions that need two: one round, and more.

    python bench/small_research.py [--model MODEL] [--limit COUNT]

Made-up pages on loopback, found by the local index, so that nothing is known beforehand. Prints how many answers are
right if the model stops after the first search, and if it goes on while a name of the question was not read about.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

from pilotfish import Pilotfish
from pilotfish.core.events import RunFinished, ToolFinished
from pilotfish.core.settings import FetchSettings, MemorySettings, SearchSettings, Settings
from pilotfish.loop_support.scratchpad import Scratchpad
from pilotfish.web.search.chain import SearchChain
from pilotfish.web.search.local import IndexedPage

PAGES = {
    "alva": ("Alva ferry", "The Alva ferry leaves at 7:40. A return ticket of the Alva ferry costs 14 crowns."),
    "brenn": ("Brenn harbour line", "The Brenn boat leaves at 9:15. A return ticket to Brenn costs 22 crowns."),
    "corvo": ("Corvo lighthouse", "The Corvo lighthouse was built in 1871 by Ida Maren. It is 41 metres high."),
    "dunmore": ("Dunmore tower", "The Dunmore tower is 58 metres high and was finished in 1902."),
    "elstow": ("Elstow market", "The market of Elstow is held on Thursdays. It has 60 stalls."),
    "farrow": ("Farrow fair", "The fair of Farrow is held every Saturday. It has 25 stalls."),
    "gannet": ("Gannet bakery", "The Gannet bakery sells rye bread for 6 crowns a loaf."),
    "hollin": ("Hollin mill", "The Hollin mill sells rye bread for 4 crowns a loaf."),
}  # fmt: skip
QUESTIONS = (
    ("When does the ferry of Alva leave?", ("7:40",)),
    ("Who built the lighthouse of Corvo?", ("Maren",)),
    ("On which day is the market of Elstow?", ("Thursday",)),
    ("What does rye bread of Gannet cost?", ("6",)),
    ("Which is cheaper, a return ticket to Alva or to Brenn, and what do both cost?", ("14", "22")),
    ("How high are the Corvo lighthouse and the Dunmore tower?", ("41", "58")),
    ("How many stalls have Elstow and Farrow?", ("60", "25")),
    ("What does rye bread cost at Gannet and at Hollin?", ("6", "4")),
)


@asynccontextmanager
async def serve_pages() -> AsyncGenerator[str]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        name = (await reader.readuntil(b"\r\n\r\n")).decode().split(" ", 2)[1].strip("/")
        title, text = PAGES.get(name, ("", ""))
        body = f"<title>{title}</title><main><h1>{title}</h1><p>{text}</p></main>".encode()
        head = f"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def ask(fish: Pilotfish, question: str, model: str) -> tuple[str, int]:
    """The answer, and how many searches it took."""
    text, searches = "", 0
    async for event in fish.run(question, loop="react", model=model, tools=["web_search", "web_fetch"]):
        if isinstance(event, ToolFinished):
            searches += event.tool == "web_search"
        elif isinstance(event, RunFinished):
            text = event.text.partition("\n\nSources:")[0]
    return text, searches


def never(self: Scratchpad) -> bool:
    """Stop after the first search."""
    return False


async def main(model: str, limit: int) -> None:
    goes_on = Scratchpad.request_missing
    fetch = FetchSettings(allow_private=True, robots=False)
    with tempfile.TemporaryDirectory() as home:
        search = SearchSettings(providers=("local",))
        settings = Settings(home=Path(home), fetch=fetch, search=search, memory=MemorySettings(enabled=False))
        async with serve_pages() as url, Pilotfish(settings) as fish:
            index = cast(SearchChain, fish.services[SearchChain]).index
            for name, (title, text) in PAGES.items():
                await index.add(IndexedPage(url=f"{url}/{name}", title=title, text=text, user="local"))
            for way, method in (("one search", never), ("more where a name is missing", goes_on)):
                Scratchpad.request_missing = method
                right = searched = 0
                began = time.perf_counter()
                for question, wanted in QUESTIONS[-limit:]:
                    text, searches = await ask(fish, question, model)
                    right += all(word in text for word in wanted)
                    searched += searches
                    print(f"  {searches} searches: {question} → {' '.join(text.split())[:160]}", flush=True)
                took = (time.perf_counter() - began) / limit
                print(f"{way}: {right} of {limit} right, {searched} searches, {took:.0f} s each", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure research with a small model.")
    parser.add_argument("--model", default="embedded:qwen2.5-coder-1.5b")
    parser.add_argument("--limit", type=int, default=len(QUESTIONS), help="only the last so many questions")
    given = parser.parse_args()
    asyncio.run(main(given.model, given.limit))
