"""Sends text to followers on other machines while it is written.

Followers in this process get each piece at once. For others, pieces are collected for a moment and sent by the store.
"""

import asyncio
from collections.abc import Collection
from contextlib import suppress
from typing import TYPE_CHECKING

from pilotfish.core.errors import StoreError
from pilotfish.core.events import TextDelta

if TYPE_CHECKING:
    from pilotfish.store.base import Store

COLLECT_SECONDS = 0.05
# A notice of PostgreSQL holds 8,000 bytes, and a character may take six of them.
LONGEST_PIECE = 1200


class LiveTextRelay:
    """Collects pieces of text and sends them together."""

    def __init__(self, store: "Store") -> None:
        self.store = store
        self._held: list[TextDelta] = []
        self._task: asyncio.Task[None] | None = None

    def add(self, piece: TextDelta) -> None:
        last = self._held[-1] if self._held else None
        if last and (last.run, last.call, last.kind) == (piece.run, piece.call, piece.kind):
            self._held[-1] = last.model_copy(update={"text": last.text + piece.text})
        else:
            self._held.append(piece)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._pass_on_later())

    async def flush(self, runs: Collection[str]) -> None:
        """Send the text of these runs now, before the events that follow it are written."""
        if any(piece.run in runs for piece in self._held):
            await self._pass_on()

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _pass_on_later(self) -> None:
        while self._held:
            await asyncio.sleep(COLLECT_SECONDS)
            await self._pass_on()

    async def _pass_on(self) -> None:
        held, self._held = self._held, []
        pieces = [
            piece.model_copy(update={"text": piece.text[start : start + LONGEST_PIECE]})
            for piece in held
            for start in range(0, len(piece.text), LONGEST_PIECE)
        ]
        # Lost pieces do no harm: the whole text follows as an event.
        with suppress(StoreError):
            await self.store.send_text(pieces)
