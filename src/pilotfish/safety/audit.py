"""Builds the audit of a run from its journal, and exports the journal as a hash chain that shows any change."""

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from pilotfish.core import events as e
from pilotfish.core.values import Value

START = "0" * 64


class AuditLine(Value):
    """One decision, approval, use of a secret or refused request."""

    at: datetime
    seq: int
    kind: str
    what: str
    outcome: str
    why: str = ""
    by: str = ""


class AuditReport(Value):
    """A run's decisions, approvals, uses of secrets and refused requests."""

    run: str
    task: str = ""
    lines: tuple[AuditLine, ...] = ()

    def count(self, kind: str, outcome: str = "") -> int:
        return sum(line.kind == kind and outcome in ("", line.outcome) for line in self.lines)

    def summarize(self) -> str:
        """The counts in one line."""
        sent, refused = (self.count("held_request", outcome) for outcome in ("sent", "refused"))
        return (
            f"Actions: {self.count('decision', 'allowed')} allowed, {self.count('decision', 'refused')} refused. "
            f"Approvals asked: {self.count('approval')}. Secrets typed: {self.count('secret')}. "
            f"Connections refused: {self.count('connection')}. Requests held: {sent} sent, {refused} refused."
        )

    def markdown(self) -> str:
        """The report as Markdown."""
        head = f"# Audit of run {self.run}\n\n{self.task}\n"
        table = ["| time | # | kind | what | outcome | why | by |", "|---|---|---|---|---|---|---|"]
        for one in self.lines:
            cells = (f"{one.at:%H:%M:%S}", str(one.seq), one.kind, one.what, one.outcome, one.why, one.by)
            table.append(f"| {' | '.join(map(_cell, cells))} |")
        return "\n".join((head, f"{self.summarize()}\n", *table)) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")[:160]


def build_audit(run: str, events: Iterable[e.Event]) -> AuditReport:
    """The report of one run; events of its sub-runs may be among them."""
    task, lines, asked = "", list[AuditLine | None](), dict[str, Mapping[str, Any]]()
    for event in events:
        match event:
            case e.RunStarted() if event.run == run:
                task = event.task
            case e.Noted():
                lines.append(_read_note(event, event.details))
            case e.InputRequested(kind="approval"):
                asked[event.request] = event.details
            case e.InputReceived() if event.request in asked:
                what, why = (str(asked[event.request].get(name, "")) for name in ("what", "why"))
                lines.append(_make_line(event, "approval", what, event.answer[:80], why, event.by))
            case e.InputTimedOut() if event.request in asked:
                what = str(asked[event.request].get("what", ""))
                lines.append(_make_line(event, "approval", what, "nobody answered"))
            case _:
                pass
    return AuditReport(run=run, task=task, lines=tuple(filter(None, lines)))


def _read_note(note: e.Noted, details: Mapping[str, Any]) -> AuditLine | None:
    """The line of a decision, a typed secret or a refused request; None for other notes."""
    match note.topic:
        case "held_request" | "wire":  # what journals of earlier versions call it
            why = f"{details['why']} ({details['effect']})"
            return _make_line(note, "held_request", str(details["what"]), str(details["decision"]), why)
        case "policy" if details["tool"] != "request":
            why = f"{details['why']} ({details['effect']}, {details['rule']})"
            return _make_line(note, "decision", _describe_action(details), str(details["decision"]), why)
        case "secret":
            return _make_line(note, "secret", note.text, "typed")
        case "blocked":
            return _make_line(note, "connection", str(details["host"]), "refused", str(details["why"]))
        case _:
            return None


def _describe_action(details: Mapping[str, Any]) -> str:
    """What was decided about, and where."""
    what, site = str(details.get("what") or details["tool"]), str(details["site"])
    return what if not site or site in what else f"{what} on {site}"


def _make_line(event: e.Event, kind: str, what: str, outcome: str, why: str = "", by: str = "") -> AuditLine:
    return AuditLine(at=event.at, seq=event.seq, kind=kind, what=what, outcome=outcome, why=why, by=by)


def export_chain(events: Iterable[e.Event], key: bytes = b"") -> Iterator[str]:
    """The journal as JSON lines, each with the hash of all before it; the last is signed where there is a key."""
    link, count = START, 0
    for event in events:
        text = event.model_dump_json()
        link = _link_hash(link, text)
        count += 1
        yield json.dumps({"event": text, "hash": link})
    yield json.dumps({"end": count, "hash": link, "signature": _sign_chain(link, count, key)})


def find_tampering(lines: Iterable[str], key: bytes = b"") -> str:
    """Where an export was changed; empty if it is intact."""
    link, count, ended = START, 0, False
    for number, line in enumerate(lines, 1):
        if ended:
            return f"line {number}: something follows the end"
        try:
            held = json.loads(line)
            if ended := "end" in held:
                whole = held["end"] == count and held["hash"] == link
                signed = not key or hmac.compare_digest(held["signature"], _sign_chain(link, count, key))
                if not (whole and signed):
                    return f"line {number}: the end does not fit"
                continue
            link, count = _link_hash(link, held["event"]), count + 1
            if held["hash"] != link:
                return f"line {number}: the event was changed"
        except (ValueError, KeyError, TypeError):
            return f"line {number}: not a line of an export"
    return "" if ended else "the end is missing"


def _link_hash(link: str, text: str) -> str:
    return hashlib.sha256(f"{link}\n{text}".encode()).hexdigest()


def _sign_chain(link: str, count: int, key: bytes) -> str:
    return hmac.new(key, f"{count}:{link}".encode(), "sha256").hexdigest() if key else ""
