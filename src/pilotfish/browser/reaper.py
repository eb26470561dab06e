"""The undertaker: a tiny process that outlives us by a moment and leaves nothing of a browser behind.

Run as a script by path, on the bare standard library. It makes the folder that holds the browser's profile, prints its
path, and waits on standard input. When that ends, in whatever way our process went, it kills every process that names
the folder on its command line, with the process group it leads, and the driver that was told of it, and removes the
folder.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LINGER = 1.5
"""Seconds to keep looking after an unannounced end: the driver may just then be starting a browser."""

DEEP = 36
"""Letters: with the folder's name and the browser's for its socket, no more than the hundred that a socket may have."""

SHALLOW = "/tmp"

DRIVER = b"PW_LANG_NAME="

PATIENCE = 10.0
"""Seconds to go on removing the folder."""


def main() -> None:
    for signum in (signal.SIGINT, signal.SIGHUP):
        signal.signal(signum, signal.SIG_IGN)
    home = tempfile.mkdtemp(prefix="pilotfish-", dir=place())
    try:
        print(home, flush=True)
        announced = sys.stdin.readline().strip() == "bye"
    except BrokenPipeError:
        announced = False
    quiet = time.monotonic() + (0 if announced else LINGER)
    while kill(home) or time.monotonic() < quiet:
        time.sleep(0.02)
    bury(home, time.monotonic() + PATIENCE)
    os._exit(0)


def place() -> str:
    """Where temporary things go, unless that is so deep that the browser could make no socket in there."""
    usual = tempfile.gettempdir()
    return usual if len(usual) <= DEEP or not os.access(SHALLOW, os.W_OK | os.X_OK) else SHALLOW


def bury(home: str, deadline: float) -> None:
    """Remove the folder, again and again: a file that a dying process makes while we remove keeps it in place."""
    while Path(home).exists() and time.monotonic() < deadline:
        shutil.rmtree(home, ignore_errors=True)
        if Path(home).exists():
            kill(home)
            time.sleep(0.02)


def kill(home: str) -> bool:
    """Kill what names the folder; say whether anything did."""
    found = [pid for pid, command in processes() if home in command and pid != os.getpid()]
    for pid in found:
        try:
            if os.getpgid(pid) == pid:
                os.killpg(pid, signal.SIGKILL)
            else:
                os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    return bool(found)


def processes() -> list[tuple[int, str]]:
    proc = Path("/proc")
    if not (proc / "self" / "cmdline").exists():
        listing = subprocess.run(["ps", "-axww", "-o", "pid=,command="], capture_output=True, text=True, check=False)
        rows = (line.split(None, 1) for line in listing.stdout.splitlines())
        return [(int(row[0]), row[1]) for row in rows if len(row) == 2]
    found: list[tuple[int, str]] = []
    for entry in proc.iterdir():
        if entry.name.isdigit():
            try:
                found.append((int(entry.name), words(entry)))
            except OSError:
                continue
    return found


def words(entry: Path) -> str:
    """The command line; of a driver also its environment, which alone says where it puts its browser."""
    command = (entry / "cmdline").read_bytes()
    try:
        environment = (entry / "environ").read_bytes()
    except PermissionError:  # another person's, or a process of the browser that hides from its own kind
        environment = b""
    return (command + (environment if DRIVER in environment else b"")).decode(errors="replace")


if __name__ == "__main__":
    main()
