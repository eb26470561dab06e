"""What a run did and was kept from, told from its journal; and the journal as a chain that shows any change."""

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from pilotfish.core import events as e
from pilotfish.core.values import Value

START = "0" * 64


class Line(Value):
    """One thing worth an auditor's look."""

    at: datetime
    seq: int
    kind: str
    what: str
    outcome: str
    why: str = ""
    by: str = ""


class Audit(Value):
    """A run's decisions, approvals, uses of secrets and refused requests."""

    run: str
    task: str = ""
    lines: tuple[Line, ...] = ()

    def count(self, kind: str, outcome: str = "") -> int:
        return sum(line.kind == kind and outcome in ("", line.outcome) for line in self.lines)

    def sums(self) -> str:
        """All of it in one line."""
        return (
            f"Actions: {self.count('decision', 'allowed')} allowed, {self.count('decision', 'refused')} refused. "
            f"Approvals asked: {self.count('approval')}. Secrets typed: {self.count('secret')}. "
            f"Requests kept back: {self.count('request')}."
        )

    def markdown(self) -> str:
        """To be kept or passed on."""
        head = f"# Audit of run {self.run}\n\n{self.task}\n"
        table = ["| time | # | kind | what | outcome | why | by |", "|---|---|---|---|---|---|---|"]
        for one in self.lines:
            cells = (f"{one.at:%H:%M:%S}", str(one.seq), one.kind, one.what, one.outcome, one.why, one.by)
            table.append(f"| {' | '.join(map(_cell, cells))} |")
        return "\n".join((head, f"{self.sums()}\n", *table)) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")[:160]


def audit(run: str, story: Iterable[e.Event]) -> Audit:
    """The report of one run; events of its sub-runs may be among them."""
    task, lines, asked = "", list[Line](), dict[str, e.InputRequested]()
    for event in story:
        match event:
            case e.RunStarted() if event.run == run:
                task = event.task
            case e.Noted(topic="policy"):
                told = event.details
                why = f"{told['why']} ({told['effect']}, {told['rule']})"
                lines.append(_line(event, "decision", _deed(told), str(told["decision"]), why))
            case e.Noted(topic="secret"):
                lines.append(_line(event, "secret", event.text, "typed"))
            case e.Noted(topic="blocked"):
                lines.append(
                    _line(event, "request", str(event.details["host"]), "kept back", str(event.details["why"]))
                )
            case e.InputRequested(kind="approval"):
                asked[event.request] = event
            case e.InputReceived() if event.request in asked:
                what = str(asked[event.request].details.get("what", ""))
                line = _line(
                    event, "approval", what, event.answer[:80], str(asked[event.request].details.get("why", ""))
                )
                lines.append(line.model_copy(update={"by": event.by}))
            case e.InputTimedOut() if event.request in asked:
                what = str(asked[event.request].details.get("what", ""))
                lines.append(_line(event, "approval", what, "nobody answered"))
            case _:
                pass
    return Audit(run=run, task=task, lines=tuple(lines))


def _deed(told: Mapping[str, Any]) -> str:
    """What was decided about, and where."""
    what, site = str(told.get("what") or told["tool"]), str(told["site"])
    return what if not site or site in what else f"{what} on {site}"


def _line(event: e.Event, kind: str, what: str, outcome: str, why: str = "") -> Line:
    return Line(at=event.at, seq=event.seq, kind=kind, what=what, outcome=outcome, why=why)


def export(story: Iterable[e.Event], key: bytes = b"") -> Iterator[str]:
    """The journal as JSON lines, each with the hash of all before it; the last is signed where there is a key."""
    link, count = START, 0
    for event in story:
        text = event.model_dump_json()
        link = _next(link, text)
        count += 1
        yield json.dumps({"event": text, "hash": link})
    yield json.dumps({"end": count, "hash": link, "signature": _signed(link, count, key)})


def broken(lines: Iterable[str], key: bytes = b"") -> str:
    """Where an export was changed; empty where it is whole."""
    link, count, ended = START, 0, False
    for number, line in enumerate(lines, 1):
        if ended:
            return f"line {number}: something follows the end"
        try:
            held = json.loads(line)
            if ended := "end" in held:
                whole = held["end"] == count and held["hash"] == link
                signed = not key or hmac.compare_digest(held["signature"], _signed(link, count, key))
                if not (whole and signed):
                    return f"line {number}: the end does not fit"
                continue
            link, count = _next(link, held["event"]), count + 1
            if held["hash"] != link:
                return f"line {number}: the event was changed"
        except (ValueError, KeyError, TypeError):
            return f"line {number}: not a line of an export"
    return "" if ended else "the end is missing"


def _next(link: str, text: str) -> str:
    return hashlib.sha256(f"{link}\n{text}".encode()).hexdigest()


def _signed(link: str, count: int, key: bytes) -> str:
    return hmac.new(key, f"{count}:{link}".encode(), "sha256").hexdigest() if key else ""
