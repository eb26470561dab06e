"""Extracts rows of data: reads the lists of pages part by part, and asks a model which column holds which field."""

from collections.abc import Mapping
from typing import Any

from pilotfish.core.errors import PersonError
from pilotfish.core.messages import ToolCall
from pilotfish.core.output_fields import OutputFormat, read_schema
from pilotfish.core.pages import TabText
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
        return await extract_record(run, tabs[0])
    found = DataRows(run, wanted)
    for tab in tabs:
        await found.read_tab(tab)
    rows = [row for row, _ in found.records]
    summary = f"{len(rows)} rows of {len(tabs)} {'page' if len(tabs) == 1 else 'pages'}"
    text = ". ".join([summary, *found.ended])
    await run.finish(
        text, data={wanted.key: rows} if wanted.key else rows, places=[place for _, place in found.records]
    )
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
