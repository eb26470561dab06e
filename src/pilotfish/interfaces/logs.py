"""The log of a server or a worker: lines for people, or one JSON object a line for machines, each with its run."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pilotfish.core.context import RUN

if TYPE_CHECKING:
    from typing import TextIO

    from pilotfish.core.settings import Log

KNOWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


class Lines(logging.Formatter):
    """What happened, when, in which run, and what was said with it in `extra`."""

    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self.as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if run := getattr(record, "run", "") or RUN.get():
            told["run"] = run
        told |= {name: value for name, value in vars(record).items() if name not in KNOWN and name != "run"}
        if record.exc_info or record.exc_text:
            told["error"] = record.exc_text or self.formatException(record.exc_info)  # pyright: ignore[reportArgumentType]
        if self.as_json:
            return json.dumps(told, default=str, ensure_ascii=False)
        head = f"{told.pop('at')} {told.pop('level'):7} {told.pop('message')}"
        error = told.pop("error", "")
        more = " ".join(f"{name}={value}" for name, value in told.items() if name != "logger")
        return " ".join(filter(None, (head, more))) + (f"\n{error}" if error else "")


def install(settings: "Log", stream: "TextIO | None" = None) -> None:
    """Let our own log be written, to standard error unless told otherwise; those of libraries only where they warn."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(Lines(settings.format == "json"))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel("WARNING")
    logging.getLogger("pilotfish").setLevel(settings.level.upper())
