"""Puts the product together: makes each part from the settings, in order, and closes them in reverse.

`AppParts._open` is the list of the parts. `app.py` adds what people do with runs.
"""

import asyncio
import logging
import os
import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from pilotfish.core.errors import PersonError, StoreError
from pilotfish.core.events import current_time
from pilotfish.core.fast_imports import without_garbage_collection
from pilotfish.core.records import RunRecord
from pilotfish.core.registry import discover
from pilotfish.core.schedules import STANDING_PREFIX
from pilotfish.core.settings import Settings, WorkSettings
from pilotfish.runtime.conversation_browsers import ConversationBrowsers
from pilotfish.runtime.driver import RunDriver
from pilotfish.runtime.engine import EngineConfig, RunEngine
from pilotfish.runtime.journal import RunJournal
from pilotfish.runtime.lease import DatabaseLease, FileLease
from pilotfish.runtime.loops import version
from pilotfish.runtime.model_pool import ModelPool
from pilotfish.runtime.queue import RunQueue
from pilotfish.runtime.run_context import RunContext
from pilotfish.runtime.session_logins import SessionLogins
from pilotfish.runtime.worker_registry import WorkerRegistry
from pilotfish.safety.secrets import SecretVault
from pilotfish.services.answer_links import AnswerLinks
from pilotfish.services.browser_views import BrowserViews
from pilotfish.services.choices import AvailableChoices
from pilotfish.services.extensions import ExtensionService
from pilotfish.services.mcp_clients import McpClients
from pilotfish.services.memory_run import make_memory_run
from pilotfish.services.notice_sender import NoticeSender
from pilotfish.services.read_ahead import ReadAhead
from pilotfish.services.run_archive import RunArchive
from pilotfish.services.schedules import Clock, ScheduleService
from pilotfish.services.settings_store import SettingsStore
from pilotfish.services.standing_work import FireRunMaker, StandingWork
from pilotfish.services.tool_services import ToolServices
from pilotfish.services.users import UserDirectory
from pilotfish.services.web_push import WebPush
from pilotfish.services.workers import check_labels
from pilotfish.tools.base import TOOLS, Tool

if TYPE_CHECKING:
    from dbos import WorkflowHandleAsync

    from pilotfish.memory.memory import UserMemory
    from pilotfish.services.worker_channel import WorkerChannel

log = logging.getLogger(__name__)
MEMORY_SECONDS = 60.0
"""How long closing waits for what is being remembered."""


class AppParts(RunArchive):
    """Store, settings, journal, models, browsers, engine, driver and queue of one process."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        home: Path | None = None,
        adopt: bool = True,
        runs: int | None = None,
        labels: Sequence[str] = (),
        clock: Clock = current_time,
    ) -> None:
        self.clock = clock
        self._given = settings
        self._home = home
        self._adopt = adopt
        self._runs = runs
        self._labels = labels
        self._stack = AsyncExitStack()
        self._starting = asyncio.Lock()
        self._memory_runs: dict[str, asyncio.Event] = {}
        self.channel: WorkerChannel | None = None

    async def __aenter__(self) -> Self:
        try:
            with without_garbage_collection():
                await self._open()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def _open(self) -> None:
        from pilotfish.store.database import Database, database_address
        from pilotfish.store.settings_reader import LoadedSettings, read_settings

        discover("pilotfish.agents")
        discover("pilotfish.tools")
        loaded = LoadedSettings(settings=self._given, found={}) if self._given else read_settings(home=self._home)
        self.store = await self._stack.enter_async_context(await Database.open(database_address(loaded.settings)))
        await self.store.expire()
        self.settings_store = SettingsStore(self.store, loaded)
        await self.settings_store.refresh()
        self.settings = self.settings_store.current
        self.users = UserDirectory(self.store, self.settings.home)
        self.choices = AvailableChoices(self.settings_store)
        self.journal = RunJournal(self.store)
        self._stack.enter_context(self.journal.redactor.redact_log())
        self._stack.push_async_callback(self.journal.close)
        self.models = self._open_models()
        worker = f"{os.getpid()}-{secrets.token_hex(3)}"
        self.engine = self._make_engine(worker)
        self.browsers = self._open_browsers()
        self.journal.keep_file, self.browsers.shared = self.files.keep_file, self.files
        self.extensions = ExtensionService(self.store, self.users, self.settings.browser)
        await self.extensions.open()
        self.browsers.find_pool = self.extensions.find_pool
        self._services = ToolServices(self._stack, self.store)
        self.services = await self._services.update(self.settings)
        self.mcp_clients = await self._open_mcp_clients()
        self.registry = self._open_registry()
        self._read_ahead = ReadAhead(lambda: self.driver.context)
        self.views = BrowserViews(self.browsers, self._read_ahead.start, self.registry, self.settings.home)
        self._stack.push_async_callback(self._read_ahead.close)
        self._stack.push_async_callback(self.views.close)
        self.driver = RunDriver(self._make_run_context(), self.store, worker)
        self._stack.push_async_callback(self._release_runs)
        self._stack.push_async_callback(self.engine.stop)
        await self.engine.start()
        self._stack.push_async_callback(self._finish_memory_runs)
        make_run = FireRunMaker(lambda: self.settings)
        self.schedules = ScheduleService(self.store, make_run, lambda: self.settings.notices, self.clock)
        self.answer_links = AnswerLinks(self.store, self.settings.home)
        vault = SecretVault(self.store, self.settings.home)
        self.push = WebPush(self.store, self.settings.home)
        self.notices = NoticeSender(self.store, vault, self.push, lambda: self.settings, self.clock)
        self._stack.push_async_callback(self.notices.close)
        self.standing = StandingWork(self.store, make_run, self.notices, self.answer_links)
        self.queue = RunQueue(
            self.store,
            self.engine,
            self.driver,
            lambda: self.limits if self._adopt else None,
            self._keep_schedules,
            self.registry,
        )
        if self._adopt:
            await self._share_browsers()
        self.queue.start()
        self._stack.push_async_callback(self.queue.stop)

    async def refresh(self) -> None:
        """Apply changed settings to new runs; running ones keep theirs."""
        if not await self.settings_store.refresh():
            return
        self.settings = self.settings_store.current
        if self.settings.models != self.models.settings:
            self.models = self._open_models()
        self.services = await self._services.update(self.settings)
        self.extensions.settings = self.settings.browser
        await self.browsers.change_settings(self.settings.browser)
        if self.settings.mcp != self.mcp_clients.servers:
            self.mcp_clients = await self._open_mcp_clients()
        self.driver.context = self._make_run_context()

    @property
    def memory(self) -> "UserMemory":
        """What is remembered about users."""
        from pilotfish.memory.memory import UserMemory

        return cast(UserMemory, self.services[UserMemory])

    @property
    def limits(self) -> WorkSettings:
        """How many runs this process and each user may have at once."""
        work = self.settings.work
        return work if self._runs is None else work.model_copy(update={"runs": self._runs})

    def block_port(self, port: int) -> None:
        """Block a port of this server for the agents' browsers."""
        limits = self.browsers.limits
        self.browsers.limits = replace(limits, own=limits.own | {port})

    # Making the parts

    def _make_engine(self, worker: str) -> RunEngine:
        home = self.settings.home
        url = self.settings.database or f"sqlite:///{home / 'engine.db'}"
        lease = DatabaseLease(url) if self.settings.database else FileLease(home / "workers")
        return RunEngine(EngineConfig(url, worker, version()), lease, self._drive)

    def _open_models(self) -> ModelPool:
        models = ModelPool(self.settings.models, self.settings.home)
        self._stack.push_async_callback(models.close)
        return models

    def _open_browsers(self) -> ConversationBrowsers:
        from pilotfish.browser.sessions.remote_pool import make_pool

        pool, home = make_pool(self.settings.browser), self.settings.home
        browsers = ConversationBrowsers(pool, home, self.settings, self._open_logins)
        self._stack.push_async_callback(browsers.close)
        return browsers

    def _open_registry(self) -> WorkerRegistry:
        registry = WorkerRegistry(self.store, self.engine.lease, self.engine.config.worker)
        registry.room = lambda: self.limits.runs if self._adopt else 0
        labels = {*self.settings.work.labels, *self._labels}
        registry.me = registry.me.model_copy(update={"labels": check_labels(sorted(labels))})
        return registry

    async def _share_browsers(self) -> None:
        """Say which browsers are here, and with PostgreSQL let other machines use them."""
        self.browsers.announce, self.browsers.call_back = self.registry.announce, self.views.call_back
        await self.registry.clear_dead()
        if self.settings.database:
            await self.open_channel()

    async def open_channel(self) -> None:
        """Let other processes use the browsers of this one."""
        if self.channel is not None:
            return
        from pilotfish.services.channel_keys import find_place
        from pilotfish.services.worker_channel import WorkerChannel

        self.channel = WorkerChannel(self.views, self.registry, self.settings.home)
        self._stack.push_async_callback(self.channel.close)
        await self.channel.open(find_place(self.settings.work.address, self.settings.database))
        self.block_port(self.channel.port)

    async def _open_logins(self, conversation: str) -> SessionLogins | None:
        """The remembered logins of the user of a conversation."""
        found = await self.store.conversation(conversation)
        return SessionLogins(self.logins, found.user) if found else None

    async def _open_mcp_clients(self) -> McpClients:
        mcp_clients = McpClients(self.settings.mcp)
        self._stack.push_async_callback(mcp_clients.close)
        await mcp_clients.open()
        return mcp_clients

    def _make_run_context(self) -> RunContext:
        return RunContext(
            home=self.settings.home,
            settings=self.settings,
            journal=self.journal,
            models=self.models,
            tools=self._list_tools(),
            services={**self.services, ConversationBrowsers: self.browsers},
            step=self._step,
            spawn=self._spawn,
        )

    def _list_tools(self) -> dict[str, Tool]:
        off = set(self.settings.agent.disabled_tools)
        off |= set[str]() if self.settings.memory.enabled else {"memory_save", "memory_retrieve"}
        known = {name: TOOLS.get(name) for name in TOOLS} | self.mcp_clients.tools
        return {name: tool for name, tool in known.items() if name not in off}

    async def _release_runs(self) -> None:
        """Release the runs of this worker, so that another can continue them."""
        with suppress(StoreError):
            await self.store.release(self.engine.config.worker)

    def _ask_for_labels(self, options: dict[str, Any]) -> dict[str, Any]:
        """The options with the labels that the run asks for: its own, else those of the settings."""
        labels = options.get("labels")
        wanted = self.settings.work.needed_labels if labels is None else labels
        return {**options, "labels": list(check_labels(wanted))} if wanted else options

    # What the engine and runs call

    async def _keep_schedules(self) -> None:
        try:
            if await self.standing.is_due():
                await self.refresh()
                await self.standing.advance()
        except PersonError as error:
            log.warning("schedules wait: %s", error.message)

    async def _drive(self, run: str) -> str:
        try:
            outcome = await self.driver.drive(run)
        finally:
            self._memory_runs.pop(run, asyncio.Event()).set()
            self.queue.wake()
        await self._close_standing(run)
        if self.extracts_facts:
            record = await self.store.run(run)
            if memory_run := record and make_memory_run(record):
                self._memory_runs[memory_run.id] = asyncio.Event()
                await self._begin(memory_run)
        return outcome

    async def _finish_memory_runs(self) -> None:
        """Wait for the memory runs of ended runs, so that a command that ends loses nothing that was said."""
        driven = [(task, await self.store.run(run)) for run, task in list(self.engine.driving.items())]
        ending = [task for task, record in driven if record and record.outcome]
        if ending:
            await asyncio.wait(ending, timeout=MEMORY_SECONDS)
        waits = [asyncio.create_task(ended.wait()) for ended in self._memory_runs.values()]
        if waits:
            await asyncio.wait(waits, timeout=MEMORY_SECONDS)

    async def _close_standing(self, run: str) -> None:
        """Close the browser of a run that a schedule began: nobody goes on in its tabs."""
        record = await self.store.run(run)
        if record and record.outcome and record.conversation.startswith(STANDING_PREFIX) and not record.parent:
            await self.browsers.close(record.conversation)

    async def _step(self, name: str, body: Callable[[], Awaitable[dict[str, Any]]]) -> dict[str, Any]:
        with self.journal.tracing.step(name):
            return await self.engine.step(name, body)

    async def _spawn(self, record: RunRecord) -> RunRecord:
        """Start a sub-run, or find the one that was started before a crash, and wait for its end."""
        await (await self._begin(record)).get_result()
        return await self.record(record.id)

    async def _begin(self, record: RunRecord) -> "WorkflowHandleAsync[str]":
        if await self.store.run(record.id) is None:
            config = self.engine.config
            await self.store.create(record.model_copy(update={"worker": config.worker, "version": config.version}))
        return await self.engine.launch(record.id)
