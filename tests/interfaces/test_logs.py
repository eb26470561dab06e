"""The log of a server: for people, and for machines."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from pilotfish.core.current_run import CURRENT_RUN
from pilotfish.core.settings import LogSettings
from pilotfish.interfaces import logs


@pytest.fixture(autouse=True)
def restore_logging() -> Iterator[None]:
    root, ours = logging.getLogger(), logging.getLogger("pilotfish")
    before = root.handlers, root.level, ours.level
    yield
    root.handlers = before[0]
    root.setLevel(before[1])
    ours.setLevel(before[2])


def test_a_line_for_machines_is_json_with_the_run_and_what_was_said_with_it() -> None:
    written = io.StringIO()
    logs.install_logging(LogSettings(format="json"), written)
    token = CURRENT_RUN.set("r1")
    logging.getLogger("pilotfish.x").info("run ended", extra={"outcome": "failed"})
    CURRENT_RUN.reset(token)
    line = json.loads(written.getvalue())
    assert line["run"] == "r1" and line["message"] == "run ended" and line["outcome"] == "failed"
    assert line["level"] == "info" and line["at"].endswith("+00:00")


def test_a_line_for_people_carries_the_error_and_libraries_speak_up_only_to_warn() -> None:
    written = io.StringIO()
    logs.install_logging(LogSettings(), written)
    logging.getLogger("some.library").info("chatter")
    try:
        raise ValueError("odd")
    except ValueError:
        logging.getLogger("pilotfish").exception("it broke", extra={"run": "r2"})
    told = written.getvalue()
    assert "chatter" not in told and "it broke run=r2" in told and told.rstrip().endswith("ValueError: odd")
