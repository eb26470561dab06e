"""Records decisions for training: plays tasks with their oracles and writes what the loop sent and what was answered.

    python -m gym.record OUT.jsonl --tasks 2000 --first 1 --parallel 4 [--workers 15]
    python -m gym.record OUT.jsonl --tasks 2000 --learner 9017 --model BASE.gguf     # corrections of a learner

Each line is a decision: family, seed, language, step, messages as they were sent, and the reply. Tasks whose check
fails are left out, so are wrong turns and decisions that were written before. Held-out families are only recorded
with `--held-out`, for measuring. With `--learner`, the model that `gym.generation` serves on that port plays each task
until it would end it, and what is written are the oracle's decisions from there on. Each worker is a process with seeds
of its own, and writes `OUT-N.jsonl`.
"""

import argparse
import asyncio
import hashlib
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, TextIO

from gym.families import HELD_OUT, list_families
from gym.learner import Learner, open_learner
from gym.play import PlayedTask, open_app, play_corrected, play_oracle
from gym.server import SiteServer
from gym.workers import name_share, run_workers

DETOURS = 0.16
"""How likely the oracle takes a wrong turn at each page."""
SEEDS_APART = 1_000_000
"""Between the first seeds of two workers."""
RENEWED = 400
"""After so many tasks the app starts anew, so that its database stays small."""


class Recorder:
    """Writes the decisions of good tasks, each once, and counts."""

    def __init__(self, out: TextIO) -> None:
        self.out = out
        self.begun = time.monotonic()
        self.counts: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self._known: set[bytes] = set()

    def add(self, task: PlayedTask) -> None:
        self.counts["tasks"] += 1
        self.counts["played"] += len(task.decisions)
        if task.fault:
            self.faults[task.family] += 1
            print(f"{task.family} {task.seed}: {task.fault[:600]}", file=sys.stderr, flush=True)
            return
        for step, decision in enumerate(task.decisions):
            messages = [{"role": each.role, "content": each.text} for each in decision.messages]
            line = json.dumps([messages[-1]["content"], decision.reply], ensure_ascii=False)
            mark = hashlib.blake2b(line.encode(), digest_size=12).digest()
            if not decision.wanted or mark in self._known:
                continue
            self._known.add(mark)
            self._write(task, step, messages, decision.reply)

    def _write(self, task: PlayedTask, step: int, messages: list[dict[str, str]], reply: str) -> None:
        self.counts["written"] += 1
        language = task.site.draw.language
        row: dict[str, Any] = {"family": task.family, "seed": task.seed, "language": language, "step": step}
        self.out.write(json.dumps({**row, "messages": messages, "reply": reply}, ensure_ascii=False) + "\n")
        self.out.flush()

    def summary(self) -> str:
        seconds = time.monotonic() - self.begun
        return (
            f"{self.counts['tasks']} tasks, {self.counts['written']} decisions written, "
            f"{self.counts['played'] / seconds:.2f} decisions a second, {sum(self.faults.values())} tasks failed "
            f"{dict(self.faults)}"
        )


async def record_tasks(
    recorder: Recorder, tasks: list[tuple[str, int]], parallel: int, detours: float, learner: Learner | None = None
) -> None:
    """Play tasks, several at a time, in one browser."""
    waiting = iter(tasks)

    with tempfile.TemporaryDirectory() as home:
        async with SiteServer() as server, open_app(Path(home)) as fish:

            async def work() -> None:
                for family, seed in waiting:
                    if learner:
                        recorder.add(await play_corrected(fish, server, family, seed, learner))
                    else:
                        recorder.add(await play_oracle(fish, server, family, seed, detours=detours))

            async with asyncio.TaskGroup() as group:
                for _ in range(parallel):
                    group.create_task(work())


def list_tasks(families: list[str], first: int, count: int) -> list[tuple[str, int]]:
    """So many tasks from a seed on, all families in turn."""
    return [(families[number % len(families)], number) for number in range(first, first + count)]


def list_shares(given: argparse.Namespace) -> list[list[str]]:
    """The arguments of each worker."""
    share = -(-given.tasks // given.workers)
    same = ["--tasks", str(share), "--parallel", str(given.parallel), "--detours", str(given.detours)]
    same += ["--families", *given.families] if given.families else []
    same += ["--held-out"] if given.held_out else []
    same += ["--learner", str(given.learner), "--model", str(given.model)] if given.learner else []
    return [
        [str(name_share(given.out, number)), *same, "--first", str(given.first + number * SEEDS_APART)]
        for number in range(given.workers)
    ]


async def main() -> None:
    parser = argparse.ArgumentParser(description="Record the oracles' decisions.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--tasks", type=int, default=100)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--parallel", type=int, default=4)
    parser.add_argument("--detours", type=float, default=DETOURS)
    parser.add_argument("--families", nargs="*", help="only these")
    parser.add_argument("--learner", type=int, default=0, help="the port of gym.generation; needs --model")
    parser.add_argument("--model", type=Path, help="the GGUF file of the base, for its tokens")
    parser.add_argument("--held-out", action="store_true", help="only the families that are never trained on")
    parser.add_argument("--workers", type=int, default=1, help="so many processes share the tasks")
    given = parser.parse_args()
    if given.workers > 1:
        await run_workers("gym.record", list_shares(given))
        return
    wanted = [name for name in list_families() if (name in HELD_OUT) == given.held_out]
    tasks = list_tasks(given.families or wanted, given.first, given.tasks)
    async with open_learner(given.learner, given.model) as learner:
        with given.out.open("a", encoding="utf-8") as out:
            recorder = Recorder(out)
            for at in range(0, len(tasks), RENEWED):
                await record_tasks(recorder, tasks[at : at + RENEWED], given.parallel, given.detours, learner)
                print(recorder.summary(), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
