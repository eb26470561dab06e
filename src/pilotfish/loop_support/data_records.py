"""One record that a model reads from a page: only what the page says is kept, each value with the line that says it."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from pilotfish.core.errors import PersonError
from pilotfish.core.messages import ToolCall
from pilotfish.loop_support.column_values import read_numbers

if TYPE_CHECKING:
    from pilotfish.core.pages import TabText
    from pilotfish.runtime.run import Run

WORD = re.compile(r"\w+")
NUMBER = re.compile(r"\d[\d.,'’ \u00a0\u202f]*")
FACTORS = (1, 1_000, 1_000_000, 0.01)
"""A page may say 1.2k, 3 million or 40 % of what a schema wants as a plain number."""
LONG = 12
"""A text of more words is a model's own summary, not a value of the page."""
QUOTE_LENGTH = 200
MARKS = "#*-| "
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
    return kept, {"url": tab.url, "page": 1, "row": 1, "scroll": 0, "said": said}


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
        said[name] = quote.strip(MARKS)[:QUOTE_LENGTH]
        # Models write 48.900000000000006 for 48.90.
        return float(f"{value:.10g}") if isinstance(value, float) else value
    return value if isinstance(value, str) and len(WORD.findall(value)) > LONG else None


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
                if number is not None and any(abs(number * factor - abs(value)) < 1e-9 for factor in FACTORS):
                    return " ".join(line.split())
    return ""
