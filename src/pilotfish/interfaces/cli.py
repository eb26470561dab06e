"""The command line. Each command imports what it needs when it is called, so that --help is quick."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer.core import TyperGroup

from pilotfish import __version__
from pilotfish.core.errors import PersonError, PilotfishError
from pilotfish.core.haste import haste

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic import BaseModel
    from rich.console import Console

    from pilotfish.interfaces.terminal.branch import Branch
    from pilotfish.parts.admin import Line
    from pilotfish.parts.keeping import Keeping

T = TypeVar("T")

ORDER = (
    "serve ask do research runs show follow answer pause resume stop delete play replay costs audit "
    "memory secret policy settings models user worker mcp practice eval doctor"
)


class Ordered(TyperGroup):
    """Lists commands as people come to need them, not as the files define them."""

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(super().list_commands(ctx), key=lambda name: ORDER.find(name))


cli = typer.Typer(
    cls=Ordered,
    help="The web agent that you run yourself.",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="One JSON value per line, for scripts.")]
Open = Annotated[bool, typer.Option("--open/--no-open", help="Open the page in your browser.")]
Runs = Annotated[int | None, typer.Option(help="The most runs at once; 0 leaves all to `pilotfish worker`.", min=0)]
INTERRUPTED = 130


def main() -> None:
    """Run a command; an error that a person can mend is two lines and an exit code, never a traceback."""
    from pilotfish.interfaces import chores, machine, safety, steer

    if not cli.registered_groups:
        cli.add_typer(machine.embedded, name="models")
        cli.add_typer(chores.memory, name="memory")
        cli.add_typer(chores.user, name="user")
        cli.add_typer(safety.secret, name="secret")
        cli.add_typer(safety.policy, name="policy")
        cli.add_typer(steer.cli)
    try:
        cli()
    except PilotfishError as error:
        sys.stderr.write(f"{error.message}\n")
        if error.fix:
            sys.stderr.write(f"→ {error.fix}\n")
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, asyncio.CancelledError):
        sys.exit(INTERRUPTED)


def console(*, notes: bool = False) -> "Console":
    from rich.console import Console

    shown = Console(stderr=notes)
    shown.soft_wrap = not shown.is_terminal
    return shown


def lines(values: "Iterable[BaseModel]") -> None:
    for value in values:
        typer.echo(value.model_dump_json())


def at_office(context: typer.Context, work: "Callable[[Keeping | Branch], Awaitable[T]]") -> T:
    """Do something with what is kept besides runs, here or at the server that was named."""

    async def done() -> T:
        async with context.obj.office() as kept:
            return await work(kept)

    return asyncio.run(done())


def write(file: "Path", text: str) -> None:
    """Write a file that a person named."""
    try:
        file.write_text(text, "utf-8")
    except OSError as error:
        raise PersonError(f"{file} cannot be written: {error.strerror}.", "Name another file.") from error


def shown_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pilotfish {__version__}")
        raise typer.Exit


@cli.callback(invoke_without_command=True)
def entry(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=shown_version, is_eager=True, help="Say which version this is.")
    ] = False,
    open_browser: Open = True,
    runs: Runs = None,
    server: Annotated[
        str, typer.Option(envvar="PILOTFISH_SERVER", help="Work at this server instead of here; as it printed it.")
    ] = "",
    token: Annotated[
        str, typer.Option(envvar="PILOTFISH_TOKEN", help="The token for that server, if its address has none.")
    ] = "",
) -> None:
    """The web agent that you run yourself. Without a command it serves the web page and the API."""
    from pilotfish.interfaces.terminal.desk import Place

    context.obj = Place(server, token)
    if context.invoked_subcommand is None:
        serve(open_browser, runs)


@cli.command()
def serve(open_browser: Open = True, runs: Runs = None) -> None:
    """Serve the web page and the API. The same as no command at all."""
    with haste():
        from pilotfish.interfaces.server import serve

    asyncio.run(serve(open_browser=open_browser, ready=lambda url: typer.echo(f"{url}  (Ctrl-C ends it)"), runs=runs))


@cli.command()
def ask(
    context: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(metavar="[PAGE]... QUESTION", help="Addresses, files or - (standard input); the question last."),
    ],
    model: Annotated[str, typer.Option(help="Such as openai:gpt-5-mini or embedded:qwen2.5-coder-1.5b.")] = "",
    budget: Annotated[float | None, typer.Option(help="The most it may cost, in cents.", min=0)] = None,
    json: Json = False,
) -> None:
    """Ask a question about pages; the answer is streamed."""
    from pilotfish.interfaces.terminal.asking import Wish
    from pilotfish.interfaces.terminal.asking import ask as run

    given = {"model": model or None, "budget_cents": budget}
    options = {name: value for name, value in given.items() if value is not None}
    wish = Wish(task=words[-1], pages=words[:-1], as_json=json, options=options)
    raise typer.Exit(asyncio.run(run(wish, console(notes=True), context.obj)))


@cli.command()
def runs(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="Only those whose task says this.")] = "",
    limit: Annotated[int, typer.Option(help="How many at most.", min=1)] = 20,
    json: Json = False,
) -> None:
    """List runs, newest first."""
    from pilotfish.interfaces.terminal import tables

    async def listed() -> None:
        async with context.obj.shelf() as shelf:
            found = await shelf.runs(text=text, limit=limit, background=False)
        none = f"No task says {text!r}." if text else 'No runs yet: pilotfish ask URL "a question"'
        if json:
            lines(found)
        else:
            console().print(tables.runs(found) if found else none)

    asyncio.run(listed())


@cli.command()
def show(
    context: typer.Context,
    run: Annotated[str, typer.Argument(help="Its id, or the beginning of it.")],
    as_markdown: Annotated[bool, typer.Option("--markdown", help="As Markdown, to be kept or passed on.")] = False,
    json: Json = False,
) -> None:
    """Tell a run again from its journal."""
    from pilotfish.core.folds import markdown
    from pilotfish.interfaces.terminal import tables

    async def told() -> None:
        async with context.obj.shelf() as shelf:
            record = await shelf.record(run)
            story = await shelf.events(record.id)
        if json:
            lines(story)
        elif as_markdown:
            typer.echo(markdown(record, story))
        else:
            tables.transcript(record, story, console())

    asyncio.run(told())


@cli.command()
def settings(
    context: typer.Context,
    path: Annotated[str, typer.Argument(help="Such as agent.steps, or a group such as agent.")] = "",
    value: Annotated[str | None, typer.Argument(help="Set it to this.")] = None,
    unset: Annotated[bool, typer.Option("--unset", help="Take back what was set.")] = False,
    json: Json = False,
) -> None:
    """Show settings and where they come from; set one."""
    from pilotfish.interfaces.terminal import tables

    if unset and (not path or value is not None):
        raise PersonError("Which setting shall be taken back?", "Write `pilotfish settings PATH --unset`.")

    async def found() -> "list[Line]":
        async with context.obj.dials() as dials:
            if unset or value is not None:
                await dials.change(path, None if unset else value)
            return await dials.settings(path)

    shown = asyncio.run(found())
    if json:
        lines(shown)
    else:
        console().print(tables.settings(shown))
