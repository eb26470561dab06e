"""The typer app of the command line, and what its commands share: options, printing, records, writing a file."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

import typer
from typer.core import TyperGroup

from pilotfish.core.errors import PersonError

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic import BaseModel
    from rich.console import Console

    from pilotfish.interfaces.terminal.command_target import CommandTarget
    from pilotfish.interfaces.terminal.remote_records import RemoteRecords
    from pilotfish.services.local_records import LocalRecords

T = TypeVar("T")

ORDER = (
    "serve ask do research extract runs show follow say answer pause resume stop delete play replay save shortcuts "
    "schedule watch schedules costs audit memory secret login logins policy settings models user extension worker "
    "workers mcp backup restore practice eval doctor"
)


class OrderedCommands(TyperGroup):
    """Lists the commands in the order of `ORDER`."""

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(super().list_commands(ctx), key=lambda name: ORDER.find(name))


def check_profile(value: str) -> str:
    """Refuse a profile that does not exist."""
    from pilotfish.core.settings import BrowserProfile

    if value and value not in get_args(BrowserProfile):
        raise PersonError(f"There is no profile {value!r}.", f"Choose one of: {', '.join(get_args(BrowserProfile))}.")
    return value


cli = typer.Typer(
    cls=OrderedCommands,
    help="The web agent that you run yourself.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

JsonOption = Annotated[bool, typer.Option("--json", help="One JSON value per line, for scripts.")]
ProfileOption = Annotated[
    str,
    typer.Option(
        "--profile",
        callback=check_profile,
        help="fresh, or remembered: with the logins that `pilotfish login` keeps.",
    ),
]
OpenOption = Annotated[bool, typer.Option("--open/--no-open", help="Open the page in your browser.")]
RunsOption = Annotated[
    int | None, typer.Option(help="The most runs at once; 0 leaves all to `pilotfish worker`.", min=0)
]
LabelOption = Annotated[
    list[str] | None, typer.Option("--label", help="Only a worker that has this label takes it; may repeat.")
]
HostOption = Annotated[str, typer.Option(help="The address to listen at; server.host by default.")]
PortOption = Annotated[
    int | None, typer.Option(help="The port, 0 for any that is free; server.port by default.", min=0, max=65535)
]


def make_console(*, notes: bool = False) -> "Console":
    from pilotfish.interfaces.terminal.clean_console import clean_console

    shown = clean_console(stderr=notes)
    shown.soft_wrap = not shown.is_terminal
    return shown


def echo(text: str, *, nl: bool = True, err: bool = False) -> None:
    """Print text without terminal control sequences."""
    from pilotfish.interfaces.terminal.printable_text import printable

    typer.echo(printable(text), nl=nl, err=err)


def print_lines(values: "Iterable[BaseModel]") -> None:
    for value in values:
        echo(value.model_dump_json())


def get_target(context: typer.Context) -> "CommandTarget":
    """Where the command is carried out, as the options before it say."""
    return context.obj


def with_records(context: typer.Context, work: "Callable[[LocalRecords | RemoteRecords], Awaitable[T]]") -> T:
    """Run a function on the records of this machine, or of the server that was named."""

    async def run_work() -> T:
        async with get_target(context).open_records() as records:
            return await work(records)

    return asyncio.run(run_work())


def write_file(file: "Path", text: str) -> None:
    """Write a file that a person named."""
    try:
        file.write_text(text, "utf-8")
    except OSError as error:
        raise PersonError(f"{file} cannot be written: {error.strerror}.", "Name another file.") from error
