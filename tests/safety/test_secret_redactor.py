"""What a process says about itself holds no secret: journal, log, errors."""

import base64
import logging
from urllib.parse import quote

import pytest

from pilotfish.core import events as e
from pilotfish.core.errors import ToolError
from pilotfish.safety.scrubber import Scrubber
from pilotfish.safety.secret_redactor import SecretRedactor

VALUE = 'tr0ub4dor&3"x'


@pytest.fixture
def redactor() -> SecretRedactor:
    redactor = SecretRedactor()
    redactor.kept = Scrubber({"door": VALUE})  # pyright: ignore[reportAttributeAccessIssue]
    redactor.learn("r", redactor.kept)  # pyright: ignore[reportAttributeAccessIssue]
    return redactor


def test_an_event_is_rid_of_its_own_persons_secrets_and_of_nobody_elses(redactor: SecretRedactor) -> None:
    said = e.ToolStarted(run="r", call="1", tool="type", args={"text": [VALUE]}, text=f"Typing {VALUE}")
    clean = redactor.redact_event(said)
    assert isinstance(clean, e.ToolStarted)
    assert (clean.text, clean.args, clean.at) == ("Typing <secret:door>", {"text": ["<secret:door>"]}, said.at)
    other = said.model_copy(update={"run": "another"})
    assert redactor.redact_event(other) is other
    plain = e.RunFinished(run="r", outcome="completed", text="Nothing")
    assert redactor.redact_event(plain) is plain


def test_an_error_that_leaves_is_rid_of_them_with_all_that_caused_it(redactor: SecretRedactor) -> None:
    with pytest.raises(ToolError) as caught, redactor:
        try:
            raise ValueError(f"call log: fill({VALUE})", 3)
        except ValueError as error:
            raise ToolError(f"It could not type {VALUE}.", f"Type {VALUE} again.") from error
    error = caught.value
    assert error.message == str(error) == "It could not type <secret:door>."
    assert error.fix == "Type <secret:door> again." and error.__cause__ is not None
    assert error.__cause__.args == ("call log: fill(<secret:door>)", 3)


def test_errors_are_rid_of_them_in_groups_notes_and_lists_and_in_any_spelling(redactor: SecretRedactor) -> None:
    based = base64.b64encode(f"ada:{VALUE}".encode()).decode()
    inner = ValueError({"header": [f"Basic {based}"]}, quote(VALUE))
    inner.add_note(f"typed {VALUE.upper()}")
    with pytest.raises(ExceptionGroup) as caught, redactor:
        raise ExceptionGroup("several", [inner])
    told = f"{caught.value.exceptions[0].args} {inner.__notes__}"
    assert told.count("<secret:door>") == 3 and based not in told and VALUE.upper() not in told


def test_the_log_is_rid_of_them_whoever_writes_it(redactor: SecretRedactor, caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("somebody.else")
    before = logging.getLogRecordFactory()
    with redactor.redact_log():
        log.warning("typed %s into %d fields", VALUE, 2)
        try:
            raise ValueError(VALUE)
        except ValueError:
            log.exception("that failed")
        log.warning("nothing of %s", "note")
    log.warning("and now %s", VALUE)
    assert VALUE not in caplog.text.partition("and now")[0]
    assert "typed <secret:door> into 2 fields" in caplog.text and "ValueError: <secret:door>" in caplog.text
    assert "nothing of note" in caplog.text and logging.getLogRecordFactory() is before


def test_secrets_are_forgotten_with_their_run(redactor: SecretRedactor) -> None:
    del redactor.kept  # pyright: ignore[reportAttributeAccessIssue]
    assert redactor.redact_text(VALUE) == VALUE
