"""Killing the process at every moment of a run: nothing is lost, nothing is done twice."""

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pilotfish.core import events
from pilotfish.store.database import Database

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]
CHAOS = Path(__file__).with_name("chaos.py")


class Site:
    """A server that remembers every visit."""

    def __init__(self) -> None:
        visits = self.visits = Counter[str]()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                visits[self.path] += 1
                self.send_response(200)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Zygotes:
    """Some processes that fork lives, so that several can be lived at once."""

    def __init__(self, count: int) -> None:
        self.free: asyncio.Queue[subprocess.Popen[str]] = asyncio.Queue()
        for _ in range(count):
            self.free.put_nowait(
                subprocess.Popen([sys.executable, CHAOS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            )

    async def live(self, **life: Any) -> dict[str, Any]:
        zygote = await self.free.get()
        try:
            return await asyncio.to_thread(self._live, zygote, life)
        finally:
            self.free.put_nowait(zygote)

    def _live(self, zygote: "subprocess.Popen[str]", life: dict[str, Any]) -> dict[str, Any]:
        assert zygote.stdin and zygote.stdout
        zygote.stdin.write(json.dumps(life) + "\n")
        zygote.stdin.flush()
        return json.loads(zygote.stdout.readline())

    def close(self) -> None:
        while not self.free.empty():
            zygote = self.free.get_nowait()
            zygote.kill()
            zygote.communicate()


async def check(database: str, run: str, site: Site, died: str) -> str:
    """The journal tells one whole story, and the world agrees with it."""
    async with await Database.open(database) as store:
        story = await store.events(run)
    assert [e.seq for e in story] == list(range(1, len(story) + 1)), died
    keys = [e.key for e in story]
    assert len(keys) == len(set(keys)), died
    ends = [e for e in story if isinstance(e, events.RunFinished)]
    assert len(ends) == 1 and story[-1] is ends[0], died
    assert ends[0].outcome == "completed", (died, ends[0])
    assert ends[0].text.startswith("yes, "), died
    finished = {e.key.removesuffix(".finished"): e for e in story if isinstance(e, events.ToolFinished)}
    started = {e.key.removesuffix(".started"): e for e in story if isinstance(e, events.ToolStarted)}
    assert set(started) == set(finished), died
    for key, begun in started.items():
        times = site.visits[f"/effect/{run}/{begun.args['number']}"]
        assert times <= 1, f"{died}: effect {begun.args['number']} happened {times} times"
        assert finished[key].unknown or times == 1, died
    # A reply that was not yet journalled when the process died is asked for again; one that was, never.
    limit = 2 if died.startswith(("before append", "none")) else 1
    for turn in range(3):
        assert site.visits[f"/model/{turn}"] <= limit, f"{died}: model call {turn} repeated"
    return "unknown outcome" if any(e.unknown for e in finished.values()) else "as if nothing had happened"


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
async def test_a_run_killed_at_any_moment_goes_on_without_doing_anything_twice(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    server = "" if engine == "sqlite" else request.getfixturevalue("postgres_server")
    zygotes = Zygotes(4)
    try:
        whole = await one(zygotes, server, tmp_path / "whole", 0)
        moments = whole["moments"][0]
        assert moments > 30
        # Every moment takes minutes, so by default some are left out; PILOTFISH_CHAOS=1 kills at each of them.
        stride = int(os.environ.get("PILOTFISH_CHAOS", "8" if server else "3"))
        kills = range(1, moments + 1, stride)
        rows = await asyncio.gather(*(one(zygotes, server, tmp_path / str(kill), kill) for kill in kills))
    finally:
        zygotes.close()
    table = Counter((row["died"], row["then"]) for row in rows)
    print(f"\n{engine}: {len(rows)} kills over {moments} moments")
    for (died, then), count in sorted(table.items()):
        print(f"  {count:3}  killed {died:42} → {then}")


async def one(zygotes: Zygotes, server: str, home: Path, kill: int) -> dict[str, Any]:
    """Live until killed, live again to the end, and check what is left."""
    home.mkdir()
    site = Site()
    database = fresh(server) if server else ""
    life = {"home": str(home), "database": database, "site": site.url, "run": f"run{kill}"}
    first = await zygotes.live(**life, kill=kill)
    died = first["moments"][1] if kill else "none"
    if kill:
        assert first["status"] == 9, f"it should have died at moment {kill}: {first}"
        second = await zygotes.live(**life)
        assert second["status"] == 0, (died, second)
    else:
        assert first["status"] == 0, first
    then = await check(database or f"sqlite:///{home / 'pilotfish.db'}", life["run"], site, died)
    site.server.shutdown()
    site.server.server_close()
    return {**first, "died": died, "then": then}


def fresh(server: str) -> str:
    from uuid import uuid4

    import psycopg

    name = f"chaos_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return server.replace("/postgres?", f"/{name}?", 1)
