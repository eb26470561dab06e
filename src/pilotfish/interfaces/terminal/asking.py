"""One run from the command line: started, told to its end, and the exit code that says how it ended."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pilotfish.core.errors import OutOfBudget, PersonError, PilotfishError, Stopped, exit_code
from pilotfish.core.events import InputReceived, InputRequested, InputTimedOut, RunFinished, StateChanged
from pilotfish.interfaces.terminal.desk import Desk, Place
from pilotfish.interfaces.terminal.keyboard import Keyboard
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


async def watch(desk: Desk, run: str, notes: "Console", as_json: bool, seat: type[Keyboard] = Keyboard) -> int:
    """Tell a run to its end, with the person at the keyboard; the exit code that says how it ended."""
    speaker: Speaker = Lines() if as_json else Story(notes, desk.reasoning)
    heed = seat(desk, run, notes)
    async with aclosing(desk.follow(run)) as story:
        with heed:
            async for item in story:
                if isinstance(item, RunFinished) or (isinstance(item, StateChanged) and item.state == "stopping"):
                    heed.leave()
                speaker.tell(item)
                if isinstance(item, InputRequested):
                    heed.question(item)
                elif isinstance(item, InputReceived | InputTimedOut):
                    heed.settled(item)
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
