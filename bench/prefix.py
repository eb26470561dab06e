"""How much of each request to a model repeats the request before: what a provider's prefix cache can reuse.

    python bench/prefix.py HOME RUN

HOME is the folder of a Pilotfish, RUN the id of one of its runs. Prints one line per model call from the run's journal:
its purpose, its tokens, how many of them repeat the beginning of the last request to the same tier, and how many the
provider says that it took from its cache.
"""

import asyncio
import sys
from collections.abc import Iterable
from pathlib import Path

from pilotfish.core import events
from pilotfish.core.events import Event
from pilotfish.core.settings import Settings
from pilotfish.store.database import Database, database_address


def describe_calls(journal: Iterable[Event]) -> list[str]:
    """A table of the calls, and a last line for all of them."""
    asked = {e.call: e for e in journal if isinstance(e, events.ModelAsked)}
    cached = {e.call: e.usage.cached for e in journal if isinstance(e, events.ModelReplied)}
    lines = [f"{'call':>4}  {'purpose':<12} {'tokens':>7} {'repeated':>8} {'share':>6} {'cached':>7}"]
    for number, (call, event) in enumerate(asked.items(), 1):
        share = event.repeated / max(1, event.tokens)
        numbers = f"{event.tokens:>7} {event.repeated:>8} {share:>6.0%} {cached.get(call, 0):>7}"
        lines.append(f"{number:>4}  {event.purpose:<12} {numbers}")
    tokens, repeated = (sum(getattr(e, name) for e in asked.values()) for name in ("tokens", "repeated"))
    return [*lines, f"{len(asked)} calls, {tokens} tokens, {repeated / max(1, tokens):.0%} of them repeated"]


async def main(home: str, run: str) -> None:
    async with await Database.open(database_address(Settings(home=Path(home)))) as store:
        print("\n".join(describe_calls(await store.events(run))))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
