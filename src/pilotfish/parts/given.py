"""Files that a person gives to a conversation: kept with it, to be uploaded by its runs, and as pages to be read."""

import asyncio
import mimetypes
from collections.abc import Sequence
from pathlib import Path

from pilotfish.core.errors import Missing, PersonError, ToolError
from pilotfish.core.values import Value

MOST = 100


class Given(Value):
    """One of them. What is not readable can still be uploaded, or looked at where it is a picture."""

    name: str
    size: int
    media: str = ""
    readable: bool = False


class Drawer:
    """The files of one conversation."""

    def __init__(self, folder: Path) -> None:
        self.files = folder / "files"
        self.pages = folder / "pages"

    async def keep(self, name: str, data: bytes) -> Given:
        """Keep a file under its name, or one like it where that is taken."""
        return await asyncio.to_thread(self._keep, name, data)

    def _keep(self, name: str, data: bytes) -> Given:
        from pilotfish.browser.download import vacant
        from pilotfish.web.paper import page

        if not data:
            raise PersonError(f"{name} is empty.", "Attach a file that holds something.")
        if len(self.all()) >= MOST:
            raise PersonError(f"This conversation has {MOST} files.", "Begin another conversation.")
        path = vacant(self.files, name)
        path.write_bytes(data)
        try:
            text = page(path.name, data)
        except ToolError as error:
            path.unlink()
            raise PersonError(f"{name}: {error.message}", error.fix) from None
        if text is not None:
            self.pages.mkdir(parents=True, exist_ok=True)
            self._page(path.name).write_text(text, "utf-8", errors="replace")
        return self._told(path)

    def all(self) -> list[Given]:
        return [self._told(path) for path in sorted(self.files.glob("*"))] if self.files.is_dir() else []

    def addresses(self, names: Sequence[str]) -> list[str]:
        """The pages of those that can be read, as a browser opens them."""
        known = {each.name for each in self.all()}
        for name in names:
            if name not in known:
                raise Missing(f"This conversation has no file {name!r}.", "Attach it first.")
        return [self._page(name).resolve().as_uri() for name in names if self._page(name).is_file()]

    def _page(self, name: str) -> Path:
        return self.pages / f"{name}.html"

    def _told(self, path: Path) -> Given:
        media = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        return Given(name=path.name, size=path.stat().st_size, media=media, readable=self._page(path.name).is_file())
