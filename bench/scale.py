"""Where many machines bend: scripted runs with followers over worker processes of separate homes on one PostgreSQL.

    python bench/scale.py [--workers 1,2,4] [--rates 2,4,8,16,32] [--seconds 8] [--followers 2] [--others 30]

A run has four turns; in each a model is asked, writes a sentence and calls a tool, which takes a second. So many runs a
second are begun for some seconds, then more, until it bends: runs end a tenth slower than they begin, or one event in
twenty is heard later than half a second after it was made. Followers read a server that drives nothing, and come and
go. In a last stage `--others` more connections listen as the processes of further machines do, to tell what each costs.
The last lines compute from that what a hundred machines need. All parts run on this machine and share its processors.
"""

import argparse
import asyncio
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import psycopg
from serve import Heard, Remote, cpu, listener, share

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

if TYPE_CHECKING:
    from pilotfish.app import Pilotfish
    from pilotfish.core.settings import Settings

TURNS = 4
PACE = 1.0
BEND = 0.5
SCRIPT = [{"text": "I read what the page says and choose what to do next.", "calls": [{"tool": "rest"}]}]
KINDS = ("workers", "server", "database")
CHORE = 12, 60.0
"""Turns and seconds of a usual chore, for the paper figure."""
MOST_CONNECTIONS = 500
MACHINES, EACH = 100, 8
"""Machines of the paper figure, and the chores that each drives at once."""


def make_settings(home: Path, database: str) -> "Settings":
    from pilotfish.core.settings import LogSettings, ModelSettings, ServerSettings, Settings, WorkSettings

    return Settings(
        home=home,
        database=database,
        models=ModelSettings(main=f"scripted:{home.parent / 'script.json'}"),
        server=ServerSettings(port=0),
        work=WorkSettings(per_user=1_000_000, runs=1_000_000),
        log=LogSettings(level="error"),
    )


async def child(kind: str, home: Path, database: str) -> None:
    """A worker, or a server that drives nothing."""
    from pilotfish.interfaces.web_server.app import serve
    from pilotfish.interfaces.worker import run_worker

    add_loop()
    settings = make_settings(home, database)
    if kind == "worker":
        await run_worker(settings, ready=lambda line: print(line, flush=True))
    else:
        await serve(settings, runs=0, ready=lambda url: print(url, flush=True))


def add_loop() -> None:
    from pilotfish.app import loop, tool
    from pilotfish.runtime.run import Run
    from pilotfish.tools.base import ToolContext

    @tool()
    async def rest(ctx: ToolContext) -> str:  # pyright: ignore[reportUnusedFunction]
        """Wait a moment."""
        await asyncio.sleep(PACE)
        return "rested"

    @loop("scale")
    async def turns(run: Run) -> None:  # pyright: ignore[reportUnusedFunction]
        """Ask and act."""
        for _ in range(TURNS):
            await run.act(*(await run.ask(run.messages, purpose="think")).calls)
        await run.finish("Done.")


@asynccontextmanager
async def spawn(kind: str, home: Path, database: str) -> AsyncGenerator[tuple[int, str]]:
    """A process of one kind; yields its number and what it said when it was ready."""
    command = [sys.executable, __file__, "--child", kind, str(home), database]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        yield process.pid, (await process.stdout.readline()).decode().strip()
    finally:
        process.terminate()
        await process.communicate()


class Place(NamedTuple):
    """What a stage is driven with."""

    fish: "Pilotfish"
    server: Remote
    processes: dict[str, list[int]]
    database: str
    followers: int


class Stage(NamedTuple):
    """What was seen while so many runs a second began."""

    workers: int
    rate: float
    runs: int
    ended: float
    events: float
    heard: float
    late: list[float]
    waits: list[float]
    megabytes: float
    seconds: dict[str, float]
    missed: int
    connections: int

    @property
    def bends(self) -> bool:
        return self.ended < 0.9 * self.rate or percent(self.late, 95) > 1000 * BEND

    def cost(self, kind: str) -> float:
        """Milliseconds of CPU for a run, at one kind of process."""
        return 1000 * self.seconds[kind] / self.runs


def percent(values: Sequence[float], wanted: int) -> float:
    return share(list(values), wanted) if values[1:] else 0.0


def count_seconds(processes: dict[str, list[int]]) -> dict[str, float]:
    """Seconds of CPU so far, by kind; those of the database's own children too."""
    server = str(processes["database"][0])
    alive = [fields for number in all_processes() if (fields := read_fields(number))]
    family = [fields[13:15] for fields in alive if server in (fields[0], fields[3])]
    ticks = [*family, *(fields[15:17] for fields in alive if fields[0] == server)]
    database = sum(int(each) for pair in ticks for each in pair) / os.sysconf("SC_CLK_TCK")
    return {kind: sum(map(cpu, processes[kind])) if kind != "database" else database for kind in KINDS}


def all_processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def read_fields(number: int) -> list[str]:
    try:
        text = Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return []
    return [str(number), "", *text.rpartition(")")[2].split()]


async def ask_database(database: str, query: str) -> Any:
    async with await psycopg.AsyncConnection.connect(database, autocommit=True) as connection:
        row = await (await connection.execute(query.encode())).fetchone()
    return row[0] if row else None


SIZE = "select sum(pg_database_size(oid))::bigint from pg_database"
CONNECTIONS = "select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"


async def drive(place: Place, rate: float, seconds: float) -> Stage:
    """Begin so many runs a second, and follow each to its end."""
    heard, waits, ends = Heard(), list[float](), list[float]()
    size, before = await ask_database(place.database, SIZE), count_seconds(place.processes)
    began = time.time()

    async def one(number: int) -> tuple[int, int, bool]:
        await asyncio.sleep(began + number / rate - time.time())
        asked = time.time()
        run = await place.fish.start("go", loop="scale")
        waiting = asyncio.create_task(note_begin(run.id, asked))
        told = await asyncio.gather(*(listener(place.server, run.id, heard) for _ in range(place.followers)))
        ends.append(time.time())
        await waiting
        seen = [numbers for numbers, _ in told]
        return len(seen[0]), sum(map(len, seen)), any(one != list(range(1, len(one) + 1)) for one in seen)

    async def note_begin(run: str, asked: float) -> None:
        """Note how long a run waited for a worker."""
        async for event in place.fish.follow(run):
            if event.type == "model_asked":
                waits.append(time.time() - asked)
                return

    async def count_connections() -> int:
        """The most connections that all processes held at once, until the runs have ended."""
        most = 0
        while len(ends) < count:
            most = max(most, await ask_database(place.database, CONNECTIONS))
            await asyncio.sleep(0.5)
        return most

    count = max(2, round(rate * seconds))
    held = asyncio.create_task(count_connections())
    told = await asyncio.gather(*(one(number) for number in range(count)))
    took = max(ends) - began - TURNS * PACE
    spent = {kind: after - before[kind] for kind, after in count_seconds(place.processes).items()}
    grown = (await ask_database(place.database, SIZE) - size) / 1e6
    events = sum(each[0] for each in told)
    return Stage(
        len(place.processes["workers"]),
        rate,
        count,
        min(rate, count / max(took, seconds)),
        events / max(took, seconds),
        sum(each[1] for each in told) / max(took, seconds),
        [delay for _, delay in heard.late],
        waits,
        grown,
        spent,
        sum(each[2] for each in told),
        await held,
    )


def print_stage(stage: Stage, note: str = "") -> None:
    cells = [
        f"{stage.workers}{note}",
        f"{stage.rate:g}",
        f"{stage.runs}",
        f"{stage.ended:.1f}",
        f"{stage.events:.0f}",
        f"{stage.heard:.0f}",
        " / ".join(f"{percent(stage.waits, part):.0f}" for part in (50, 95)),
        " / ".join(f"{percent(stage.late, part):.0f}" for part in (50, 95, 99)),
        f"{1000 * stage.megabytes / stage.runs:.0f}",
        " / ".join(f"{stage.cost(kind):.0f}" for kind in KINDS),
        f"{stage.missed}",
        f"{stage.connections}",
        "bends" if stage.bends else "",
    ]
    print(f"| {' | '.join(cells)} |", flush=True)


HEAD = (
    "workers",
    "runs begun/s",
    "runs",
    "ended/s",
    "events/s",
    "heard/s",
    "wait ms p50 / p95",
    "event to follower ms p50 / p95 / p99",
    "KB a run",
    f"CPU ms a run: {' / '.join(KINDS)}",
    "missed or doubled",
    "connections",
    "",
)


@asynccontextmanager
async def listening(database: str, count: int) -> AsyncGenerator[None]:
    """Connections that hear all changes, as each process of further machines does."""
    from pilotfish.store.engines import CHANNEL

    async with AsyncExitStack() as stack:
        for _ in range(count):
            line = await psycopg.AsyncConnection.connect(database, autocommit=True)
            await stack.enter_async_context(line)
            await line.execute(f"LISTEN {CHANNEL}")
            task = asyncio.create_task(drain(line))
            stack.callback(task.cancel)
        yield


async def drain(line: psycopg.AsyncConnection[Any]) -> None:
    """Hear everything and look for a run whenever one is new, as a worker that has room does."""
    while True:
        told = [notice.payload async for notice in line.notifies(stop_after=1)]
        if any(payload.startswith("runs") for payload in told):
            await line.execute("select id from runs where worker = '' and state = 'queued' limit 1")


def print_paper(stage: Stage, idle: float, others: float, connections: float) -> None:
    """What a hundred machines need, from what a run, a process and a listener were seen to cost here."""
    turns, seconds = CHORE
    runs = MACHINES * EACH / seconds
    work, daily = runs * turns / TURNS, 86400 * runs * turns / TURNS
    events = work * stage.events / stage.ended
    database = work * stage.cost("database") / 1000
    told = MACHINES * idle + MACHINES * work * others / 1000
    print(f"\nOn paper, {MACHINES} machines with {EACH} chores each at once, {turns} turns in {seconds:.0f} s a chore:")
    print(f"  {runs:.1f} chores/s, {events:.0f} events/s, {runs * 86400:,.0f} chores a day")
    print(f"  database: {database:.1f} processors for the work, {told:.1f} to tell every process of every change,")
    size = daily * stage.megabytes / stage.runs / 1000
    print(f"    {MACHINES * connections:.0f} connections at rest, {size:.0f} GB a day")
    print(f"  workers: {work * stage.cost('workers') / 1000:.1f} processors in all, without browsers and models")
    print(f"  server: {work * stage.cost('server') / 1000:.1f} processors, each chore followed as here")


def allow_connections(postgres: Any) -> None:
    """Let more processes connect than a server allows by itself."""
    with psycopg.connect(postgres.get_uri(), autocommit=True) as connection:
        connection.execute(f"ALTER SYSTEM SET max_connections = {MOST_CONNECTIONS}".encode())
    postgres.stop()
    postgres.start()


async def main(given: argparse.Namespace) -> None:
    from pilotfish.app import Pilotfish
    from pilotfish.safety.secrets import installation_key
    from postgres import start_server

    postgres = start_server()
    allow_connections(postgres)
    database = postgres.get_uri()
    counts = [int(word) for word in given.workers.split(",")]
    rates = [float(word) for word in given.rates.split(",")]
    add_loop()
    async with AsyncExitStack() as stack:
        stack.callback(postgres.cleanup)
        keep = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (keep / "script.json").write_text(json.dumps(SCRIPT))
        homes = [keep / name for name in ("front", "server", *map(str, range(max(counts))))]
        for home in homes:
            home.mkdir()
            installation_key(homes[0])
            if home != homes[0]:
                shutil.copy(homes[0] / "secret.key", home / "secret.key")
        fish = await stack.enter_async_context(Pilotfish(make_settings(homes[0], database), runs=0))
        number, url = await stack.enter_async_context(spawn("server", homes[1], database))
        processes = {"workers": list[int](), "server": [number], "database": [postgres.get_pid()]}
        place = Place(fish, Remote(url), processes, database, given.followers)
        print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; a run alone takes {TURNS * PACE:.0f} s")
        print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
        every: list[Stage] = []
        for count in counts:
            while len(processes["workers"]) < count:
                home = homes[2 + len(processes["workers"])]
                processes["workers"].append((await stack.enter_async_context(spawn("worker", home, database)))[0])
            for rate in rates:
                stage = await drive(place, rate, given.seconds)
                print_stage(stage)
                every.append(stage)
                if stage.bends:
                    break
        best = max((stage for stage in every if not stage.bends), key=lambda stage: stage.rate, default=every[0])
        await measure_others(place, best, given)


async def measure_others(place: Place, best: Stage, given: argparse.Namespace) -> None:
    """What further processes that listen cost the database, and the paper figure."""
    rate = best.rate / 2
    alone = await drive(place, rate, given.seconds)
    async with listening(place.database, given.others):
        crowded = await drive(place, rate, given.seconds)
    print_stage(alone)
    print_stage(crowded, f" + {given.others} listeners")
    held = await ask_database(place.database, CONNECTIONS)
    seconds, quiet = 4.0, count_seconds(place.processes)
    await asyncio.sleep(seconds)
    spent = count_seconds(place.processes)["database"] - quiet["database"]
    idle = spent / seconds / (alone.workers + 2)
    others = (crowded.cost("database") - alone.cost("database")) / given.others
    connections = held / (alone.workers + 2)
    print(f"\nA process at rest costs the database {1000 * idle:.1f} ms a second and {connections:.1f} connections;")
    print(f"a further listener {others:.2f} ms a run.")
    print_paper(best, idle, max(0.0, others), connections)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        asyncio.run(child(sys.argv[2], Path(sys.argv[3]), sys.argv[4]))
    else:
        parser = argparse.ArgumentParser(description="Drive scripted runs over several workers until it bends.")
        parser.add_argument("--workers", default="1,2,4")
        parser.add_argument("--rates", default="2,4,8,16,32")
        parser.add_argument("--seconds", type=float, default=8.0)
        parser.add_argument("--followers", type=int, default=2)
        parser.add_argument("--others", type=int, default=30)
        asyncio.run(main(parser.parse_args()))
