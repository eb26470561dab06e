"""Extracts rows of data: collects the lists of pages, and asks a model once which column holds which field."""

from collections.abc import Mapping, Sequence
from typing import Any

from pilotfish.core.errors import PersonError
from pilotfish.core.messages import ToolCall
from pilotfish.core.output_fields import OutputFormat, read_schema
from pilotfish.core.pages import TabText
from pilotfish.loop_support.column_choice import ColumnChoice, choose_columns
from pilotfish.loop_support.column_values import SourceColumn, list_sources, read_values
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run

LIMITS = {"max_rows": "limit", "max_pages": "pages"}
NO_PAGE = PersonError("There is no page to take data from.", "Name one or several pages.")


@loop("extract")
async def extract(run: Run) -> None:
    """Collect the rows of every page, choose the columns once per kind of list, and convert the texts to values."""
    wanted = read_format(run.options)
    tabs = await run.read_tabs()
    if not tabs:
        raise NO_PAGE
    if wanted.single:
        return await extract_record(run, tabs[0])
    known: dict[tuple[str, ...], ColumnChoice] = {}
    rows: list[dict[str, Any]] = []
    places: list[dict[str, Any]] = []
    for tab in tabs:
        limits = {arg: run.options[name] for name, arg in LIMITS.items() if name in run.options}
        call = ToolCall(id=f"collect{tab.id}", tool="collect", args={"tab": tab.id, **limits})
        [found] = await run.act(call)
        if not found.ok:
            raise PersonError(f"{tab.url[:200]}: {found.error}")
        columns = list_sources(found.data)
        key = tuple(column.name for column in columns)
        if key not in known:
            wanted = wanted if wanted.fields or not known else OutputFormat(fields=next(iter(known.values())).fields)
            known[key] = await choose_columns(run, wanted, columns)
        add_rows(rows, places, known[key], columns, found.data["rows"], tab)
    summary = f"{len(rows)} rows of {len(tabs)} {'page' if len(tabs) == 1 else 'pages'}"
    await run.finish(summary, data={wanted.key: rows} if wanted.key else rows, places=places)
    return None


def read_format(options: Mapping[str, Any]) -> OutputFormat:
    """The wanted fields, from the option `output_schema`; no fields if it is not set."""
    schema = options.get("output_schema")
    return read_schema(schema) if schema else OutputFormat()


async def extract_record(run: Run, tab: TabText) -> None:
    """Let a model read one record from a page, and finish with it."""
    [found] = await run.act(ToolCall(id="extract", tool="extract", args={"schema": run.options["output_schema"]}))
    if not found.ok:
        raise PersonError(found.error)
    await run.finish(found.output, data=dict(found.data), places=[{"url": tab.url}])


def add_rows(
    rows: list[dict[str, Any]],
    places: list[dict[str, Any]],
    choice: ColumnChoice,
    columns: Sequence[SourceColumn],
    found: Sequence[Mapping[str, Any]],
    tab: TabText,
) -> None:
    """Add the values of each row, with their words and place on the page. Rows without values are left out."""
    fields, chosen = choice.fields, choice.columns
    blank = ("",) * len(found)
    texts = {f.name: columns[chosen[f.name]].texts if chosen[f.name] >= 0 else blank for f in fields}
    values = {field.name: read_values(field, texts[field.name]) for field in fields}
    for number, row in enumerate(found):
        record = {field.name: values[field.name][number] for field in fields}
        if any(value is not None for value in record.values()):
            rows.append(record)
            quoted = {name: each[number] for name, each in texts.items() if each[number]}
            places.append(
                {"url": tab.url, "page": row["page"], "row": row["row"], "scroll": row["scroll"], "said": quoted}
            )
