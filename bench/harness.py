"""What a step costs when the model answers at once: ours against browser-use, on the same pages, in one run.

    python bench/harness.py [--pages FOLDER] [--steps 8] [--peer PYTHON]

Each step looks at the page, asks, scrolls a little, waits until the page is quiet and reports. `--peer` is the Python
of a virtual environment with browser-use; it does the same by bench/peers/step.py. A page is a folder with an
index.html; without `--pages` the practice site's shop is taken.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from peer import run_peer
from read import serve_folder

from pilotfish import Pilotfish
from pilotfish.core.messages import ModelRequest
from pilotfish.core.settings import AgentSettings, Settings
from pilotfish.llm.scripted import ScriptedModel
from pilotfish.practice.server import Practice

PAGES = ("guardian-1", "heise", "nytimes-2", "wikipedia-2")


class Instant:
    """Answers at once, keeping when it was asked and with how many characters."""

    def __init__(self, steps: int) -> None:
        self.times: list[float] = []
        self.sizes: list[int] = []
        self.model = ScriptedModel([self.line] * (steps + 4))
        self.steps = steps

    def line(self, request: ModelRequest) -> str:
        self.times.append(time.perf_counter())
        self.sizes.append(sum(len(message.text) for message in request.messages))
        count = len(self.times)
        action = {"tool": "scroll", "direction": "down" if count % 2 else "up"} if count <= self.steps else None
        told = {"reasoning": "look around", "needs_action": bool(action), "call": action, "message": "Seen."}
        return json.dumps(told)

    @property
    def result(self) -> dict[str, Any]:
        gaps = [b - a for a, b in zip(self.times, self.times[1:], strict=False)][: self.steps - 1]
        return {"seconds": statistics.median(gaps), "chars": self.sizes[self.steps - 1]}


async def ours(url: str, steps: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(home=Path(home), agent=AgentSettings(screenshots=False))
        async with Pilotfish(settings) as fish:
            instant = Instant(steps)
            fish.models.set_default("scripted", instant.model)
            async for _ in fish.run("Look around on this page", loop="pilot", tabs=[url], max_steps=steps + 2):
                pass
    return instant.result


async def main() -> None:
    parser = argparse.ArgumentParser(description="Time a step with a model that answers at once.")
    parser.add_argument("--pages", type=Path, help="a folder of saved pages")
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--peer", help="the Python of an environment that has browser-use")
    given = parser.parse_args()

    async with Practice() as site:
        with ExitStack() as stack:
            urls = {"practice/shop": f"{site.url}/shop"}
            if given.pages:
                base = stack.enter_context(serve_folder(given.pages))
                urls |= {name: f"{base}/{name}/" for name in PAGES if (given.pages / name).is_dir()}
            print("| page | ours ms | browser-use ms | times | ours chars | browser-use chars | share |")
            print("|---|" + "---:|" * 6)
            every: list[tuple[dict[str, Any], dict[str, Any]]] = []
            for name, url in urls.items():
                mine = await ours(url, given.steps)
                other = await run_peer(given.peer, "step.py", url, str(given.steps)) if given.peer else {}
                every.append((mine, other))
                print(row(name, mine, other), flush=True)
            print(row("a step on each", *map(together, zip(*every, strict=True))))


def together(figures: Iterable[dict[str, Any]]) -> dict[str, Any]:
    return dict(sum(map(Counter, figures), Counter[str]()))


def row(name: str, mine: dict[str, Any], other: dict[str, Any]) -> str:
    cells = [name, f"{1000 * mine['seconds']:.0f}"]
    if other:
        times, share = other["seconds"] / mine["seconds"], mine["chars"] / other["chars"]
        cells += [f"{1000 * other['seconds']:.0f}", f"{times:.0f}", f"{mine['chars']:,}"]
        cells += [f"{other['chars']:,}", f"{share:.0%}"]
    else:
        cells += ["", "", f"{mine['chars']:,}", "", ""]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    asyncio.run(main())
