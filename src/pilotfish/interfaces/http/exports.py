"""A run to take away: its story as JSON or Markdown, what it did as a script, and its files."""

from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query
from fastapi import Path as At
from fastapi.responses import FileResponse, Response

from pilotfish.core.errors import Missing
from pilotfish.core.events import FileSaved
from pilotfish.core.folds import markdown
from pilotfish.core.recipe import recipe
from pilotfish.core.script import script
from pilotfish.core.values import Value
from pilotfish.interfaces.places import ERRORS, Fish, Run

router = APIRouter(prefix="/api/runs", tags=["runs"], responses=ERRORS)
SHOWN = ("image/png", "image/jpeg", "image/webp", "image/gif")


class File(Value):
    """A file of a run."""

    name: str
    media: str
    size: int
    purpose: str = ""


@router.get("/{run}/export", response_class=Response)
async def export_run(
    run: Run, fish: Fish, format: Annotated[Literal["json", "markdown", "script"], Query()] = "json"
) -> Response:
    """The whole story, to keep; or what was done in the browser as a Python script for Playwright."""
    story = await fish.events(run.id)
    if format == "script":
        return _attached(script(recipe(story)), "text/x-python; charset=utf-8", f"{run.id}.py")
    shown = [event for event in story if fish.settings.agent.reasoning_visible or event.type != "reasoned"]
    if format == "markdown":
        return _attached(markdown(run, shown), "text/markdown; charset=utf-8", f"{run.id}.md")
    body = f'{{"run":{run.model_dump_json()},"events":[{",".join(event.model_dump_json() for event in shown)}]}}'
    return _attached(body, "application/json", f"{run.id}.json")


@router.get("/{run}/files")
async def list_files(run: Run, fish: Fish) -> list[File]:
    """Pictures, downloads and other files that it saved."""
    saved = [event for event in await fish.events(run.id) if isinstance(event, FileSaved)]
    return [File(name=one.name, media=one.media, size=one.size, purpose=one.purpose) for one in saved]


@router.get("/{run}/files/{name:path}", response_class=FileResponse)
async def read_file(run: Run, fish: Fish, name: Annotated[str, At(max_length=300)]) -> Response:
    """One of its files. Only what the journal names is served, and never as a page of ours."""
    saved = {event.name: event for event in await fish.events(run.id) if isinstance(event, FileSaved)}
    folder = (fish.settings.home / "runs" / run.id).resolve()
    path = (folder / name).resolve() if name in saved else Path()
    if not path.is_relative_to(folder) or not path.is_file():
        raise Missing("There is no such file in this run.", f"See /api/runs/{run.id}/files.")
    media = saved[name].media if saved[name].media in SHOWN else "application/octet-stream"
    headers = {"content-security-policy": "sandbox; default-src 'none'", "cache-control": "private, max-age=3600"}
    return FileResponse(path, media_type=media, filename=path.name, headers=headers)


def _attached(body: str, media: str, name: str) -> Response:
    return Response(
        body.encode(errors="replace"),
        media_type=media,
        headers={"content-disposition": f"attachment; filename={quote(name)}"},
    )
