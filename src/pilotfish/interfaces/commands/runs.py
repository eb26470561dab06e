"""The commands for existing runs: follow, say, answer, pause, resume, stop, delete, play; and the worker."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated

import typer

from pilotfish.core.errors import PersonError
from pilotfish.interfaces.commands.base import JsonOption, echo, get_target, make_console

if TYPE_CHECKING:
    from pilotfish.core.records import CommandVerb
    from pilotfish.interfaces.terminal.command_target import RunControls

cli = typer.Typer(rich_markup_mode=None)
RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="Its id, or the beginning of it.")]


def with_runs(context: typer.Context, work: "Callable[[RunControls], Awaitable[int | None]]") -> None:
    """Run a function on the runs of this machine or server; its result is the exit code."""

    async def run_work() -> int:
        async with get_target(context).open_controls() as controls:
            return await work(controls) or 0

    raise typer.Exit(asyncio.run(run_work()))


def send_verb(context: typer.Context, run: str, verb: "CommandVerb", said: str, text: str = "") -> None:
    async def send(controls: "RunControls") -> None:
        record = await controls.record(run)
        if record.outcome:
            raise PersonError("That run is over.", f"`pilotfish resume {record.id}` goes on from what it did.")
        await controls.command(record.id, verb, text=text)
        echo(said)

    with_runs(context, send)


@cli.command()
def follow(context: typer.Context, run: RunArgument, json: JsonOption = False) -> None:
    """Show a run until it ends. What you type goes to it; Ctrl-C stops the run, a second one exits."""
    from pilotfish.interfaces.terminal.keyboard import WatcherKeyboard
    from pilotfish.interfaces.terminal.run_task import watch_run

    async def watch(controls: "RunControls") -> int:
        return await watch_run(
            controls, (await controls.record(run)).id, make_console(notes=True), json, WatcherKeyboard
        )

    with_runs(context, watch)


@cli.command()
def stop(context: typer.Context, run: RunArgument) -> None:
    """Stop a run; its results so far stay."""
    send_verb(context, run, "stop", "Stopped.")


@cli.command()
def pause(context: typer.Context, run: RunArgument) -> None:
    """Pause a run before its next step."""
    send_verb(context, run, "pause", "It waits before its next step.")


@cli.command()
def resume(context: typer.Context, run: RunArgument) -> None:
    """Resume a run. One that ended, or that other code began, continues as a new run from its transcript."""
    from pilotfish.interfaces.terminal.run_task import watch_run

    async def proceed(controls: "RunControls") -> int:
        record = await controls.record(run)
        new = await controls.continue_run(record.id)
        echo("It goes on." if new.id == record.id else f"It goes on as {new.id}.")
        begun = new.id != record.id and controls.home is not None
        return await watch_run(controls, new.id, make_console(notes=True), as_json=False) if begun else 0

    with_runs(context, proceed)


@cli.command()
def delete(
    context: typer.Context,
    run: Annotated[str, typer.Argument(help="Its id, or the beginning of it.")] = "",
    before: Annotated[str, typer.Option(help="Instead of one run, all that ended that long ago: 30d, 12h.")] = "",
) -> None:
    """Remove a run for good, with its journal and files; with --before all that ended long ago."""
    from pilotfish.core.ages import read_age
    from pilotfish.core.events import current_time

    if bool(run) == bool(before):
        raise PersonError("Which runs shall be deleted?", "Name a run, or write --before 30d.")

    async def remove(controls: "RunControls") -> None:
        if before:
            count = await controls.delete_before(current_time() - read_age(before))
            echo(f"{count} {'run is' if count == 1 else 'runs are'} gone.")
            return
        record = await controls.record(run)
        await controls.delete(record.id)
        echo(f"{record.id} is gone.")

    with_runs(context, remove)


@cli.command()
def say(
    context: typer.Context, run: RunArgument, text: Annotated[str, typer.Argument(help="What it should know.")]
) -> None:
    """Say something to a run while it works. Its next model call reads it."""
    send_verb(context, run, "say", "It reads that before its next step.", text)


@cli.command()
def answer(
    context: typer.Context,
    run: RunArgument,
    text: Annotated[str, typer.Argument(help="A choice by its number or words, yes or no, or your own words.")] = "",
) -> None:
    """Answer a run's question. Without an answer, print the question and its choices."""
    from pilotfish.core.answers import list_choices, read_answer
    from pilotfish.core.journal_reports import find_open_question

    async def send_answer(controls: "RunControls") -> None:
        record = await controls.record(run)
        asked = find_open_question(await controls.events(record.id))
        if asked is None:
            raise PersonError("That run asks nothing now.", f"See `pilotfish show {record.id}`.")
        if not text.strip():
            echo("\n".join(filter(None, [asked.question, list_choices(asked)])))
            return
        said = read_answer(asked, text)
        await controls.command(record.id, "answer", text=said, request=asked.request)
        echo(f"{asked.question} {said}")

    with_runs(context, send_answer)


@cli.command()
def play(
    context: typer.Context,
    run: RunArgument,
    speed: Annotated[float, typer.Option(help="How many times as fast as it was; 0 for at once.", min=0)] = 1.0,
    json: JsonOption = False,
) -> None:
    """Print a run again with its original pauses. To repeat its actions, use `replay`."""
    from pilotfish.interfaces.terminal.playback import play_events

    async def play_run() -> None:
        async with get_target(context).open_reader() as reader:
            events = await reader.events((await reader.record(run)).id)
        await play_events(events, speed, json, make_console(notes=True))

    asyncio.run(play_run())


@cli.command()
def worker(
    runs: Annotated[int | None, typer.Option(help="The most runs at once; work.runs by default.", min=1)] = None,
    label: Annotated[list[str] | None, typer.Option("--label", help="What it is for, such as gpu; may repeat.")] = None,
) -> None:
    """Run what servers queued. With PostgreSQL, on any number of machines."""
    from pilotfish.interfaces.worker import run_worker

    asyncio.run(run_worker(runs=runs, labels=label or (), ready=echo))
