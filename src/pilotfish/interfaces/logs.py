"""The log of a server or a worker: lines for people, or one JSON object a line for machines, each with its run."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pilotfish.core.current_run import CURRENT_RUN

if TYPE_CHECKING:
    from typing import TextIO

    from pilotfish.core.settings import LogSettings

RECORD_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


class LogFormatter(logging.Formatter):
    """Formats a record with its time, its run and the values in `extra`."""

    def __init__(self, as_json: bool) -> None:
        super().__init__()
        self.as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if run := getattr(record, "run", "") or CURRENT_RUN.get():
            fields["run"] = run
        fields |= {name: value for name, value in vars(record).items() if name not in RECORD_FIELDS and name != "run"}
        if record.exc_info or record.exc_text:
            fields["error"] = record.exc_text or self.formatException(record.exc_info)  # pyright: ignore[reportArgumentType]
        if self.as_json:
            return json.dumps(fields, default=str, ensure_ascii=False)
        head = f"{fields.pop('at')} {fields.pop('level'):7} {fields.pop('message')}"
        error = fields.pop("error", "")
        more = " ".join(f"{name}={value}" for name, value in fields.items() if name != "logger")
        return " ".join(filter(None, (head, more))) + (f"\n{error}" if error else "")


def install_logging(settings: "LogSettings", stream: "TextIO | None" = None) -> None:
    """Write Pilotfish's log to a stream, by default standard error; of libraries only warnings and errors."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(LogFormatter(settings.format == "json"))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel("WARNING")
    logging.getLogger("pilotfish").setLevel(settings.level.upper())
