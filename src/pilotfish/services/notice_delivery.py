"""What all channels share: how a failure to deliver is told, and how a notice is headed."""

from pilotfish.core.schedules import Notice

TIMEOUT = 15.0
HEADINGS = {"result": "", "problem": "Problem: ", "paused": "Paused: ", "question": "Question: "}


class UndeliverableNotice(Exception):
    """A channel did not take a notice. Where it is not set up, trying again is of no use."""

    def __init__(self, message: str, *, final: bool = False) -> None:
        super().__init__(message)
        self.final = final


def write_title(notice: Notice) -> str:
    """The heading of a notice."""
    return f"{HEADINGS[notice.kind]}{notice.title}"[:150]
