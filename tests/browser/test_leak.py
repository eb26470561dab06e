"""Nothing is left behind, however we go."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

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
