"""Reads a tab's page, and lets the model read it, when a person selects the tab: a question will follow."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from pilotfish.core.errors import PilotfishError
from pilotfish.core.records import RunRecord
from pilotfish.runtime.control import RunControl
from pilotfish.runtime.loops import prompts
from pilotfish.runtime.run import Run
from pilotfish.runtime.run_context import RunContext


class ReadAhead:
    """At most one page per conversation is read ahead; selecting another tab cancels the last one."""

    def __init__(self, context: Callable[[], RunContext]) -> None:
        self.context = context
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def start(self, record: RunRecord) -> "asyncio.Task[None]":
        """Start reading and return the task at once."""
        if former := self._tasks.get(record.conversation):
            former.cancel()
        task = self._tasks[record.conversation] = asyncio.create_task(self._warm(record))
        task.add_done_callback(lambda done: self._forget_task(record.conversation, done))
        return task

    async def close(self, conversation: str = "") -> None:
        """Cancel reading ahead, of one conversation or of all."""
        tasks = [task for key, task in self._tasks.items() if conversation in ("", key)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _warm(self, record: RunRecord) -> None:
        from pilotfish.agents import chat

        context = self.context()
        under_way = await context.journal.store.runs(conversation=record.conversation, limit=1)
        if under_way and under_way[0].state != "ended":
            return
        run = Run(record, context, RunControl(), {})
        run.prompts = prompts(chat.chat)
        # Errors of the page or the model are reported when the question comes.
        with suppress(PilotfishError):
            await chat.warm_model(run)

    def _forget_task(self, conversation: str, task: "asyncio.Task[None]") -> None:
        if self._tasks.get(conversation) is task:
            del self._tasks[conversation]
