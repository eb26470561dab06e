"""Starts a run from the command line and prints it to its end; the exit code says how it ended."""

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pilotfish.core.errors import NotFoundError, OutOfBudget, PersonError, PilotfishError, Stopped, exit_code
from pilotfish.core.events import InputReceived, InputRequested, InputTimedOut, Noted, RunFinished, StateChanged
from pilotfish.core.records import memory_run_id
from pilotfish.core.users import LOCAL
from pilotfish.interfaces.terminal.command_target import CommandTarget, RunControls
from pilotfish.interfaces.terminal.keyboard import Keyboard
from pilotfish.interfaces.terminal.run_printer import JsonPrinter, RunPrinter, TextPrinter

if TYPE_CHECKING:
    from rich.console import Console

LAST_CONVERSATION = "last"
"""Stands for the conversation that was used last."""
RECENT_RUNS = 200
FILE_ENDINGS = frozenset({".html", ".htm", ".pdf", ".txt", ".csv", ".json", ".xml"})
"""Endings of files of which no site's name has one."""
REMEMBER_TIMEOUT = 60.0
"""Seconds that a command waits for what is being remembered."""
EXIT_CODES: Mapping[str, int] = {
    "completed": 0,
    "failed": PilotfishError.exit_code,
    "stopped": Stopped.exit_code,
    "out_of_budget": OutOfBudget.exit_code,
}


def exit_code_for(end: RunFinished) -> int:
    """The exit code for the end of a run; of a failed run, by the kind of error."""
    return exit_code(end.kind) if end.outcome == "failed" and end.kind else EXIT_CODES[end.outcome]


@dataclass(frozen=True)
class TaskRequest:
    """What the person asked for."""

    task: str
    pages: Sequence[str] = ()
    loop: str = "chat"
    as_json: bool = False
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    conversation: str = ""
    printer: "Callable[[Console], RunPrinter] | None" = None


async def run_task(request: TaskRequest, notes: "Console", place: CommandTarget) -> int:
    """Run a task to its end; return the exit code."""
    async with place.open_controls() as controls:
        tabs = [page_address(name, controls.home) for name in request.pages]
        options = dict(request.options)
        if request.conversation:
            options["conversation"] = await find_conversation(controls, request.conversation)
        record = await controls.start(
            request.task, loop=request.loop, tabs=tabs, attended=sys.stdin.isatty(), **options
        )
        printer = request.printer(notes) if request.printer else None
        code = await watch_run(controls, record.id, notes, request.as_json, printer=printer)
        if controls.extracts_facts and not code:
            with suppress(TimeoutError):
                await asyncio.wait_for(print_remembered(controls, record.id, notes), REMEMBER_TIMEOUT)
        return code


async def print_remembered(controls: RunControls, run: str, notes: "Console") -> None:
    """Print what is remembered of a run that ended: what was saved, replaced or refused."""
    async with aclosing(controls.follow(memory_run_id(run))) as events:
        async for item in events:
            if isinstance(item, Noted) and item.topic == "memory":
                notes.print(f"· {item.text}", style="dim", markup=False, highlight=False)


async def find_conversation(controls: RunControls, name: str) -> str:
    """The id of the last conversation, or of the one that is named by its id, a run's id or the beginning of either."""
    found = await controls.runs(limit=RECENT_RUNS, background=False)
    if controls.home is not None:
        found = [run for run in found if run.user == LOCAL]
    near = [run.conversation for run in found if name == LAST_CONVERSATION or run.conversation.startswith(name)]
    near = (
        near[:1]
        if name == LAST_CONVERSATION
        else near or [run.conversation for run in found if run.id.startswith(name)]
    )
    match list(dict.fromkeys(near)):
        case [only]:
            return only
        case []:
            which = "to go on with" if name == LAST_CONVERSATION else repr(name)
            raise NotFoundError(f"There is no conversation {which}.", "`pilotfish runs` lists what there is.")
        case _:
            raise NotFoundError(f"There is more than one conversation {name!r}.", "Give more of its id.")


async def replay_run(run: str, notes: "Console", place: CommandTarget, as_json: bool, **options: Any) -> int:
    """Repeat the actions of a run; return the exit code."""
    async with place.open_controls() as controls:
        record = await controls.replay((await controls.record(run)).id, attended=sys.stdin.isatty(), **options)
        return await watch_run(controls, record.id, notes, as_json)


async def use_shortcut(
    name: str, values: Mapping[str, str], notes: "Console", place: CommandTarget, as_json: bool, **options: Any
) -> int:
    """Do what a shortcut records, with these values; return the exit code."""
    async with place.open_controls() as controls:
        record = await controls.use_shortcut(name, values, attended=sys.stdin.isatty(), **options)
        return await watch_run(controls, record.id, notes, as_json)


async def watch_run(
    controls: RunControls,
    run: str,
    notes: "Console",
    as_json: bool,
    keyboard_type: type[Keyboard] = Keyboard,
    printer: RunPrinter | None = None,
) -> int:
    """Print a run to its end and handle the keyboard; return the exit code."""
    folder = controls.home / "runs" / run if controls.home else None
    printer = printer or (
        JsonPrinter(controls.reasoning) if as_json else TextPrinter(notes, controls.reasoning, folder)
    )
    keyboard = keyboard_type(controls, run, notes)
    async with aclosing(controls.follow(run)) as events:
        with keyboard:
            async for item in events:
                if isinstance(item, RunFinished) or (isinstance(item, StateChanged) and item.state == "stopping"):
                    keyboard.cancel_question()
                printer.print_event(item)
                if isinstance(item, InputRequested):
                    keyboard.ask_question(item)
                elif isinstance(item, InputReceived | InputTimedOut):
                    keyboard.end_question(item)
                elif isinstance(item, RunFinished):
                    return exit_code_for(item)
    return EXIT_CODES["failed"]


def page_address(name: str, home: Path | None) -> str:
    """The address of a page: an address as it is, a file's address, or for `-` that of a file with standard input."""
    path = Path(name).expanduser()
    if home is None and (name == "-" or path.is_file()):
        raise PersonError(f"The server cannot see {name} on this machine.", "Give the address of a page.")
    if name == "-" and home is not None:
        return _keep_input(sys.stdin.buffer.read(), home)
    if path.is_file():
        return path.resolve().as_uri()
    if path.is_dir():
        raise PersonError(f"{name} is a folder.", "Name a file in it, or the address of a page.")
    if name.startswith((".", "/", "~")) or ("/" not in name and path.suffix.lower() in FILE_ENDINGS):
        raise PersonError(f"There is no file {name}.", "Check the name, or give the address of a page.")
    return name


def _keep_input(data: bytes, home: Path) -> str:
    """Store standard input as a file, so that a run can open it again after a crash; return its address."""
    if not data.strip():
        raise PersonError("Nothing came from standard input.", "Pipe a page or a text into the command.")
    import hashlib

    kind = "html" if data.lstrip()[:1] == b"<" else "txt"
    path = home / "inbox" / f"{hashlib.sha256(data).hexdigest()[:16]}.{kind}"
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.write_bytes(data)
    return path.resolve().as_uri()
