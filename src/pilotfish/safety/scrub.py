"""Takes secrets out of text, however they are spelled there, before anybody reads or keeps it."""

import base64
import html
import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

if TYPE_CHECKING:
    import numpy as np

SHORTEST = 4
SMALL = 2_000
BITS = 20


def spellings(value: str) -> Iterator[str]:
    """A value as pages, addresses, JSON and headers write it."""
    raw = value.encode()
    yield value
    yield from (quote(value, safe=""), quote_plus(value), html.escape(value), json.dumps(value)[1:-1])
    if len(raw) >= 6:
        yield base64.b64encode(raw).decode().rstrip("=")
        yield base64.urlsafe_b64encode(raw).decode().rstrip("=")


class Scrubber:
    """Replaces values by the names under which they are known. Values shorter than four signs cannot be told apart."""

    def __init__(self, values: Mapping[str, str]) -> None:
        known = {
            spelled.encode(): f"<secret:{name}>".encode()
            for name, value in values.items()
            if len(value) >= SHORTEST
            for spelled in spellings(value)
        }
        self._known = dict(sorted(known.items(), key=lambda pair: -len(pair[0])))

    def __bool__(self) -> bool:
        return bool(self._known)

    def text(self, text: str) -> str:
        """The text without them."""
        data = text.encode("utf-8", "surrogatepass")
        clean = self._small(data) if len(data) < SMALL else self._large(data)
        return text if clean is data else clean.decode("utf-8", "surrogatepass")

    def value(self, value: Any) -> Any:
        """The same for everything within lists and mappings."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {name: self.value(each) for name, each in value.items()}
        return type(value)(map(self.value, value)) if isinstance(value, list | tuple) else value

    def _small(self, data: bytes) -> bytes:
        for spelled, name in self._known.items():
            if spelled in data:
                data = data.replace(spelled, name)
        return data

    def _large(self, data: bytes) -> bytes:
        """Looks at all places at once for the first four bytes of any value, and closely only where one may be."""
        parts: list[bytes] = []
        done = 0
        for at in self._places(data):
            if at < done:
                continue
            spelled = next((each for each in self._starts[data[at : at + 4]] if data.startswith(each, at)), None)
            if spelled is not None:
                parts += (data[done:at], self._known[spelled])
                done = at + len(spelled)
        return b"".join((*parts, data[done:])) if parts else data

    def _places(self, data: bytes) -> list[int]:
        import numpy as np

        table, found = self._table, list["np.ndarray[Any, Any]"]()
        for offset in range(4):
            words = np.frombuffer(data, "<u4", (len(data) - offset) // 4, offset)
            found.append(np.flatnonzero(table[_hashed(words)]) * 4 + offset)
        return [at for at in np.sort(np.concatenate(found)).tolist() if data[at : at + 4] in self._starts]

    @cached_property
    def _starts(self) -> dict[bytes, list[bytes]]:
        starts: dict[bytes, list[bytes]] = {}
        for spelled in self._known:
            starts.setdefault(spelled[:4], []).append(spelled)
        return starts

    @cached_property
    def _table(self) -> "np.ndarray[Any, Any]":
        import numpy as np

        table = np.zeros(1 << BITS, bool)
        table[_hashed(np.frombuffer(b"".join(self._starts), "<u4"))] = True
        return table


def _hashed(words: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    import numpy as np

    return (words * np.uint32(2654435761)) >> np.uint32(32 - BITS)
