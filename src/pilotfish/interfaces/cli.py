"""The command line. Each command imports what it needs when it is called, so that --help is quick."""

import asyncio
import logging
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pilotfish import __version__
from pilotfish.core.errors import PersonError, PilotfishError
from pilotfish.core.fast_imports import without_garbage_collection
from pilotfish.interfaces.commands.base import (
    HostOption,
    JsonOption,
    OpenOption,
    PortOption,
    ProfileOption,
    RunsOption,
    cli,
    echo,
    get_target,
    make_console,
    print_lines,
)

if TYPE_CHECKING:
    from pilotfish.services.admin import SettingLine

EXIT_INTERRUPTED = 130


def register_commands() -> None:
    """Add the commands of the other modules to the command line."""
    from pilotfish.interfaces.commands import (
        extraction,
        logins,
        machine,
        memory,
        notices,
        runs,
        safety,
        schedules,
        shortcuts,
        tasks,
        users,
    )

    if not cli.registered_groups:
        cli.add_typer(machine.embedded, name="models")
        cli.add_typer(memory.memory, name="memory")
        cli.add_typer(users.user, name="user")
        cli.add_typer(safety.secret, name="secret")
        cli.add_typer(safety.policy, name="policy")
        cli.add_typer(notices.base.schedules, name="schedules")
        cli.add_typer(schedules.cli)
        cli.add_typer(runs.cli)
        cli.add_typer(extraction.cli)
        cli.add_typer(logins.cli)
        cli.add_typer(shortcuts.cli)
        cli.add_typer(shortcuts.group, name="shortcuts")
        cli.add_typer(tasks.cli)


def main() -> None:
    """Run a command. An error that a person can fix is printed as two lines, with an exit code and no traceback."""
    register_commands()
    # What a command retries is told by its run; without a handler the library's log would stand between the lines.
    logging.getLogger("stamina").addHandler(logging.NullHandler())
    try:
        cli()
    except PilotfishError as error:
        echo(error.message, err=True)
        if error.fix:
            echo(f"→ {error.fix}", err=True)
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, asyncio.CancelledError):
        sys.exit(EXIT_INTERRUPTED)


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pilotfish {__version__}")
        raise typer.Exit


@cli.callback(invoke_without_command=True)
def entry(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version.")
    ] = False,
    open_browser: OpenOption = True,
    runs: RunsOption = None,
    host: HostOption = "",
    port: PortOption = None,
    server: Annotated[
        str, typer.Option(envvar="PILOTFISH_SERVER", help="Run the command at this server; the address it printed.")
    ] = "",
    token: Annotated[
        str, typer.Option(envvar="PILOTFISH_TOKEN", help="The token for that server, if its address has none.")
    ] = "",
) -> None:
    """The web agent that you run yourself. Without a command it serves the web page and the API."""
    from pilotfish.interfaces.terminal.command_target import CommandTarget

    context.obj = CommandTarget(server, token)
    context.default_map = {"serve": {"open_browser": open_browser, "runs": runs, "host": host, "port": port}}
    if context.invoked_subcommand is None:
        serve(open_browser, runs, host, port)


def print_address(url: str) -> None:
    typer.echo(f"{url}  (Ctrl-C ends it)")


@cli.command()
def serve(
    open_browser: OpenOption = True, runs: RunsOption = None, host: HostOption = "", port: PortOption = None
) -> None:
    """Serve the web page and the API. The same as no command at all."""
    with without_garbage_collection():
        from pilotfish.interfaces.web_server.app import serve

    where = {name: value for name, value in (("host", host or None), ("port", port)) if value is not None}
    asyncio.run(serve(open_browser=open_browser, ready=print_address, runs=runs, where=where))


@cli.command()
def ask(
    context: typer.Context,
    words: Annotated[
        list[str],
        typer.Argument(metavar="[PAGE]... QUESTION", help="Addresses, files or - (standard input); the question last."),
    ],
    model: Annotated[str, typer.Option(help="Such as openai:gpt-5-mini or embedded:qwen2.5-coder-1.5b.")] = "",
    budget: Annotated[float | None, typer.Option(help="The most it may cost, in cents.", min=0)] = None,
    profile: ProfileOption = "",
    goes_on: Annotated[bool, typer.Option("--continue", "-c", help="Go on with the last conversation.")] = False,
    conversation: Annotated[
        str, typer.Option(help="Go on with this conversation: its id, or that of one of its runs, or the beginning.")
    ] = "",
    again: Annotated[bool, typer.Option("--again", help="Ask the model anew, also where its answer is known.")] = False,
    json: JsonOption = False,
) -> None:
    """Ask a question about pages; the answer is streamed. A conversation that goes on keeps its pages."""
    from pilotfish.interfaces.terminal.run_task import LAST_CONVERSATION, TaskRequest
    from pilotfish.interfaces.terminal.run_task import run_task as run

    given = {"model": model or None, "budget_cents": budget, "profile": profile or None, "fresh": again or None}
    options = {name: value for name, value in given.items() if value is not None}
    place = LAST_CONVERSATION if goes_on and not conversation else conversation
    request = TaskRequest(task=words[-1], pages=words[:-1], as_json=json, options=options, conversation=place)
    raise typer.Exit(asyncio.run(run(request, make_console(notes=True), get_target(context))))


@cli.command()
def runs(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="Only those whose task says this.")] = "",
    limit: Annotated[int, typer.Option(help="How many at most.", min=1)] = 20,
    json: JsonOption = False,
) -> None:
    """List runs, newest first."""
    from pilotfish.interfaces.terminal import tables

    async def list_found() -> None:
        async with get_target(context).open_reader() as reader:
            found = await reader.runs(text=text, limit=limit, background=False)
        none = f"No task says {text!r}." if text else 'No runs yet: pilotfish ask URL "a question"'
        if json:
            print_lines(found)
        else:
            make_console().print(tables.runs_table(found) if found else none)

    asyncio.run(list_found())


@cli.command()
def show(
    context: typer.Context,
    run: Annotated[str, typer.Argument(help="Its id, or the beginning of it.")],
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    json: JsonOption = False,
) -> None:
    """Print a run from its journal."""
    from pilotfish.core.journal_reports import render_markdown
    from pilotfish.interfaces.terminal import tables

    async def show_run() -> None:
        async with get_target(context).open_reader() as reader:
            record = await reader.record(run)
            events = await reader.events(record.id)
        if json:
            print_lines(events)
        elif as_markdown:
            echo(render_markdown(record, events))
        else:
            tables.print_transcript(record, events, make_console())

    asyncio.run(show_run())


@cli.command()
def settings(
    context: typer.Context,
    path: Annotated[str, typer.Argument(help="Such as agent.steps, or a group such as agent.")] = "",
    value: Annotated[str | None, typer.Argument(help="Set it to this.")] = None,
    unset: Annotated[bool, typer.Option("--unset", help="Reset it.")] = False,
    json: JsonOption = False,
) -> None:
    """Show settings and where they come from; set one."""
    from pilotfish.interfaces.terminal import tables

    if unset and (not path or value is not None):
        raise PersonError("Which setting shall be taken back?", "Write `pilotfish settings PATH --unset`.")

    async def change_and_list() -> "list[SettingLine]":
        async with get_target(context).open_settings() as editor:
            if unset or value is not None:
                await editor.change_setting(path, None if unset else value)
            return await editor.list_settings(path)

    shown = asyncio.run(change_and_list())
    if json:
        print_lines(shown)
    else:
        make_console().print(tables.settings_table(shown))
