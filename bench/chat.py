"""Chat by the figures of its design: how long a question waits, when the first word comes, and what a request costs.

python bench/chat.py [QUESTIONS] [--model MODEL --asked COUNT]

With a model, the practice site's own questions are asked, and the share that the first pass answers is printed. An
embedded model is read from the folder in PILOTFISH_MODELS_DIR.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from pilotfish import Pilotfish
from pilotfish.agents.chat import TOOLS
from pilotfish.context.fitting import token_estimate
from pilotfish.core.events import ModelAsked, ModelReplied, RunFinished, TextDelta
from pilotfish.core.messages import Message, ModelFacts, ModelReply, ModelRequest
from pilotfish.core.settings import ModelSettings, Settings
from pilotfish.llm.base import TextListener
from pilotfish.llm.scripted import FACTS, ScriptedModel
from pilotfish.practice.questions import questions
from pilotfish.practice.server import Practice
from pilotfish.tools.base import TOOLS as EVERY_TOOL

LIMIT = 30.0
FIRST_WORD = 400.0
PROVIDER = 0.15
"""Seconds that a provider takes to its first word, as those with short requests do."""
WORDS = ["A", "return", "ticket", "costs", "14", "crowns", "and", "the", "crossing", "takes", "25", "minutes."]


class Clock:
    """A model that answers at once and knows when it was asked."""

    name = "clock"
    facts: ModelFacts = FACTS

    def __init__(self) -> None:
        self.asked = 0.0

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        self.asked = time.perf_counter()
        return ModelReply(text="It costs 48.90.", model=self.name)

    async def warm(self, messages: Sequence[Message]) -> None:
        """There is no cache."""

    async def close(self) -> None:
        """There is nothing to close."""


async def measure_wait(count: int) -> float:
    """Milliseconds from a question to the request, where its tab was read ahead."""
    with tempfile.TemporaryDirectory() as home:
        async with Practice() as site, Pilotfish(Settings(home=Path(home))) as fish:
            clock = Clock()
            fish.models.set_default(clock.name, clock)
            record = await fish.start("What is this?", loop="chat", tabs=[f"{site.url}/shop"])
            await _end(fish, record.id)
            took: list[float] = []
            for number in range(count):
                await fish.read_ahead(record.conversation)
                began = time.perf_counter()
                run = await fish.start(f"Question {number}?", loop="chat", conversation=record.conversation)
                await _end(fish, run.id)
                took.append((clock.asked - began) * 1000)
    median = statistics.median(took)
    print(f"question to request, tab turned to before: median {median:.1f} ms, worst {max(took):.1f} ms (≤ {LIMIT:g})")
    return median


@asynccontextmanager
async def provider() -> AsyncGenerator[str]:
    """A server on loopback that streams an answer as OpenAI's interface does; its first word takes PROVIDER seconds."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        await reader.readexactly(int(head.partition("content-length:")[2].split("\r\n")[0]))
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
        await asyncio.sleep(PROVIDER)
        for word in WORDS:
            writer.write(_chunk({"content": f"{word} "}))
            await writer.drain()
            await asyncio.sleep(0.01)
        writer.write(_chunk({}, "stop") + b"data: [DONE]\n\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


def _chunk(delta: dict[str, str], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    told = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "stub", "choices": [choice]}
    return f"data: {json.dumps(told)}\n\n".encode()


async def measure_first_word(count: int) -> float:
    """Milliseconds from a question to the first word that people see, from a provider's stream."""
    took: list[float] = []
    with tempfile.TemporaryDirectory() as home:
        async with Practice() as site, provider() as url:
            models = ModelSettings(main="openai-compatible:stub", base_url=url)
            async with Pilotfish(Settings(home=Path(home), models=models)) as fish:
                record = await fish.start("What is this?", loop="chat", tabs=[f"{site.url}/shop"])
                await _end(fish, record.id)
                for number in range(count):
                    await fish.read_ahead(record.conversation)
                    began = time.perf_counter()
                    run = await fish.start(f"Question {number}?", loop="chat", conversation=record.conversation)
                    first = [time.perf_counter() async for event in fish.follow(run.id) if isinstance(event, TextDelta)]
                    took.append((first[0] - began) * 1000)
    median = statistics.median(took)
    ours = median - PROVIDER * 1000
    print(f"question to first word: median {median:.0f} ms (≤ {FIRST_WORD:g}), of which {ours:.0f} ms are ours")
    return median


async def count_request(fish: Pilotfish, url: str, loop: str, reply: str) -> int:
    """The tokens of the first request of a loop about a page, tools included."""
    model = ScriptedModel([reply] * 4)
    fish.models.set_default("scripted", model)
    async for _ in fish.run("What does the kettle cost?", loop=loop, tabs=[url], max_steps=1):
        pass
    request = model.requests[0]
    specs = "".join(f"{spec.name}{spec.description}{json.dumps(dict(spec.parameters))}" for spec in request.tools)
    return token_estimate("\n".join(message.text for message in request.messages) + specs)


async def compare_requests() -> None:
    """Print the tokens of one question to chat, to chat with tools in every request, and to a loop that acts."""
    with tempfile.TemporaryDirectory() as home:
        async with Practice() as site, Pilotfish(Settings(home=Path(home))) as fish:
            url = f"{site.url}/shop/product/tide-kettle"
            asked = await count_request(fish, url, "chat", "It costs 48.90.")
            acting = await count_request(fish, url, "horizon", '{"done": {"answer": "48.90"}}')
    specs = [EVERY_TOOL.get(name).spec for name in TOOLS]
    tools = token_estimate("".join(f"{s.name}{s.description}{json.dumps(dict(s.parameters))}" for s in specs))
    print(f"tokens of a question: {asked:,} without tools, {asked + tools:,} if tools were always sent", end="")
    print(f" ({asked / (asked + tools):.0%}), {acting:,} in a loop that acts ({asked / acting:.0%})")


async def ask_practice(model: str, count: int) -> None:
    """Ask questions with known answers; print how many the first pass answered, how many were right, and the tokens."""
    every = questions()
    chosen = every[:: max(1, len(every) // count)][:count]
    first = right = tokens = 0
    with tempfile.TemporaryDirectory() as home:
        async with Practice() as site, Pilotfish(Settings(home=Path(home))) as fish:
            for question in chosen:
                purposes: list[str] = []
                async for event in fish.run(
                    question.question, loop="chat", model=model, tabs=[site.address(question.page, "bench")]
                ):
                    match event:
                        case ModelAsked():
                            purposes.append(event.purpose)
                        case ModelReplied():
                            tokens += event.usage.input
                        case RunFinished() if event.outcome != "completed":
                            sys.exit(f"{question.name}: {event.error} {event.fix}")
                        case RunFinished():
                            right += question.check(event.text)
                        case _:
                            pass
                first += "look" not in purposes
                print(f"  {question.name}: {'first pass' if 'look' not in purposes else 'looked'}", flush=True)
    asked = len(chosen)
    print(f"{model}: {first} of {asked} answered in the first pass (aim 80 %), {right} right,", end=" ")
    print(f"{tokens // max(1, asked):,} tokens each")


async def main(count: int, model: str, asked: int) -> None:
    waited, first_word = await measure_wait(count), await measure_first_word(count)
    await compare_requests()
    if model:
        await ask_practice(model, asked)
    if waited > LIMIT or first_word > FIRST_WORD:
        sys.exit("too slow")


async def _end(fish: Pilotfish, run: str) -> None:
    async for _ in fish.follow(run):
        pass


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure chat.")
    parser.add_argument("count", nargs="?", type=int, default=30, help="how many questions are timed")
    parser.add_argument("--model", default="", help="also ask this model questions with known answers")
    parser.add_argument("--asked", type=int, default=21, help="how many of them")
    given = parser.parse_args()
    asyncio.run(main(given.count, given.model, given.asked))
