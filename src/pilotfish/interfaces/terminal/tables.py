"""Lists for people: runs, one run, models, settings, the doctor's findings."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from pilotfish.core import events
from pilotfish.interfaces.terminal.speaker import note, summary

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from pilotfish.core.events import Event
    from pilotfish.core.facts import Fact
    from pilotfish.core.folds import Costs
    from pilotfish.core.records import RunRecord
    from pilotfish.core.usage import Usage
    from pilotfish.parts.admin import Embedded, Line
    from pilotfish.parts.doctor import Finding

MARKS = {"ok": Text("✓", "green"), "warning": Text("!", "yellow"), "broken": Text("✗", "red")}
NAMES = ("", "run", "when", "check", "model", "setting")
COLOURS = {"completed": "green", "failed": "red", "stopped": "yellow", "out_of_budget": "yellow"}


def grid(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column in NAMES)
    return table


def runs(records: Iterable["RunRecord"]) -> Table:
    table = grid("run", "when", "loop", "state", "task")
    for record in records:
        state = record.outcome or record.state
        when = record.created.astimezone().strftime("%Y-%m-%d %H:%M")
        shown = Text(state.replace("_", " "), COLOURS.get(state, ""))
        table.add_row(record.id, when, record.loop, shown, Text(_short(record.task)))
    return table


def findings(found: Iterable["Finding"]) -> Table:
    table = grid("", "check", "found", "what to do")
    for one in found:
        table.add_row(MARKS[one.status], one.name, Text(one.found), Text(one.fix))
    return table


def models(known: Iterable["Embedded"]) -> Table:
    table = grid("", "model", "size", "license", "what it is")
    for one in known:
        size = f"{one.size / 1e6:,.0f} MB"
        table.add_row(MARKS["ok"] if one.path else "", f"embedded:{one.name}", size, one.license, one.title)
    return table


def facts(known: Iterable["Fact"]) -> Table:
    table = grid("id", "fact", "kind", "tier", "used", "since", "ended")
    for one in known:
        row = (one.id, one.content, one.category, one.tier, str(one.use_count), f"{one.created:%Y-%m-%d}")
        table.add_row(*(Text(cell) for cell in row), f"{one.ended:%Y-%m-%d} {one.ending}" if one.ended else "")
    return table


def costs(book: "Costs") -> Table:
    """What was used by day, model, tool and run; a price that nobody knows is unknown, never nothing."""
    table = grid("by", "name", "calls", "tokens", "cost")
    for by, spent in (("day", book.days), ("model", book.models), ("tool", book.tools), ("run", book.runs)):
        for one in spent:
            table.add_row(by, Text(one.name), str(one.calls), f"{one.usage.tokens:,}", price(one.usage))
    table.add_row("all", "", "", f"{book.total.tokens:,}", price(book.total))
    return table


def price(usage: "Usage") -> str:
    known = f"${usage.cost:.4f}"
    return known if usage.priced else f"unknown, at least {known}" if usage.cost else "unknown"


def settings(lines: Iterable["Line"]) -> Table:
    table = grid("setting", "value", "from", "about")
    for line in lines:
        value = "" if line.value is None else str(line.value)
        style = "dim" if line.origin == "default" else "bold"
        table.add_row(Text(line.path), Text(value, style), Text(line.origin, style), Text(line.about, "dim"))
    return table


def transcript(record: "RunRecord", story: Sequence["Event"], console: "Console") -> None:
    """A run told again from its journal."""
    console.print(Text(f"{record.id}  {record.loop}  {record.created.astimezone():%Y-%m-%d %H:%M}", "bold"))
    for event in story:
        if part := told(event):
            console.print(part)


def told(event: "Event") -> "RenderableType | None":
    match event:
        case events.MessageAdded(message=message) if message.role in ("user", "assistant"):
            return Text.assemble((f"{message.role}: ", "bold"), message.text)
        case events.RunFinished():
            ending = Text(f"· {summary(event)}", "dim")
            if event.error:
                return Text.assemble((f"{event.error}\n", "red"), f"→ {event.fix}\n" if event.fix else "", ending)
            return ending
        case _:
            line = note(event)
            return Text(f"· {line}", "dim") if line else None


def _short(task: str) -> str:
    line = " ".join(task.split())
    return line if len(line) <= 70 else f"{line[:69]}…"
