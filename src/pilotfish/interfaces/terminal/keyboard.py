"""The person at the keyboard while a run is told: answers its questions by typing, stops it by Ctrl-C."""

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from pilotfish.core.events import InputReceived, InputRequested, InputTimedOut
from pilotfish.interfaces.terminal.desk import Desk

if TYPE_CHECKING:
    from rich.console import Console

LONGEST = 65_536


class Keyboard:
    """For who began a run: Ctrl-C stops it, again leaves at once; where nobody types, its questions are turned down."""

    def __init__(self, desk: Desk, run: str, notes: "Console") -> None:
        self.desk = desk
        self.run = run
        self.notes = notes
        self._main = asyncio.current_task()
        self._stops = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._typing: asyncio.Task[None] | None = None
        self._answered = ""

    def __enter__(self) -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._interrupted)

    def __exit__(self, *_: object) -> None:
        asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
        for task in self._tasks:
            task.cancel()

    def _interrupted(self) -> None:
        self._stops += 1
        if self._stops > 1 and self._main is not None:
            self._main.cancel()
            return
        self.notes.print("\nStopping … (Ctrl-C again leaves at once)", style="yellow")
        self.later(self.desk.command(self.run, "stop"))

    def question(self, asked: InputRequested) -> None:
        """Ask at the terminal, if somebody can sit there."""
        if sys.stdin.isatty():
            self._typing = self.later(self._answer(asked))
        else:
            self.absent(asked)

    def settled(self, end: InputReceived | InputTimedOut) -> None:
        """The question was answered, here or elsewhere, or its time is over."""
        if self._typing is not None:
            self._typing.cancel()
        if isinstance(end, InputTimedOut):
            self.notes.print("\nNobody answered in time.", style="yellow")
        elif end.request != self._answered:
            self.notes.print(f"→ {end.answer}", markup=False, highlight=False)

    def leave(self) -> None:
        """The run ends: what it asked needs no answer any more."""
        if self._typing is not None and self._typing.cancel():
            self.notes.print()

    def absent(self, asked: InputRequested) -> None:
        """Nobody types: an approval is denied, and a question stops the run."""
        self._answered = asked.request
        if asked.kind == "approval":
            self.notes.print(f"Denied, as nobody is there to approve it: {asked.question}", markup=False)
            self.later(self.desk.command(self.run, "answer", text=asked.choices[-1], request=asked.request))
        else:
            self.notes.print(f"It asks: {asked.question}\n→ Run it in a terminal to answer.", markup=False)
            self.later(self.desk.command(self.run, "stop"))

    async def _answer(self, asked: InputRequested) -> None:
        self._ask(asked)
        while not (line := await _line()).strip():
            if not line:
                self.absent(asked)
                return
            self.notes.print("> ", end="")
        said = line.strip()
        if said.isdigit() and 0 < int(said) <= len(asked.choices):
            said = asked.choices[int(said) - 1]
        self._answered = asked.request
        await self.desk.command(self.run, "answer", text=said, request=asked.request)

    def _ask(self, asked: InputRequested) -> None:
        """The question as a person reads it: what and why, on which page, and how to answer."""
        self.notes.print(asked.question, style="bold", markup=False, highlight=False)
        if where := asked.details.get("where"):
            self.notes.print(f"  page: {where}", style="dim", markup=False, highlight=False)
        for number, choice in enumerate(asked.choices, 1):
            self.notes.print(f"  {number}. {choice}", markup=False, highlight=False)
        if asked.choices:
            other = "why not" if asked.kind == "approval" else "your own words"
            self.notes.print(f"A number, or {other}:", style="dim")
        self.notes.print("> ", end="")

    def later(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


class Onlooker(Keyboard):
    """For who only watches: where nobody types, questions are left to whoever else is there."""

    def absent(self, asked: InputRequested) -> None:
        told = f"It asks: {asked.question}\n→ Answer with `pilotfish answer {self.run} TEXT`."
        self.notes.print(told, markup=False, highlight=False)


async def _line() -> str:
    """A typed line, read without a thread that would keep the program from leaving. A terminal gives one at a time."""
    loop, keys = asyncio.get_running_loop(), sys.stdin.fileno()
    typed: asyncio.Future[bytes] = loop.create_future()
    loop.add_reader(keys, lambda: typed.done() or typed.set_result(os.read(keys, LONGEST)))
    try:
        return (await typed).decode(errors="replace")
    finally:
        loop.remove_reader(keys)
