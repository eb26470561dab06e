"""What a person says to a run while it works. Each message is journalled, and the next model call shows it.

A message is taken in within the durable step of a model call, or when the loop has ended. Its event's key names that
place, so a run that is replayed after a crash takes it in at the same place.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pilotfish.core.events import STEERING, Event, MessageAdded
from pilotfish.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pilotfish.core.records import Command
    from pilotfish.runtime.run_base import RunBase

LEADING_TIERS = frozenset({"main", "decision"})
"""The tiers that decide what a run does next."""


class Steering:
    """The person's messages to one run since its task, or since its last answer."""

    def __init__(self, run: "RunBase", past: "Mapping[str, Event]") -> None:
        self.run = run
        self.messages: list[Message] = []
        self._taken: set[int] = set()
        self._places = {
            int(number): place for place, mark, number in (key.rpartition(STEERING) for key in past) if mark
        }

    @property
    def is_waiting(self) -> bool:
        """Whether something was said that was not taken in yet."""
        return any(each.id not in self._taken for each in self.run.control.said)

    async def take(self, key: str, *, replayed: bool = False) -> list[Message]:
        """Take in and journal what was said since the last time; where `replayed`, only what was taken in here then."""
        waiting = [each for each in self.run.control.said if each.id not in self._taken]
        here = [each for each in waiting if self._places.get(each.id) == key]
        fresh = [each for each in waiting if each.id not in self._places]
        taken = [self._add(each) for each in (here if here or replayed else fresh)]
        for id, message in taken:
            await self.run.emit(f"{key}{STEERING}{id}", MessageAdded(run=self.run.id, message=message))
        return [message for _, message in taken]

    def recall(self, key: str) -> None:
        """Add what was taken in here before a crash, where the step was recorded and is not done again."""
        for command in self.run.control.said:
            if self._places.get(command.id) == key and command.id not in self._taken:
                self._add(command)

    def _add(self, command: "Command") -> tuple[int, Message]:
        self._taken.add(command.id)
        message = Message(role="user", text=command.text, origin="person")
        self.messages.append(message)
        self.run.messages.append(message)
        return command.id, message

    def show(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """The messages of a request, and at their end what the person said that they do not show yet."""
        shown = "\n".join(message.text for message in messages)
        hidden = [each for each in self.messages if each not in messages and quote_said(each) not in shown]
        return append_text(messages, "\n".join(map(quote_said, hidden))) if hidden else tuple(messages)


def quote_said(message: Message) -> str:
    """A message of the person as a line for a prompt."""
    return f"While you work, the person says: {message.text}"


def append_text(messages: Sequence[Message], text: str) -> tuple[Message, ...]:
    """The messages with a text at the end of the last one; as a message of its own where that is not the user's."""
    *before, last = messages
    if last.role == "user":
        return (*before, last.model_copy(update={"text": f"{last.text}\n\n{text}"}))
    return (*messages, Message(role="user", text=text))
