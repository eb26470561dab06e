"""How well a model tells what a person wants, from the words alone: the one light call of the loop `auto`.

    python bench/choose.py [MODEL]

Reads bench/utterances.txt: `open` was seen while the prompt was written, `held` was not, and `fresh` was written after
the router was trained on other sentences. Prints what was told right by
part and by kind, what was told wrong, and the seconds of a call. With a person's words never searched as the first aim,
`leaked` counts what they said about themselves and the model would have searched.
"""

import asyncio
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import platformdirs
from rich.console import Console
from rich.table import Table

from pilotfish.agents import auto
from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message, ModelRequest
from pilotfish.core.prompts import render
from pilotfish.core.settings import ModelSettings
from pilotfish.llm.base import Model
from pilotfish.llm.providers import connect_model
from pilotfish.llm.structured import ask_for_shape

FILE = Path(__file__).with_name("utterances.txt")
PROMPTS = Path(auto.__file__).parent / "prompts"


class Utterance(NamedTuple):
    """A line of the file."""

    part: str
    pages: str
    way: str
    text: str


def read_utterances() -> list[Utterance]:
    lines = [line for line in FILE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return [Utterance(*(field.strip() for field in line.split(" | ", 3))) for line in lines]


async def choose(model: Model, one: Utterance) -> str:
    open_pages = one.pages == "yes"
    there = "Pages are open." if open_pages else "No page is open."
    prompt = "auto_short" if model.facts.small else "auto"
    system = Message(role="system", text=f"{render(PROMPTS, prompt, {})}\n{there}")
    said = (system, Message(role="user", text=one.text))
    request = ModelRequest(messages=said, max_tokens=30, temperature=0, adapted=model.facts.small)
    try:
        shape = auto.LoopChoice if open_pages else auto.PagelessChoice
        return (await ask_for_shape(model, request, shape))[0].way
    except ModelError:
        return "nothing"


async def main(name: str) -> None:
    model = await connect_model(name, ModelSettings(), platformdirs.user_data_path("pilotfish"))
    told: list[tuple[Utterance, str]] = []
    began = time.perf_counter()
    for one in read_utterances():
        told.append((one, await choose(model, one)))
    seconds = (time.perf_counter() - began) / len(told)
    await model.close()
    show(name, told, seconds)


def show(name: str, told: list[tuple[Utterance, str]], seconds: float) -> None:
    table = Table("part", "wants", "right", "of", title=f"{name}: {seconds:.2f} s a call")
    right = Counter((one.part, one.way) for one, way in told if way == one.way)
    for (part, way), count in sorted(Counter((one.part, one.way) for one, _ in told).items()):
        table.add_row(part, way, str(right[part, way]), str(count))
    for part, count in sorted(Counter(one.part for one, _ in told).items()):
        table.add_row(part, "all", str(sum(n for (p, _), n in right.items() if p == part)), str(count), style="bold")
    leaked = sum(one.way == "talk" and way == "research" for one, way in told)
    table.add_row("both", "leaked", str(leaked), str(sum(one.way == "talk" for one, _ in told)))
    console = Console()
    console.print(table)
    for one, way in told:
        if way != one.way:
            console.print(f"{one.part}: {one.text} → {way}, not {one.way}", markup=False, highlight=False)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "embedded"))
