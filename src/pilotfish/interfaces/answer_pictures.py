"""Shows the pictures that a run made, together with its answer."""

import base64
from collections.abc import Awaitable, Callable
from pathlib import Path

from pilotfish.core.events import FileSaved, StreamItem

DRAWING_TOOL = "image_generate"
LARGEST_PICTURE = 8_000_000


class AnswerPictures:
    """The pictures that were made since they were last shown."""

    def __init__(self, folder: Path | None, read: Callable[[str], Awaitable[bytes]] | None = None) -> None:
        self.folder = folder
        self._read = read
        self._saved: list[FileSaved] = []

    def note(self, event: StreamItem) -> None:
        if isinstance(event, FileSaved) and event.purpose == DRAWING_TOOL and event.media.startswith("image/"):
            self._saved.append(event)

    def take(self) -> list[FileSaved]:
        """The pictures not shown yet. Of a drawing that is kept as SVG and as PNG, the PNG."""
        found, self._saved = self._saved, []
        return [one for one in found if not one.name.endswith(".svg")] or found

    def paths(self) -> list[Path]:
        """Where they are on this machine, or their names where they are on another."""
        return [self.folder / one.name if self.folder else Path(one.name) for one in self.take()]

    async def markdown(self) -> str:
        """The pictures as Markdown with their data, for clients that have no other way to them."""
        shown = [one for one in self.take() if one.size <= LARGEST_PICTURE]
        return "".join([f"\n\n![{one.name}](data:{one.media};base64,{await self._data(one.name)})" for one in shown])

    async def _data(self, name: str) -> str:
        assert self._read is not None
        return base64.b64encode(await self._read(name)).decode()
