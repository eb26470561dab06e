"""Safety in figures: attacks against an obedient model, and what the checks cost.

python bench/safety.py                                  all of it
python bench/safety.py --quick                          what needs no browser
python bench/safety.py --part 2/6 --results FILE        a sixth of the attacks; the sums are of all parts so far
"""

import argparse
import asyncio
import json
import os
import random
import string
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from pilotfish.core.policy import Action, ActionTarget, FormField, FormInfo
from pilotfish.core.settings import PolicySettings
from pilotfish.safety.network_limits import NetworkLimits
from pilotfish.safety.policy_judge import judge_action
from pilotfish.safety.proxy import LimitingProxy
from pilotfish.safety.scrubber import Scrubber

if TYPE_CHECKING:
    from pilotfish.browser.sessions.tab import Tab


LANES = 4


def milliseconds(work: Callable[[], object], times: int = 200) -> float:
    """The median of some runs."""
    spent: list[float] = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        spent.append((time.perf_counter() - began) * 1000)
    return median(spent)


def decision() -> float:
    form = FormInfo(
        method="post", action="https://shop.example/pay", fields=(FormField(label="Notes", type="textarea"),) * 20
    )
    target = ActionTarget(
        role="button", name="Continue", tag="button", submits=True, form=form, origin="https://shop.example"
    )
    action = Action(
        tool="click", args={"id": 1}, page="https://shop.example/", targets=(target,), task_sites=("shop.example",)
    )
    judge_action(action, PolicySettings())
    return milliseconds(lambda: judge_action(action, PolicySettings()))


def scrubbing() -> float:
    chance = random.Random(0)
    words = ["".join(chance.choices(string.ascii_lowercase, k=chance.randint(2, 9))) for _ in range(5000)]
    text = " ".join(chance.choices(words, k=170_000))[:1_000_000].ljust(1_000_000)
    values = {f"s{n}": "".join(chance.choices(string.ascii_letters + string.digits, k=16)) for n in range(100)}
    scrubber = Scrubber(values)
    scrubber.scrub_text(text)
    return milliseconds(lambda: scrubber.scrub_text(text), 20)


async def requests(count: int = 200) -> tuple[float, float]:
    """Milliseconds of one request on a connection of its own, straight and through the proxy."""

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
    proxy = LimitingProxy(lambda: NetworkLimits(allowed=("127.0.0.1",), own=frozenset({8417})))
    door = int((await proxy.start()).rpartition(":")[2])
    straight = [await ask(port) for _ in range(count)]
    proxied = [await ask(door, port) for _ in range(count)]
    await proxy.close()
    server.close()
    return median(straight), median(proxied)


ONE_BY_ONE = """async ([method, count]) => {
  const spent = [];
  for (let n = 0; n < count; n++) {
    const began = performance.now();
    await (await fetch(`/api/track?n=${n}`, method === "GET" ? {} : { method, body: `{"n": ${n}}` })).text();
    spent.push(performance.now() - began);
  }
  return spent.sort((a, b) => a - b)[count >> 1];
}"""
TOGETHER = """async (count) => {
  const began = performance.now();
  await Promise.all([...Array(count).keys()].map(async (n) => (await fetch(`/api/items?n=${n}`)).text()));
  return performance.now() - began;
}"""


async def time_held(rounds: int = 15, count: int = 40) -> dict[str, tuple[float, float, float]]:
    """Milliseconds of a page's requests without and with the gate: one GET, one POST, and many GETs together.

    Rounds without and with it take turns, so that a busy machine slows both. The third figure is the median of the
    differences between a round and the one before it.
    """
    from browser.stage import serve_site
    from pilotfish.browser.sessions.browser_pool import BrowserPool
    from pilotfish.browser.sessions.held_request import HeldRequest
    from pilotfish.browser.sessions.session import SessionRules
    from pilotfish.core.settings import BrowserSettings
    from pilotfish.safety.address_doubts import make_doubts
    from pilotfish.safety.request_body import read_body
    from pilotfish.safety.request_effects import find_effects, request_kind

    async def check(request: HeldRequest) -> str:
        body = read_body(request)
        return "" if request_kind(request, body) and find_effects(request, body) else "no"

    async def ways(tab: "Tab") -> list[float]:
        alone = [await tab.page.evaluate(ONE_BY_ONE, [method, count]) for method in ("GET", "POST")]
        return [*alone, await tab.page.evaluate(TOGETHER, count) / count]

    with serve_site() as site, tempfile.TemporaryDirectory() as folder:
        url = site.html("<h1>Bench</h1>")
        site.put("/api/track", "ok")
        site.put("/api/items", "ok")
        pools = [BrowserPool(BrowserSettings()) for _ in range(2)]
        tabs: list[Tab] = []
        for pool, rules in zip(pools, (SessionRules(), SessionRules(request=check, doubts=make_doubts())), strict=True):
            tabs.append(await (await pool.lease("bench", Path(folder), None, rules)).tab())
            await tabs[-1].goto(url)
            await ways(tabs[-1])
        times = [[await ways(tab) for tab in tabs] for _ in range(rounds)]
        for pool in pools:
            await pool.close()
    found = dict[str, tuple[float, float, float]]()
    for at, name in enumerate(("GET", "POST", "GET of many together")):
        pairs = [(without[at], watched[at]) for without, watched in times]
        without, watched = (median(one) for one in zip(*pairs, strict=True))
        found[name] = without, watched, median(after - before for before, after in pairs)
    return found


async def try_attacks(only: str, part: str, results: Path) -> None:
    """Try attacks under three presets, and add a line of JSON for each to the results.

    `part` is such as 2/6: the second of six parts. Attacks whose outcomes are in the results are not tried again.
    """
    from safety.attack_arena import arena
    from safety.attack_cases import PRESETS, cases
    from safety.attack_trials import Trials

    place, _, parts = part.partition("/")
    known = {(one["name"], one["preset"]) for one in read_results(results)}
    chosen = [
        case for number, case in enumerate(cases()) if number % int(parts) == int(place) - 1 and only in case.name
    ]
    wanted = [(case, preset) for case in chosen for preset in PRESETS if (case.name, preset) not in known]
    with tempfile.TemporaryDirectory() as folder, results.open("a", encoding="utf-8") as kept:
        async with arena(Path(folder), LANES) as lanes:
            trials = Trials(lanes, wanted)
            for case, preset in wanted:
                one = (await trials.outcome(case, preset)).model_dump(include={"asked", "refused", "through"})
                print(
                    json.dumps({"name": case.name, "aims": case.aims, "preset": preset, **one}), file=kept, flush=True
                )


def read_results(results: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in results.read_text("utf-8").splitlines()] if results.exists() else []


def print_attacks(outcomes: Sequence[Mapping[str, Any]], rows: bool) -> None:
    """Each attack and preset, if `rows` are wanted; then the sums by kind and preset."""
    from safety.attack_cases import PRESETS

    through, kinds = Counter[str](), dict[str, Counter[str]]()
    for one in outcomes:
        stopped = "asked" if one["asked"] else "refused" if one["refused"] else "came to nothing"
        kinds.setdefault(one["aims"], Counter())[f"{one['preset']} {'through' if one['through'] else stopped}"] += 1
        through[one["preset"]] += bool(one["through"])
    if rows:
        print("\n| attack | aims at | preset | asked | refused | got through |\n|---|---|---|---|---|---|")
        for one in outcomes:
            told = (", ".join(one[name]) for name in ("asked", "refused", "through"))
            print(f"| {' | '.join((one['name'], one['aims'], one['preset'], *told))} |")
    print_kinds(kinds, PRESETS)
    told = ", ".join(f"{through[preset]} under {preset}" for preset in PRESETS)
    print(f"\n{len({one['name'] for one in outcomes})} attacks; with an effect that nobody allowed: {told}.")


def print_kinds(kinds: Mapping[str, Counter[str]], presets: Sequence[str]) -> None:
    """For each kind of attack and preset: how many were asked about, refused, came to nothing, and got through."""
    ends = ("asked", "refused", "came to nothing", "through")
    print(f"\nIn each cell: {', '.join(ends)}.\n")
    print(f"| aims at | attacks | {' | '.join(presets)} |\n|---|---|{'---|' * len(presets)}")
    for aim, counts in sorted(kinds.items()):
        cells = [" · ".join(str(counts[f"{preset} {end}"]) for end in ends) for preset in presets]
        print(f"| {aim} | {sum(counts.values()) // len(presets)} | {' | '.join(cells)} |")


async def print_costs(quick: bool) -> None:
    straight, proxied = await requests()
    print(f"policy decision          {decision():8.3f} ms   (at most 1)")
    print(f"proxy, per connection    {proxied - straight:8.3f} ms   (at most 2; {straight:.3f} → {proxied:.3f})")
    print(f"1 MB against 100 secrets {scrubbing():8.3f} ms   (at most 20)")
    if not quick:
        for name, (without, watched, more) in (await time_held()).items():
            print(f"{f'{name}, held':<25}{more:8.3f} ms   (at most 2; {without:.2f} → {watched:.2f})")
        print(f"load of the machine      {os.getloadavg()[0]:8.1f}      (on {os.cpu_count()} cores)")


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="costs only, without a browser")
    parser.add_argument("--costs", action="store_true", help="costs only")
    parser.add_argument("--only", default="", help="attacks whose name holds these words")
    parser.add_argument("--part", default="1/1", help="such as 2/6: the second of six parts")
    parser.add_argument("--results", type=Path, help="a file that keeps the outcomes of the parts")
    wanted = parser.parse_args()
    if wanted.quick or wanted.costs or wanted.part == "1/1":
        await print_costs(wanted.quick)
    if not (wanted.quick or wanted.costs):
        with tempfile.TemporaryDirectory() as folder:
            results = wanted.results or Path(folder) / "results.jsonl"
            await try_attacks(wanted.only, wanted.part, results)
            print_attacks(read_results(results), rows=wanted.part == "1/1")


if __name__ == "__main__":
    asyncio.run(main())
