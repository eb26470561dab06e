"""What a journal comes to: the open question, the story as Markdown, what it cost."""

from collections.abc import Iterable

from pydantic import Field

from pilotfish.core import events as e
from pilotfish.core.events import Event
from pilotfish.core.records import RunRecord
from pilotfish.core.usage import Usage
from pilotfish.core.values import Value

CHARGED = ("model_replied", "model_failed", "tool_finished")
"""The events that carry what something used."""


def waiting(events: Iterable[Event]) -> e.InputRequested | None:
    """The question that the run is waiting for, if it is."""
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


def markdown(record: RunRecord, events: Iterable[Event]) -> str:
    """The run as a page that a person can read and keep."""
    head = f"# {' '.join(record.task.split())[:120]}\n\n{record.loop}, {record.created:%Y-%m-%d %H:%M} UTC\n"
    return "\n".join([head, *filter(None, map(_told, events))]) + "\n"


def _told(event: Event) -> str:
    match event:
        case e.MessageAdded():
            who = {"user": "You", "assistant": "Pilotfish"}.get(event.message.role, event.message.role)
            return f"## {who}\n\n{event.message.text}\n" + "".join(
                _source(n, s) for n, s in enumerate(event.sources, 1)
            )
        case e.ToolFinished():
            told = event.text or (event.output if event.ok else event.error)
            return f"- {'✓' if event.ok else '✗'} `{event.tool}` {' '.join(told.split())[:200]}"
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


def _source(number: int, source: object) -> str:
    held = dict(source) if isinstance(source, dict) else {}
    return f"\n{number}. [{held.get('title') or held.get('url', '')}]({held.get('url', '')})"


def unfinished(why: str, events: Iterable[Event]) -> str:
    """What there is of a run that had to end early: the last thing said, and what was done."""
    said, done = "", list[str]()
    for event in events:
        match event:
            case e.ModelReplied() if event.text and not event.text.lstrip().startswith(("{", "[", "`", "<")):
                said = event.text.strip()
            case e.ToolFinished(ok=True):
                done.append(f"- {' '.join((event.text or event.output or event.tool).split())[:200]}")
            case _:
                pass
    parts = [why, said, "What was done until then:\n" + "\n".join(done[-12:]) if done else ""]
    return "\n\n".join(filter(None, parts))


class Spent(Value):
    """What one model, tool, run or day used."""

    name: str
    calls: int = 0
    usage: Usage = Usage()


class Costs(Value):
    """What was used, in all and by what."""

    total: Usage = Usage()
    runs: tuple[Spent, ...] = ()
    days: tuple[Spent, ...] = ()
    models: tuple[Spent, ...] = ()
    tools: tuple[Spent, ...] = ()
    searches: tuple[Spent, ...] = Field(default=(), description="web searches by provider")


def costs(events: Iterable[Event]) -> Costs:
    """Money and tokens over finished calls of models and tools."""
    books: dict[str, dict[str, Spent]] = {name: {} for name in ("runs", "days", "models", "tools", "searches")}
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
            before = books[book].get(name) or Spent(name=name)
            books[book][name] = Spent(name=name, calls=before.calls + 1, usage=before.usage + event.usage)
    for thought in thoughts:
        # What a model did for a tool is asked under the tool's name, and belongs to its account as well.
        if tool := books["tools"].get(thought.purpose):
            books["tools"][tool.name] = tool.model_copy(update={"usage": tool.usage + thought.usage})
    return Costs(total=total, **{book: tuple(kept.values()) for book, kept in books.items()})
