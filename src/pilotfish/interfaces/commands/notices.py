"""The commands for what schedules did and told: history, calendar, notices, and sending one again."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from pilotfish.interfaces.commands.base import JsonOption, echo, get_target, make_console, print_lines
from pilotfish.interfaces.commands.schedule_edit import base

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pilotfish.core.schedules import ScheduleFire
    from pilotfish.interfaces.terminal.command_target import NoticeEditor, ScheduleEditor

T = TypeVar("T")


def with_notices(context: typer.Context, work: "Callable[[NoticeEditor], Awaitable[T]]") -> T:
    """Run a function on the notices of this machine, or of the server that was named."""

    async def run_work() -> T:
        async with get_target(context).open_notices() as editor:
            return await work(editor)

    return asyncio.run(run_work())


@base.schedules.command()
def notices(
    context: typer.Context,
    failed: Annotated[bool, typer.Option("--failed", help="Only dead letters, which a channel did not take.")] = False,
    limit: Annotated[int, typer.Option(help="How many at most.", min=1, max=500)] = 20,
    json: JsonOption = False,
) -> None:
    """Show what schedules told, newest first; --failed shows the dead letters."""
    from pilotfish.interfaces.terminal.schedule_tables import describe_notice

    found = with_notices(context, lambda editor: editor.list("failed" if failed else None, limit))
    if json:
        print_lines(found)
        return
    for line in [line for one in found for line in describe_notice(one)]:
        echo(line)
    if not found:
        echo("Each channel took what it was given." if failed else "Nothing was told yet.")


@base.schedules.command()
def retry(context: typer.Context, notice: Annotated[str, typer.Argument(help="Its id.")]) -> None:
    """Try a dead letter once more."""
    again = with_notices(context, lambda editor: editor.retry(notice))
    echo(f"It is sent again by {again.channel} as soon as a server or worker runs.")


@base.schedules.command()
def history(
    context: typer.Context,
    schedule: base.ScheduleArgument,
    limit: Annotated[int, typer.Option(help="How many at most.", min=1, max=500)] = 20,
    json: JsonOption = False,
) -> None:
    """Show its times so far, and what changed since the time before."""
    from pilotfish.interfaces.terminal.schedule_tables import history_table

    async def read(editor: "ScheduleEditor") -> "tuple[Sequence[ScheduleFire], str]":
        return await editor.history(schedule, limit=limit), (await editor.get(schedule)).zone

    found, zone = base.with_schedules(context, read)
    if json:
        print_lines(found)
    else:
        make_console().print(history_table(found, zone) if found else "It has not happened yet.")


@base.schedules.command()
def calendar(
    context: typer.Context,
    days: Annotated[int, typer.Option(help="How many days back and ahead.", min=1, max=30)] = 7,
    json: JsonOption = False,
) -> None:
    """Show past and coming times."""
    from pilotfish.core.events import current_time
    from pilotfish.interfaces.terminal.schedule_tables import calendar_table

    now = current_time()
    span = timedelta(days=days)
    found = base.with_schedules(context, lambda editor: editor.calendar(now - span, now + span))
    if json:
        print_lines(found)
    else:
        make_console().print(calendar_table(found) if found else "Nothing was and nothing comes.")
