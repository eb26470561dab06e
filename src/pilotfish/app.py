"""The composition root: settings become objects; runs are started, followed, told, resumed.

async with Pilotfish() as fish:
    async for event in fish.run("Which arm lifts more?", tabs=["https://shop.example"]):
        ...
"""

import asyncio
import os
import secrets
import shutil
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from pilotfish.core.errors import PersonError, StoreError
from pilotfish.core.events import Live
from pilotfish.core.folds import markdown
from pilotfish.core.haste import haste
from pilotfish.core.messages import Message
from pilotfish.core.people import LOCAL
from pilotfish.core.recipe import recipe
from pilotfish.core.records import Command, RunRecord, Verb
from pilotfish.core.registry import discover
from pilotfish.core.settings import Settings, Work
from pilotfish.parts.archive import Archive
from pilotfish.parts.choices import Choices
from pilotfish.parts.dials import Dials
from pilotfish.parts.guests import Guests
from pilotfish.parts.people import People
from pilotfish.parts.remembering import sequel
from pilotfish.parts.services import Services
from pilotfish.parts.warming import Warming
from pilotfish.parts.window import Windows
from pilotfish.runtime.browsing import Browsers
from pilotfish.runtime.driver import Driver
from pilotfish.runtime.engine import Engine, Plan
from pilotfish.runtime.guard.fence import Fence
from pilotfish.runtime.journal import Journal
from pilotfish.runtime.kit import Kit
from pilotfish.runtime.lease import DatabaseLease, FileLease
from pilotfish.runtime.loops import LOOPS, loop, version
from pilotfish.runtime.minds import Minds
from pilotfish.runtime.queue import Queue
from pilotfish.tools.base import TOOLS, Tool, tool

if TYPE_CHECKING:
    from dbos import WorkflowHandleAsync

    from pilotfish.memory.memory import Memory

__all__ = ["Pilotfish", "loop", "tool"]

EVERY = 10_000
FAREWELL = 3.0


class Pilotfish(Archive):
    """Everything, put together.

    `adopt` says whether to take up runs that others started or left. `runs` is the most at once, where the settings do
    not count; with 0 runs are only queued, for `pilotfish worker` elsewhere.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        home: Path | None = None,
        adopt: bool = True,
        runs: int | None = None,
    ) -> None:
        self._given = settings
        self._home = home
        self._adopt = adopt
        self._runs = runs
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        try:
            with haste():
                await self._open()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    # Runs

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
        """Begin a run and come back at once. `messages` is what was said before, should no conversation hold it."""
        await self.refresh()
        name = loop or self.settings.agent.loop
        LOOPS.get(name)
        if not task.strip():
            raise PersonError("There is nothing to do: the task is empty.", "Say what you want to know or have done.")
        own = not self._adopt and self.limits.runs > 0
        record = RunRecord(
            id=secrets.token_hex(8),
            user=user,
            conversation=conversation or secrets.token_hex(8),
            task=task,
            loop=name,
            options={**options, "tabs": list(tabs)},
            version=self.engine.plan.version if own else "",
            worker=self.engine.plan.worker if own else "",
        )
        await self.store.create(record, title=task[:80], said=messages)
        if own:
            await self.engine.launch(record.id)
        else:
            self.queue.wake()
        return record

    async def run(self, task: str, **how: Any) -> AsyncIterator[Live]:
        """Begin a run and follow it to its end."""
        record = await self.start(task, **how)
        async for event in self.follow(record.id):
            yield event

    def follow(self, run: str, after: int = 0) -> AsyncGenerator[Live]:
        """Everything a run says after a sequence number, to its end."""
        return self.journal.follow(run, after)

    async def command(self, run: str, verb: Verb, *, text: str = "", request: str = "", by: str = LOCAL) -> None:
        """Tell a run something: stop, pause, resume, or the answer to its question."""
        await self.store.send(Command(run=run, verb=verb, text=text, request=request, by=by))
        await self.driver.heed(run)
        if verb == "stop" and (record := await self.store.run(run)) and await self._left(record):
            await self.driver.cancel(record)

    async def proceed(self, run: str, by: str = LOCAL) -> RunRecord:
        """Let a run go on: itself where somebody drives it, else as a new one that knows what it did."""
        record = await self.record(run)
        other = record.version not in ("", self.engine.plan.version)
        parked = await self._left(record) and (other or not self._adopt)
        if not record.outcome and not parked:
            await self.command(run, "resume", by=by)
            return record
        story = Fence(record.conversation).wrap(markdown(record, await self.events(run)), "an earlier attempt")
        before = f"An earlier attempt at the task that follows was interrupted. This is what it did:\n{story}"
        said = [Message(role="user", text=before), Message(role="user", text=record.task)]
        how = {**record.options, "loop": record.loop, "conversation": record.conversation, "user": record.user}
        new = await self.start(record.task, messages=said, **how)
        if parked:
            await self.driver.cancel(record, f"It goes on as {new.id}.")
        return new

    async def replay(self, run: str, *, user: str = LOCAL, **options: Any) -> RunRecord:
        """Do in the browser what a run did; a model is asked only about what cannot be found any more."""
        record = await self.record(run, user)
        made = recipe(await self.events(record.id))
        if not made.deeds:
            raise PersonError("That run did nothing in the browser.", "Run it again with a model.")
        how: dict[str, Any] = {"tabs": made.pages, "conversation": record.conversation, "user": user, **options}
        return await self.start(record.task, loop="replay", of=record.id, **how)

    async def _left(self, record: RunRecord) -> bool:
        """Whether a run is not over, and nobody drives it."""
        driven = record.worker and record.worker != self.engine.plan.worker
        dead = driven and not await self.engine.lease.alive(record.worker)
        return not record.outcome and (not record.worker or bool(dead))

    @property
    def memory(self) -> "Memory":
        """What is remembered of people."""
        from pilotfish.memory.memory import Memory

        return cast(Memory, self.services[Memory])

    async def delete(self, run: str) -> None:
        """Stop a run, and remove it with its journal and files."""
        await self.command(run, "stop")
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                async for _ in self.follow(run):
                    pass
        await self.store.delete(run)
        await asyncio.to_thread(shutil.rmtree, self.settings.home / "runs" / run, ignore_errors=True)

    def warm(
        self, conversation: str, tabs: Sequence[str | int] = (), *, user: str = LOCAL, model: str = ""
    ) -> "asyncio.Task[None]":
        """Read these tabs (or the one in front) ahead of a question, in the background; the task may be awaited."""
        options = {"tabs": list(tabs), "model": model}
        record = RunRecord(id="", user=user, conversation=conversation, task="", loop="chat", options=options)
        return self._warming.start(record)

    async def forget(self, conversation: str) -> None:
        """Remove a conversation with its runs, tabs and files."""
        await self._warming.close(conversation)
        for record in await self.runs(conversation=conversation, limit=EVERY):
            await self.delete(record.id)
        await self.browsers.close(conversation)
        await self.store.forget(conversation)
        folder = self.settings.home / "conversations" / conversation
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def refresh(self) -> None:
        """Take up settings that were changed; runs under way keep theirs."""
        if not await self.dials.refresh():
            return
        self.settings = self.dials.current
        if self.settings.models != self.minds.settings:
            self.minds = self._minds()
        self.services = await self._services.fit(self.settings)
        if self.settings.mcp != self.guests.servers:
            self.guests = await self._guests()
        self.driver.kit = self._kit()

    # Putting it together

    async def _open(self) -> None:
        from pilotfish.store.config import Loaded, read
        from pilotfish.store.database import Database, address

        discover("pilotfish.agents")
        discover("pilotfish.tools")
        loaded = Loaded(settings=self._given, found={}) if self._given else read(home=self._home)
        self.store = await self._stack.enter_async_context(await Database.open(address(loaded.settings)))
        self.dials = Dials(self.store, loaded)
        await self.dials.refresh()
        self.settings = self.dials.current
        self.people = People(self.store, self.settings.home)
        self.choices = Choices(self.dials)
        self.journal = Journal(self.store)
        self._stack.enter_context(self.journal.hush.listening())
        self._stack.push_async_callback(self.journal.close)
        self.minds = self._minds()
        worker = f"{os.getpid()}-{secrets.token_hex(3)}"
        self.engine = self._engine(worker)
        self.browsers = self._browsers()
        self._services = Services(self._stack, self.store)
        self.services = await self._services.fit(self.settings)
        self.guests = await self._guests()
        self.windows = Windows(self.browsers)
        self._warming = Warming(lambda: self.driver.kit)
        self._stack.push_async_callback(self._warming.close)
        self._stack.push_async_callback(self.windows.close)
        self.driver = Driver(self._kit(), self.store, worker)
        self._stack.push_async_callback(self._leave)
        await self.engine.start()
        self._stack.push_async_callback(self.engine.stop)
        self.queue = Queue(self.store, self.engine, self.driver, lambda: self.limits if self._adopt else None)
        self.queue.start()
        self._stack.push_async_callback(self.queue.stop)

    def _engine(self, worker: str) -> Engine:
        home = self.settings.home
        url = self.settings.database or f"sqlite:///{home / 'engine.db'}"
        lease = DatabaseLease(url) if self.settings.database else FileLease(home / "workers")
        return Engine(Plan(url, worker, version()), lease, self._drive)

    async def _drive(self, run: str) -> str:
        try:
            outcome = await self.driver.drive(run)
        finally:
            self.queue.wake()
        if self.settings.memory.enabled and self.settings.memory.extract:
            await self._remember(run)
        return outcome

    async def _remember(self, run: str) -> None:
        record = await self.store.run(run)
        if after := record and sequel(record):
            await self._begin(after)

    async def _step(self, name: str, body: Callable[[], Awaitable[dict[str, Any]]]) -> dict[str, Any]:
        with self.journal.tracing.step(name):
            return await self.engine.step(name, body)

    def guard(self, port: int) -> None:
        """Keep the agents' own browsers from a port at which we listen."""
        limits = self.browsers.limits
        self.browsers.limits = replace(limits, own=limits.own | {port})

    async def _leave(self) -> None:
        """Leave what is under way to whoever comes next."""
        with suppress(StoreError):
            await self.store.release(self.engine.plan.worker)

    @property
    def limits(self) -> Work:
        """How many runs may go at once here."""
        work = self.settings.work
        return work if self._runs is None else work.model_copy(update={"runs": self._runs})

    def _minds(self) -> Minds:
        minds = Minds(self.settings.models, self.settings.home)
        self._stack.push_async_callback(minds.close)
        return minds

    def _browsers(self) -> Browsers:
        from pilotfish.browser.pool import Pool

        browsers = Browsers(Pool(self.settings.browser), self.settings.home, self.settings)
        self._stack.push_async_callback(browsers.close)
        return browsers

    async def _guests(self) -> Guests:
        guests = Guests(self.settings.mcp)
        self._stack.push_async_callback(guests.close)
        await guests.open()
        return guests

    def _kit(self) -> Kit:
        return Kit(
            home=self.settings.home,
            settings=self.settings,
            journal=self.journal,
            minds=self.minds,
            tools=self._tools(),
            services={**self.services, Browsers: self.browsers},
            step=self._step,
            spawn=self._spawn,
        )

    def _tools(self) -> dict[str, Tool]:
        off = set(self.settings.agent.disabled_tools)
        off |= set[str]() if self.settings.memory.enabled else {"memory_save", "memory_retrieve"}
        known = {name: TOOLS.get(name) for name in TOOLS} | self.guests.tools
        return {name: tool for name, tool in known.items() if name not in off}

    async def _spawn(self, record: RunRecord) -> RunRecord:
        """Start a sub-run, or meet the one that was started before a crash, and wait for its end."""
        await (await self._begin(record)).get_result()
        return await self.record(record.id)

    async def _begin(self, record: RunRecord) -> "WorkflowHandleAsync[str]":
        if await self.store.run(record.id) is None:
            plan = self.engine.plan
            await self.store.create(record.model_copy(update={"worker": plan.worker, "version": plan.version}))
        return await self.engine.launch(record.id)
