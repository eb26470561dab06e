"""Extracts data: rows from the lists of pages, part by part, or one record from pages that have none."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pilotfish.core.errors import PersonError
from pilotfish.core.output_fields import OutputFormat, describe_misfits, describe_missing, read_schema
from pilotfish.core.pages import TabText
from pilotfish.core.value_rules import fit_value
from pilotfish.loop_support.data_records import read_record
from pilotfish.loop_support.data_rows import DataRows
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run

NO_PAGE = PersonError("There is no page to take data from.", "Name one or several pages.")


@loop("extract")
async def extract(run: Run) -> None:
    """Read the list of every tab that is meant, convert its texts to values, and finish with all rows."""
    wanted = read_format(run.options)
    tabs = await run.read_tabs()
    if not tabs:
        raise NO_PAGE
    if wanted.single:
        return await extract_record(run, wanted, tabs)
    found = DataRows(run, wanted)
    await found.read_tabs(tabs)
    rows, places = [row for row, _ in found.records], [place for _, place in found.records]
    pages = len({(place["url"], place["page"]) for place in places})
    summary = f"{len(rows)} {'row' if len(rows) == 1 else 'rows'} of {pages} {'page' if pages == 1 else 'pages'}"
    misfits = describe_misfits(found.wanted, [(row, place["said"]) for row, place in found.records])
    text = ". ".join([summary, *found.ended, *describe_missing(found.wanted, rows), *misfits])
    await run.finish(text, data={wanted.key: rows} if wanted.key else rows, places=places)
    return None


def read_format(options: Mapping[str, Any]) -> OutputFormat:
    """The wanted fields, from the option `output_schema`; no fields if it is not set."""
    schema = options.get("output_schema")
    return read_schema(schema) if schema else OutputFormat()


async def extract_record(run: Run, wanted: OutputFormat, tabs: Sequence[TabText]) -> None:
    """Let a model read one record, and finish with it. What a page does not say is taken from the pages after it."""
    record: dict[str, Any] = {}
    places: list[Mapping[str, Any]] = []
    for tab in tabs:
        read, place = await read_record(run, tab, run.options["output_schema"])
        read |= {each.name: fit_value(read.get(each.name), each.rules) for each in wanted.fields}
        new = {name: value for name, value in read.items() if value is not None and record.get(name) is None}
        if new or not record:
            record = {**read, **record, **new}
            places.append(place)
        if None not in record.values():
            break
    text = ". ".join([json.dumps(record, ensure_ascii=False), *describe_missing(wanted, [record])])
    await run.finish(text, data=record, places=places)
