"""Nothing is left behind, however we go."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pilotfish.browser import reaper

pytestmark = pytest.mark.slow

SESSIONS = 4
PROCESSES = 25
CHILD = f"""
import asyncio, pathlib, sys
from pilotfish.browser.pool import Pool
from pilotfish.core.settings import Browser

async def main():
    pool = Pool(Browser())
    folder = pathlib.Path(sys.argv[1])
    print("up", flush=True)
    while True:
        sessions = await asyncio.gather(*(pool.lease(str(n), folder) for n in range({SESSIONS})))
        await asyncio.gather(*(s.open("data:text/html,<title>x</title><button>x") for s in sessions))
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


@pytest.mark.timeout(400)
def test_a_hundred_sessions_killed_at_random_leave_no_process_and_no_profile(tmp_path: Path) -> None:
    dice = random.Random(3)
    for number in range(PROCESSES):
        mark = f"PILOTFISH_LEAK={tmp_path.name}-{number}"
        name, value = mark.split("=")
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(tmp_path)],
            env={**os.environ, name: value, "TMPDIR": str(tmp_path)},
            stdout=subprocess.PIPE,
        )
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(dice.uniform(0.0, 4.0))
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        assert until_none(mark, 15) == []
    assert list(tmp_path.glob("pilotfish-browser-*")) == []
    assert list(tmp_path.glob("playwright*")) == []


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


def test_a_profile_goes_though_somebody_writes_into_it_while_it_is_removed(tmp_path: Path) -> None:
    undertaker = subprocess.Popen(
        [sys.executable, reaper.__file__],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert undertaker.stdin is not None and undertaker.stdout is not None
    home = undertaker.stdout.readline().strip()
    scribbler = subprocess.Popen(
        [sys.executable, "-c", SCRIBBLER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert scribbler.stdin is not None and scribbler.stdout is not None
    scribbler.stdin.write(f"{home}\n")
    scribbler.stdin.close()
    scribbler.stdout.readline()
    time.sleep(0.2)
    undertaker.stdin.write("bye\n")
    undertaker.stdin.close()
    undertaker.wait(15)
    scribbler.wait(15)
    for pipe in (undertaker.stdout, scribbler.stdout):
        pipe.close()
    assert list(tmp_path.iterdir()) == []
