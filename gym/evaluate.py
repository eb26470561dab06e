"""Measures whole tasks: an embedded model does the tasks of held-out families through the product.

    python -m gym.evaluate OUT.jsonl --model BASE.gguf --adapter ADAPTER.gguf --tasks 60

Without `--adapter` the base is measured, in the same harness. The site's own check decides whether a task was done; a
false claim is a run that ends as done although the check fails.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, median

from gym.families import HELD_OUT, list_families, make_site
from gym.play import open_app, play_site
from gym.server import SiteServer
from pilotfish.core.messages import Message, ModelFacts, ModelReply, ModelRequest
from pilotfish.llm.base import Model, TextListener
from pilotfish.llm.embedded import EmbeddedModel


@dataclass(frozen=True)
class TaskResult:
    """One task: whether the site found it done, what the run claimed, and how long it took."""

    family: str
    seed: int
    language: str
    done: bool
    claimed: bool
    seconds: float
    decisions: tuple[float, ...]
    tokens: tuple[int, ...]
    fault: str
    said: str

    @property
    def false_claim(self) -> bool:
        return self.claimed and not self.done


class TimedModel:
    """A model whose replies are timed."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.seconds: list[float] = []
        self.tokens: list[int] = []

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def facts(self) -> ModelFacts:
        return self.model.facts

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        began = time.monotonic()
        reply = await self.model.reply(request, on_text)
        self.seconds.append(round(time.monotonic() - began, 2))
        self.tokens.append(reply.usage.input)
        return reply

    async def warm(self, messages: Sequence[Message]) -> None:
        await self.model.warm(messages)

    async def close(self) -> None:
        await self.model.close()

    def take(self) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """The seconds and prompt tokens of the replies since the last call."""
        taken = tuple(self.seconds), tuple(self.tokens)
        self.seconds, self.tokens = [], []
        return taken


async def measure_tasks(model: TimedModel, tasks: Iterable[tuple[str, int]], out: Path) -> list[TaskResult]:
    """Play the tasks one after the other, and write each result as a line."""
    results: list[TaskResult] = []
    with tempfile.TemporaryDirectory() as home:
        async with SiteServer() as server, open_app(Path(home)) as fish:
            for family, seed in tasks:
                site = make_site(family, seed)
                began = time.monotonic()
                end, fault = await play_site(fish, server, site, model)
                result = TaskResult(
                    family,
                    seed,
                    site.draw.language,
                    not fault,
                    end.ending == "done",
                    round(time.monotonic() - began, 1),
                    *model.take(),
                    fault[:300],
                    end.text[:300],
                )
                results.append(result)
                with out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(result), ensure_ascii=False) + "\n")
                print(f"{family} {seed}: {'done' if result.done else fault[:120]}", flush=True)
    return results


def summarize(results: Sequence[TaskResult]) -> str:
    """The shares of done tasks and false claims and the times, for all and per family."""
    lines = [_line("all", results)]
    for family in sorted({result.family for result in results}):
        lines.append(_line(family, [result for result in results if result.family == family]))
    return "\n".join(lines)


def _line(name: str, results: Sequence[TaskResult]) -> str:
    done, false = sum(one.done for one in results), sum(one.false_claim for one in results)
    decisions = [second for one in results for second in one.decisions] or [0.0]
    count = len(results)
    return (
        f"{name}: {done} of {count} done ({done / count:.0%}), {false} false claims ({false / count:.0%}), "
        f"{mean(one.seconds for one in results):.0f} s a task, {median(decisions):.1f} s a decision"
    )


async def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--adapter", type=Path)
    parser.add_argument("--tasks", type=int, default=40)
    parser.add_argument("--first", type=int, default=1_000_001, help="the first seed")
    parser.add_argument("--families", nargs="*", help="these instead of the held-out ones")
    given = parser.parse_args()
    families = given.families or [name for name in list_families() if name in HELD_OUT]
    tasks = [(families[n % len(families)], given.first + n) for n in range(given.tasks)]
    model = TimedModel(EmbeddedModel("embedded:measured", given.model, adapter=given.adapter))
    try:
        print(summarize(await measure_tasks(model, tasks, given.out)))
    finally:
        await model.close()


if __name__ == "__main__":
    asyncio.run(main())
