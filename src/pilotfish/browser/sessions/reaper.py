"""The reaper: a small process that outlives its parent for a moment and removes what a browser leaves behind.

Run as a script by path, on the bare standard library. It makes the folder that holds the browser's profile, prints its
path, and waits on standard input. When that ends, however the parent ended, it kills every process that names the
folder on its command line or, for the driver, in its environment, with their process groups, and removes the folder.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LATE_START_SECONDS = 1.5
"""Seconds to keep looking after an unannounced end: the driver may just then be starting a browser."""

LONGEST_FOLDER = 36
"""Characters: with the folder's and the socket's names, at most the hundred that a socket's path may have."""

SHORT_FOLDER = "/tmp"

DRIVER_SIGN = b"PW_LANG_NAME="

REMOVAL_TIMEOUT = 10.0


def main() -> None:
    for signum in (signal.SIGINT, signal.SIGHUP):
        signal.signal(signum, signal.SIG_IGN)
    home = tempfile.mkdtemp(prefix="pilotfish-", dir=find_temporary_folder())
    try:
        print(home, flush=True)
        announced = sys.stdin.readline().strip() == "bye"
    except BrokenPipeError:
        announced = False
    quiet = time.monotonic() + (0 if announced else LATE_START_SECONDS)
    while kill_processes(home) or time.monotonic() < quiet:
        time.sleep(0.02)
    remove_folder(home, time.monotonic() + REMOVAL_TIMEOUT)
    os._exit(0)


def find_temporary_folder() -> str:
    """The folder for temporary files, unless its path is too long for the browser's socket."""
    usual = tempfile.gettempdir()
    return usual if len(usual) <= LONGEST_FOLDER or not os.access(SHORT_FOLDER, os.W_OK | os.X_OK) else SHORT_FOLDER


def remove_folder(home: str, deadline: float) -> None:
    """Remove the folder, repeatedly: a dying process may create a file in it meanwhile."""
    while Path(home).exists() and time.monotonic() < deadline:
        shutil.rmtree(home, ignore_errors=True)
        if Path(home).exists():
            kill_processes(home)
            time.sleep(0.02)


def kill_processes(home: str) -> bool:
    """Kill the processes that name the folder; return whether there were any."""
    found = [pid for pid, command in list_processes() if home in command and pid != os.getpid()]
    for pid in found:
        try:
            if os.getpgid(pid) == pid:
                os.killpg(pid, signal.SIGKILL)
            else:
                os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    return bool(found)


def list_processes() -> list[tuple[int, str]]:
    proc = Path("/proc")
    if not (proc / "self" / "cmdline").exists():
        listing = subprocess.run(["ps", "-axww", "-o", "pid=,command="], capture_output=True, text=True, check=False)
        rows = (line.split(None, 1) for line in listing.stdout.splitlines())
        return [(int(row[0]), row[1]) for row in rows if len(row) == 2]
    found: list[tuple[int, str]] = []
    for entry in proc.iterdir():
        if entry.name.isdigit():
            try:
                found.append((int(entry.name), read_command_line(entry)))
            except OSError:
                continue
    return found


def read_command_line(entry: Path) -> str:
    """The command line; of a driver also its environment, which alone says where it puts its browser."""
    command = (entry / "cmdline").read_bytes()
    try:
        environment = (entry / "environ").read_bytes()
    except PermissionError:  # another user's process, or a sandboxed one of the browser
        environment = b""
    return (command + (environment if DRIVER_SIGN in environment else b"")).decode(errors="replace")


if __name__ == "__main__":
    main()
