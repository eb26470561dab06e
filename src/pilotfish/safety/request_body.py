"""Reads the body of a request for people and rules. A body that is too large is only measured."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast
from urllib.parse import parse_qsl

from pilotfish.browser.sessions.held_request import HeldRequest, find_mutation
from pilotfish.core.values import Value
from pilotfish.safety.request_actions import address_actions, parse_json, text_actions, value_actions

LARGEST_BODY = 1_000_000
FIELDS, KEYS, DEPTH, VALUE = 60, 40, 4, 80
"""Fields, names of fields, levels of JSON, and characters of a value that are read at most."""
ACTIONS = frozenset(
    {"action", "method", "op", "operation", "cmd", "command", "event", "type", "kind", "intent", "task", "_method"}
)
RECORD_END = re.compile("[\x00\x1e]")
"""Signs that end each record in messages of several."""
ROOT_FIELD = re.compile(r"\{\s*(?:\w+\s*:\s*)?(\w+)")
HEADERS = frozenset({"action", "soapaction", "method", "operation", "command"})
"""Words in the name of a header whose value names an action, such as Next-Action or X-HTTP-Method-Override."""
LARGEST_BATCH = 1000
PART = re.compile(
    rb'content-disposition:\s*form-data;\s*name="([^"\r\n]{0,200})"(?:;\s*filename="([^"\r\n]{0,200})")?', re.I
)
SECRET = re.compile(r"(?i)passw|passwd|pwd|passphrase")
CARD = re.compile(r"(?i)card.?(?:number|no)|cc.?num|cvc|cvv|iban|security.?code")


class RequestBody(Value):
    """Fields with their values, files by name, and the actions that a body names; `inner` are those that stand within
    its values or in the address.

    `mutates` is whether a GraphQL body changes something; None where it is no GraphQL. `unread` is whether there may be
    more in the body than was read.
    """

    fields: tuple[tuple[str, str], ...] = ()
    files: tuple[str, ...] = ()
    operation: str = ""
    mutates: bool | None = None
    actions: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()
    size: int = 0
    unread: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of its fields, without numbers, in order."""
        return tuple(sorted({re.sub(r"\d+", "*", name) for name, _ in self.fields}))[:KEYS]

    def has_hidden(self, what: str) -> bool:
        """Whether a field is for a password, or for a payment card, and has a value."""
        return bool(self.find_hidden(what))

    def find_hidden(self, what: str) -> list[str]:
        """The values of such fields."""
        pattern = SECRET if what == "password" else CARD
        return [value for name, value in self.fields if value and pattern.search(name.rpartition(".")[2])]

    def describe(self, hidden: frozenset[str]) -> str:
        """The content in one line, without the values of hidden fields."""
        shown = [
            f"{name}: {'•••' if _is_hidden(name, hidden) else f'“{shorten(value)}”'}" for name, value in self.fields
        ]
        named = [f"{'mutation' if self.mutates else 'operation'} {self.operation}"] if self.operation else []
        files = [f"the file {name}" for name in self.files]
        whole = ", ".join((*named, *files, *shown[:12]))
        return whole or (f"{self.size:,} bytes" if self.size else "")


def _is_hidden(name: str, hidden: frozenset[str]) -> bool:
    return any(word in hidden for word in re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).casefold()))


def shorten(text: str, most: int = VALUE) -> str:
    flat = " ".join(text[: most * 4].split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"


def read_body(request: HeldRequest) -> RequestBody:
    """Parse a request's body. Actions that its headers and its address name count as named by the body.

    A number that stands for an action counts only where nothing else names one.
    """
    body = _read_content(request)
    named = [value for name, value in request.headers.items() if HEADERS & set(name.lower().split("-")) and value]
    if body.operation or body.actions:
        named = [value for value in named if not re.search(r"\d", value)]
    more = tuple(value[:VALUE] for value in named[:KEYS])
    inner = tuple(dict.fromkeys((*body.inner, *address_actions(request.url))))
    unread = body.unread or request.headers.get("content-encoding", "identity") != "identity"
    return body.model_copy(update={"actions": (*body.actions, *more), "inner": inner, "unread": unread})


def _read_content(request: HeldRequest) -> RequestBody:
    data, size = request.body, len(request.body)
    if not data and (mutation := find_mutation(request.url)):
        return _read_json({"query": mutation}, size)
    if not data or size > LARGEST_BODY:
        return RequestBody(size=size, unread=size > LARGEST_BODY)
    if "multipart/form-data" in request.media:
        return _read_parts(data)
    text = data.decode(json.detect_encoding(data), "replace")
    records = [parse_json(re.sub(r"^\d+(?=[\[{])", "", record)) for record in RECORD_END.split(text) if record]
    if records and None not in records:
        return _read_json(records[0] if len(records) == 1 else records, size)
    if "x-www-form-urlencoded" in request.media or (request.kind != "WebSocket" and re.match(r"[\w\[\].-]+=", text)):
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=None)
        inner, read = value_actions(dict(pairs[FIELDS:]) | dict(pairs[:FIELDS]))
        actions = _describe_value(pairs)[:KEYS]
        return RequestBody(fields=tuple(pairs[:FIELDS]), actions=actions, inner=inner, size=size, unread=not read)
    text = text.rstrip("\0")
    plain = (text.isprintable() or "\n" in text) and "\0" not in text
    actions = (re.split(r"[\s\d:,]", text[:VALUE])[0],) if plain and request.kind == "WebSocket" else ()
    fields, inner = ((("text", text[: VALUE * 4]),), text_actions(text)) if plain else ((), ())
    return RequestBody(fields=fields, actions=actions, inner=inner, size=size)


def _read_json(value: Any, size: int) -> RequestBody:
    """A JSON body: GraphQL, a call by name, a message with its type first, or plain fields."""
    items: list[Any] = value if isinstance(value, list) else [value]
    fields, (inner, read) = tuple(_flatten("", value))[:FIELDS], value_actions(value)
    if items and isinstance(items[0], str):
        named = tuple(one[:VALUE] for one in items[:FIELDS] if isinstance(one, str) and not one.isdecimal())
        inner = (*named[1:], *_named_actions(items[1:]), *inner)
        return RequestBody(fields=fields, actions=named[:1], inner=inner, size=size, unread=not read)
    calls = [cast(Mapping[str, Any], one) for one in items if isinstance(one, dict)]
    operations = [_operation(one) for one in calls if isinstance(one.get("query"), str)]
    if calls and len(operations) == len(calls) and all(kind for kind, _ in operations):
        return _read_graphql(calls, operations, size).model_copy(
            update={"inner": _root_fields(calls), "unread": not read}
        )
    named = ",".join(str(one["operationName"]) for one in calls if isinstance(one.get("operationName"), str))
    actions = _named_actions(items)
    inner = tuple(name for name in inner if name not in actions)
    return RequestBody(fields=fields, operation=named[:200], actions=actions, inner=inner, size=size, unread=not read)


def _root_fields(calls: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The first fields that GraphQL queries ask for."""
    found = (ROOT_FIELD.search(str(call["query"])) for call in calls[:LARGEST_BATCH])
    return tuple(dict.fromkeys(one[1][:VALUE] for one in found if one))[:KEYS]


def _read_graphql(calls: Sequence[Mapping[str, Any]], operations: Sequence[tuple[str, str]], size: int) -> RequestBody:
    """GraphQL: the names of the operations, by themselves or as the body calls them, and their variables."""
    names = [
        name if kind == "mutation" and name else str(call.get("operationName") or name)
        for call, (kind, name) in zip(calls, operations, strict=True)
    ]
    data = tuple(pair for call in calls for pair in _flatten("", call.get("variables") or {}))
    mutates, beside = any(kind == "mutation" for kind, _ in operations), _named_actions(list(calls))
    return RequestBody(
        fields=data[:FIELDS], operation=",".join(names)[:200], mutates=mutates, actions=beside, size=size
    )


def _named_actions(calls: list[Any]) -> tuple[str, ...]:
    """The actions that the calls of a JSON body name. A batch that is too long to be read names one more."""
    pairs = [
        pair
        for one in calls[:LARGEST_BATCH]
        if isinstance(one, dict)
        for pair in list(cast(dict[str, Any], one).items())[:FIELDS]
    ]
    actions = _describe_value([(name, text) for name, text in pairs if isinstance(text, str)])
    return (*dict.fromkeys(actions), *(["batch"] if len(calls) > LARGEST_BATCH else []))


def _operation(body: Mapping[str, Any]) -> tuple[str, str]:
    """The kind and name of the GraphQL operation that is asked for; empty where the text is none.

    A document that holds any mutation counts as one: not every server obeys the operation's name.
    """
    text, wanted = str(body["query"]), str(body.get("operationName") or "")
    found: list[tuple[str, str]] = re.findall(r"(?<![\w$@])(query|mutation|subscription)\b[\s,]*(\w*)", text)
    if not found:
        return ("query", "") if text.lstrip("\ufeff, \t\r\n").startswith(("{", "#")) else ("", "")
    changing = next((one for one in found if one[0] == "mutation"), None)
    return changing or next((one for one in found if one[1] == wanted), found[0])


def _flatten(name: str, value: Any, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The leaves of a JSON value with their paths."""
    if isinstance(value, dict | list) and depth < DEPTH:
        pairs = enumerate(cast(list[Any], value)) if isinstance(value, list) else cast(dict[str, Any], value).items()
        for key, held in list(pairs)[:FIELDS]:
            yield from _flatten(f"{name}.{key}" if name else str(key), held, depth + 1)
    elif value is not None:
        yield name, json.dumps(value)[:VALUE] if isinstance(value, dict | list | bool) else str(value)[: VALUE * 4]


def _describe_value(pairs: list[tuple[str, str]] | tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    return tuple(value[:VALUE] for name, value in pairs if name.casefold() in ACTIONS and value)


def _read_parts(data: bytes) -> RequestBody:
    """Parse a multipart form. DevTools leaves out the content of files."""
    fields, files = list[tuple[str, str]](), list[str]()
    parts = data.split(b"\r\n--")
    for part in parts[:FIELDS]:
        head, _, value = part.partition(b"\r\n\r\n")
        if found := PART.search(head[:2000]):
            name, file = found[1].decode("utf-8", "replace"), found[2]
            if file is None:
                fields.append((name, value[: VALUE * 4].decode("utf-8", "replace").rstrip("\r\n")))
            elif file:
                files.append(file.decode("utf-8", "replace"))
    inner, _ = value_actions(dict(fields))
    return RequestBody(
        fields=tuple(fields),
        files=tuple(files),
        actions=_describe_value(fields),
        inner=inner,
        size=len(data),
        unread=len(parts) > FIELDS,
    )
