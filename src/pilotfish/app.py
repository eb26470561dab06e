"""The app: starts, follows, commands, continues, repeats and deletes runs. `composition.py` makes its parts.

async with Pilotfish() as fish:
    async for event in fish.run("Which arm lifts more?", tabs=["https://shop.example"]):
        ...
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pilotfish.composition import AppParts
from pilotfish.core.errors import PersonError
from pilotfish.core.events import StreamItem
from pilotfish.core.messages import Message
from pilotfish.core.recipe import build_recipe
from pilotfish.core.records import Command, CommandVerb, RunRecord
from pilotfish.core.schedules import Schedule, SchedulePlan, WatchedPart
from pilotfish.core.shortcut import Shortcut, fill_shortcut
from pilotfish.core.users import LOCAL
from pilotfish.runtime.loops import LOOPS, loop
from pilotfish.services.attribution import attribute_messages, continue_messages, require_top_run
from pilotfish.services.conversation_turns import announce_waiting, find_run_ahead, refuse_turn, require_listener
from pilotfish.services.kept_copies import delete_copies
from pilotfish.services.run_archive import find_family
from pilotfish.services.shortcuts import make_from_run
from pilotfish.services.time_reading import PlainWhen, read_time
from pilotfish.tools.base import tool

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["Pilotfish", "loop", "tool"]

RUN_LIMIT = 10_000
STOP_TIMEOUT = 3.0
REPLAY_OPTIONS = frozenset({
    "model", "policy", "trusted", "sites", "profile", "budget_cents", "disabled_tools", "tools", "max_steps",
    "max_minutes", "input_timeout", "attended", "screenshots", "labels",
})  # fmt: skip
"""What a replay takes over from the run that it repeats: what it may do, reach and spend."""


class Pilotfish(AppParts):
    """Runs in this process, or in the workers that share its database.

    `adopt`: also drive runs that other processes queued or left. `runs`: the most runs at once, instead of the setting
    `work.runs`; with 0 runs are only queued, for a `pilotfish worker`.
    """

    async def start(
        self,
        task: str,
        *,
        loop: str = "",
        tabs: Sequence[str | int] = (),
        conversation: str = "",
        user: str = LOCAL,
        messages: Sequence[Message] = (),
        **options: Any,
    ) -> RunRecord:
        """Start a run and return at once. `messages` is what was said before, where no conversation holds it.

        Only messages of the origin `person` count as the person's words; for one without an origin the role decides.
        """
        await self.refresh()
        name = loop or ("extract" if options.get("output_schema") else self.settings.agent.loop)
        LOOPS.get(name)
        if not task.strip():
            raise PersonError("There is nothing to do: the task is empty.", "Say what you want to know or have done.")
        options = self._ask_for_labels(options)
        own = not self._adopt and self.limits.runs > 0 and not options.get("labels")
        # Nothing orders runs that no queue launches, so two that are started together must not both find nobody ahead.
        async with self._starting if own and conversation else nullcontext():
            ahead = await self._run_ahead(conversation) if conversation else None
            if own and ahead and not await self._is_abandoned(ahead):
                raise refuse_turn(ahead)
            conversation = conversation or secrets.token_hex(8)
            record = RunRecord(
                id=secrets.token_hex(8),
                user=user,
                conversation=conversation,
                task=task,
                loop=name,
                options={**options, "tabs": list(tabs)},
                version=self.engine.config.version if own else "",
                worker=self.engine.config.worker if own else "",
            )
            await self.store.create(record, title=task[:80], said=attribute_messages(messages, conversation))
        if own:
            await self.engine.launch(record.id)
            return record
        if waits := announce_waiting(record, ahead) if ahead else await self.registry.explain_wait(record):
            await self.journal.append(waits)
        self.queue.wake()
        return record

    async def run(self, task: str, *, output: "type[BaseModel] | None" = None, **how: Any) -> AsyncIterator[StreamItem]:
        """Start a run and follow it to its end. With `output` its last event has `data` of that form."""
        if output is not None:
            how["output_schema"] = output.model_json_schema()
        record = await self.start(task, **how)
        async for event in self.follow(record.id):
            yield event

    async def schedule(self, task: str, when: str, *, user: str = LOCAL, **how: Any) -> Schedule:
        """Keep a task that is done at certain times, such as `every weekday at 8`. `how` has fields of `SchedulePlan`.

        It is done by an open app that drives runs: a server, or `pilotfish worker`.
        """
        return await self.schedules.create(SchedulePlan(task=task, when=when, **how), user)

    async def watch(
        self, page: str, condition: str, *, every: str = "1h", part: WatchedPart | None = None, **how: Any
    ) -> Schedule:
        """Keep a watch on a page: people are told when the condition is met. `how` is as for `schedule`."""
        rule = how.pop("tell", "changes")
        plan: dict[str, Any] = {"pages": (page,), "watch": part or WatchedPart(), "notify_when": rule}
        return await self.schedule(condition, f"every {every}", **{**plan, **how})

    async def read_when(self, words: str, *, zone: str = "", user: str = LOCAL) -> PlainWhen:
        """What a model takes words such as “every day but Sundays at nine” for; `schedule` takes its `when` and `zone`.

        Show it to a person before: a model may be wrong.
        """
        return await read_time(self, words, zone, user)

    def follow(self, run: str, after: int = 0) -> AsyncGenerator[StreamItem]:
        """The events of a run after a sequence number, to its end."""
        return self.journal.follow(run, after)

    async def command(self, run: str, verb: CommandVerb, *, text: str = "", request: str = "", by: str = LOCAL) -> None:
        """Send a run a command: stop, pause, resume, the answer to its question, or a message."""
        if verb == "say":
            require_listener(await self.record(run), text)
        await self.store.send(Command(run=run, verb=verb, text=text, request=request, by=by))
        await self.driver.apply_commands(run)
        if verb == "stop" and (record := await self.store.run(run)) and await self._is_abandoned(record):
            await self.driver.cancel(record)

    async def continue_run(self, run: str, by: str = LOCAL, options: Mapping[str, Any] | None = None) -> RunRecord:
        """Resume a run that a worker drives; otherwise start a new run with the old one's transcript.

        The new run has the options of the old one, or those given.
        """
        record = await self.record(run)
        other = record.version not in ("", self.engine.config.version)
        parked = await self._is_abandoned(record) and (other or not self._adopt)
        if not record.outcome and not parked:
            await self.command(run, "resume", by=by)
            return record
        require_top_run(record)
        said = continue_messages(record, await self.events(record.id))
        given = record.options if options is None else options
        how = {**given, "loop": record.loop, "conversation": record.conversation, "user": record.user}
        new = await self.start(record.task, messages=said, **{**how, "continues": record.id})
        if parked:
            await self.driver.cancel(record, f"It goes on as {new.id}.")
        return new

    async def replay(self, run: str, *, user: str = LOCAL, **options: Any) -> RunRecord:
        """Repeat in the browser what a run did; a model is asked only where an element cannot be found."""
        record = await self.record(run, user)
        require_top_run(record)
        made = build_recipe(await self.events(record.id))
        if not made.actions:
            raise PersonError("That run did nothing in the browser.", "Run it again with a model.")
        kept = {name: value for name, value in {**record.options, **options}.items() if name in REPLAY_OPTIONS}
        how: dict[str, Any] = {"tabs": made.pages, "conversation": record.conversation, "user": user, **kept}
        return await self.start(record.task, loop="replay", of=record.id, **how)

    async def use_shortcut(
        self, name: str, values: Mapping[str, str] | None = None, *, user: str = LOCAL, **options: Any
    ) -> RunRecord:
        """Do what a shortcut records with these values; a model is asked only where an element cannot be found."""
        given = dict(values or {})
        recipe = fill_shortcut(await self.shortcuts.get(user, name), given)
        kept = {key: value for key, value in options.items() if key in REPLAY_OPTIONS or key == "conversation"}
        how: dict[str, Any] = {"tabs": recipe.pages, "user": user, **kept}
        return await self.start(recipe.task, loop="replay", shortcut=name, values=given, **how)

    async def save_shortcut(
        self, run: str, name: str, parameters: Mapping[str, str] | None = None, *, user: str = LOCAL
    ) -> Shortcut:
        """Make a shortcut of what a run did; the words of `parameters` become parameters."""
        record = await self.record(run, user)
        return await self.shortcuts.add(
            user, make_from_run(record, await self.events(record.id), name, parameters or {})
        )

    async def _run_ahead(self, conversation: str) -> RunRecord | None:
        """The run that a new one of this conversation must wait for."""
        return find_run_ahead(await self.runs(conversation=conversation), self.engine.config.version)

    async def delete(self, run: str) -> None:
        """Stop a run, and remove it with its journal and files; with the last one its conversation."""
        record = await self.record(run)
        if not record.outcome:
            await self.command(run, "stop")
            with suppress(TimeoutError):
                async with asyncio.timeout(STOP_TIMEOUT):
                    async for _ in self.follow(run):
                        pass
        await self._erase([record])

    async def delete_before(self, moment: datetime, user: str | None = None) -> int:
        """Delete the runs, of one user or of all, that ended before a moment; returns how many.

        The last run of a schedule stays: the next one is compared with it.
        """
        found = await self.runs(user=user, state="ended", before=moment, limit=RUN_LIMIT)
        used = await self.store.compared_runs()
        gone = [one for one in found if not one.parent and one.updated < moment and one.id not in used]
        await self._erase(gone)
        return len(gone)

    async def _erase(self, records: Sequence[RunRecord]) -> None:
        """Remove runs that have ended, with their sub-runs, from the store, the disk and the engine."""
        for conversation in {record.conversation for record in records}:
            among = await self.runs(conversation=conversation, limit=RUN_LIMIT)
            ids = [each for one in records for each in find_family(one.id, among) if one.conversation == conversation]
            for each in ids:
                await self.store.delete(each)
                await self.files.delete(f"runs/{each}/")
            await self.engine.delete(ids)
            await delete_copies(self.store, ids)
            if not {record.id for record in among} - set(ids):
                await self._remove_conversation(conversation)

    async def close_browser(self, conversation: str) -> None:
        """Close the browser of a conversation in which no run is at work; its tabs are kept for the next one."""
        if await self._run_ahead(conversation) is None:
            await self.views.end(conversation)

    def read_ahead(
        self, conversation: str, tabs: Sequence[str | int] = (), *, user: str = LOCAL, model: str = ""
    ) -> "asyncio.Task[None]":
        """Read these tabs (or the one in front) ahead of a question, in the background; the task may be awaited."""
        options = {"tabs": list(tabs), "model": model}
        record = RunRecord(id="", user=user, conversation=conversation, task="", loop="chat", options=options)
        return self._read_ahead.start(record)

    async def delete_conversation(self, conversation: str) -> None:
        """Remove a conversation with its runs, tabs and files."""
        await self._read_ahead.close(conversation)
        for record in await self.runs(conversation=conversation, limit=RUN_LIMIT):
            await self.delete(record.id)
        await self._remove_conversation(conversation)

    async def _remove_conversation(self, conversation: str) -> None:
        """Remove a conversation that has no runs, with its title, tabs and files."""
        await self.views.discard(conversation)
        await self.store.delete_conversation(conversation)
        await self.files.delete(f"conversations/{conversation}/")
        await delete_copies(self.store, (), (conversation,))

    async def count_workers(self) -> int:
        """How many processes, here and elsewhere, take runs from the queue."""
        return sum(worker.takes_runs for worker in await self.registry.workers())

    async def _is_abandoned(self, record: RunRecord) -> bool:
        """Whether a run has not ended and no worker drives it."""
        driven = record.worker and record.worker != self.engine.config.worker
        dead = driven and not await self.engine.lease.is_alive(record.worker)
        return not record.outcome and (not record.worker or bool(dead))
