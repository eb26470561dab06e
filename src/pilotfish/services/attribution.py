"""Sets the origin of messages that come from a client or from an earlier run."""

from collections.abc import Iterable, Mapping, Sequence

from pilotfish.core.errors import PersonError
from pilotfish.core.events import Event, MessageAdded
from pilotfish.core.journal_reports import render_markdown
from pilotfish.core.messages import Message, Origin
from pilotfish.core.records import RunRecord
from pilotfish.safety.untrusted_text import UntrustedText

ROLE_ORIGINS: Mapping[str, Origin] = {"user": "person", "tool": "tool"}


def attribute_messages(messages: Iterable[Message], conversation: str) -> list[Message]:
    """The messages, each with an origin; without one, the role decides. Tool results are quoted as untrusted."""
    untrusted = UntrustedText(conversation)
    made: list[Message] = []
    for message in messages:
        origin = message.origin or ROLE_ORIGINS.get(message.role, "client")
        text = f"A tool returned:\n{untrusted.wrap(message.text, 'tool')}" if origin == "tool" else message.text
        made.append(message.model_copy(update={"origin": origin, "text": text}))
    return made


def continue_messages(record: RunRecord, events: Sequence[Event]) -> list[Message]:
    """The messages of a run that continues another: what the other did as untrusted text, then the task.

    What was said in it is left out: it stands in the conversation already.
    """
    done = [event for event in events if not isinstance(event, MessageAdded)]
    transcript = UntrustedText(record.conversation).wrap(render_markdown(record, done), "an earlier attempt")
    before = f"An earlier attempt at the task that follows was interrupted. This is what it did:\n{transcript}"
    return [
        Message(role="user", text=before, origin="earlier_run"),
        Message(role="user", text=record.task, origin="person"),
    ]


def require_top_run(record: RunRecord) -> None:
    """Refuse to repeat a part of a run: a model wrote its task, and a repeated task counts as the person's words."""
    if record.parent:
        raise PersonError(f"{record.id} is a part of run {record.parent}.", f"Name {record.parent} instead.")
