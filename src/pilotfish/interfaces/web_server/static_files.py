"""Serves the built files of the UI, or a page that says how to build them."""

from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.exceptions import HTTPException

from pilotfish.interfaces.web_server.access_gate import PROTECTED_PATHS

if TYPE_CHECKING:
    from collections.abc import Mapping

STATIC_FOLDER = Path(__file__).parents[1] / "static"
KEPT_FOREVER = {"cache-control": "public, max-age=31536000, immutable"}
REVALIDATE = {"cache-control": "no-cache"}
UNBUILT_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Pilotfish</title>
<h1>Pilotfish is running</h1>
<p>Its pages are not built. Every released package contains them; in a checkout <code>make run</code> builds them.
<p>The command line, the HTTP interface (<a href="/api/openapi.json">/api/openapi.json</a>) and the others work.
"""
router = APIRouter(include_in_schema=False)


def list_files(folder: Path = STATIC_FOLDER) -> "Mapping[str, Path]":
    """All files that may be served, by address."""
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}


@router.get("/{path:path}")
async def serve_page(request: Request, path: str) -> Response:
    """A file of the UI, or its page for every address that the UI handles itself."""
    if PROTECTED_PATHS.match(f"/{path}"):
        raise HTTPException(404, "There is nothing at this address")
    known: Mapping[str, Path] = request.app.state.files
    if path in known:
        return FileResponse(known[path], headers=KEPT_FOREVER if path.startswith("assets/") else REVALIDATE)
    if "." in path.rpartition("/")[2]:
        raise HTTPException(404, "There is nothing at this address")
    if "index.html" in known:
        return FileResponse(known["index.html"], headers=REVALIDATE)
    return HTMLResponse(UNBUILT_PAGE, headers=REVALIDATE)
