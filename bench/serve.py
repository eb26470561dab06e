"""What the server bears: many runs, many followers who come and go, words while they are written, idle watchers.

    python bench/serve.py [RUNS] [FOLLOWERS_OF_EACH] [IDLE]

One server process; followers in this one. Every follower leaves at random and comes back with Last-Event-ID, and must
have heard each event once. Latency is from the moment an event is made, before it is written, to when it is heard; an
event made while its follower is on the way counts as well. All followers come at the same moment, so it is told apart
for those made until the last of them had heard something, and from then on.
"""

import asyncio
import contextlib
import json
import math
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

EVENTS = 20
WORDS = 200
LEAVE = 0.05


async def child(home: Path) -> None:
    """The server, with loops that talk a lot, at a steady pace, or not at all."""
    from pilotfish.app import loop
    from pilotfish.core.events import TextDelta
    from pilotfish.core.settings import ModelSettings, ServerSettings, Settings
    from pilotfish.interfaces.web_server.app import serve
    from pilotfish.runtime.run import Run

    @loop("story")
    async def story(run: Run) -> None:
        for number in range(EVENTS):
            await asyncio.sleep(random.uniform(0.05, 0.45))
            await run.report("planning", "started", f"Step {number}.")
        await run.finish("The end.")

    @loop("words")
    async def words(run: Run) -> None:
        await run.request_input("Ready?")
        for _ in range(WORDS):
            run.context.journal.send_delta(TextDelta(run=run.id, call="1", text=str(time.time())))
            await asyncio.sleep(0.01)
        await run.finish("The end.")

    @loop("idle")
    async def idle(run: Run) -> None:
        await run.request_input("Anybody?")

    settings = Settings(home=home, models=ModelSettings(main="scripted"), server=ServerSettings(port=0))
    await serve(settings, ready=lambda url: print(url, flush=True))


class Remote:
    """The server from outside, by plain sockets: the client must not be what is measured."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "", parts.port or 0
        self.token = parse_qs(parts.query)["token"][0]

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> asyncio.StreamReader:
        """The answer from its body on. A server that says "too much" is asked again a little later."""
        while True:
            reader, writer = await asyncio.open_connection(self.host, self.port, limit=1 << 20)
            data = b"" if body is None else json.dumps(body).encode()
            lines = {
                "host": f"{self.host}:{self.port}",
                "authorization": f"Bearer {self.token}",
                "content-type": "application/json",
                "content-length": str(len(data)),
                **headers,
            }
            head = f"{method} {path} HTTP/1.0\r\n" + "".join(f"{n}: {v}\r\n" for n, v in lines.items()) + "\r\n"
            writer.write(head.encode() + data)
            answer = (await reader.readuntil(b"\r\n\r\n")).decode()
            self.writer = writer
            if " 429 " not in answer.splitlines()[0]:
                return reader
            writer.close()
            await asyncio.sleep(random.uniform(0.2, 1.0))

    async def start(self, loop: str) -> str:
        reader = await self.ask("POST", "/api/runs", {"task": "go", "loop": loop})
        return json.loads(await reader.read())["id"]

    async def follow(self, run: str, after: int = 0) -> AsyncGenerator[tuple[str, dict[str, Any]]]:
        reader = await self.ask("GET", f"/api/runs/{run}/events", **{"last-event-id": str(after)})
        writer = self.writer
        try:
            name = ""
            while line := await reader.readline():
                if line.startswith(b"event: "):
                    name = line[7:].decode().strip()
                elif line.startswith(b"data: "):
                    yield name, json.loads(line[6:])
        finally:
            writer.close()


class Heard:
    """What all followers heard: how late, by when it was made, and when the last of them heard something first."""

    def __init__(self) -> None:
        self.late: list[tuple[float, float]] = []
        self.calm = 0.0

    def share(self, name: str, since: float, until: float) -> str:
        late = [delay for made, delay in self.late if since <= made < until]
        told = (
            ", ".join(f"p{percent} {share(late, percent):.1f} ms" for percent in (50, 95, 99)) if late[1:] else "none"
        )
        return f"  latency {name}: {told} ({len(late)} heard)"


async def listener(server: Remote, run: str, heard: Heard) -> tuple[list[int], int]:
    """What one follower heard of a run, leaving now and then; and how often it left."""
    seen: list[int] = []
    left = 0
    while True:
        began = time.time()
        events = server.follow(run, seen[-1] if seen else 0)
        async with contextlib.aclosing(events):
            async for name, event in events:
                now, made = time.time(), datetime.fromisoformat(event["at"]).timestamp()
                if made > began:
                    heard.late.append((made, now - made))
                if not seen:
                    heard.calm = max(heard.calm, now)
                seen.append(event["seq"])
                if name == "done":
                    return seen, left
                if random.random() < LEAVE:
                    left += 1
                    break


async def crowd(server: Remote, runs: int, each: int, process: int) -> None:
    heard = Heard()
    began, before = time.perf_counter(), cpu(process)
    ids = [await server.start("story") for _ in range(runs)]
    started = cpu(process)
    mine = time.process_time()
    stories = await asyncio.gather(*(listener(server, run, heard) for run in ids for _ in range(each)))
    wrong = sum(seen != list(range(1, len(seen) + 1)) for seen, _ in stories)
    count = sum(len(seen) for seen, _ in stories)
    print(f"{runs} runs, {len(stories)} followers: {count} events heard in {time.perf_counter() - began:.1f} s,")
    print(f"  {sum(left for _, left in stories)} disconnects, {wrong} followers that missed or doubled something")
    print(f"  server's CPU: {started - before:.1f} s to start them, {cpu(process) - started:.1f} s from then on,")
    print(f"  followers' CPU, which is this process's: {time.process_time() - mine:.1f} s")
    print(heard.share("of all", 0, math.inf))
    print(heard.share("while all come", 0, heard.calm))
    print(heard.share("from then on", heard.calm, math.inf))


async def stream(server: Remote) -> None:
    """Words while they are written, with nothing else going on."""
    run = await server.start("words")
    late: list[float] = []
    async for name, event in server.follow(run):
        if name == "input_request":
            await (await server.ask("POST", f"/api/runs/{run}/answer", {"text": "yes"})).read()
        elif name == "content":
            late.append(time.time() - float(event["text"]))
    print(f"{len(late)} words: p50 {share(late, 50):.2f} ms, p95 {share(late, 95):.2f} ms over the provider")


async def watchers(server: Remote, count: int, process: int) -> None:
    """Memory for followers of a run that says nothing."""
    run = await server.start("idle")
    before = memory(process)
    held: list[Any] = []
    while len(held) < count:
        reader = await server.ask("GET", f"/api/runs/{run}/events")
        held.append((reader, server.writer))
    after = memory(process)
    print(f"{count} idle followers: {before:.0f} MB before, {after:.0f} MB with them")
    for _, writer in held:
        writer.close()


def memory(process: int) -> float:
    """Resident megabytes."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


def cpu(process: int) -> float:
    """Seconds of CPU so far: what the start costs, however busy the machine is."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share(values: list[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1] * 1000


async def main(runs: int, each: int, idle: int) -> None:
    with tempfile.TemporaryDirectory() as home:
        began = time.perf_counter()
        # As for people, whose Python keeps what it compiled.
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        process = await asyncio.create_subprocess_exec(
            sys.executable, __file__, "--child", home, stdout=asyncio.subprocess.PIPE, env=env
        )
        assert process.stdout is not None
        server = Remote((await process.stdout.readline()).decode().strip())
        print(f"server up in {time.perf_counter() - began:.2f} s, {cpu(process.pid):.2f} s of CPU")
        try:
            await stream(server)
            await crowd(server, runs, each, process.pid)
            await watchers(server, idle, process.pid)
        finally:
            process.terminate()
            began = time.perf_counter()
            await process.wait()
            print(f"server down in {time.perf_counter() - began:.2f} s, exit code {process.returncode}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        asyncio.run(child(Path(sys.argv[2])))
    else:
        wanted = [int(word) for word in sys.argv[1:]]
        asyncio.run(main(*(wanted + [100, 3, 1000][len(wanted) :])))
