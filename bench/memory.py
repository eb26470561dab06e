"""How well and how fast memory finds: recall on a written conversation, and time over 10,000 facts and messages.

Run: python bench/memory.py
"""

import asyncio
import math
import random
import re
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

from pilotfish.core.facts import Fact, PastMessage
from pilotfish.core.settings import MemorySettings as Caps
from pilotfish.memory.memory import UserMemory
from pilotfish.memory.message_search import MessageSearch
from pilotfish.store.database import Database

TALKS = Path(__file__).with_name("talks.txt")
COUNT = 10_000

Question = tuple[str, set[int]]


def talks() -> tuple[list[PastMessage], list[Question]]:
    """The messages, numbered from 1, and questions with the numbers of the messages that answer them."""
    said: list[PastMessage] = []
    questions: list[Question] = []
    day, start = "", 0
    for line in TALKS.read_text().splitlines():
        if line.startswith("# "):
            day, start = line[2:], len(said)
        elif line.startswith("? "):
            text, places = line[2:].split(" | ")
            questions.append((text, {start + int(place) for place in places.split(",")}))
        else:
            at = datetime.fromisoformat(day).replace(tzinfo=UTC)
            said.append(PastMessage(id=len(said) + 1, conversation=day, text=line, at=at))
    return said, questions


def bm25(said: list[PastMessage]) -> Callable[[str, int], list[int]]:
    """The plain measure that others are held against: words as they are written."""
    bags = [Counter(re.findall(r"[a-z0-9']+", one.text.lower())) for one in said]
    mean = sum(bag.total() for bag in bags) / len(bags)

    def score(bag: Counter[str], query: str) -> float:
        total = 0.0
        for word in re.findall(r"[a-z0-9']+", query.lower()):
            found = sum(word in other for other in bags)
            rare = math.log(1 + (len(bags) - found + 0.5) / (found + 0.5))
            total += rare * bag[word] * 2.5 / (bag[word] + 1.5 * (0.25 + 0.75 * bag.total() / mean))
        return total

    def search(query: str, limit: int) -> list[int]:
        scores = [score(bag, query) for bag in bags]
        return [said[n].id for n in sorted(range(len(said)), key=lambda n: -scores[n])[:limit]]

    return search


def recall(search: Callable[[str, int], list[int]], questions: list[Question], limit: int) -> float:
    return statistics.mean(len(right & set(search(text, limit))) / len(right) for text, right in questions)


def quality() -> None:
    said, questions = talks()
    talk = MessageSearch()
    talk.add(said)

    def ours(query: str, limit: int) -> list[int]:
        return [found.message.id for found in talk.search(query, limit)]

    print(f"{len(said)} messages, {len(questions)} questions in other words")
    print(f"{'':<12}{'recall@5':>10}{'recall@10':>11}")
    for name, search in (("BM25", bm25(said)), ("Pilotfish", ours)):
        print(f"{name:<12}{recall(search, questions, 5):>10.3f}{recall(search, questions, 10):>11.3f}")


async def take_time(work: Callable[[str], Awaitable[object]], queries: list[str]) -> str:
    """Time on the clock, and on the processor: the latter is what counts on a machine that others use too."""
    await work(queries[0])
    clock: list[float] = []
    worked: list[float] = []
    for query in queries:
        start, busy = time.perf_counter(), time.process_time()
        await work(query)
        clock.append((time.perf_counter() - start) * 1000)
        worked.append((time.process_time() - busy) * 1000)
    figures = (statistics.median(clock), min(clock), statistics.median(worked))
    return "median {:6.1f} ms   best {:6.1f} ms   processor {:6.1f} ms".format(*figures)


async def speed() -> None:
    said, questions = talks()
    chance = random.Random(7)
    pool = [word for one in said for word in one.text.split()] + [f"item{n}" for n in range(5000)]
    texts = [" ".join(chance.choices(pool, k=chance.randint(5, 25))) for _ in range(COUNT)]
    queries = [text for text, _ in questions]
    with tempfile.TemporaryDirectory() as folder:
        async with await Database.open(f"sqlite:///{Path(folder) / 'bench.db'}") as store:
            memory = UserMemory(store, Caps(important=COUNT))
            await store.keep([Fact(id=f"{n}", user="ann", content=text) for n, text in enumerate(texts)])
            for n in range(0, COUNT, 100):
                await memory.index("ann", f"c{n}", [PastMessage(text=text) for text in texts[n : n + 100]])
            print(f"recall among {COUNT:,} facts:    ", await take_time(lambda q: memory.retrieve("ann", [q]), queries))
            print(f"search among {COUNT:,} messages: ", await take_time(lambda q: memory.search("ann", q), queries))


if __name__ == "__main__":
    quality()
    asyncio.run(speed())
