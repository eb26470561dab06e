"""Chooses the columns of a list that hold the wanted fields: by name, or with one question to a model."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field, create_model

from pilotfish.core.messages import Message
from pilotfish.core.output_fields import FieldType, OutputField, OutputFormat
from pilotfish.loop_support.column_values import SourceColumn, match_names

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

NOT_IN_KEYS = re.compile(r"\W|^_")


@dataclass(frozen=True)
class ColumnChoice:
    """The fields, and for each the place of its column; -1 where no column holds it."""

    fields: tuple[OutputField, ...]
    columns: Mapping[str, int]


class NamedColumn(BaseModel):
    """A field that a model proposes, with the number of its column."""

    field: str = Field(min_length=1, max_length=60)
    type: FieldType = "string"
    column: int


class NamedColumns(BaseModel):
    """The fields that a model proposes for a list."""

    fields: list[NamedColumn] = Field(min_length=1, max_length=30)


async def choose_columns(run: "Run", wanted: OutputFormat, columns: Sequence[SourceColumn]) -> ColumnChoice:
    """Choose a column for each field: by equal names if every field has one, else with a question to the model."""
    if (same := match_names(wanted.fields, columns)) is not None:
        return ColumnChoice(wanted.fields, same)
    shown = "\n".join(f"{at}. {c.name}: {'; '.join(s[:80] for s in c.samples)}" for at, c in enumerate(columns, 1))
    pages = run.untrusted.wrap(shown)
    count = len(columns)
    if not wanted.fields:
        question = Message(role="user", text=run.prompt("extract_fields", task=run.task, columns=pages))
        named = (await run.decide(NamedColumns, [question], purpose="columns")).fields
        known = {each.field: OutputField(name=each.field, type=each.type) for each in named if 0 < each.column <= count}
        return ColumnChoice(
            tuple(known.values()), {each.field: each.column - 1 for each in named if each.field in known}
        )
    keys = {
        f"{NOT_IN_KEYS.sub('_', field.name).strip('_') or 'field'}_{at}": field
        for at, field in enumerate(wanted.fields, 1)
    }
    fields = "\n".join(f"- {key}: {field.name} ({field.type}) {field.about}".rstrip() for key, field in keys.items())
    question = Message(role="user", text=run.prompt("extract_columns", task=run.task, fields=fields, columns=pages))
    field_types: dict[str, Any] = {key: (int, Field(ge=0, le=count)) for key in keys}
    chosen = (await run.decide(create_model("FieldColumns", **field_types), [question], purpose="columns")).model_dump()
    return ColumnChoice(wanted.fields, {field.name: chosen[key] - 1 for key, field in keys.items()})
