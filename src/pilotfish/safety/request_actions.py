"""Finds what the body or the address of a request says that is done, wherever in it that stands."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

ACTION_NAMES = frozenset({
    "action", "method", "op", "operation", "cmd", "command", "intent", "act", "do", "fn", "func", "function", "verb",
    "procedure", "mutation", "call", "rpc", "target", "destination",
})  # fmt: skip
"""Words in the name of a field whose value says what is done, wherever the field stands."""
MOST_VALUES, MOST_ACTIONS, LONGEST_ACTION = 20_000, 40, 80
"""Values of JSON that are looked through, actions that are kept, and characters of each."""
WORD = re.compile(r"[^\W\d_]+")
CAMEL_CASE = re.compile(r"([a-z0-9])([A-Z])")
TAG = re.compile(r"<(?![!?/])(?:[\w-]{1,40}:)?([\w.-]{1,80})")
TAGGED_VALUE = re.compile(r"<([\w.:-]{1,80})>([^<]{1,80})</")
SQL = re.compile(
    r"\b(delete\s+from|insert\s+into|replace\s+into|truncate\s+\w|grant\s+\w|exec(?:ute)?\s+\w|call\s+\w+\s*\("
    r"|(?:drop|alter|create)\s+(?:table|database|schema|user|role|view|index)|update\s+[\w.\"`]+\s+set)\b",
    re.IGNORECASE,
)
MUTATION = re.compile(r"(?<![\w$@])mutation\b[\s,]*(\w*)")
FIRST_LINES = 200


def address_actions(url: str) -> tuple[str, ...]:
    """The values of the fields in an address's query that say what is done."""
    query = urlsplit(url).query[:4000]
    return _keep(value for name, value in parse_qsl(query) if _names_action(name)) if "=" in query else ()


def value_actions(value: Any) -> tuple[tuple[str, ...], bool]:
    """What a JSON value says that is done, at any depth and also in JSON within its texts; and whether all was read."""
    found, left, seen = dict[str, None](), [("", value)], 0
    while left and seen < MOST_VALUES:
        name, one = left.pop()
        seen += 1
        if isinstance(one, Mapping):
            left += [(str(key), held) for key, held in cast(Mapping[Any, Any], one).items()]
        elif isinstance(one, list):
            left += [(name, held) for held in cast(list[Any], one)]
        elif isinstance(one, str):
            if _names_action(name):
                found[one[:LONGEST_ACTION]] = None
            found |= dict.fromkeys(_list_statements(one))
            if (inner := parse_json(one)) is not None:
                left.append((name, inner))
    return _keep(reversed(found)), not left and len(found) <= MOST_ACTIONS


def text_actions(text: str) -> tuple[str, ...]:
    """What a text says that is done: the tags of XML, statements of a database, else its first words."""
    if text.lstrip()[:1] == "<":
        return _keep(
            (*(value for name, value in TAGGED_VALUE.findall(text) if _names_action(name)), *TAG.findall(text))
        )
    return _keep((*_list_statements(text), *WORD.findall(text[:FIRST_LINES].partition("\n\n")[0])))


def parse_json(text: str) -> Any:
    """The value that a text is in JSON; None where it is no object and no list."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _list_statements(text: str) -> Iterator[str]:
    """The statements of a database and the GraphQL mutations that a text holds."""
    if statement := SQL.search(text):
        yield " ".join(statement[0].split())
    if "mutation" in text and "{" in text and (mutation := MUTATION.search(text)):
        yield f"mutation {mutation[1]}"


def _names_action(name: str) -> bool:
    return bool(ACTION_NAMES & set(WORD.findall(CAMEL_CASE.sub(r"\1 \2", name[:LONGEST_ACTION]).casefold())))


def _keep(found: Iterable[str]) -> tuple[str, ...]:
    kept = dict.fromkeys(text[:LONGEST_ACTION] for text in found if text.strip())
    return tuple(kept)[:MOST_ACTIONS]
