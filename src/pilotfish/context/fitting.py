"""Fits a conversation into a model's window: the newest messages stay, and a tool call stays with its result.

Messages are left out in steps, and old page snapshots in batches, so that the beginning of a request stays the same
from one call to the next and the model's prefix cache is used.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from pilotfish.core.errors import PersonError
from pilotfish.core.messages import Message, ModelFacts, ToolCall

PICTURE_TOKENS = 1000
MARGIN_TOKENS = 64
WHOLE_SNAPSHOTS, SNAPSHOT_BATCH = 2, 4
"""How many of the newest page snapshots stay whole, and how many older ones are replaced at a time."""
SMALLEST_SNAPSHOT = 150
"""A snapshot of fewer tokens is not worth replacing."""
CUT_MARK = "\n[cut: the text goes on]"
OLD_PAGE_LINE = "[a page as it was then; look again for what it shows now]"
PLAIN_BYTES = bytes(range(128, 256)) + b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ \n\t\r"
LONG_RUN = re.compile(r"[!-~]{30,}")
OPEN_DATA_MARK = re.compile(r'<data-([0-9a-f]{8}) from="')
DATA_BLOCK = re.compile(
    r'(<data-([0-9a-f]{8}) from="(?P<label>[^"<]*)">\n)'
    r"(?P<inner>[^<]*(?:<(?!/?data-[0-9a-f]{8}[ >])[^<]*)*)(\n</data-\2>)"
)


def measure_tokens(text: str) -> int:
    """The estimated tokens of a text, rather too many than too few.

    Four bytes a token fits prose in all scripts; figures, signs and long unbroken words count double.
    """
    raw = text.encode(errors="replace")
    dense = len(raw.translate(None, PLAIN_BYTES))
    unbroken = sum(map(len, LONG_RUN.findall(text))) if len(text) >= 30 else 0
    return (len(raw) + dense + unbroken) // 4 + 1


token_estimate = lru_cache(maxsize=4096)(measure_tokens)


def message_tokens(message: Message) -> int:
    calls = sum(token_estimate(f"{c.tool}{dict(c.args)}") for c in message.calls)
    return token_estimate(message.text) + calls + PICTURE_TOKENS * len(message.images) + 4


def total_tokens(messages: Iterable[Message]) -> int:
    return sum(map(message_tokens, messages))


def shared_start(one: str, two: str) -> int:
    """How many characters two texts have in common at their beginning."""
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == two[:middle] else (low, middle - 1)
    return low


def request_room(facts: ModelFacts, answer: int | None) -> int:
    """How many tokens a request may have."""
    return facts.window - min(answer or facts.answer, facts.window // 4) - MARGIN_TOKENS


def fit_messages(messages: Sequence[Message], limit: int, *, keep: str = "", stride: int = 0) -> tuple[Message, ...]:
    """The messages within the limit: system messages, the task (`keep`), what is pinned and the newest turn, and what
    else has room.

    The oldest turns go first, by whole strides of tokens. What must stay is cut where it is too long.
    """
    messages = drop_old_snapshots(messages)
    over = total_tokens(messages) - limit
    if over <= 0:
        return tuple(messages)
    head = [m for m in messages if m.role == "system"]
    turns = group_turns([m for m in messages if m.role != "system"])
    pinned = (place for place, turn in enumerate(turns) if any(message.pinned for message in turn))
    held = {len(turns) - 1, _find_task_turn(turns, keep), *pinned}
    over = -(-over // stride) * stride if stride else over
    dropped: set[int] = set()
    for place, turn in enumerate(turns):
        if over > 0 and place not in held:
            dropped.add(place)
            over -= total_tokens(turn)
    kept = [m for place, turn in enumerate(turns) if place not in dropped for m in turn]
    return tuple(_squeeze([*head, *kept], limit))


def newest_turns(messages: Sequence[Message], limit: int) -> list[Message]:
    """The newest turns of a history that fit, at least the last."""
    kept: list[list[Message]] = []
    for turn in reversed(group_turns(messages)):
        limit -= total_tokens(turn)
        if limit < 0 and kept:
            break
        kept.append(turn)
    return [message for turn in reversed(kept) for message in turn]


def group_turns(messages: Sequence[Message]) -> list[list[Message]]:
    """Groups of messages that stay together: an assistant's calls and their results."""
    groups: list[list[Message]] = []
    for message in messages:
        if message.role == "tool" and groups:
            groups[-1].append(message)
        else:
            groups.append([message])
    return groups


def drop_old_snapshots(messages: Sequence[Message]) -> Sequence[Message]:
    """The messages with old page snapshots replaced by a line, a batch at a time."""
    shots = [n for n, m in enumerate(messages) if m.role in ("tool", "user") and _drop_pages(m.text) != m.text]
    old = set(shots[: max(0, len(shots) - WHOLE_SNAPSHOTS) // SNAPSHOT_BATCH * SNAPSHOT_BATCH])
    if not old:
        return messages
    return [_strip_message(m) if n in old else m for n, m in enumerate(messages)]


def _strip_message(message: Message) -> Message:
    return message.model_copy(update={"text": _drop_pages(message.text), "images": ()})


@lru_cache(maxsize=1024)
def _drop_pages(text: str) -> str:
    """The text with a line in place of each page."""
    if "<data-" not in text:
        return text
    return DATA_BLOCK.sub(lambda block: block[1] + OLD_PAGE_LINE + block[5] if _is_page(block) else block[0], text)


def _is_page(block: re.Match[str]) -> bool:
    return block["label"].startswith(("page", "tab ")) and len(block["inner"]) > 4 * SMALLEST_SNAPSHOT


def _find_task_turn(turns: Sequence[Sequence[Message]], keep: str) -> int:
    """The place of the turn that gives the task, or none."""
    found = [n for n, turn in enumerate(turns) if keep and turn[0].role == "user" and turn[0].text == keep]
    return found[-1] if found else -1


def _squeeze(messages: Sequence[Message], limit: int) -> list[Message]:
    """The messages with the largest cut down until all fit."""
    if total_tokens(messages) <= limit:
        return list(messages)
    level = _find_level([message_tokens(m) for m in messages], limit)
    cut = [_cut(m, level) for m in messages]
    if total_tokens(cut) > limit:
        raise PersonError(
            "The request does not fit the model's window, however it is cut.",
            "Choose fewer tools or tabs, or a model with a larger window.",
        )
    return cut


def _find_level(sizes: Sequence[int], limit: int) -> int:
    """The size to which the largest must come down so that all fit."""
    for place, size in enumerate(sorted(sizes)):
        share = limit // (len(sizes) - place)
        if size > share:
            return share
        limit -= size
    return max(sizes, default=0)


def _cut(message: Message, limit: int) -> Message:
    if message_tokens(message) <= limit:
        return message
    message = message.model_copy(update={"images": ()})
    if message.calls and message_tokens(message) - token_estimate(message.text) > limit // 2:
        share = limit // 2 // len(message.calls) - 24
        message = message.model_copy(update={"calls": tuple(_shorten_call(call, share) for call in message.calls)})
    left = limit - message_tokens(message) + token_estimate(message.text)
    return message.model_copy(update={"text": abridge_text(message.text, left)})


def _shorten_call(call: ToolCall, limit: int) -> ToolCall:
    """The call with its long arguments cut."""
    if token_estimate(f"{dict(call.args)}") <= max(8, limit):
        return call
    texts = {name: str(value) for name, value in call.args.items()}
    share = limit // len(texts) - 8
    return call.model_copy(update={"args": {n: shorten_text(v, share) for n, v in texts.items()} if share > 8 else {}})


def abridge_text(text: str, limit: int) -> str:
    """A text within the limit, cut inside the longest piece of page content so that its marks stay closed."""
    if token_estimate(text) <= limit:
        return text
    blocks = sorted(DATA_BLOCK.finditer(text), key=lambda block: len(block["inner"]))
    if blocks and (left := limit - measure_tokens(text.replace(blocks[-1]["inner"], "")) - 10) > 16:
        start, end = blocks[-1].span("inner")
        return text[:start] + shorten_text(text[start:end], left) + text[end:]
    short = shorten_text(text, limit - 8) if limit > 8 else ""
    if close_mark(short) == short:
        return short
    return close_mark(shorten_text(text, limit - 24)) if limit > 24 else ""


def close_mark(text: str) -> str:
    """A cut text with its open data mark closed, so that what follows does not count as data."""
    opened = [mark[1] for mark in OPEN_DATA_MARK.finditer(text)]
    left = [mark for mark in dict.fromkeys(opened) if opened.count(mark) > text.count(f"</data-{mark}>")]
    return text + "".join(f"\n</data-{mark}>" for mark in left)


def shorten_text(text: str, limit: int) -> str:
    """The start of a text, cut by tokens at a line or sentence where one is near, saying that it was cut."""
    if token_estimate(text) <= limit:
        return text
    end = int(len(text) * limit / token_estimate(text))
    while end and measure_tokens(text[:end]) > limit:
        end = int(end * 0.95)
    floor = int(end * 0.8)
    place = max(text.rfind("\n", floor, end), text.rfind(". ", floor, end) + 1, text.rfind("。", floor, end) + 1)
    return text[: place if place > floor else end].rstrip() + CUT_MARK
