"""Lets the chat loop pass a message on to another loop, without an extra model call.

A question mark does not separate questions about a page from polite requests: "Could you add it to my cart?". So the
model that answers may reply with one agreed line instead, and the run continues as another loop.
"""

import re
from typing import TYPE_CHECKING

from pilotfish.runtime.steering import append_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pilotfish.core.messages import Message
    from pilotfish.runtime.run import Run

SIGNAL = "HAND OVER:"
QUESTION_MARKS = ("?", "\uff1f", "\u061f", "\u037e", "\u2e2e")
CLOSING_SIGNS = " \t\n\"'”’»)」』*_"
TARGET_LOOPS = {
    "browse": ("horizon", "it asks for something to be done"),
    "research": ("react", "the open pages do not say it"),
}
_SIGNAL = re.compile(r"\A[\s*_`>]{0,9}HAND OVER:[\s*_`]{0,9}(browse|research)\b", re.IGNORECASE)


def is_question(task: str) -> bool:
    """Whether a task ends with a question mark of any script."""
    return task.rstrip(CLOSING_SIGNS).endswith(QUESTION_MARKS)


def read_hand_over(reply: str) -> str:
    """ "browse" or "research" if a reply hands the message over; empty if it is an answer."""
    found = _SIGNAL.match(reply)
    return found[1].lower() if found else ""


async def may_hand_over(run: "Run") -> bool:
    """Whether `auto` chose the loop, and the model is large enough to follow such a rule."""
    return run.record.loop == "auto" and not (await run.facts()).small


async def offer_hand_over(run: "Run", messages: "Sequence[Message]") -> "Sequence[Message]":
    """The messages; the last one explains the agreed line if the run may be handed over."""
    return append_text(messages, run.prompt("chat_hand_over")) if await may_hand_over(run) else messages


async def follow_hand_over(run: "Run", reply: str) -> bool:
    """Continue as the loop that a reply hands over to. Returns False if the reply is an answer."""
    way = read_hand_over(reply) if await may_hand_over(run) else ""
    if way:
        name, why = TARGET_LOOPS[way]
        await run.note("loop", f"Using {name}: {why}.", loop=name)
        await run.continue_as(name)
    return bool(way)
