"""The embedded model: first token with a cold and a warm prefix of 2,000 tokens, and its two speeds.

    python bench/model.py [MODEL]

Prints a table; fails when the warm first token takes more than a tenth of the cold one.
"""

import asyncio
import sys
import time
from dataclasses import dataclass

import platformdirs
from rich.console import Console
from rich.table import Table

from pilotfish.core.messages import Message, ModelReply, ModelRequest
from pilotfish.core.settings import ModelSettings
from pilotfish.llm.base import Model
from pilotfish.llm.catalog import DEFAULT
from pilotfish.llm.model_download import pull_model
from pilotfish.llm.providers import connect_model
from pilotfish.llm.tokens import count_tokens

PREFIX = 2000
ANSWER = 32
LINE = "Berth {n} is {m} metres long, costs {k} euros a night and has water, power and a view of the lighthouse.\n"


@dataclass(frozen=True)
class Measured:
    """One question: seconds to the first token and to the last, and the reply."""

    first: float
    whole: float
    reply: ModelReply


def page(number: int) -> Message:
    """A page of about PREFIX tokens, different for each number from its first words on."""
    text = f"Harbour {number}. Answer questions from this list, briefly.\n"
    n = 0
    while count_tokens(text, "qwen") < PREFIX:
        n += 1
        text += LINE.format(n=n, m=8 + n * number % 23, k=20 + n * 7 % 31)
    return Message(role="system", text=text)


async def measure(model: Model, prefix: Message, question: str) -> Measured:
    began = time.perf_counter()
    heard: list[float] = []
    request = ModelRequest(messages=(prefix, Message(role="user", text=question)), max_tokens=ANSWER)
    reply = await model.reply(request, lambda text, kind: heard.append(time.perf_counter()))
    return Measured(heard[0] - began, time.perf_counter() - began, reply)


async def main(name: str) -> int:
    home = platformdirs.user_data_path("pilotfish")
    await pull_model(name, home)
    model = await connect_model(f"embedded:{name}", ModelSettings(), home)
    began = time.perf_counter()
    await model.warm([Message(role="system", text="Hello.")])
    loaded = time.perf_counter() - began
    cold = await measure(model, page(1), "How long is berth 3?")
    began = time.perf_counter()
    await model.warm([page(2)])
    warming = time.perf_counter() - began
    warm = await measure(model, page(2), "What does berth 5 cost a night?")
    back = await measure(model, page(1), "What does berth 7 cost a night?")
    await model.close()
    show(name, loaded, warming, cold, warm, back)
    return int(warm.first >= cold.first / 10)


def show(name: str, loaded: float, warming: float, cold: Measured, warm: Measured, back: Measured) -> None:
    read = cold.reply.usage.input - cold.reply.usage.cached
    table = Table("what", "value", title=f"embedded:{name}, prefix of {cold.reply.usage.input} tokens")
    table.add_row("load (process, weights, libraries)", f"{loaded:.2f} s")
    table.add_row("first token, cold", f"{cold.first:.2f} s")
    table.add_row("warming the prefix ahead of the question", f"{warming:.2f} s")
    table.add_row("first token, warm", f"{warm.first:.2f} s ({warm.first / cold.first:.1%} of cold)")
    table.add_row("first token, back at the first page", f"{back.first:.2f} s ({back.first / cold.first:.1%} of cold)")
    table.add_row("prompt", f"{read / cold.first:.1f} tokens/s")
    speed = (warm.reply.usage.output - 1) / max(warm.whole - warm.first, 1e-6)
    table.add_row("generation", f"{speed:.1f} tokens/s")
    Console().print(table)


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else DEFAULT)))
