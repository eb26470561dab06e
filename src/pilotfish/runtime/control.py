"""Applies a person's commands to a run: stop, pause, resume, answers to its questions, and messages.

Commands are kept in the store, so a resumed run gets them again.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from datetime import datetime
from typing import Any, TypeVar

from pilotfish.core.errors import Stopped
from pilotfish.core.events import current_time
from pilotfish.core.records import Command

T = TypeVar("T")


class RunControl:
    """Whether one run is stopped, paused or held for another worker, and the answers that it received."""

    def __init__(self) -> None:
        self.seen = 0
        self.paused = False
        self.stopping = asyncio.Event()
        self.paused_why = ""
        self.answers: dict[str, Command] = {}
        self.said: list[Command] = []
        self.held = False
        self.resting = asyncio.Event()
        self._changed = asyncio.Condition()

    async def apply(self, commands: Sequence[Command]) -> None:
        """Apply commands in order, each once."""
        for command in commands:
            if command.id <= self.seen:
                continue
            self.seen = command.id
            match command.verb:
                case "stop":
                    self.stopping.set()
                case "pause":
                    self.paused, self.paused_why = True, command.text or "paused by the person"
                case "resume":
                    self.paused = False
                case "answer":
                    self.answers.setdefault(command.request, command)
                case "say":
                    self.said.append(command)
        async with self._changed:
            self._changed.notify_all()

    def check(self) -> None:
        """Raise Stopped if the person stopped the run."""
        if self.stopping.is_set():
            raise Stopped("Stopped.")

    async def wait_until_resumed(self) -> None:
        """Wait until the run is not paused any more, or is stopped."""
        async with self._changed:
            await self._changed.wait_for(lambda: not self.paused or self.stopping.is_set())
        self.check()

    async def wait_for_other_worker(self) -> None:
        """Begin no further step, so that another worker can go on from here."""
        self.resting.set()
        await asyncio.Event().wait()

    async def answer(self, request: str, deadline: datetime | None) -> Command | None:
        """The answer to a question, or None when its time is over."""
        left = None if deadline is None else max(0.0, (deadline - current_time()).total_seconds())
        try:
            async with asyncio.timeout(left), self._changed:
                await self._changed.wait_for(lambda: request in self.answers or self.stopping.is_set())
        except TimeoutError:
            return None
        self.check()
        return self.answers[request]

    async def run_until_stopped(self, work: Coroutine[Any, Any, T]) -> T:
        """Do the work; on stop, cancel it at once and wait for its clean-up."""
        if self.stopping.is_set():
            work.close()
            self.check()
        task = asyncio.ensure_future(work)
        stop = asyncio.ensure_future(self.stopping.wait())
        try:
            await asyncio.wait((task, stop), return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise Stopped("Stopped.")
        finally:
            for one in (task, stop):
                one.cancel()
            # A clean-up that hangs must not keep the person waiting.
            done, _ = await asyncio.wait((task, stop), timeout=0.8)
            if task in done and not task.cancelled():
                task.exception()
