"""Errors, split by who must act.

    PilotfishError
    ├── ToolError               the model must act: it reads the message as the tool's result and tries another way
    ├── PersonError             the person must act: one sentence says what happened, another what to do
    │   ├── UnansweredError     a loop cannot go on without an answer
    │   ├── NotFoundError       what was asked for is not there
    │   ├── UnclearTimeError    words that do not surely say when something happens
    │   ├── ModelError          a model cannot be reached or used (key, name, outage, corrupt file)
    │   │   └── RequestTooLong  the request is more than the model can hold
    │   ├── SettingsError       a setting is unreadable or wrong
    │   ├── StoreError          the database is locked, full or unreachable
    │   └── BrowserError        no browser can be started or reached
    ├── Stopped                 the person stopped the run; unwinds the loop
    │   └── StoppedUnanswered   nobody answered its question in time
    └── OutOfBudget             money, steps or time are used up; unwinds the loop

Anything that is not a PilotfishError is a bug, and ends the run as failed.
"""

from typing import ClassVar


class PilotfishError(Exception):
    """The base of all errors. `fix` says what to do next."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, fix: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix


class ToolError(PilotfishError):
    """Goes back to the model as the result of its call; never ends a run."""


class PersonError(PilotfishError):
    """Only a person can fix this."""

    exit_code = 2


class UnansweredError(PersonError):
    """A question that the run cannot go on without got no answer."""

    def __init__(self, question: str) -> None:
        super().__init__(f"I asked “{question}” and got no answer.", "Give the task again with what was asked for.")


class NotFoundError(PersonError):
    """What was asked for does not exist, or the user may not see it."""


class UnclearTimeError(PersonError):
    """Words that do not surely say when something happens."""


class ModelError(PersonError):
    """A model cannot be reached or used."""

    exit_code = 3

    def __init__(self, message: str, fix: str = "", *, transient: bool = False) -> None:
        super().__init__(message, fix)
        self.transient = transient


class RequestTooLong(ModelError):
    """The request is more than the model can hold; a shorter one may do."""


class SettingsError(PersonError):
    """A setting is unreadable or wrong."""

    exit_code = 4


class StoreError(PersonError):
    """The database is locked, full or unreachable."""

    exit_code = 5


class BrowserError(PersonError):
    """No browser can be started or reached."""

    exit_code = 6


class Stopped(PilotfishError):
    """The person stopped the run."""

    exit_code = 130


class StoppedUnanswered(Stopped):
    """Nobody answered the run's question in time."""


class OutOfBudget(PilotfishError):
    """Money, steps or time are used up."""

    exit_code = 7


FORMER_NAMES = {
    "Missing": "NotFoundError",
    "TooLong": "RequestTooLong",
    "Misshapen": "InvalidAnswer",
    "Stuck": "NoProgress",
    "Unanswered": "StoppedUnanswered",
}
"""Names of errors in journals that were written before the classes were renamed."""


def exit_code(name: str) -> int:
    """The exit code for an error, by its class name; a general one where the name is not known."""
    kinds: list[type[PilotfishError]] = [PilotfishError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    return next((kind.exit_code for kind in kinds if kind.__name__ == name), PilotfishError.exit_code)
