"""Records what was put into fields and addresses, to detect a text that is carried away piece by piece."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from pilotfish.safety.address import site_of
from pilotfish.safety.control_words import normalize_text
from pilotfish.safety.text_pieces import (
    address_parts,
    argument_texts,
    given_numbers,
    given_texts,
    pack_text,
    short_name,
    typed_key,
)

NUMBER_LENGTH, TEXT_LENGTH = 8, 16
"""So many letters and digits in a row, read elsewhere, are no coincidence: with four digits among them, or without."""
LEAST_DIGITS = 4
"""Digits that make a window of digits and letters worth comparing."""
KEPT_LENGTH = 4 * TEXT_LENGTH
TOUCHED_NAME = "touched name"
"""The name of what a call touches, beside its arguments: on keys of the page's own, signs are chosen one by one."""
POINTING_TOOLS = ("click", "select", "hover")
MOST_PARTS = 100
"""Parts of an address that are compared at most."""


class PieceStreams:
    """The pieces of each field, of each page as a whole, of the numbers that pages are given, of each site's addresses
    and of each MCP tool, in order."""

    def __init__(self) -> None:
        self._tails: defaultdict[Hashable, str] = defaultdict(str)
        self._last: dict[Hashable, list[str]] = {}

    def add(self, tool: str, args: Mapping[str, Any]) -> None:
        """Record what a call put into fields and addresses."""
        for key, pieces in place_pieces(tool, args):
            added = "".join(map(pack_text, self._list_changed_pieces(key, pieces)))
            self._tails[key] = f"{self._tails[key]}{added}"[-KEPT_LENGTH:]
            self._last[key] = pieces

    def has_pieces(self, tool: str, args: Mapping[str, Any]) -> bool:
        """Whether earlier calls put something into the same places."""
        return any(self._tails.get(key) for key, _ in place_pieces(tool, args))

    def join_pieces(self, tool: str, args: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Each piece of a call, with the windows that it forms with the pieces before it."""
        for key, pieces in place_pieces(tool, args):
            before = self._tails.get(key, "")
            for piece in self._list_changed_pieces(key, pieces):
                packed = pack_text(piece)
                if packed and before:
                    yield from ((piece, window) for window in crossing_windows(before, packed))
                before = f"{before}{packed}"[-KEPT_LENGTH:]

    def _list_changed_pieces(self, key: Hashable, pieces: list[str]) -> list[str]:
        """The pieces that differ from the last address: repeated parts (`search`, `page`) are left out."""
        if not isinstance(key, tuple) or key[0] not in ("address", "names"):
            return pieces
        last = self._last.get(key, [])
        return [piece for at, piece in enumerate(pieces) if at >= len(last) or last[at] != piece]


def place_pieces(tool: str, args: Mapping[str, Any]) -> Iterable[tuple[Hashable, list[str]]]:
    """The places that a call would write to, each with its pieces as plain letters."""
    if numbers := given_numbers(tool, args):
        yield "numbers", list(numbers.values())
    match tool:
        case "press_key" | "type" | "select" | "click" | "hover" | "page_tool":
            typed = [typed_key(str(args.get("key", "")))] if tool == "press_key" else given_texts(tool, args).values()
            given = [*typed, short_name(str(args.get(TOUCHED_NAME, "")) if tool in POINTING_TOOLS else "")]
            pieces = [piece for text in dict.fromkeys(given) if (piece := normalize_text(text))]
            yield from ((("field", args.get("id", args.get("name"))), pieces), ("page", pieces)) if pieces else ()
        case "drag" | "scroll" | "resize":
            return
        case "navigate" | "manage_tabs" | "web_fetch":
            urls = args.get("urls", ()) if tool == "web_fetch" else (args.get("url", ""),)
            for url in map(str, urls):
                goal = site_of(url) or site_of(f"https://{url}")
                for kind, texts in zip(("address", "names"), address_parts(url), strict=True):
                    yield (kind, goal), [normalize_text(text) for text in texts[:MOST_PARTS]]
        case "web_search":
            yield "search", [normalize_text(str(args.get("query", "")))]
        case _:
            yield ("tool", tool), [normalize_text(text) for _, text in argument_texts(args)]


def crossing_windows(before: str, piece: str) -> Iterator[str]:
    """The windows that cover the border between earlier text and a new piece."""
    for size in (NUMBER_LENGTH, TEXT_LENGTH):
        text = before[-(size - 1) :] + piece[: size - 1]
        for start in range(max(0, len(text) - size + 1)):
            window = text[start : start + size]
            if size == TEXT_LENGTH or sum(map(str.isdigit, window)) >= LEAST_DIGITS:
                yield window
