"""Reports computed from a journal: the open question, the run as Markdown, its costs."""

import re
from collections.abc import Iterable
from typing import Any

from pydantic import Field

from pilotfish.core import events as e
from pilotfish.core.events import Event
from pilotfish.core.records import RunRecord
from pilotfish.core.usage import Usage
from pilotfish.core.values import Value

CHARGED_EVENTS = ("model_replied", "model_failed", "tool_finished")


CODE_STARTS = ("{", "[", "`", "<")
"""How a reply begins that is meant for the program, not for people."""
LISTED_ACTIONS = 20
OBSERVATION_LENGTH = 600
ELEMENT_NUMBER = re.compile(r"\[\d+\] ?")
QUIET_TOOLS = ("screenshot", "memory_retrieve")
"""Tools that loops use by themselves at each look or at the beginning; their calls are nothing that was done."""
NOTES_TOPIC = "notes"
"""The topic under which a run journals the model's notes."""


def find_open_question(events: Iterable[Event]) -> e.InputRequested | None:
    """The question that the run waits for; None where it waits for none."""
    asked: e.InputRequested | None = None
    for event in events:
        match event:
            case e.InputRequested():
                asked = event
            case e.InputReceived() | e.InputTimedOut() | e.RunFinished():
                asked = None
            case _:
                pass
    return asked


def render_markdown(record: RunRecord, events: Iterable[Event]) -> str:
    """The run as a page that a person can read and keep."""
    head = f"# {' '.join(record.task.split())[:120]}\n\n{record.loop}, {record.created:%Y-%m-%d %H:%M} UTC\n"
    return "\n".join([head, *filter(None, map(render_event, events))]) + "\n"


def render_event(event: Event) -> str:
    match event:
        case e.MessageAdded():
            who = {"user": "You", "assistant": "Pilotfish"}.get(event.message.role, event.message.role)
            return f"## {who}\n\n{event.message.text}\n" + "".join(
                render_source(n, s) for n, s in enumerate(event.sources, 1)
            )
        case e.ToolFinished():
            outcome = event.text or (event.output if event.ok else event.error)
            return f"- {'✓' if event.ok else '✗'} `{event.tool}` {' '.join(outcome.split())[:200]}"
        case e.Planned():
            return "\n".join(f"- [{'x' if state == 'done' else ' '}] {text}" for text, state in event.items)
        case e.InputRequested():
            return f"**Asked:** {event.question}\n"
        case e.InputReceived():
            return f"**Answered:** {event.answer}\n"
        case e.RunFinished():
            price = f"{event.usage.cost * 100:.2f} ¢" if event.usage.priced else "price unknown"
            tail = f"{event.outcome.replace('_', ' ')}, {event.steps} steps, {event.seconds:.0f} s, {price}"
            return f"---\n\n{f'{event.error} {event.fix}'.strip()}\n\n{tail}" if event.error else f"---\n\n{tail}"
        case _:
            return ""


def render_source(number: int, source: object) -> str:
    held = dict(source) if isinstance(source, dict) else {}
    return f"\n{number}. [{held.get('title') or held.get('url', '')}]({held.get('url', '')})"


def describe_unfinished(why: str, events: Iterable[Event]) -> str:
    """Describe a run that ended early: the last thing said, and what was done."""
    said = ""
    events = list(events)
    for event in events:
        if isinstance(event, e.ModelReplied) and event.text and not event.text.lstrip().startswith(CODE_STARTS):
            said = event.text.strip()
    return "\n\n".join(filter(None, (why, said, describe_progress(events))))


def describe_progress(events: Iterable[Event]) -> str:
    """What a run did, what is still open, and what its notes say; empty where there is nothing of it."""
    done, plan, observed, events = list[str](), list[tuple[str, str]](), "", list(events)
    for event in events:
        match event:
            case e.ToolFinished(ok=True) if event.tool not in QUIET_TOOLS:
                done.append(ELEMENT_NUMBER.sub("", " ".join((event.text or event.output or event.tool).split()))[:200])
            case e.Planned():
                plan = list(event.items)
            case e.Reasoned(phase="observe"):
                observed = event.text
            case _:
                pass
    more = [f"… {len(done) - LISTED_ACTIONS} actions before these"] if len(done) > LISTED_ACTIONS else []
    noted = [f"{'✓ ' if line.get('ticked') else ''}{line.get('text', '')}" for line in last_notes(events)]
    parts = {
        "What was done until then:": [*more, *done[-LISTED_ACTIONS:]],
        "Last observation:": [" ".join(observed.split())[:OBSERVATION_LENGTH]] if observed else [],
        "Still open:": [text for text, state in plan if state != "done"],
        "Notes:": noted,
    }
    return "\n\n".join("\n".join([head, *(f"- {line}" for line in lines)]) for head, lines in parts.items() if lines)


def last_notes(events: Iterable[Event]) -> list[Any]:
    """The lines of the model's notes as the run last journalled them."""
    lines: list[Any] = []
    for event in events:
        if isinstance(event, e.Noted) and event.topic == NOTES_TOPIC:
            lines = list(event.details.get("lines", ()))
    return lines


class UsageTotal(Value):
    """What one model, tool, run or day used."""

    name: str
    calls: int = 0
    usage: Usage = Usage()


class CostReport(Value):
    """Usage: the total, and by model, tool, run and day."""

    total: Usage = Usage()
    runs: tuple[UsageTotal, ...] = ()
    days: tuple[UsageTotal, ...] = ()
    models: tuple[UsageTotal, ...] = ()
    tools: tuple[UsageTotal, ...] = ()
    searches: tuple[UsageTotal, ...] = Field(default=(), description="web searches by provider")


def sum_costs(events: Iterable[Event]) -> CostReport:
    """Add up money and tokens of finished model and tool calls."""
    books: dict[str, dict[str, UsageTotal]] = {name: {} for name in ("runs", "days", "models", "tools", "searches")}
    total = Usage()
    thoughts: list[e.ModelReplied] = []
    for event in events:
        if not isinstance(event, e.ModelReplied | e.ModelFailed | e.ToolFinished):
            continue
        total += event.usage
        names = {"runs": event.run, "days": f"{event.at:%Y-%m-%d}"}
        if isinstance(event, e.ModelReplied | e.ModelFailed):
            names["models"] = event.model
            thoughts += [event] if isinstance(event, e.ModelReplied) else []
        else:
            names["tools"] = event.tool
            if event.tool == "web_search":
                names["searches"] = str(event.data.get("provider", "")) or "unknown"
        for book, name in names.items():
            before = books[book].get(name) or UsageTotal(name=name)
            books[book][name] = UsageTotal(name=name, calls=before.calls + 1, usage=before.usage + event.usage)
    for thought in thoughts:
        # A model call that a tool made also counts for the tool.
        if tool := books["tools"].get(thought.purpose):
            books["tools"][tool.name] = tool.model_copy(update={"usage": tool.usage + thought.usage})
    return CostReport(total=total, **{book: tuple(kept.values()) for book, kept in books.items()})
