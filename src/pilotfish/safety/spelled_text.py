"""Decodes URL, JSON and HTML escapes in a text, and maps each decoded character to its original position."""

import html
import re
from bisect import bisect_right
from collections.abc import Iterator

from pilotfish.safety.hidden_text import INVISIBLE

MOST_ROUNDS = 4
ESCAPE_SEQUENCE = re.compile(
    r"%[0-7][0-9a-f]|(?:%[89a-f][0-9a-f])+"
    r"|\\u(?:d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|[0-9a-f]{4})|\\x[0-9a-f]{2}|\\[\"\\/nrt]"
    r"|&#x[0-9a-f]{1,6};?|&#[0-9]{1,7};?|&[a-z]{2,8};"
    rf"|{INVISIBLE.pattern}",
    re.IGNORECASE,
)
SIGNS = ("%", "\\", "&")
SHORT_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


class SpelledReading:
    """A decoded text; `starts` and `origins` map each part to the part of the text before decoding."""

    def __init__(self, text: str, before: "SpelledReading | None" = None) -> None:
        self.text = text
        self._before = before
        self._starts: list[int] = [0]
        self._origins: list[tuple[int, int]] = [(0, len(text))]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The part of the original text that a part of this text came from."""
        if self._before is None:
            return start, end
        return self._before.span(self._origin_span(start)[0], self._origin_span(end - 1)[1])

    def _origin_span(self, at: int) -> tuple[int, int]:
        """Where one character came from: an escaped one from its whole escape, a plain one from itself."""
        part = bisect_right(self._starts, at) - 1
        start, end = self._origins[part]
        return (start, end) if end >= 0 else (start + at - self._starts[part], start + at - self._starts[part] + 1)

    def decode(self) -> "SpelledReading | None":
        """This text with its escapes decoded; None if it has none."""
        if not any(sign in self.text for sign in SIGNS) and (self.text.isascii() or not INVISIBLE.search(self.text)):
            return None
        parts: list[str] = []
        starts: list[int] = []
        origins: list[tuple[int, int]] = []
        done = size = 0
        for found in ESCAPE_SEQUENCE.finditer(self.text):
            for text, origin in ((self.text[done : found.start()], (done, -1)), (_sign(found[0]), found.span())):
                if text:
                    parts.append(text)
                    starts.append(size)
                    origins.append(origin)
                    size += len(text)
            done = found.end()
        if not done:
            return None
        parts.append(self.text[done:])
        made = SpelledReading("".join(parts), self)
        made._starts, made._origins = [*starts, size], [*origins, (done, -1)]
        return made


def read_spelled(text: str) -> Iterator[SpelledReading]:
    """The text as it is, then decoded once, twice and more often."""
    reading: SpelledReading | None = SpelledReading(text)
    for _ in range(MOST_ROUNDS):
        if reading is None:
            return
        yield reading
        reading = reading.decode()


def _sign(spelled: str) -> str:
    """What an escape stands for; empty for invisible characters."""
    kind = spelled[0]
    if kind == "%":
        raw = bytes.fromhex(spelled.replace("%", ""))
        try:
            return raw.decode()
        except UnicodeDecodeError:
            return raw.decode("latin-1")
    if kind == "&":
        return html.unescape(spelled)
    if kind == "\\":
        if spelled[1] in "uUxX" and len(spelled) > 2:
            units = [int(unit, 16) for unit in re.findall(r"[0-9a-fA-F]{2,4}", spelled)]
            return _join_units(units)
        return SHORT_ESCAPES.get(spelled[1], spelled[1])
    return ""


def _join_units(units: list[int]) -> str:
    raw = b"".join(unit.to_bytes(2, "big") for unit in units)
    return raw.decode("utf-16-be", "replace")
