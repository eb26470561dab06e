"""Keeps secrets out of what a process says about itself: its journal, its log, its errors, its core files."""

import contextlib
import logging
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from types import TracebackType
from weakref import WeakValueDictionary

from pilotfish.core.events import EVENT, Event
from pilotfish.safety.scrub import Scrubber


class Hush:
    """The scrubbers of the runs under way. A run's journal is rid of its own person's secrets, the log of all.

    As a context it rids whatever error leaves it. To scrub one person's journal of another's secrets would tell them
    when they guess one.
    """

    def __init__(self) -> None:
        self._runs: WeakValueDictionary[str, Scrubber] = WeakValueDictionary()

    def learn(self, run: str, scrubber: Scrubber) -> None:
        """Know a run's secrets for as long as the run itself does."""
        if scrubber:
            _coreless()
        self._runs[run] = scrubber

    def text(self, text: str) -> str:
        for scrubber in list(self._runs.values()):
            text = scrubber.text(text)
        return text

    def event(self, event: Event) -> Event:
        """The event as it may be kept."""
        scrubber = self._runs.get(event.run)
        if not scrubber:
            return event
        told = event.model_dump_json()
        return event if scrubber.text(told) is told else EVENT.validate_python(scrubber.value(event.model_dump()))

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        told: set[int] = set()
        while error is not None and id(error) not in told:
            told.add(id(error))
            error.args = tuple(self.text(each) if isinstance(each, str) else each for each in error.args)
            for name, value in vars(error).items():
                if isinstance(value, str):
                    setattr(error, name, self.text(value))
            error = error.__cause__ or error.__context__

    @contextmanager
    def listening(self) -> Generator[None]:
        """Rid every record of the log, whoever writes it and whoever reads it."""
        before = logging.getLogRecordFactory()

        def made(*args: object, **more: object) -> logging.LogRecord:
            return self._clean(before(*args, **more))

        logging.setLogRecordFactory(made)
        try:
            yield
        finally:
            if logging.getLogRecordFactory() is made:
                logging.setLogRecordFactory(before)

    def _clean(self, record: logging.LogRecord) -> logging.LogRecord:
        if not any(self._runs.values()):
            return record
        # A record whose arguments do not fit is told as such by its handler.
        with contextlib.suppress(TypeError, ValueError, KeyError):
            said = record.getMessage()
            if (clean := self.text(said)) != said:
                record.msg, record.args = clean, None
        if record.exc_info and record.exc_info[1]:
            trace = "".join(traceback.format_exception(record.exc_info[1])).rstrip("\n")
            if (clean := self.text(trace)) != trace:
                record.exc_text, record.exc_info = clean, None
        return record


def _coreless() -> None:
    """A process that knows a secret leaves no picture of its memory when it crashes."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
