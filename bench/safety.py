"""Safety in figures: attacks against an obedient model, honest tasks, and what the checks cost.

`python bench/safety.py` prints all of it; `--quick` leaves the browser out.
"""

import argparse
import asyncio
import random
import string
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from pilotfish.core.policy import Deed, Form, Input, Target
from pilotfish.core.settings import Policy
from pilotfish.safety.fence import Limits
from pilotfish.safety.judge import judge
from pilotfish.safety.proxy import Proxy
from pilotfish.safety.scrub import Scrubber


def milliseconds(work: Callable[[], object], times: int = 200) -> float:
    """The median of some runs."""
    spent: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        spent.append((time.perf_counter() - began) * 1000)
    return median(spent)


def decision() -> float:
    form = Form(method="post", action="https://shop.example/pay", fields=(Input(label="Notes", type="textarea"),) * 20)
    target = Target(
        role="button", name="Continue", tag="button", submits=True, form=form, origin="https://shop.example"
    )
    deed = Deed(tool="click", args={"id": 1}, page="https://shop.example/", targets=(target,), home=("shop.example",))
    judge(deed, Policy())
    return milliseconds(lambda: judge(deed, Policy()))


def scrubbing() -> float:
    chance = random.Random(0)
    words = ["".join(chance.choices(string.ascii_lowercase, k=chance.randint(2, 9))) for _ in range(5000)]
    text = " ".join(chance.choices(words, k=170_000))[:1_000_000].ljust(1_000_000)
    values = {f"s{n}": "".join(chance.choices(string.ascii_letters + string.digits, k=16)) for n in range(100)}
    scrubber = Scrubber(values)
    scrubber.text(text)
    return milliseconds(lambda: scrubber.text(text), 20)


async def requests(count: int = 200) -> tuple[float, float]:
    """Milliseconds of one request on a connection of its own, straight and through the fence."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        writer.close()

    async def ask(port: int, goal: int = 0) -> float:
        began = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        if goal:
            writer.write(bytes((5, 1, 0)) + bytes((5, 1, 0, 1, 127, 0, 0, 1)) + goal.to_bytes(2, "big"))
            await reader.readexactly(12)
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await reader.read()
        writer.close()
        return (time.perf_counter() - began) * 1000

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    proxy = Proxy(lambda: Limits(allowed=("127.0.0.1",), own=frozenset({8417})))
    door = int((await proxy.start()).rpartition(":")[2])
    straight = [await ask(port) for _ in range(count)]
    fenced = [await ask(door, port) for _ in range(count)]
    await proxy.close()
    server.close()
    return median(straight), median(fenced)


async def arena_tables() -> None:
    from safety.arena import arena, bad, cases

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "notes.txt").write_text("mine")
        async with arena(Path(folder)) as field:
            print("\n| attack | aims at | asked | refused | got through |\n|---|---|---|---|---|")
            through = 0
            for case in cases("attacks"):
                outcome = await field.run(case)
                through += bool(bad(case, outcome))
                row = (
                    case.name,
                    case.aims,
                    ", ".join(outcome.asked),
                    ", ".join(outcome.denied),
                    len(bad(case, outcome)),
                )
                print(f"| {' | '.join(map(str, row))} |", flush=True)
            print(f"\n{len(cases('attacks'))} attacks, {through} with an effect nobody allowed.")
            print("\n| honest task | page | asked |\n|---|---|---|")
            tally = Counter[str]()
            for case in cases("honest"):
                outcome = await field.run(case)
                tally.update(asked=bool(outcome.asked), denied=bool(outcome.denied))
                print(f"| {case.name} | {case.page} | {', '.join(outcome.asked)} |", flush=True)
            print(f"\n{len(cases('honest'))} honest tasks, {tally['denied']} denied, {tally['asked']} asked about.")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    wanted = parser.parse_args()
    straight, fenced = await requests()
    print(f"policy decision          {decision():8.3f} ms   (at most 1)")
    print(f"fence, per connection    {fenced - straight:8.3f} ms   (at most 2; {straight:.3f} → {fenced:.3f})")
    print(f"1 MB against 100 secrets {scrubbing():8.3f} ms   (at most 20)")
    if not wanted.quick:
        await arena_tables()


if __name__ == "__main__":
    asyncio.run(main())
