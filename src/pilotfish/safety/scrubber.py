"""Removes secrets from text, in any encoding, before it is read or stored.

The text is not compared with every spelling of a secret. It is decoded from URL, JSON and HTML escapes, repeatedly
while that changes anything, and searched without regard to case and to invisible characters. In base64, secrets are
found by the part that does not depend on what stands before and after them.
"""

import base64
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from pilotfish.safety.spelled_text import SpelledReading, read_spelled

if TYPE_CHECKING:
    import numpy as np

SHORTEST_SECRET = 4
SHORTEST_LOOSE = 6
"""From this length on a value is found in any case, and within base64 and hexadecimal."""
SMALL_TEXT = 2_000
TABLE_BITS = 20
BASE64 = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
Span = tuple[int, int, str]


class ScrubNeedle(NamedTuple):
    """Bytes to search for. `exact` is empty if upper and lower case do not matter."""

    lower: bytes
    exact: bytes
    coded: bool
    name: str


class Scrubber:
    """Replaces values by their names. Values shorter than four characters are not replaced."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._needles = list(
            dict.fromkeys(
                needle
                for name, value in values.items()
                if len(value) >= SHORTEST_SECRET
                for needle in make_needles(f"<secret:{name}>", value)
            )
        )

    def __bool__(self) -> bool:
        return bool(self._needles)

    def scrub_text(self, text: str) -> str:
        """The text with the values replaced."""
        if not self._needles:
            return text
        spans = [span for reading in read_spelled(text) for span in self._find_spans(reading)]
        return _replace_spans(text, spans) if spans else text

    def scrub_value(self, value: Any) -> Any:
        """The same for all texts within lists and mappings."""
        if isinstance(value, str):
            return self.scrub_text(value)
        if isinstance(value, Mapping):
            return {self.scrub_value(name): self.scrub_value(each) for name, each in value.items()}
        if isinstance(value, tuple) and hasattr(value, "_make"):
            return value._make(map(self.scrub_value, value))  # pyright: ignore
        return type(value)(map(self.scrub_value, value)) if isinstance(value, list | tuple | set | frozenset) else value

    def _find_spans(self, reading: SpelledReading) -> Iterator[Span]:
        """The spans of values, as positions in the original text."""
        data = reading.text.encode("utf-8", "surrogatepass")
        lower, plain = data.lower(), len(data) == len(reading.text)
        for at, needle in self._search_small(lower) if len(data) < SMALL_TEXT else self._search_large(lower):
            end = at + len(needle.lower)
            if needle.exact and not data.startswith(needle.exact, at):
                continue
            start, end = _widen_base64(data, at, end) if needle.coded else (at, end)
            if not plain:
                start, end = (len(data[:place].decode("utf-8", "surrogatepass")) for place in (start, end))
            yield *reading.span(start, end), needle.name

    def _search_small(self, lower: bytes) -> Iterator[tuple[int, ScrubNeedle]]:
        for needle in self._needles:
            at = lower.find(needle.lower)
            while at >= 0:
                yield at, needle
                at = lower.find(needle.lower, at + 1)

    def _search_large(self, lower: bytes) -> Iterator[tuple[int, ScrubNeedle]]:
        """Find all positions of the first four bytes of any value at once, and compare only there."""
        for at in self._find_places(lower):
            for needle in self._starts[lower[at : at + 4]]:
                if lower.startswith(needle.lower, at):
                    yield at, needle

    def _find_places(self, data: bytes) -> list[int]:
        import numpy as np

        table, found = self._table, list["np.ndarray[Any, Any]"]()
        for offset in range(4):
            words = np.frombuffer(data, "<u4", (len(data) - offset) // 4, offset)
            found.append(np.flatnonzero(table[_hash_words(words)]) * 4 + offset)
        return [at for at in np.sort(np.concatenate(found)).tolist() if data[at : at + 4] in self._starts]

    @cached_property
    def _starts(self) -> dict[bytes, list[ScrubNeedle]]:
        starts: dict[bytes, list[ScrubNeedle]] = {}
        for needle in self._needles:
            starts.setdefault(needle.lower[:4], []).append(needle)
        return starts

    @cached_property
    def _table(self) -> "np.ndarray[Any, Any]":
        import numpy as np

        table = np.zeros(1 << TABLE_BITS, bool)
        table[_hash_words(np.frombuffer(b"".join(self._starts), "<u4"))] = True
        return table


def make_needles(name: str, value: str) -> Iterator[ScrubNeedle]:
    """The byte sequences to search for, each of at least four bytes."""
    raw = value.encode("utf-8", "surrogatepass")
    if len(value) < SHORTEST_LOOSE:
        yield ScrubNeedle(raw.lower(), raw, False, name)
        return
    # A form field writes a blank as a plus sign; letters beyond ASCII have two cases in bytes.
    for form in (value, value.lower(), value.upper()):
        for text in (form, form.replace(" ", "+")):
            yield ScrubNeedle(text.encode("utf-8", "surrogatepass").lower(), b"", False, name)
    yield ScrubNeedle(raw.hex().encode(), b"", False, name)
    for shift in range(3):
        whole = base64.b64encode(bytes(shift) + raw)
        core = whole[-(-shift * 8 // 6) : (shift + len(raw)) * 8 // 6]
        for spelled in (core, core.replace(b"+", b"-").replace(b"/", b"_")):
            if len(core) >= SHORTEST_LOOSE:
                yield ScrubNeedle(spelled.lower(), spelled, True, name)


def _widen_base64(data: bytes, start: int, end: int) -> tuple[int, int]:
    """A piece of base64, widened by the characters on both sides that encode parts of its first and last bytes."""
    for _ in range(2):
        start -= start > 0 and data[start - 1] in BASE64
        end += end < len(data) and data[end] in BASE64
    while data[end : end + 1] == b"=":
        end += 1
    return start, end


def _replace_spans(text: str, spans: list[Span]) -> str:
    """The text with a name in place of each span; overlapping spans are replaced by the first one's name."""
    parts: list[str] = []
    done = 0
    for start, end, name in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= done:
            parts += (text[done:start], name)
        done = max(done, end)
    return "".join((*parts, text[done:]))


def _hash_words(words: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    import numpy as np

    return (words * np.uint32(2654435761)) >> np.uint32(32 - TABLE_BITS)
