"""Reading ahead: who turns to a tab will ask about it, so its page is read, and the model reads it too, before."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from pilotfish.core.errors import PilotfishError
from pilotfish.core.records import RunRecord
from pilotfish.runtime.control import Control
from pilotfish.runtime.kit import Kit
from pilotfish.runtime.loops import prompts
from pilotfish.runtime.run import Run


class Warming:
    """At most one reading ahead per conversation: who turns to another tab no longer waits for the last one."""

    def __init__(self, kit: Callable[[], Kit]) -> None:
        self.kit = kit
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self, record: RunRecord) -> "asyncio.Task[None]":
        """Begin, and come back at once; who wants to wait for the end may."""
        if former := self._tasks.get(record.conversation):
            former.cancel()
        task = self._tasks[record.conversation] = asyncio.create_task(self._warm(record))
        task.add_done_callback(lambda done: self._ended(record.conversation, done))
        return task

    async def close(self, conversation: str = "") -> None:
        """Give up what is read ahead, of one conversation or of all."""
        tasks = [task for key, task in self._tasks.items() if conversation in ("", key)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _warm(self, record: RunRecord) -> None:
        from pilotfish.agents import chat

        kit = self.kit()
        under_way = await kit.journal.store.runs(conversation=record.conversation, limit=1)
        if under_way and under_way[0].state != "ended":
            return
        run = Run(record, kit, Control(), {})
        run.prompts = prompts(chat.chat)
        # Whatever is wrong with the page or the model is told when the question comes.
        with suppress(PilotfishError):
            await chat.warm(run)

    def _ended(self, conversation: str, task: "asyncio.Task[None]") -> None:
        if self._tasks.get(conversation) is task:
            del self._tasks[conversation]
