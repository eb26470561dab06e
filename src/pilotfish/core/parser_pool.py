"""Runs parsers of untrusted documents in processes of their own, within limits of time and memory.

A process serves one document at a time and is killed when the document takes too long; the next one starts a new
process. The limit counts the processor's time, so that a busy machine does not cut off what is harmless. What goes
there and back are bytes and JSON, so a parser that was taken over can hand back data only.
"""

import asyncio
import atexit
import contextlib
import json
import os
import signal
import struct
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import IO, Any

from pilotfish.core.current_run import CURRENT_USER
from pilotfish.core.errors import ToolError

TIME_LIMIT = 15.0
CLOCK_FACTOR = 4
"""How many times the limit may pass on the clock, whatever the processor says."""
MEMORY_BYTES = 2_000_000_000
MOST_PROCESSES, PROCESSES_PER_USER, SPARE_PROCESSES = 6, 2, 2
"""How many run at most, how many of them for one user, and how many are kept when there is nothing to do."""
IDLE_SECONDS = 120
MESSAGE_HEADER = struct.Struct(">II")
TAKEN_SIGN = b"+"


class ParserProcess:
    """One process, and the pipes to it."""

    def __init__(self) -> None:
        path = os.pathsep.join(filter(None, sys.path))
        # A parser must not see the keys and tokens in our environment.
        self.process = subprocess.Popen(
            (sys.executable, "-P", "-m", "pilotfish.core.parser_pool"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
            cwd="/",
        )
        self._expired = False

    @property
    def expired(self) -> bool:
        return self._expired or self.process.poll() == -signal.SIGPROF

    def ask(self, head: bytes, data: bytes, limit: float) -> bytes | None:
        """The answer; none where the process ended without one. BrokenPipeError: it had ended before."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        alarm = threading.Timer(limit * CLOCK_FACTOR, self._expire)
        alarm.start()
        try:
            self.process.stdin.write(MESSAGE_HEADER.pack(len(head), len(data)) + head)
            self.process.stdin.write(data)
            self.process.stdin.flush()
            if self.process.stdout.read(1) != TAKEN_SIGN and not self._expired:
                raise BrokenPipeError
            size = self.process.stdout.read(4)
            answer = self.process.stdout.read(int.from_bytes(size, "big")) if len(size) == 4 else b""
            return answer if len(size) == 4 and len(answer) == int.from_bytes(size, "big") else None
        finally:
            alarm.cancel()

    def _expire(self) -> None:
        self._expired = True
        self.process.kill()

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


class ParserPool:
    """The processes, started when they are first needed. Its threads are its own, so nothing else waits for them."""

    def __init__(self, limit: float = TIME_LIMIT, processes: int = MOST_PROCESSES) -> None:
        self.limit = limit
        self._threads = ThreadPoolExecutor(processes, thread_name_prefix="parser")
        self._idle: list[ParserProcess] = []
        self._lock = threading.Lock()
        self._busy: Counter[str] = Counter()

    async def run(self, function: Callable[..., Any], data: bytes, what: str, owner: str, **options: Any) -> Any:
        """What the function makes of the data and options. It must be at the top of a module and return JSON values."""
        owner = owner or CURRENT_USER.get()
        # Callers may run in different event loops, so an asyncio event does not work here.
        while owner and self._busy[owner] >= PROCESSES_PER_USER:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        self._busy[owner] += 1
        job = {"module": function.__module__, "function": function.__name__, "options": options, "limit": self.limit}
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, self._ask, json.dumps(job).encode(), data, what)
        finally:
            self._busy[owner] -= 1
            self._busy += Counter[str]()

    def close(self) -> None:
        """End the processes that have nothing to do."""
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.end()

    def _ask(self, head: bytes, data: bytes, what: str) -> Any:
        for process in (self._take(), None):
            process = process or ParserProcess()
            try:
                answer = process.ask(head, data, self.limit)
            except BrokenPipeError:
                process.end()
                continue
            if answer is not None:
                self._give_back(process)
                return _value(json.loads(answer))
            process.process.wait()
            expired = process.expired
            process.end()
            if expired:
                message = f"{what} took too long to read (more than {self.limit:g} s)."
                raise ToolError(message, "Look for a shorter version, or for another source.")
            raise ToolError(f"{what} could not be read: it is damaged, or too much for the memory.", OTHER_SOURCE_FIX)
        raise ToolError(f"{what} could not be read: no process could be started for it.", "Try again.")

    def _take(self) -> ParserProcess | None:
        with self._lock:
            return self._idle.pop() if self._idle else None

    def _give_back(self, process: ParserProcess) -> None:
        with self._lock:
            if len(self._idle) < SPARE_PROCESSES:
                self._idle.append(process)
                return
        process.end()


OTHER_SOURCE_FIX = "Look for another version of it, or for another source."


def _value(answer: Mapping[str, Any]) -> Any:
    if "error" in answer:
        raise ToolError(*answer["error"])
    return answer["value"]


@cache
def parsers() -> ParserPool:
    """The pool of this program."""
    pool = ParserPool()
    atexit.register(pool.close)
    return pool


async def parse_apart(
    function: Callable[..., Any], data: bytes, *, what: str = "The document", owner: str = "", **options: Any
) -> Any:
    """Run a parser over untrusted data in another process; a ToolError says why there is no result."""
    return await parsers().run(function, data, what, owner, **options)


def main() -> None:
    """Serve documents from standard input until it ends."""
    import resource

    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    source = os.fdopen(0, "rb")
    while True:
        signal.alarm(IDLE_SECONDS)
        if not _serve(source, answers):
            return


def _serve(source: IO[bytes], answers: IO[bytes]) -> bool:
    import importlib

    sizes = source.read(MESSAGE_HEADER.size)
    if len(sizes) < MESSAGE_HEADER.size:
        return False
    head, data = (source.read(size) for size in MESSAGE_HEADER.unpack(sizes))
    answers.write(TAKEN_SIGN)
    answers.flush()
    job = json.loads(head)
    signal.alarm(int(job["limit"] * CLOCK_FACTOR) + 2)
    signal.setitimer(signal.ITIMER_PROF, job["limit"])
    try:
        function = getattr(importlib.import_module(job["module"]), job["function"])
        answer: Mapping[str, Any] = {"value": function(data, **job["options"])}
    except ToolError as error:
        answer = {"error": [error.message, error.fix]}
    signal.setitimer(signal.ITIMER_PROF, 0)
    sent = json.dumps(answer).encode()
    answers.write(len(sent).to_bytes(4, "big") + sent)
    answers.flush()
    return True


if __name__ == "__main__":
    main()
