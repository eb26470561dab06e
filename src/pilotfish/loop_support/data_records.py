"""One record that a model reads from a page: only what the page says is kept, each value with the line that says it."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast, get_args

from pilotfish.core.errors import PersonError
from pilotfish.core.messages import ToolCall
from pilotfish.core.output_fields import FieldType, OutputField
from pilotfish.loop_support.column_values import read_numbers, read_values
from pilotfish.loop_support.value_kinds import words_of

if TYPE_CHECKING:
    from pilotfish.core.pages import TabText
    from pilotfish.runtime.run import Run

WORD = re.compile(r"\w+")
NUMBER = re.compile(r"\d[\d.,'’ \u00a0\u202f]*")
NUMBER_FACTORS = (1, 1_000, 1_000_000, 0.01)
"""A page may say 1.2k, 3 million or 40 % of what a schema wants as a plain number."""
MOST_WORDS = 12
"""A text of more words is a model's own summary, not a value of the page."""
QUOTE_LENGTH = 200
LABEL_LENGTH = 40
MARKDOWN_SIGNS = "#*-| "
"""Markdown around what a line says."""


async def read_record(
    run: "Run", tab: "TabText", schema: Mapping[str, Any]
) -> tuple[dict[str, Any], Mapping[str, Any]]:
    """The record of a page with its place; null where the page does not say it."""
    call = ToolCall(id=f"extract{tab.id}", tool="extract", args={"schema": schema, "tab": tab.id})
    [found] = await run.act(call)
    if not found.ok:
        raise PersonError(f"{tab.url[:200]}: {found.error}")
    said: dict[str, str] = {}
    rules: Mapping[str, Any] = schema.get("properties", {})
    kept = {name: keep_said(name, value, rules.get(name, {}), tab.text, said) for name, value in found.data.items()}
    kept = take_labelled(drop_shared(kept, said), rules, tab.text, said)
    return kept, {"url": tab.url, "page": 1, "row": 1, "scroll": 0, "said": said}


def drop_shared(record: Mapping[str, Any], said: dict[str, str]) -> dict[str, Any]:
    """Without texts that are a whole line of which another field has its number: the line is about that one."""
    numbers = {said[name] for name, value in record.items() if isinstance(value, int | float) and name in said}
    shared = {name for name, value in record.items() if value in numbers and said.get(name) == value}
    for name in shared:
        del said[name]
    return {name: None if name in shared else value for name, value in record.items()}


def take_labelled(
    record: Mapping[str, Any], rules: Mapping[str, Mapping[str, Any]], text: str, said: dict[str, str]
) -> dict[str, Any]:
    """With what the page says beside a field's own name, as in a table of properties, instead of what a model read."""
    labelled = find_labelled(text)
    taken = dict(record)
    for name, rule in rules.items():
        found = labelled.get(frozenset(words_of(name)), {})
        kind = rule.get("type")
        if len(found) != 1 or kind not in get_args(FieldType) or "enum" in rule:
            continue
        [(written, line)] = found.items()
        [value] = read_values(OutputField(name=name, type=cast(FieldType, kind)), [written])
        if value is not None:
            taken[name], said[name] = value, line[:QUOTE_LENGTH]
    return taken


def find_labelled(text: str) -> dict[frozenset[str], dict[str, str]]:
    """What stands behind a label on a line of its own, as in `Power: 1,200 W`, with that line, by the label's words."""
    found: dict[frozenset[str], dict[str, str]] = {}
    for line in text.splitlines():
        plain = line.strip(MARKDOWN_SIGNS)
        label, sign, value = plain.partition(" | " if " | " in plain else ":")
        words, value = frozenset(words_of(label)), value.strip(MARKDOWN_SIGNS)
        if sign and words and value and len(label) <= LABEL_LENGTH and " | " not in value:
            found.setdefault(words, {}).setdefault(value, plain)
    return found


def keep_said(name: str, value: Any, rule: Mapping[str, Any], text: str, said: dict[str, str]) -> Any:
    """A value if the page says it, else None; the line that says it goes into `said` under its name."""
    if isinstance(value, dict):
        inner: Mapping[str, Any] = rule.get("properties", {})
        fields = cast(Mapping[str, Any], value).items()
        return {key: keep_said(f"{name}.{key}", each, inner.get(key, {}), text, said) for key, each in fields}
    if isinstance(value, list):
        item: Mapping[str, Any] = rule.get("items", {})
        every = enumerate(cast(Sequence[Any], value), 1)
        kept = [keep_said(f"{name}.{at}", each, item, text, said) for at, each in every]
        return [each for each in kept if each is not None]
    if value is None or isinstance(value, bool) or "enum" in rule:
        return value
    quote = quote_number(value, text) if isinstance(value, int | float) else quote_text(str(value), text)
    if quote:
        said[name] = quote.strip(MARKDOWN_SIGNS)[:QUOTE_LENGTH]
        # Models write 48.900000000000006 for 48.90.
        return float(f"{value:.10g}") if isinstance(value, float) else value
    return value if isinstance(value, str) and len(WORD.findall(value)) > MOST_WORDS else None


def quote_text(value: str, text: str) -> str:
    """The shortest line of a page that has most of a value's words; empty if the page has less than half of them."""
    words = set(WORD.findall(value.casefold()))
    if not words or 2 * len(words & set(WORD.findall(text.casefold()))) < len(words):
        return ""
    whole = " ".join(value.casefold().split())
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    held = {line: len(words & set(WORD.findall(line.casefold()))) for line in lines}
    return max(lines, key=lambda line: (whole in line.casefold(), held[line], -len(line)))


def quote_number(value: float, text: str) -> str:
    """The first line of a page that has a number, however it is written; empty if none has it."""
    for line in text.splitlines():
        for written in NUMBER.findall(line):
            for sign in ".,":
                [number] = read_numbers([written], sign)
                if number is not None and any(abs(number * factor - abs(value)) < 1e-9 for factor in NUMBER_FACTORS):
                    return " ".join(line.split())
    return ""
