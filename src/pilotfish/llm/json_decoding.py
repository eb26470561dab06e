"""Reads JSON as models write it, with control characters, comments, wrong quotes and missing ends."""

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_QUOTE_PAIRS = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "＂": "＂"}
_NARROW_SIGNS = str.maketrans("｛｝［］：，", "{}[]:,")
_STRINGS_SIDE_BY_SIDE = re.compile(r"""["']\s+["']""")
_NEXT_FIELD = re.compile(r'\s*,\s*"[^"]*"\s*:')
"""What follows an object that was closed too early."""
_LENIENT_DECODER = json.JSONDecoder(strict=False)


def decode_values(text: str) -> Iterator[Any]:
    """Every value that `text` may mean, the surest reading first."""
    seen: list[Any] = []
    for read in (
        _find_whole_values,
        _read_literal,
        *((_read_cut_off, _repair) if _is_cut_off(text) else (_repair, _read_cut_off)),
        _find_inner_values,
    ):
        for value in read(text):
            if isinstance(value, dict | list) and value and value not in seen:
                seen.append(value)
                yield value


def decode_arguments(raw: str | Mapping[str, Any] | None) -> dict[str, Any]:
    """A tool call's arguments; empty if they cannot be parsed."""
    if isinstance(raw, Mapping):
        return dict(raw)
    return next((value for value in decode_values(raw or "") if isinstance(value, dict)), {})


def _find_whole_values(text: str) -> Iterator[Any]:
    """Whole objects and lists, also within prose; a broken one is skipped with everything inside it."""
    yield from _scan_values(text, lambda at: _find_end(text, at))


def _find_inner_values(text: str) -> Iterator[Any]:
    """Whole objects inside broken ones: the least likely reading, since the outer one was meant."""
    yield from _scan_values(text, lambda at: at + 1)


def _scan_values(text: str, past: Callable[[int], int]) -> Iterator[Any]:
    at = 0
    while (at := _find_opening(text, at)) >= 0:
        try:
            value, at = _LENIENT_DECODER.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError):
            at = past(at)
        else:
            if not _NEXT_FIELD.match(text, at):
                yield value


def _find_end(text: str, at: int) -> int:
    """Just past the bracket that closes the one at `at`, or the end of the text where none does."""
    depth, quoted, escaped = 0, False, False
    for place in range(at, len(text)):
        char = text[place]
        if escaped or (quoted and char == "\\"):
            escaped = not escaped
        elif char == '"':
            quoted = not quoted
        elif not quoted:
            depth += (char in "{[") - (char in "}]")
            if depth == 0:
                return place + 1
    return len(text)


def _read_literal(text: str) -> Iterator[Any]:
    """A Python literal: single quotes, True, None, tuples. Strings side by side are a lost comma, not one string."""
    start, end = _find_opening(text, 0), max(text.rfind("}"), text.rfind("]"))
    if 0 <= start < end and not _STRINGS_SIDE_BY_SIDE.search(text):
        yield from _try_reading(lambda: json.loads(json.dumps(ast.literal_eval(text[start : end + 1]))))


def _is_cut_off(text: str) -> bool:
    """Whether the text is valid JSON that only lacks its end."""
    rest = text[max(_find_opening(text, 0), 0) :].rstrip()
    try:
        _LENIENT_DECODER.raw_decode(rest)
    except json.JSONDecodeError as error:
        unquoted = error.msg.startswith("Unterminated") and not rest.endswith(("}", "]", "`"))
        return unquoted or any(word.startswith(rest[error.pos :]) for word in ("true", "false", "null"))
    except RecursionError:
        pass
    return False


def _read_cut_off(text: str) -> Iterator[Any]:
    """An answer that was cut off."""
    from pydantic_core import from_json

    start = _find_opening(text, 0)
    if start >= 0:
        for value in _try_reading(lambda: from_json(text[start:], allow_partial="trailing-strings")):
            yield value
            yield _without_last_item(value)


def _repair(text: str) -> Iterator[Any]:
    """Repair by guessing, as the last resort."""
    from json_repair import repair_json

    for version in dict.fromkeys((text[max(_find_opening(text, 0), 0) :], _to_narrow_signs(text), text)):
        for value in _try_reading(lambda version=version: repair_json(version, return_objects=True)):
            yield value
            if isinstance(value, list):
                yield from value


def _without_last_item(value: Any) -> Any:
    """A cut-off value without the last item of its last list, which is likely half of one."""
    if isinstance(value, list):
        return value[:-1]
    if isinstance(value, dict) and value:
        last = next(reversed(value))
        return {**value, last: _without_last_item(value[last])}
    return value


def _find_opening(text: str, at: int) -> int:
    found = [place for mark in "{[" if (place := text.find(mark, at)) >= 0]
    return min(found, default=-1)


def _try_reading(read: Callable[[], Any]) -> Iterator[Any]:
    try:
        yield read()
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError, IndexError, KeyError):
        return


def _to_narrow_signs(text: str) -> str:
    """Full-width brackets, colons and commas made plain, except inside strings."""
    out: list[str] = []
    closing = ""
    for char in text:
        if closing:
            char, closing = ('"', "") if char == closing else (char, closing)
        elif char in _QUOTE_PAIRS:
            char, closing = '"', _QUOTE_PAIRS[char]
        else:
            char = char.translate(_NARROW_SIGNS)
        out.append(char)
    return "".join(out)
