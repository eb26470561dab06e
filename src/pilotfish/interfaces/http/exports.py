"""Exports a run: its events as JSON or Markdown, its actions as a script, its data as a table, and its files."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, cast, get_args
from urllib.parse import quote

from fastapi import APIRouter, Query
from fastapi import Path as At
from fastapi.responses import FileResponse, Response

from pilotfish.core.data_formats import add_places, write_data
from pilotfish.core.errors import NotFoundError
from pilotfish.core.events import Event, FileSaved, RunFinished, TextDelta, hide_thinking
from pilotfish.core.journal_reports import render_markdown
from pilotfish.core.playwright_script import write_script
from pilotfish.core.recipe import build_recipe
from pilotfish.core.records import RunRecord
from pilotfish.core.values import Value
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, RunDep
from pilotfish.services.run_files import find_file

router = APIRouter(prefix="/api/runs", tags=["runs"], responses=ERRORS)
TableFormat = Literal["jsonl", "csv", "xlsx"]
ExportFormat = Literal["json", "markdown", "script"] | TableFormat
EXPORTS: Mapping[ExportFormat, tuple[str, str]] = {
    "json": ("application/json", "json"),
    "markdown": ("text/markdown; charset=utf-8", "md"),
    "script": ("text/x-python; charset=utf-8", "py"),
    "jsonl": ("application/x-ndjson", "jsonl"),
    "csv": ("text/csv; charset=utf-8", "csv"),
    "xlsx": ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
}
PICTURE_TYPES = ("image/png", "image/jpeg", "image/webp", "image/gif", "image/svg+xml")


class RunFile(Value):
    """A file of a run."""

    name: str
    media: str
    size: int
    purpose: str = ""


@router.get("/{run}/export", response_class=Response)
async def export_run(
    run: RunDep, fish: AppDep, format: Annotated[ExportFormat, Query()] = "json", places: bool = False
) -> Response:
    """Export all events, the browser actions as a Python script for Playwright, or the data as a table.

    With `places` each row of data has a link to where it was found.
    """
    events = await fish.events(run.id)
    if not fish.settings.agent.reasoning_visible and format != "script":
        events = [shown for event in events if (shown := hide_thinking(event)) and not isinstance(shown, TextDelta)]
    media, ending = EXPORTS[format]
    body = await asyncio.to_thread(write_export, run, events, format, places)
    return Response(
        body, media_type=media, headers={"content-disposition": f"attachment; filename={quote(run.id)}.{ending}"}
    )


def write_export(run: RunRecord, events: Sequence[Event], format: ExportFormat, places: bool = False) -> bytes:
    """The export of a run. That of a long run takes seconds, so it is written in a thread."""
    if format in get_args(TableFormat):
        end = find_data(events)
        data = add_places(end.data, end.places) if places else end.data
        return write_data(data, cast(TableFormat, format))
    if format == "script":
        text = write_script(build_recipe(events))
    elif format == "markdown":
        text = render_markdown(run, events)
    else:
        text = f'{{"run":{run.model_dump_json()},"events":[{",".join(event.model_dump_json() for event in events)}]}}'
    return text.encode(errors="replace")


def find_data(events: Sequence[Event]) -> RunFinished:
    """The end of a run that ended with data."""
    end = events[-1] if events else None
    if not isinstance(end, RunFinished) or end.data is None:
        raise NotFoundError("This run has no data.", "Ask for data with `output_schema`, or with `pilotfish extract`.")
    return end


@router.get("/{run}/files")
async def list_files(run: RunDep, fish: AppDep) -> list[RunFile]:
    """List the pictures, downloads and other files of a run."""
    saved = [event for event in await fish.events(run.id) if isinstance(event, FileSaved)]
    return [RunFile(name=one.name, media=one.media, size=one.size, purpose=one.purpose) for one in saved]


@router.get("/{run}/files/{name:path}", response_class=FileResponse)
async def read_file(run: RunDep, fish: AppDep, name: Annotated[str, At(max_length=300)]) -> Response:
    """Read a file of a run. Only files that the journal names are served, and never as a page of this origin."""
    saved, path = await find_file(fish, run.id, name)
    media = saved.media if saved.media in PICTURE_TYPES else "application/octet-stream"
    headers = {"content-security-policy": "sandbox; default-src 'none'", "cache-control": "private, max-age=3600"}
    return FileResponse(path, media_type=media, filename=path.name, headers=headers)
