"""Keeps secrets out of a process's journal, log, errors and core dumps."""

import contextlib
import logging
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from types import TracebackType
from typing import Any
from weakref import WeakValueDictionary

from pilotfish.core.events import EVENT_ADAPTER, Event
from pilotfish.safety.scrubber import Scrubber


class SecretRedactor:
    """The scrubbers of the current runs. A run's journal is scrubbed of its own user's secrets, the log of all.

    As a context manager it scrubs errors that leave it. A journal is not scrubbed of other users' secrets: a user
    could find out by that whether a guess is right.
    """

    def __init__(self) -> None:
        self._runs: WeakValueDictionary[str, Scrubber] = WeakValueDictionary()

    def learn(self, run: str, scrubber: Scrubber) -> None:
        """Use a run's scrubber for as long as the scrubber exists."""
        if scrubber:
            _disable_core_dumps()
        self._runs[run] = scrubber

    def redact_text(self, text: str) -> str:
        for scrubber in list(self._runs.values()):
            text = scrubber.scrub_text(text)
        return text

    def redact_value(self, value: Any) -> Any:
        """The same for all texts within lists and mappings."""
        for scrubber in list(self._runs.values()):
            value = scrubber.scrub_value(value)
        return value

    def redact_event(self, event: Event) -> Event:
        """The event without secrets."""
        scrubber = self._runs.get(event.run)
        if not scrubber:
            return event
        text = event.model_dump_json()
        return (
            event
            if scrubber.scrub_text(text) is text
            else EVENT_ADAPTER.validate_python(scrubber.scrub_value(event.model_dump()))
        )

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        done: set[int] = set()
        left = [error]
        while left:
            error = left.pop()
            if error is None or id(error) in done:
                continue
            done.add(id(error))
            error.args = tuple(self.redact_value(each) for each in error.args)
            for name, value in vars(error).items():
                if isinstance(value, str | list | tuple | dict):
                    setattr(error, name, self.redact_value(value))
            inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
            left += [error.__cause__, error.__context__, *inner]

    @contextmanager
    def redact_log(self) -> Generator[None]:
        """Scrub every log record, of all loggers and for all handlers."""
        before = logging.getLogRecordFactory()

        def make_clean_record(*args: object, **more: object) -> logging.LogRecord:
            return self._clean(before(*args, **more))

        logging.setLogRecordFactory(make_clean_record)
        try:
            yield
        finally:
            if logging.getLogRecordFactory() is make_clean_record:
                logging.setLogRecordFactory(before)

    def _clean(self, record: logging.LogRecord) -> logging.LogRecord:
        if not any(self._runs.values()):
            return record
        # A handler reports a record whose arguments do not fit.
        with contextlib.suppress(TypeError, ValueError, KeyError):
            said = record.getMessage()
            if (clean := self.redact_text(said)) != said:
                record.msg, record.args = clean, None
        if record.exc_info and record.exc_info[1]:
            trace = "".join(traceback.format_exception(record.exc_info[1])).rstrip("\n")
            if (clean := self.redact_text(trace)) != trace:
                record.exc_text, record.exc_info = clean, None
        return record


def _disable_core_dumps() -> None:
    """Disable core dumps: they would contain secrets."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
