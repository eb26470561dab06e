"""Computes a run's record from its events, and converts it to its row and back."""

import json
from collections.abc import Iterable
from itertools import combinations
from typing import Any

from sqlalchemy import Row

from pilotfish.core.events import (
    Event,
    ModelFailed,
    ModelReplied,
    RunFinished,
    RunStarted,
    StateChanged,
    ToolFinished,
)
from pilotfish.core.records import RunRecord
from pilotfish.core.usage import Usage
from pilotfish.core.workers import MOST_LABELS


def make_record(event: RunStarted) -> RunRecord:
    """The record of a new run."""
    return RunRecord(
        id=event.run,
        user=event.user,
        conversation=event.conversation,
        task=event.task,
        loop=event.loop,
        options=event.options,
        parent=event.parent,
        version=event.version,
        created=event.at,
        updated=event.at,
    )


def advance_record(record: RunRecord, event: Event) -> RunRecord:
    """The record after one more event. A run that has ended stays ended."""
    change: dict[str, Any] = {"updated": max(record.updated, event.at)}
    match event:
        case StateChanged() if record.outcome is None:
            change["state"] = event.state
        case RunFinished():
            change |= {"state": "ended", "outcome": event.outcome, "answer": event.text}
        case ModelReplied() | ModelFailed() | ToolFinished():
            change["usage"] = record.usage + event.usage
        case _:
            pass
    return record.model_copy(update=change)


def to_row(record: RunRecord, names: Iterable[str] = RunRecord.model_fields) -> dict[str, Any]:
    return {name: _column(record, name) for name in names}


def _column(record: RunRecord, name: str) -> Any:
    match name:
        case "options":
            return strip_nul(json.dumps(record.model_dump(mode="json", include={"options"})["options"]))
        case "usage":
            return record.usage.model_dump_json()
        case _:
            return strip_nul(getattr(record, name))


def from_row(row: Row[Any]) -> RunRecord:
    held = {name: getattr(row, name) for name in RunRecord.model_fields}
    held |= {"options": json.loads(held["options"]), "usage": Usage.model_validate_json(held["usage"])}
    return RunRecord.model_construct(**held)


def join_labels(labels: Iterable[str]) -> str:
    """Labels as one text, the same for the same set of labels."""
    return " ".join(sorted(set(labels)))


def label_sets(labels: Iterable[str]) -> list[str]:
    """Every set of these labels, each as one text: what a worker with these labels can be asked for."""
    known = sorted(set(labels))[:MOST_LABELS]
    return [join_labels(some) for size in range(len(known) + 1) for some in combinations(known, size)]


def strip_nul(value: Any) -> Any:
    """Remove NUL characters, which PostgreSQL refuses in text."""
    return value.replace("\0", "") if isinstance(value, str) else value
