"""Measures whole tasks: an embedded model does the tasks of held-out families through the product.

    python -m gym.evaluate OUT.jsonl --model BASE.gguf --adapter ADAPTER.gguf --tasks 60

    python -m gym.evaluate OUT.jsonl --model BASE.gguf --learner 9017 --parallel 24 --suite everyday

Without `--adapter` the base is measured, in the same harness; with `--learner` the model that `gym.generation` serves,
which keeps to no grammar. `--suite` takes the chores of the practice site instead of held-out tasks. The site's own
check decides whether a task was done; a false claim is a run that ends as done although the check fails. `--part 0/4`
is one process's share of the tasks; `gym.paired` compares what two adapters did. `--without NAME` switches an aid of
`gym.ablation` off; `--each` plays the tasks again as they are, then without each aid that acted in them, one after
the other; `gym.ablation_table` compares these.
"""

import argparse
import asyncio
import heapq
import json
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, median

from gym.ablation import NOTHING, begin_play, check_name, watching_aids
from gym.aids import AIDS
from gym.families import HELD_OUT, list_families, make_site
from gym.learner import open_learner
from gym.play import open_app, play_site
from gym.server import SiteServer
from gym.workers import read_part, take_part
from pilotfish import Pilotfish
from pilotfish.core.messages import Message, ModelFacts, ModelReply, ModelRequest
from pilotfish.llm.base import Model, TextListener
from pilotfish.llm.embedded import EmbeddedModel
from pilotfish.practice.server import Practice
from pilotfish.small_model.short_reply import read_certainty
from pilotfish.trials.case import TrialOutcome
from pilotfish.trials.practice import practice_cases
from pilotfish.trials.runner import run_trial

SUITE_TIME = 240
"""Seconds for a chore of a suite; many are done at a time."""


@dataclass(frozen=True)
class TaskResult:
    """One task: whether the site found it done, what the run claimed, and how long it took.

    `chances` says of each decision how likely its reason and its kind were, where the model tells it.
    """

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
    chances: tuple[float, ...] = ()
    without: tuple[str, ...] = ()
    """The aids that were off."""
    acted: tuple[str, ...] = ()
    """The aids that did something."""

    @property
    def false_claim(self) -> bool:
        return self.claimed and not self.done


class TimedModel:
    """A model whose replies are timed, under a name of its own."""

    def __init__(self, model: Model, name: str) -> None:
        self.model = model
        self.name = name
        self.facts: ModelFacts = model.facts
        self.seconds: list[float] = []
        self.tokens: list[int] = []
        self.chances: list[float] = []

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        began = time.monotonic()
        reply = await self.model.reply(request, on_text)
        self.chances.append(round(read_certainty(reply), 4))
        self.seconds.append(round(time.monotonic() - began, 2))
        self.tokens.append(reply.usage.input)
        return reply

    async def warm(self, messages: Sequence[Message]) -> None:
        await self.model.warm(messages)

    async def close(self) -> None:
        """The model is used for other tasks."""


async def measure_task(
    fish: Pilotfish, server: SiteServer, model: Model, family: str, seed: int, without: Sequence[str] = ()
) -> TaskResult:
    """Play a task with the model, without some aids."""
    site, timed = make_site(family, seed), TimedModel(model, "-".join(("measured", family, str(seed), *without)))
    play, began = begin_play(timed.name, without), time.monotonic()
    end, fault = await play_site(fish, server, site, timed)
    return TaskResult(
        family,
        seed,
        site.draw.language,
        not fault,
        end.ending == "done",
        round(time.monotonic() - began, 1),
        tuple(timed.seconds),
        tuple(timed.tokens),
        fault[:300],
        end.text[:300],
        tuple(timed.chances),
        tuple(without),
        tuple(name for name in AIDS if name in play.acted),
    )


async def measure_tasks(
    model: Model,
    tasks: Iterable[tuple[str, int]],
    out: Path,
    parallel: int = 1,
    without: tuple[str, ...] = (),
    *,
    each: bool = False,
) -> list[TaskResult]:
    """Play the tasks, so many at a time, and write each result as a line. `each`: then without each aid that acted."""
    results: list[TaskResult] = []
    order = {name: at for at, name in enumerate((NOTHING, *AIDS), 1)}
    waiting = [(0, at, family, seed, without) for at, (family, seed) in enumerate(tasks)]
    with tempfile.TemporaryDirectory() as home, watching_aids():
        async with SiteServer() as server, open_app(Path(home)) as fish:

            async def work() -> None:
                while waiting:
                    rank, at, family, seed, off = heapq.heappop(waiting)
                    result = await measure_task(fish, server, model, family, seed, off)
                    results.append(result)
                    with out.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(asdict(result), ensure_ascii=False) + "\n")
                    told = "done" if result.done else result.fault[:120]
                    print(" ".join((family, f"{seed}:", told, *(f"without {name}" for name in off))), flush=True)
                    for name in (NOTHING, *result.acted) if each and not rank else ():
                        heapq.heappush(waiting, (order[name], at, family, seed, (*off, name)))

            async with asyncio.TaskGroup() as group:
                for _ in range(parallel):
                    group.create_task(work())
    return results


async def measure_suite(
    model: Model, suite: str, out: Path, parallel: int, without: Sequence[str] = (), home: Path | None = None
) -> str:
    """Let the model do the chores of a suite of the practice site; the shares of done ones and of false claims.

    The runs stay in `home`, where one is given.
    """
    outcomes: list[TrialOutcome] = []
    begin_play(model.name, without)
    with tempfile.TemporaryDirectory() as passing, watching_aids():
        async with Practice() as site, open_app(home or Path(passing)) as fish:
            fish.models.set_default(model.name, model)
            waiting = iter(practice_cases(site, suite))

            async def work() -> None:
                for case in waiting:
                    outcome = await run_trial(fish, case, model.name, 0, SUITE_TIME)
                    outcomes.append(outcome)
                    with out.open("a", encoding="utf-8") as file:
                        file.write(json.dumps({**outcome.model_dump(mode="json"), "without": [*without]}) + "\n")
                    print(f"{case.name}: {outcome.success}, claimed {outcome.claimed}", flush=True)

            async with asyncio.TaskGroup() as group:
                for _ in range(parallel):
                    group.create_task(work())
    done, false = sum(one.success for one in outcomes), sum(one.claimed and not one.success for one in outcomes)
    return f"{suite}: {done} of {len(outcomes)} done, {false} false claims"


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
    parser.add_argument("--learner", type=int, default=0, help="the port of gym.generation, which answers instead")
    parser.add_argument("--parallel", type=int, default=1, help="tasks at a time")
    parser.add_argument("--part", type=read_part, default=(0, 1), help="only this share of the tasks, such as 0/4")
    parser.add_argument("--tasks", type=int, default=40)
    parser.add_argument("--first", type=int, default=1_000_001, help="the first seed")
    parser.add_argument("--families", nargs="*", help="these instead of the held-out ones")
    parser.add_argument("--home", type=Path, help="where the runs of a suite stay, for `pilotfish show`")
    parser.add_argument("--suite", help="a suite of the practice site instead, such as everyday")
    parser.add_argument("--without", type=check_name, action="append", default=[], metavar="NAME", help="an aid")
    parser.add_argument("--each", action="store_true", help="then again without each aid that acted")
    given = parser.parse_args()
    families = given.families or [name for name in list_families() if name in HELD_OUT]
    tasks = take_part([(families[n % len(families)], given.first + n) for n in range(given.tasks)], given.part)
    async with open_learner(given.learner, given.model) as learner:
        model = learner or EmbeddedModel("embedded:measured", given.model, adapter=given.adapter)
        try:
            if given.suite:
                print(await measure_suite(model, given.suite, given.out, given.parallel, given.without, given.home))
            else:
                off, each = tuple(given.without), bool(given.each)
                results = await measure_tasks(model, tasks, given.out, given.parallel, off, each=each)
                print(summarize([one for one in results if one.without == off]))
        finally:
            await model.close()


if __name__ == "__main__":
    asyncio.run(main())
