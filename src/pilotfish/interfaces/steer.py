"""The command line for runs that are there: follow, answer, pause, go on, stop, play again; and to drive them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated

import typer

from pilotfish.core.errors import PersonError
from pilotfish.interfaces.cli import Json, console

if TYPE_CHECKING:
    from pilotfish.core.records import Verb
    from pilotfish.interfaces.terminal.desk import Desk

cli = typer.Typer(rich_markup_mode=None)
Id = Annotated[str, typer.Argument(metavar="RUN", help="Its id, or the beginning of it.")]


def at(context: typer.Context, work: "Callable[[Desk], Awaitable[int | None]]") -> None:
    """Do something where the person works; its exit code is the command's."""

    async def done() -> int:
        async with context.obj.desk() as desk:
            return await work(desk) or 0

    raise typer.Exit(asyncio.run(done()))


def tell(context: typer.Context, run: str, verb: "Verb", said: str) -> None:
    async def told(desk: "Desk") -> None:
        record = await desk.record(run)
        if record.outcome:
            raise PersonError("That run is over.", f"`pilotfish resume {record.id}` goes on from what it did.")
        await desk.command(record.id, verb)
        typer.echo(said)

    at(context, told)


@cli.command()
def follow(context: typer.Context, run: Id, json: Json = False) -> None:
    """Watch a run to its end. Ctrl-C stops it, a second one leaves."""
    from pilotfish.interfaces.terminal.asking import watch
    from pilotfish.interfaces.terminal.keyboard import Onlooker

    async def watched(desk: "Desk") -> int:
        return await watch(desk, (await desk.record(run)).id, console(notes=True), json, Onlooker)

    at(context, watched)


@cli.command()
def stop(context: typer.Context, run: Id) -> None:
    """End a run; what it found stays."""
    tell(context, run, "stop", "Stopped.")


@cli.command()
def pause(context: typer.Context, run: Id) -> None:
    """Hold a run before its next step."""
    tell(context, run, "pause", "It waits before its next step.")


@cli.command()
def resume(context: typer.Context, run: Id) -> None:
    """Let a run go on. One that ended, or that other code began, goes on as a new run from what it did."""
    from pilotfish.interfaces.terminal.asking import watch

    async def proceeded(desk: "Desk") -> int:
        record = await desk.record(run)
        new = await desk.proceed(record.id)
        typer.echo("It goes on." if new.id == record.id else f"It goes on as {new.id}.")
        begun = new.id != record.id and desk.home is not None
        return await watch(desk, new.id, console(notes=True), as_json=False) if begun else 0

    at(context, proceeded)


@cli.command()
def delete(context: typer.Context, run: Id) -> None:
    """Remove a run for good, with its journal and files."""

    async def gone(desk: "Desk") -> None:
        record = await desk.record(run)
        await desk.delete(record.id)
        typer.echo(f"{record.id} is gone.")

    at(context, gone)


@cli.command()
def answer(context: typer.Context, run: Id, text: Annotated[str, typer.Argument(help="What you say to it.")]) -> None:
    """Answer a run's question. A number means one of its choices."""
    from pilotfish.core.folds import waiting

    async def answered(desk: "Desk") -> None:
        record = await desk.record(run)
        asked = waiting(await desk.events(record.id))
        if asked is None:
            raise PersonError("That run asks nothing now.", f"See `pilotfish show {record.id}`.")
        chosen = text.isdigit() and 0 < int(text) <= len(asked.choices)
        said = asked.choices[int(text) - 1] if chosen else text
        await desk.command(record.id, "answer", text=said, request=asked.request)
        typer.echo(f"{asked.question} {said}")

    at(context, answered)


@cli.command()
def play(
    context: typer.Context,
    run: Id,
    speed: Annotated[float, typer.Option(help="How many times as fast as it was; 0 for at once.", min=0)] = 1.0,
    json: Json = False,
) -> None:
    """Tell a run again in its own rhythm. Nothing is done again: that is `replay`."""
    from pilotfish.interfaces.terminal.playing import perform

    async def played() -> None:
        async with context.obj.shelf() as shelf:
            story = await shelf.events((await shelf.record(run)).id)
        await perform(story, speed, json, console(notes=True))

    asyncio.run(played())


@cli.command()
def worker(
    runs: Annotated[int | None, typer.Option(help="The most runs at once; work.runs by default.", min=1)] = None,
) -> None:
    """Drive runs that others queue. With PostgreSQL on as many machines as you like."""
    from pilotfish.interfaces.worker import work

    asyncio.run(work(runs=runs, ready=typer.echo))
