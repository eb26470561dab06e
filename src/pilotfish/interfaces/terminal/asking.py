"""One run from the command line: started, told, answered when it asks, stopped by Ctrl-C."""

import asyncio
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pilotfish.core.errors import OutOfBudget, PersonError, PilotfishError, Stopped
from pilotfish.core.events import InputRequested, RunFinished
from pilotfish.interfaces.terminal.speaker import Lines, Speaker, Story

if TYPE_CHECKING:
    from rich.console import Console

    from pilotfish.app import Pilotfish

EXITS: Mapping[str, int] = {
    "completed": 0,
    "failed": PilotfishError.exit_code,
    "stopped": Stopped.exit_code,
    "out_of_budget": OutOfBudget.exit_code,
}


@dataclass(frozen=True)
class Wish:
    """What the person asked for."""

    task: str
    pages: Sequence[str] = ()
    loop: str = "chat"
    as_json: bool = False
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


async def ask(wish: Wish, notes: "Console") -> int:
    """Run it to its end; the exit code that says how it ended."""
    from pilotfish.app import Pilotfish

    async with Pilotfish(adopt=False) as fish:
        tabs = [page(name, fish.settings.home) for name in wish.pages]
        attended = sys.stdin.isatty()
        record = await fish.start(wish.task, loop=wish.loop, tabs=tabs, attended=attended, **wish.options)
        speaker: Speaker = Lines() if wish.as_json else Story(notes, fish.settings.agent.reasoning_visible)
        heed = Keyboard(fish, record.id, notes)
        with heed:
            async for item in fish.follow(record.id):
                speaker.tell(item)
                if isinstance(item, InputRequested):
                    heed.question(item)
                if isinstance(item, RunFinished):
                    return EXITS[item.outcome]
    return EXITS["failed"]


def page(name: str, home: Path) -> str:
    """An address as it is; a file as its address; `-` as a file with what comes in."""
    if name == "-":
        return _kept(sys.stdin.buffer.read(), home)
    path = Path(name).expanduser()
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

    def __init__(self, fish: "Pilotfish", run: str, notes: "Console") -> None:
        self.fish = fish
        self.run = run
        self.notes = notes
        self._main = asyncio.current_task()
        self._stops = 0
        self._tasks: set[asyncio.Task[None]] = set()

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
        self._later(self.fish.command(self.run, "stop"))

    def question(self, asked: InputRequested) -> None:
        """Ask at the terminal; where nobody sits there an approval is denied, and a question stops the run."""
        if sys.stdin.isatty():
            self._later(self._answer(asked))
        elif asked.kind == "approval":
            self.notes.print(f"Denied, as nobody is there to approve it: {asked.question}", markup=False)
            self._later(self.fish.command(self.run, "answer", text=asked.choices[-1], request=asked.request))
        else:
            self.notes.print(f"It asks: {asked.question}\n→ Run it in a terminal to answer.", markup=False)
            self._later(self.fish.command(self.run, "stop"))

    async def _answer(self, asked: InputRequested) -> None:
        self.notes.print(asked.question, style="bold", markup=False)
        for number, choice in enumerate(asked.choices, 1):
            self.notes.print(f"  {number}. {choice}", markup=False, highlight=False)
        line = (await _line()).strip()
        if line.isdigit() and 0 < int(line) <= len(asked.choices):
            line = asked.choices[int(line) - 1]
        await self.fish.command(self.run, "answer", text=line, request=asked.request)

    def _later(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _line() -> str:
    """A typed line, read without a thread that would keep the program from leaving."""
    loop = asyncio.get_running_loop()
    typed: asyncio.Future[str] = loop.create_future()
    loop.add_reader(sys.stdin, lambda: typed.done() or typed.set_result(sys.stdin.readline()))
    try:
        return await typed
    finally:
        loop.remove_reader(sys.stdin)
