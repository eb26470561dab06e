"""Handles the keyboard while a run is printed: typed messages and answers, and Ctrl-C to stop the run."""

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from pilotfish.core.answers import list_choices, read_answer
from pilotfish.core.errors import PilotfishError
from pilotfish.core.events import InputReceived, InputRequested, InputTimedOut
from pilotfish.interfaces.terminal.command_target import RunControls

if TYPE_CHECKING:
    from rich.console import Console

LONGEST_INPUT = 65_536


class Keyboard:
    """For the person who started the run. A second Ctrl-C exits at once. Without a terminal, questions are denied."""

    def __init__(self, controls: RunControls, run: str, notes: "Console") -> None:
        self.controls = controls
        self.run = run
        self.notes = notes
        self._main = asyncio.current_task()
        self._stops = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._typing: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None
        self._answered = ""

    def __enter__(self) -> None:
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._handle_interrupt)
        self._listen()

    def __exit__(self, *_: object) -> None:
        asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
        for task in self._tasks:
            task.cancel()

    def _handle_interrupt(self) -> None:
        self._stops += 1
        if self._stops > 1 and self._main is not None:
            self._main.cancel()
            return
        self.notes.print("\nStopping … (Ctrl-C again leaves at once)", style="yellow")
        self.start_task(self.controls.command(self.run, "stop"))

    def ask_question(self, asked: InputRequested) -> None:
        """Ask at the terminal, if standard input is one."""
        if self._listening is not None:
            self._listening.cancel()
        if sys.stdin.isatty():
            self._typing = self.start_task(self._answer(asked))
        else:
            self.answer_unattended(asked)

    def end_question(self, end: InputReceived | InputTimedOut) -> None:
        """Stop waiting: the question was answered, here or elsewhere, or its time is over."""
        if self._typing is not None:
            self._typing.cancel()
        if self._listening is not None:
            self._listen()
        if isinstance(end, InputTimedOut):
            self.notes.print("\nNobody answered in time.", style="yellow")
        elif end.request != self._answered:
            self.notes.print(f"→ {end.answer}", markup=False, highlight=False)

    def cancel_question(self) -> None:
        """Stop waiting for an answer: the run ends."""
        if self._typing is not None and self._typing.cancel():
            self.notes.print()

    def answer_unattended(self, asked: InputRequested) -> None:
        """Without a terminal: deny an approval, and stop the run at a question."""
        self._answered = asked.request
        if asked.kind == "approval":
            self.notes.print(f"Denied, as nobody is there to approve it: {asked.question}", markup=False)
            self.start_task(self.controls.command(self.run, "answer", text=asked.choices[-1], request=asked.request))
        else:
            self.notes.print(f"It asks: {asked.question}\n→ Run it in a terminal to answer.", markup=False)
            self.start_task(self.controls.command(self.run, "stop"))

    def _listen(self) -> None:
        """Send what is typed while no question is open to the run."""
        if sys.stdin.isatty():
            self._listening = self.start_task(self._steer())

    async def _steer(self) -> None:
        while line := await _read_line():
            try:
                if line.strip():
                    await self.controls.command(self.run, "say", text=line.strip())
            except PilotfishError as error:
                self.notes.print(error.message, style="yellow", markup=False)

    async def _answer(self, asked: InputRequested) -> None:
        self._ask(asked)
        while not (line := await _read_line()).strip():
            if not line:
                self.answer_unattended(asked)
                return
            self.notes.print("> ", end="")
        self._answered = asked.request
        await self.controls.command(self.run, "answer", text=read_answer(asked, line), request=asked.request)

    def _ask(self, asked: InputRequested) -> None:
        """Print the question, its page, its choices, and how to answer."""
        self.notes.print(asked.question, style="bold", markup=False, highlight=False)
        if where := asked.details.get("where"):
            self.notes.print(f"  page: {where}", style="dim", markup=False, highlight=False)
        if asked.choices:
            self.notes.print(list_choices(asked), markup=False, highlight=False)
            other = "why not" if asked.kind == "approval" else "your own words"
            self.notes.print(f"A number, or {other}:", style="dim")
        self.notes.print("> ", end="")

    def start_task(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


class WatcherKeyboard(Keyboard):
    """For a person who only watches: without a terminal, questions are left to others."""

    def answer_unattended(self, asked: InputRequested) -> None:
        text = f"It asks: {asked.question}\n→ Answer with `pilotfish answer {self.run} TEXT`."
        self.notes.print(text, markup=False, highlight=False)


def _read(keys: int) -> bytes:
    """What was typed. A job in the background would be stopped by the system if it read; to it, the input is over."""
    try:
        front = os.tcgetpgrp(keys)
    except OSError:
        front = os.getpgrp()
    return os.read(keys, LONGEST_INPUT) if front == os.getpgrp() else b""


async def _read_line() -> str:
    """Read a typed line without a thread, which would keep the program from exiting."""
    loop, keys = asyncio.get_running_loop(), sys.stdin.fileno()
    typed: asyncio.Future[bytes] = loop.create_future()
    loop.add_reader(keys, lambda: typed.done() or typed.set_result(_read(keys)))
    try:
        return (await typed).decode(errors="replace")
    finally:
        loop.remove_reader(keys)
