"""Schedules, their history, calendar and notices as lines and tables for the terminal."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from rich.table import Table

from pilotfish.core.schedules import CalendarEntry, Notice, Schedule, ScheduleFire
from pilotfish.interfaces.terminal.printable_text import printable
from pilotfish.services.schedules import describe_rights

TITLE_LENGTH = 60


def local(at: datetime | None, zone: str = "") -> str:
    """A moment in the time of a zone, or of this machine."""
    if at is None:
        return "never"
    return f"{at.astimezone(ZoneInfo(zone) if zone else None):%a %Y-%m-%d %H:%M %Z}"


def describe_schedule(schedule: Schedule) -> list[str]:
    """What was made, when it happens and what it may do."""
    state = f"paused: {schedule.paused_why}" if schedule.paused else f"next: {local(schedule.next, schedule.zone)}"
    return [
        f"{schedule.id}  {schedule.title}  ({schedule.when}, {schedule.zone}; {state})",
        *describe_rights(schedule),
    ]


def schedules_table(found: Sequence[Schedule]) -> Table:
    table = Table("id", "what", "when", "next", "state", box=None, pad_edge=False)
    for one in found:
        state = "paused" if one.paused else "over" if one.next is None else "watch" if one.watch else "task"
        state += f", {one.failures} failed" if one.failures else ""
        table.add_row(one.id, printable(one.title[:TITLE_LENGTH]), one.when, local(one.next, one.zone), state)
    return table


def history_table(found: Sequence[ScheduleFire], zone: str) -> Table:
    """What became of each time, by the clocks of the schedule's zone."""
    table = Table("due", "what became of it", "run", "changed", box=None, pad_edge=False)
    for fire in found:
        became = f"{fire.outcome or fire.state}: {fire.text}" if fire.text else str(fire.outcome or fire.state)
        table.add_row(
            local(fire.due, zone),
            printable(became[: TITLE_LENGTH * 2]),
            fire.run,
            printable(fire.change[: TITLE_LENGTH * 2]),
        )
    return table


def calendar_table(found: Sequence[CalendarEntry]) -> Table:
    """What was and what comes, each by the clocks of its schedule's zone."""
    table = Table("at", "what", "state", "run", box=None, pad_edge=False)
    for entry in found:
        state = str(entry.outcome or entry.state)
        often = f", {entry.when}" if entry.count == 0 else f", {entry.count} times" if entry.count > 1 else ""
        table.add_row(
            local(entry.at, entry.zone), printable(entry.title[:TITLE_LENGTH]), printable(f"{state}{often}"), entry.run
        )
    return table


def describe_notice(notice: Notice) -> list[str]:
    """What was told, over which channel, and why it was not taken."""
    state = f"{notice.state}: {notice.error}" if notice.error else notice.state
    lines = [
        f"{local(notice.at)}  {notice.kind}: {notice.title}  ({notice.channel}, {state})",
        f"  {notice.text[:300]}",
    ]
    if notice.state == "failed":
        lines.append(f"  pilotfish schedules retry {notice.id}")
    elif notice.kind == "question":
        lines.append(f"  pilotfish answer {notice.run}")
    return [printable(line) for line in lines if line.strip()]
