"""Fitting a conversation into a model's window: the newest stay, a tool call never parts from its result."""

from collections.abc import Sequence
from functools import lru_cache

from pilotfish.core.errors import ToolError
from pilotfish.core.messages import Facts, Message

PICTURE = 1000
MARGIN = 64


@lru_cache(maxsize=4096)
def tokens(text: str) -> int:
    """About how many tokens a text has: four characters each, two where the script is dense."""
    dense = sum(1 for c in text if c > "\u2e7f")
    return (len(text) - dense) // 4 + dense // 2 + 1


def weight(message: Message) -> int:
    calls = sum(tokens(f"{c.tool}{dict(c.args)}") for c in message.calls)
    return tokens(message.text) + calls + PICTURE * len(message.images) + 4


def room(facts: Facts, answer: int | None) -> int:
    """How many tokens a request may have."""
    return facts.window - min(answer or facts.answer, facts.window // 4) - MARGIN


def fit(messages: Sequence[Message], limit: int) -> tuple[Message, ...]:
    """Keep the leading system messages and as many of the newest turns as fit; cut the very last one if it must be."""
    head = [m for m in messages if m.role == "system"]
    turns = _turns([m for m in messages if m.role != "system"])
    left = limit - sum(map(weight, head))
    kept: list[list[Message]] = []
    for turn in reversed(turns):
        size = sum(map(weight, turn))
        if size > left:
            break
        kept.append(turn)
        left -= size
    if turns and not kept:
        kept.append([_cut(m, max(16, left // len(turns[-1]))) for m in turns[-1]])
    fitted = (*head, *(m for turn in reversed(kept) for m in turn))
    if sum(map(weight, fitted)) > limit + MARGIN:
        raise ToolError("The instructions alone do not fit the model's window; choose fewer tools or tabs.")
    return fitted


def _turns(messages: Sequence[Message]) -> list[list[Message]]:
    """Groups that stay together: an assistant's calls and the results that answer them."""
    groups: list[list[Message]] = []
    for message in messages:
        if message.role == "tool" and groups:
            groups[-1].append(message)
        else:
            groups.append([message])
    return groups


def _cut(message: Message, limit: int) -> Message:
    if weight(message) <= limit:
        return message
    text = shorten(message.text, max(1, limit - 16))
    return message.model_copy(update={"text": text, "images": ()})


def shorten(text: str, limit: int) -> str:
    """The start of a text, cut by tokens at a line or sentence where one is near, saying that it was cut."""
    if tokens(text) <= limit:
        return text
    end = int(len(text) * limit / tokens(text))
    while end and tokens(text[:end]) > limit:
        end = int(end * 0.95)
    floor = int(end * 0.8)
    place = max(text.rfind("\n", floor, end), text.rfind(". ", floor, end) + 1, text.rfind("。", floor, end) + 1)
    return text[: place if place > floor else end].rstrip() + "\n[cut: the text goes on]"
