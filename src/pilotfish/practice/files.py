"""Uploads and downloads."""

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from pilotfish.practice.views import PAGES, page, part, redirect_to, rows, world_of

FILES = {"harbour-guide.pdf": "application/pdf", "tides.csv": "text/csv", "welcome.txt": "text/plain"}


async def home(request: Request) -> Response:
    kept = world_of(request).state["files"]
    return page(request, "live/files", kept=rows("live/files", "file", kept) or part("live/files", "none"))


async def upload(request: Request) -> Response:
    world = world_of(request)
    async with request.form(max_files=10, max_part_size=5_000_000) as form:
        note = form.get("note", "")
        names: list[str] = []
        for file in form.getlist("file"):
            if isinstance(file, UploadFile) and file.filename:
                size = len(await file.read())
                names.append(file.filename)
                world.state["files"].append({"name": file.filename, "size": size, "note": note})
                world.record_effect("file.uploaded", name=file.filename, size=size, note=note)
    world.flash_message(f"Received {', '.join(names)}." if names else "Choose a file first.")
    return redirect_to("/files")


async def download(request: Request) -> Response:
    """A PDF opens in the tab; everything else is saved."""
    name = request.path_params["name"]
    if name not in FILES:
        return page(request, "live/missing", 404, path=request.url.path)
    world_of(request).record_effect("file.downloaded", name=name)
    inline = name.endswith(".pdf") and "save" not in request.query_params
    return FileResponse(
        PAGES / "files" / name,
        media_type=FILES[name],
        filename=name,
        content_disposition_type="inline" if inline else "attachment",
    )


def routes() -> list[Route]:
    return [
        Route("/files", home),
        Route("/files/upload", upload, methods=["POST"]),
        Route("/files/{name}", download),
    ]
