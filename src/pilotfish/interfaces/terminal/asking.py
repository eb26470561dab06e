"""One run from the command line: started, told, answered when it asks, stopped by Ctrl-C."""

import asyncio
import signal
import sys
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pilotfish.core.errors import OutOfBudget, PersonError, PilotfishError, Stopped, exit_code
from pilotfish.core.events import InputReceived, InputRequested, InputTimedOut, RunFinished
from pilotfish.interfaces.terminal.desk import Desk, Place
from pilotfish.interfaces.terminal.speaker import Lines, Speaker, Story

if TYPE_CHECKING:
    from rich.console import Console

EXITS: Mapping[str, int] = {
    "completed": 0,
    "failed": PilotfishError.exit_code,
    "stopped": Stopped.exit_code,
    "out_of_budget": OutOfBudget.exit_code,
}


def code(end: RunFinished) -> int:
    """The exit code that says how a run ended, and where it failed by whose doing."""
    return exit_code(end.kind) if end.outcome == "failed" and end.kind else EXITS[end.outcome]


@dataclass(frozen=True)
class Wish:
    """What the person asked for."""

    task: str
    pages: Sequence[str] = ()
    loop: str = "chat"
    as_json: bool = False
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


async def ask(wish: Wish, notes: "Console", place: Place) -> int:
    """Run it to its end; the exit code that says how it ended."""
    async with place.desk() as desk:
        tabs = [page(name, desk.home) for name in wish.pages]
        record = await desk.start(wish.task, loop=wish.loop, tabs=tabs, attended=sys.stdin.isatty(), **wish.options)
        return await watch(desk, record.id, notes, wish.as_json)


async def repeat(run: str, notes: "Console", place: Place, as_json: bool, **options: Any) -> int:
    """Do again what a run did, to its end; the exit code that says how it ended."""
    async with place.desk() as desk:
        record = await desk.replay((await desk.record(run)).id, attended=sys.stdin.isatty(), **options)
        return await watch(desk, record.id, notes, as_json)


async def watch(desk: Desk, run: str, notes: "Console", as_json: bool) -> int:
    """Tell a run to its end, with the person at the keyboard; the exit code that says how it ended."""
    speaker: Speaker = Lines() if as_json else Story(notes, desk.reasoning)
    heed = Keyboard(desk, run, notes)
    async with aclosing(desk.follow(run)) as story:
        with heed:
            async for item in story:
                speaker.tell(item)
                if isinstance(item, InputRequested):
                    heed.question(item)
                elif isinstance(item, InputReceived | InputTimedOut):
                    heed.settled()
                elif isinstance(item, RunFinished):
                    return code(item)
    return EXITS["failed"]


def page(name: str, home: Path | None) -> str:
    """An address as it is; a file as its address; `-` as a file with what comes in."""
    path = Path(name).expanduser()
    if home is None and (name == "-" or path.is_file()):
        raise PersonError(f"The server cannot see {name} on this machine.", "Give the address of a page.")
    if name == "-" and home is not None:
        return _kept(sys.stdin.buffer.read(), home)
    if path.is_file():
        return path.resolve().as_uri()
    if path.is_dir():
        raise PersonError(f"{name} is a folder.", "Name a file in it, or the address of a page.")
    if name.startswith((".", "/", "~")):
        raise PersonError(f"There is no file {name}.", "Check the name, or give the address of a page.")
    return name


def _kept(data: bytes, home: Path) -> str:
    """What came in, as a file that a run can open again after a crash."""
    if not data.strip():
        raise PersonError("Nothing came from standard input.", "Pipe a page or a text into the command.")
    import hashlib

    kind = "html" if data.lstrip()[:1] == b"<" else "txt"
    path = home / "inbox" / f"{hashlib.sha256(data).hexdigest()[:16]}.{kind}"
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.write_bytes(data)
    return path.resolve().as_uri()


class Keyboard:
    """The person at the keyboard: Ctrl-C stops the run, again leaves at once; questions are answered by typing."""

    def __init__(self, desk: Desk, run: str, notes: "Console") -> None:
        self.desk = desk
        self.run = run
        self.notes = notes
        self._main = asyncio.current_task()
        self._stops = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._typing: asyncio.Task[None] | None = None

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
        self._later(self.desk.command(self.run, "stop"))

    def question(self, asked: InputRequested) -> None:
        """Ask at the terminal; where nobody sits there an approval is denied, and a question stops the run."""
        if sys.stdin.isatty():
            self._typing = self._later(self._answer(asked))
        elif asked.kind == "approval":
            self.notes.print(f"Denied, as nobody is there to approve it: {asked.question}", markup=False)
            self._later(self.desk.command(self.run, "answer", text=asked.choices[-1], request=asked.request))
        else:
            self.notes.print(f"It asks: {asked.question}\n→ Run it in a terminal to answer.", markup=False)
            self._later(self.desk.command(self.run, "stop"))

    def settled(self) -> None:
        """The question was answered, perhaps elsewhere, or its time is over."""
        if self._typing is not None:
            self._typing.cancel()

    async def _answer(self, asked: InputRequested) -> None:
        self.notes.print(asked.question, style="bold", markup=False)
        for number, choice in enumerate(asked.choices, 1):
            self.notes.print(f"  {number}. {choice}", markup=False, highlight=False)
        line = (await _line()).strip()
        if line.isdigit() and 0 < int(line) <= len(asked.choices):
            line = asked.choices[int(line) - 1]
        await self.desk.command(self.run, "answer", text=line, request=asked.request)

    def _later(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def _line() -> str:
    """A typed line, read without a thread that would keep the program from leaving."""
    loop = asyncio.get_running_loop()
    typed: asyncio.Future[str] = loop.create_future()
    loop.add_reader(sys.stdin, lambda: typed.done() or typed.set_result(sys.stdin.readline()))
    try:
        return await typed
    finally:
        loop.remove_reader(sys.stdin)
