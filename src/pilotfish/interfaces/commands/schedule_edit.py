"""The command that changes a schedule or watch: only what is said is changed."""

from typing import Annotated

import typer

from pilotfish.core.schedules import Schedule, SchedulePlan
from pilotfish.interfaces.commands import schedules as base
from pilotfish.interfaces.commands.base import JsonOption, echo, print_lines
from pilotfish.interfaces.commands.said_time import confirm_time
from pilotfish.interfaces.terminal.command_target import ScheduleEditor


@base.schedules.command()
def edit(
    context: typer.Context,
    schedule: base.ScheduleArgument,
    when: Annotated[str, typer.Option(help='Such as "every weekday at 8", "every 2 hours", or cron text.')] = "",
    task: Annotated[str, typer.Option(help="What is to be done; of a watch: what is waited for.")] = "",
    url: Annotated[list[str] | None, typer.Option(help="Where to begin; may be given several times.")] = None,
    name: base.Name = "",
    zone: base.Zone = "",
    missed: base.Missed = "",
    overlap: base.Overlap = "",
    jitter: Annotated[float | None, typer.Option(help="Begin up to so many seconds later.", min=0, max=3600)] = None,
    budget: base.Cents = None,
    month_budget: base.Month = None,
    allow: base.Allow = None,
    allow_nothing: Annotated[bool, typer.Option(help="Take back all that it was allowed.")] = False,
    ask: Annotated[bool | None, typer.Option(help="Ask about other effects instead of refusing them.")] = None,
    notify: base.Notify = None,
    notify_when: base.NotifyWhen = "",
    json: JsonOption = False,
) -> None:
    """Change a schedule or watch; what is not said stays as it is. --allow takes the place of what it was allowed."""
    from pilotfish.interfaces.terminal.schedule_tables import describe_schedule

    if when:
        when, zone = confirm_time(context, when, zone)
    stated = {
        "when": when,
        "task": task,
        "pages": url,
        "name": name,
        "zone": zone,
        "missed": missed,
        "overlap": overlap,
        "jitter": jitter,
        "budget_cents": budget,
        "month_cents": month_budget,
        "grants": base.read_grants(allow),
        "asks": ask,
        "notify": notify,
        "notify_when": notify_when,
    }
    given = {key: value for key, value in stated.items() if value not in (None, "", (), [])}

    async def change(editor: ScheduleEditor) -> Schedule:
        known = (await editor.get(schedule)).model_dump(include=set(SchedulePlan.model_fields))
        kept = {**known, "grants": ()} if allow_nothing else known
        return await editor.edit(schedule, base.make_plan(**{**kept, **given}))

    changed = base.with_schedules(context, change)
    if json:
        print_lines([changed])
        return
    for line in describe_schedule(changed):
        echo(line)
