"""Nothing is left behind, however we go."""

import itertools
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pilotfish.browser.sessions import reaper

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]

SESSIONS = 4
PROCESSES = 10
LANES = 2
CHILD = f"""
import asyncio, pathlib, sys
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.core.settings import BrowserSettings

async def main():
    pool = BrowserPool(BrowserSettings())
    folder = pathlib.Path(sys.argv[1])
    print("up", flush=True)
    while True:
        sessions = await asyncio.gather(*(pool.lease(str(n), folder) for n in range({SESSIONS})))
        await asyncio.gather(*(s.open("data:text/html,<title>x</title><button>x") for s in sessions))
        print("open", flush=True)
        for n in range({SESSIONS}):
            await pool.end(str(n))

asyncio.run(main())
"""


def processes(mark: str) -> list[str]:
    """Command lines of processes whose environment or command line carries the mark."""
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        try:
            if (
                entry.name.isdigit()
                and mark.encode() in (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes()
            ):
                found.append((entry / "cmdline").read_bytes().decode(errors="replace")[:120])
        except OSError:
            continue
    return found


def until_none(mark: str, seconds: float) -> list[str]:
    deadline = time.monotonic() + seconds
    while (left := processes(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


@pytest.fixture
def shallow() -> Generator[Path]:
    """A folder with a short path, so that browsers begin right there."""
    with tempfile.TemporaryDirectory(prefix="leak-", dir="/tmp") as folder:
        yield Path(folder)


def run_and_kill(folder: Path, mark: str, wait: str, after: float) -> None:
    """A program that is killed so long after it said what is waited for."""
    name, value = mark.split("=")
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder)],
        env={**os.environ, name: value, "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert wait in (line.strip() for line in child.stdout)
    time.sleep(after)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    assert until_none(mark, 15) == []


@pytest.mark.timeout(400)
def test_programs_killed_at_random_moments_leave_no_process_and_no_profile(shallow: Path) -> None:
    """Half of the programs while they start, half of them when all their sessions were open."""
    dice = random.Random(3)
    with ThreadPoolExecutor(LANES) as lanes:
        ends = [
            lanes.submit(run_and_kill, shallow, f"PILOTFISH_LEAK={shallow.name}-{number}", wait, dice.uniform(0.0, 2.0))
            for number, wait in zip(range(PROCESSES), itertools.cycle(["up", "open"]), strict=False)
        ]
    for end in ends:
        end.result()
    assert list(shallow.iterdir()) == []


SCRIBBLER = """
import pathlib, time
home = pathlib.Path(input())
print("up", flush=True)
end = time.monotonic() + 3
while time.monotonic() < end and home.exists():
    for number in range(100):
        try:
            (home / f"{time.monotonic_ns()}-{number}").touch()
        except OSError:
            break
"""


def test_a_profile_goes_though_somebody_writes_into_it_while_it_is_removed(shallow: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, reaper.__file__],
        env={**os.environ, "TMPDIR": str(shallow)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None and process.stdout is not None
    home = process.stdout.readline().strip()
    scribbler = subprocess.Popen(
        [sys.executable, "-c", SCRIBBLER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert scribbler.stdin is not None and scribbler.stdout is not None
    scribbler.stdin.write(f"{home}\n")
    scribbler.stdin.close()
    scribbler.stdout.readline()
    time.sleep(0.2)
    process.stdin.write("bye\n")
    process.stdin.close()
    process.wait(15)
    scribbler.wait(15)
    for pipe in (process.stdout, scribbler.stdout):
        pipe.close()
    assert list(shallow.iterdir()) == []
