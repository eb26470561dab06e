"""Chooses the list of a page that is meant, and its columns that hold the wanted fields: by name, else with a model."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, Field, create_model

from pilotfish.browser.perception.list_summaries import unpack_row
from pilotfish.browser.perception.page_lists import ListRow
from pilotfish.core.messages import Message
from pilotfish.core.output_fields import FieldType, OutputField, OutputFormat
from pilotfish.loop_support.column_values import SourceColumn, list_sources
from pilotfish.loop_support.field_matching import (
    LARGE_VOTE,
    SMALL_VOTE,
    can_hold,
    match_fields,
    rate_fit,
    settle_fields,
)
from pilotfish.loop_support.value_kinds import are_sentences, kinds_of_name, words_of

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run
    from pilotfish.tools.base import ToolResult

CLEAR_LEAD = 0.15
"""A list is taken without a question if it fits so much better than the next one."""
MOST_LISTS, MOST_COLUMNS = 6, 24
SAMPLE_LENGTH, SHOWN_SAMPLES = 40, 2
LINK_FIELDS = frozenset({"link", "picture", "address"})
NOT_IN_KEYS = re.compile(r"\W")


@dataclass(frozen=True)
class ColumnChoice:
    """The fields, and for each the place of its column in `sources`; -1 where no column holds it."""

    fields: tuple[OutputField, ...]
    columns: Mapping[str, int]
    sources: tuple[SourceColumn, ...] = ()

    def text_of(self, field: OutputField, row: ListRow) -> str:
        """What a row says of a field; empty if nothing."""
        at = self.columns[field.name]
        return self.sources[at].read(row) if at >= 0 else ""


class NamedColumn(BaseModel):
    """A field that a model proposes, with the number of its column."""

    field: str = Field(min_length=1, max_length=60)
    type: FieldType = "string"
    column: int


class NamedColumns(BaseModel):
    """The fields that a model proposes for a list."""

    fields: list[NamedColumn] = Field(min_length=1, max_length=30)


async def choose_list(run: "Run", wanted: OutputFormat, found: "ToolResult") -> Mapping[str, Any]:
    """The mark of the list that is meant: the one whose columns and name fit clearly best, else one that a model names.

    Lists that fit alike are asked about in the order of their fit.
    """
    lists: Sequence[Mapping[str, Any]] = found.data["lists"]
    fits = rate_lists(run.task, wanted, lists)
    best = sorted(range(len(lists)), key=lambda at: -fits[at])
    rivals = [at for at in best if fits[at] > fits[best[0]] - CLEAR_LEAD][:MOST_LISTS]
    if len(rivals) == 1:
        return lists[rivals[0]]["mark"]
    shown = run.untrusted.wrap("\n".join(f"{number}. {lists[at]['text']}" for number, at in enumerate(rivals, 1)))
    question = Message(role="user", text=run.prompt("extract_list", task=run.task, lists=shown))
    shape = create_model("ListNumber", list=(int, Field(ge=1, le=len(rivals))))
    chosen = (await run.decide(shape, [question], purpose="list")).model_dump()["list"]
    return lists[rivals[chosen - 1]]["mark"]


def rate_lists(task: str, wanted: OutputFormat, lists: Sequence[Mapping[str, Any]]) -> list[float]:
    """How well each list fits: its columns the fields, its name and rows the task's words; its weight counts less."""
    fields = {word for field in wanted.fields for word in words_of(field.name)}
    words = {word for word in words_of(task) if len(word) > 2 and word not in fields}
    heaviest = max(each["score"] for each in lists)
    fits: list[float] = []
    for each in lists:
        rows = [unpack_row(row) for row in each["rows"]]
        named, said = set(words_of(each["title"])), {word for row in rows for word in words_of(row.text)}
        about = len(words & named) / max(1, min(len(words), len(named) or 1)), len(words & said) / max(1, len(words))
        fit = rate_fit(wanted.fields, list_sources(rows, each["heads"]))
        alone = 0.5 if each["count"] == 1 and len(lists) > 1 else 0.0
        fits.append(fit - alone + 0.8 * about[0] + 0.3 * about[1] + 0.4 * (each["score"] / heaviest) ** 0.5)
    return fits


def keep_groups(task: str, rows: Sequence[ListRow]) -> list[ListRow]:
    """The rows under the headings that the task names in full, if it names some and others not; else all."""
    words = set(words_of(task))
    named = {group for row in rows if (group := row.group) and words >= set(words_of(group))}
    return [row for row in rows if row.group in named] if named else list(rows)


async def choose_columns(run: "Run", wanted: OutputFormat, columns: Sequence[SourceColumn]) -> ColumnChoice:
    """Choose a column for each field: by what they are called and hold where that is clear, else with a model."""
    if not wanted.fields:
        return await _name_fields(run, columns)
    match = match_fields(wanted.fields, columns)
    taken = set(match.columns.values())
    fullest = sorted((at for at in range(len(columns)) if at not in taken), key=lambda at: -columns[at].filled)
    left = sorted(fullest[:MOST_COLUMNS])
    asked = tuple(field for field in match.open if any(can_hold(field, columns[at]) for at in left))
    if not asked:
        return ColumnChoice(wanted.fields, {field.name: match.columns.get(field.name, -1) for field in wanted.fields})
    small = (await run.facts()).small
    ask, weight = (_copy_values, SMALL_VOTE) if small else (_name_columns, LARGE_VOTE)
    named = await ask(run, OutputFormat(fields=asked), [columns[at] for at in left])
    votes = {name: left[at] if at >= 0 else -1 for name, at in named.items()}
    return ColumnChoice(wanted.fields, settle_fields(wanted.fields, columns, votes, weight))


async def _name_fields(run: "Run", columns: Sequence[SourceColumn]) -> ColumnChoice:
    """Let a model name the fields that the task asks for, each with its column; what they are called counts too."""
    pages = run.untrusted.wrap("\n".join(f"{at}. {show_column(each)}" for at, each in enumerate(columns, 1)))
    question = Message(role="user", text=run.prompt("extract_fields", task=run.task, columns=pages))
    named = (await run.decide(NamedColumns, [question], purpose="columns")).fields
    votes = {each.field: each.column - 1 for each in named if 0 < each.column <= len(columns)}
    known = {each.field: OutputField(name=each.field, type=each.type) for each in named if each.field in votes}
    weight = SMALL_VOTE if (await run.facts()).small else LARGE_VOTE
    fields = tuple(known.values())
    return ColumnChoice(fields, settle_fields(fields, columns, votes, weight))


async def _name_columns(run: "Run", wanted: OutputFormat, columns: Sequence[SourceColumn]) -> dict[str, int]:
    """Let a model say the number of each field's column."""
    shown = run.untrusted.wrap("\n".join(f"{at}. {show_column(each)}" for at, each in enumerate(columns, 1)))
    text = run.prompt("extract_columns", task=run.task, fields=list_fields(wanted), columns=shown)
    kinds = {field: Literal[0, *possible_columns(field, columns)] for field in wanted.fields}
    chosen = await _fill(run, kinds, text)
    return {name: number - 1 for name, number in chosen.items()}


async def _copy_values(run: "Run", wanted: OutputFormat, columns: Sequence[SourceColumn]) -> dict[str, int]:
    """Let a small model copy each field's value from a row. It can only copy what the row says."""
    said: dict[str, int] = {}
    for at, column in enumerate(columns):
        text = column.samples[0][:SAMPLE_LENGTH]
        said.setdefault(text if text not in said else f"{text} ({column.name})", at)
    shown = run.untrusted.wrap("\n".join(f"{columns[at].name}: {text}" for text, at in said.items()))
    text = run.prompt("extract_values", task=run.task, fields=list_fields(wanted), row=shown)
    kinds: dict[OutputField, Any] = {}
    for field in wanted.fields:
        possible = {at - 1 for at in possible_columns(field, columns) if can_copy(field, columns[at - 1])}
        kinds[field] = Literal["", *(value for value, at in said.items() if at in possible)]
    chosen = await _fill(run, kinds, text)
    return {name: said.get(value, -1) for name, value in chosen.items()}


def can_copy(field: OutputField, column: SourceColumn) -> bool:
    """Whether a small model may copy a column for a field: sentences only for a field that is called as one of them.

    Else it copies a description for whatever a row does not say.
    """
    called = kinds_of_name(f"{field.name} {field.about}")
    return "heads_row" in column.marks or "long" in called or not are_sentences(column.samples)


async def _fill(run: "Run", kinds: Mapping[OutputField, Any], text: str) -> dict[str, Any]:
    """What a model fills in for each field, by the field's name."""
    keys = key_fields(tuple(kinds))
    given: dict[str, Any] = {key: (kinds[field], ...) for key, field in keys.items()}
    shape = create_model("FieldColumns", **given)
    filled = (await run.decide(shape, [Message(role="user", text=text)], purpose="columns")).model_dump()
    return {field.name: filled[key] for key, field in keys.items()}


def key_fields(fields: Sequence[OutputField]) -> dict[str, OutputField]:
    """The fields by keys that a model fills in: their names, or what is like them and can be a key."""
    keys: dict[str, OutputField] = {}
    for at, field in enumerate(fields, 1):
        key = NOT_IN_KEYS.sub("_", field.name).strip("_")
        plain = key.isidentifier() and not hasattr(BaseModel, key) and key not in keys
        keys[key if plain else f"{key}_{at}" if key.isidentifier() else f"field_{at}"] = field
    return keys


def list_fields(wanted: OutputFormat) -> str:
    """The wanted fields, a line each."""
    keys = key_fields(wanted.fields).items()
    named = ((key if key == field.name else f"{key}: {field.name}", field) for key, field in keys)
    return "\n".join(f"- {name} ({field.type}) {field.about}".rstrip() for name, field in named)


def possible_columns(field: OutputField, columns: Sequence[SourceColumn]) -> list[int]:
    """The numbers of the columns whose values can be of the field's type; addresses only where the name says so."""
    linked = bool(kinds_of_name(field.name) & LINK_FIELDS)
    return [
        at
        for at, each in enumerate(columns, 1)
        if can_hold(field, each) and (each.what != "link" or linked or "link" in kinds_of_name(field.about))
    ]


def show_column(column: SourceColumn) -> str:
    """A column in one line: its name and what some of its rows say."""
    count = 1 if column.what == "link" else SHOWN_SAMPLES
    return f"{column.name}: {'; '.join(text[:SAMPLE_LENGTH] for text in column.samples[:count])}"
