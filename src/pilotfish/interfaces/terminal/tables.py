"""Tables for the terminal: runs, one run, models, settings, the doctor's findings."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pydantic_core import to_json
from rich.table import Table
from rich.text import Text

from pilotfish.core import events
from pilotfish.core.answers import list_choices
from pilotfish.interfaces.terminal.run_printer import event_line, usage_summary

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from pilotfish.core.events import Event
    from pilotfish.core.facts import Fact
    from pilotfish.core.journal_reports import CostReport
    from pilotfish.core.records import RunRecord
    from pilotfish.core.usage import Usage
    from pilotfish.core.users import User
    from pilotfish.safety.logins import SiteLogin
    from pilotfish.services.admin import EmbeddedModelInfo, SettingLine
    from pilotfish.services.doctor import DoctorFinding
    from pilotfish.services.safety_service import AuditReport, SecretInfo
    from pilotfish.services.workers import WorkerInfo

MARKS = {"ok": Text("✓", "green"), "warning": Text("!", "yellow"), "broken": Text("✗", "red")}
NAMES = ("", "run", "when", "check", "model", "setting")
COLOURS = {"completed": "green", "failed": "red", "stopped": "yellow", "out_of_budget": "yellow"}


def make_grid(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column in NAMES)
    return table


def runs_table(records: Iterable["RunRecord"]) -> Table:
    table = make_grid("run", "when", "loop", "state", "task")
    for record in records:
        state = record.outcome or record.state
        when = record.created.astimezone().strftime("%Y-%m-%d %H:%M")
        shown = Text(state.replace("_", " "), COLOURS.get(state, ""))
        table.add_row(record.id, when, record.loop, shown, Text(_shorten_task(record.task)))
    return table


def checks_table(found: Iterable["DoctorFinding"]) -> Table:
    table = make_grid("", "check", "found", "what to do")
    for one in found:
        table.add_row(MARKS[one.status], one.name, Text(one.found), Text(one.fix))
    return table


def workers_table(found: Iterable["WorkerInfo"]) -> Table:
    table = make_grid("worker", "machine", "runs", "labels", "state")
    for one in found:
        room = f"{one.busy} of {one.runs}" if one.runs else "none"
        state = "serves people" if not one.runs else "ends" if one.draining else "takes runs"
        table.add_row(one.id, one.host, room, " ".join(one.labels), state)
    return table


def models_table(known: Iterable["EmbeddedModelInfo"]) -> Table:
    table = make_grid("", "model", "size", "memory", "license", "what it is")
    for one in known:
        size, memory = f"{one.size / 1e6:,.0f} MB", f"{one.memory / 1e9:.1f} GB"
        parts = [one.title, f"with an adapter for chores ({one.adapter / 1e6:.0f} MB)" if one.adapter else ""]
        parts += [
            "recommended for this machine" if one.recommended else "" if one.fits else "too large for this machine"
        ]
        title = "; ".join(filter(None, parts))
        table.add_row(MARKS["ok"] if one.path else "", f"embedded:{one.name}", size, memory, one.license, title)
    return table


def facts_table(known: Iterable["Fact"]) -> Table:
    table = make_grid("id", "fact", "kind", "tier", "used", "since", "ended")
    for one in known:
        row = (one.id, one.content, one.category, one.tier, str(one.use_count), f"{one.created:%Y-%m-%d}")
        table.add_row(*(Text(cell) for cell in row), f"{one.ended:%Y-%m-%d} {one.ending}" if one.ended else "")
    return table


def users_table(known: Iterable["User"]) -> Table:
    table = make_grid("id", "name", "role")
    for one in known:
        table.add_row(Text(one.id), Text(one.name), one.role)
    return table


def secrets_table(known: Iterable["SecretInfo"]) -> Table:
    table = make_grid("name", "kind", "sites")
    for one in known:
        table.add_row(Text(one.name), one.kind, Text(", ".join(one.origins)))
    return table


def logins_table(known: Iterable["SiteLogin"]) -> Table:
    table = make_grid("site", "cookies", "stored items", "when")
    for one in known:
        when = one.saved.astimezone().strftime("%Y-%m-%d %H:%M")
        table.add_row(Text(one.site), str(one.cookies), str(one.items), when)
    return table


def print_audit(report: "AuditReport", console: "Console") -> None:
    """Print the decisions, approvals, uses of secrets and refused requests of a run."""
    console.print(Text(f"Audit of run {report.run}", "bold"))
    console.print(Text(report.task))
    console.print(Text(report.summarize()))
    table = make_grid("when", "outcome", "what")
    for one in report.lines:
        asked = one.kind == "approval"
        colour = "red" if one.outcome == "refused" else "yellow" if asked else ""
        what = Text.assemble(one.what, (f"\n{one.why}" if one.why else "", "dim"))
        if asked:
            what.append(f"\n→ {one.outcome}{f' ({one.by})' if one.by else ''}")
        table.add_row(f"{one.at.astimezone():%H:%M:%S}", Text("asked" if asked else one.outcome, colour), what)
    if report.lines:
        console.print(table)


def costs_table(book: "CostReport") -> Table:
    """Usage by day, model, tool and run; an unknown price is shown as unknown, not as zero."""
    table = make_grid("by", "name", "calls", "tokens", "cost")
    for by, spent in (("day", book.days), ("model", book.models), ("tool", book.tools), ("run", book.runs)):
        for one in spent:
            table.add_row(by, Text(one.name), str(one.calls), f"{one.usage.tokens:,}", price_text(one.usage))
    table.add_row("all", "", "", f"{book.total.tokens:,}", price_text(book.total))
    return table


def price_text(usage: "Usage") -> str:
    known = f"${usage.cost:.4f}"
    return known if usage.priced else f"unknown, at least {known}" if usage.cost else "unknown"


def settings_table(lines: Iterable["SettingLine"]) -> Table:
    table = make_grid("setting", "value", "from", "about")
    for line in lines:
        value = _write_value(line.value)
        style = "dim" if line.origin == "default" else "bold"
        table.add_row(Text(line.path), Text(value, style), Text(line.origin, style), Text(line.about, "dim"))
    return table


def print_transcript(record: "RunRecord", events: Sequence["Event"], console: "Console") -> None:
    """Print a run from its journal."""
    console.print(Text(f"{record.id}  {record.loop}  {record.created.astimezone():%Y-%m-%d %H:%M}", "bold"))
    for event in events:
        if part := render_event(event):
            console.print(part)


def render_event(event: "Event") -> "RenderableType | None":
    match event:
        case events.MessageAdded(message=message) if message.role in ("user", "assistant"):
            return Text.assemble((f"{message.role}: ", "bold"), message.text)
        case events.InputRequested():
            return Text.assemble((event.question, "bold"), *([f"\n{list_choices(event)}"] if event.choices else []))
        case events.InputReceived():
            return Text(f"→ {event.answer}")
        case events.InputTimedOut():
            return Text("→ nobody answered in time")
        case events.RunFinished():
            ending = Text(f"· {usage_summary(event)}", "dim")
            if event.error:
                return Text.assemble((f"{event.error}\n", "red"), f"→ {event.fix}\n" if event.fix else "", ending)
            return ending
        case _:
            line = event_line(event)
            return Text(f"· {line}", "dim") if line else None


def _write_value(value: object) -> str:
    """A setting's value as it would be typed: text as it is, other values as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else to_json(value, fallback=str).decode()


def _shorten_task(task: str) -> str:
    line = " ".join(task.split())
    return line if len(line) <= 70 else f"{line[:69]}…"
