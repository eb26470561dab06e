"""Stores files that a person attaches to a conversation, for runs to upload or to read as pages."""

import asyncio
import mimetypes
from collections.abc import Sequence
from pathlib import Path

from pilotfish.core.errors import NotFoundError, PersonError, ToolError
from pilotfish.core.given_pages import given_address, page_file
from pilotfish.core.parser_pool import parse_apart
from pilotfish.core.values import Value

MOST_FILES = 100


class AttachedFile(Value):
    """An attached file. One that is not readable can still be uploaded, or shown if it is a picture."""

    name: str
    size: int
    media: str = ""
    readable: bool = False


class AttachedFiles:
    """The files of one conversation."""

    def __init__(self, folder: Path, user: str = "") -> None:
        self.folder = folder
        self.user = user
        self.files = folder / "files"

    async def keep(self, name: str, data: bytes) -> AttachedFile:
        """Keep a file under its name, or a similar one if that is taken."""
        from pilotfish.web.page_reading import make_page

        path = await asyncio.to_thread(self._keep, name, data)
        try:
            page = await parse_apart(make_page, data, what=name, owner=self.user or str(self.folder), name=path.name)
        except ToolError as error:
            path.unlink()
            raise PersonError(
                error.message if name in error.message else f"{name}: {error.message}", error.fix
            ) from None
        return await asyncio.to_thread(self._keep_page, path, page)

    def _keep(self, name: str, data: bytes) -> Path:
        from pilotfish.browser.sessions.downloads import find_free_path

        if not data:
            raise PersonError(f"{name} is empty.", "Attach a file that holds something.")
        if len(self.list_all()) >= MOST_FILES:
            raise PersonError(f"This conversation has {MOST_FILES} files.", "Begin another conversation.")
        path = find_free_path(self.files, name)
        path.write_bytes(data)
        return path

    def _keep_page(self, path: Path, page: str | None) -> AttachedFile:
        if page is not None:
            self._page(path.name).parent.mkdir(parents=True, exist_ok=True)
            self._page(path.name).write_text(page, "utf-8", errors="replace")
        return self._describe(path)

    def list_all(self) -> list[AttachedFile]:
        return [self._describe(path) for path in sorted(self.files.glob("*"))] if self.files.is_dir() else []

    def paths(self, file: AttachedFile) -> list[Path]:
        """Where a file is kept, and the page that was made from it."""
        return [self.files / file.name, *([self._page(file.name)] if file.readable else [])]

    def addresses(self, names: Sequence[str]) -> list[str]:
        """The addresses of the readable files' pages."""
        known = {each.name for each in self.list_all()}
        for name in names:
            if name not in known:
                raise NotFoundError(f"This conversation has no file {name!r}.", "Attach it first.")
        return [given_address(name) for name in names if self._page(name).is_file()]

    def _page(self, name: str) -> Path:
        return page_file(self.folder, name)

    def _describe(self, path: Path) -> AttachedFile:
        media = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        return AttachedFile(
            name=path.name, size=path.stat().st_size, media=media, readable=self._page(path.name).is_file()
        )
