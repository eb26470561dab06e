"""Reads one text field out of a JSON object while the object is being written."""

import json

UNICODE = 6
"""The length of an escape sequence such as \\u00e9."""
FIRST_HALVES = ("d8", "d9", "da", "db")
"""How the digits begin of a sequence that is only the first half of a character."""


class FieldStream:
    """Takes the pieces of a JSON object and gives back the new text of its field `name`, as soon as it is certain.

    Fields of inner objects are passed over, whatever their names. What is no JSON object gives nothing.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._depth = 0
        self._in_string = False
        self._field = ""
        self._string = ""
        self._pending = ""

    def feed(self, piece: str) -> str:
        return "".join(self._read_inside(char) if self._in_string else self._read_outside(char) for char in piece)

    def _read_outside(self, char: str) -> str:
        if char == '"':
            self._in_string, self._string = True, ""
        elif char in "{[":
            self._depth += 1
        elif char in "}]":
            self._depth -= 1
        elif self._depth == 1 and char in ":,":
            self._field = self._string if char == ":" else ""
        return ""

    def _read_inside(self, char: str) -> str:
        if len(self._pending) == UNICODE and char != "\\":
            self._pending = ""  # half a character whose other half does not come
        if char == '"' and not self._pending:
            self._in_string = False
            return ""
        self._pending += char
        if _is_unfinished(self._pending):
            return ""
        text, self._pending = _decode(self._pending), ""
        if self._depth == 1 and self._field == self.name:
            return text
        self._string += text if not self._field else ""
        return ""


def _is_unfinished(raw: str) -> bool:
    """Whether more characters belong to this escape sequence, or to the second half of its character."""
    if raw[:2] != "\\u":
        return raw == "\\"
    return len(raw) < (2 * UNICODE if raw[2:4].lower() in FIRST_HALVES else UNICODE)


def _decode(raw: str) -> str:
    try:
        return json.loads(f'"{raw}"', strict=False)
    except ValueError:
        return ""
