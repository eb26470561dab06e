"""Chooses where commands are carried out: in an app in this process, or at a server that was named."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import parse_qs, urlsplit

from pilotfish.core.errors import PersonError

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from pilotfish.core.events import Event, StreamItem
    from pilotfish.core.records import CommandVerb, RunRecord
    from pilotfish.core.schedules import CalendarEntry, Notice, NoticeState, Schedule, ScheduleFire, SchedulePlan
    from pilotfish.interfaces.terminal.remote_controls import RemoteControls
    from pilotfish.interfaces.terminal.remote_records import RemoteRecords
    from pilotfish.services.admin import SettingLine
    from pilotfish.services.local_records import LocalRecords
    from pilotfish.services.schedules import SchedulePreview
    from pilotfish.services.time_reading import PlainWhen


class RunReader(Protocol):
    """Reads runs; needs no running app."""

    async def record(self, run: str) -> "RunRecord": ...
    async def runs(self, *, text: str = "", limit: int = 50, background: bool = True) -> "list[RunRecord]": ...
    async def events(self, run: str) -> "list[Event]": ...


class RunControls(RunReader, Protocol):
    """Starts, follows and commands runs for the command line."""

    async def start(self, task: str, *, loop: str = "", tabs: Sequence[str] = (), **options: Any) -> "RunRecord": ...
    def follow(self, run: str, after: int = 0) -> "AsyncGenerator[StreamItem]": ...
    async def command(self, run: str, verb: "CommandVerb", *, text: str = "", request: str = "") -> None: ...
    async def continue_run(self, run: str) -> "RunRecord": ...
    async def replay(self, run: str, **options: Any) -> "RunRecord": ...
    async def read_when(self, words: str, *, zone: str = "") -> "PlainWhen": ...
    async def use_shortcut(self, name: str, values: Mapping[str, str], **options: Any) -> "RunRecord": ...
    async def delete(self, run: str) -> None: ...
    async def delete_before(self, moment: "datetime") -> int: ...

    @property
    def home(self) -> "Path | None":
        """The folder for files that runs may open; None if runs are on another machine."""
        ...

    @property
    def reasoning(self) -> bool:
        """Whether the model's thinking is shown."""
        ...

    @property
    def extracts_facts(self) -> bool:
        """Whether facts are saved after each run on this machine."""
        ...


class SettingsEditor(Protocol):
    """The settings, with where each comes from."""

    async def list_settings(self, path: str = "") -> "list[SettingLine]": ...
    async def change_setting(self, path: str, value: str | None) -> object: ...


class ScheduleEditor(Protocol):
    """The schedules of the user of the command line."""

    async def create(self, plan: "SchedulePlan") -> "Schedule": ...
    async def preview(self, plan: "SchedulePlan") -> "SchedulePreview": ...
    async def list(self) -> "Sequence[Schedule]": ...
    async def get(self, id: str) -> "Schedule": ...
    async def edit(self, id: str, plan: "SchedulePlan") -> "Schedule": ...
    async def pause(self, id: str) -> "Schedule": ...
    async def resume(self, id: str) -> "Schedule": ...
    async def delete(self, id: str) -> "Schedule": ...
    async def history(self, id: str, *, limit: int = 50) -> "Sequence[ScheduleFire]": ...
    async def run_now(self, id: str) -> "ScheduleFire": ...
    async def calendar(self, since: "datetime", until: "datetime") -> "Sequence[CalendarEntry]": ...


class NoticeEditor(Protocol):
    """What schedules told the user of the command line."""

    async def list(self, state: "NoticeState | None" = None, limit: int = 100) -> "Sequence[Notice]": ...
    async def retry(self, id: str) -> "Notice": ...


class CommandTarget(NamedTuple):
    """A server's address, with or without the token in it; empty for this machine."""

    server: str = ""
    token: str = ""

    def open_controls(self) -> "AbstractAsyncContextManager[RunControls]":
        return self._make_controls() if self.server else _open_own()

    def open_reader(self) -> "AbstractAsyncContextManager[RunReader]":
        """Open runs for reading; on this machine, without starting the engine."""
        if self.server:
            return self._make_controls()
        from pilotfish.services.run_archive import open_archive

        return open_archive()

    def open_records(self) -> "AbstractAsyncContextManager[LocalRecords | RemoteRecords]":
        """Open facts, costs, secrets, audits and users."""
        if self.server:
            return self._make_records()
        from pilotfish.services.local_records import open_records

        return open_records()

    def open_schedules(self) -> "AbstractAsyncContextManager[ScheduleEditor]":
        """Open the schedules; on this machine, without starting the engine."""
        if self.server:
            from pilotfish.interfaces.terminal.remote_schedules import RemoteSchedules

            return RemoteSchedules(*self._address())
        from pilotfish.services.local_records import open_schedules

        return open_schedules()

    def open_notices(self) -> "AbstractAsyncContextManager[NoticeEditor]":
        """Open what schedules told; on this machine, without starting the engine."""
        if self.server:
            from pilotfish.interfaces.terminal.remote_schedules import RemoteNotices

            return RemoteNotices(*self._address())
        from pilotfish.services.local_records import open_notices

        return open_notices()

    def open_settings(self) -> "AbstractAsyncContextManager[SettingsEditor]":
        """The settings."""
        if self.server:
            return self._make_records()
        from pilotfish.services import admin

        return nullcontext(admin)

    def _make_controls(self) -> "RemoteControls":
        from pilotfish.interfaces.terminal.remote_controls import RemoteControls

        return RemoteControls(*self._address())

    def _make_records(self) -> "RemoteRecords":
        from pilotfish.interfaces.terminal.remote_records import RemoteRecords

        return RemoteRecords(*self._address())

    def _address(self) -> tuple[str, str]:
        """The server's address and the token for it."""
        parts = urlsplit(self.server if "://" in self.server else f"http://{self.server}")
        token = self.token or parse_qs(parts.query).get("token", [""])[0]
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise PersonError(f"{self.server} is not the address of a server.", "Write it as http://HOST:PORT.")
        if not token:
            raise PersonError(
                "The server wants a token.",
                "Give the address as the server printed it, or --token, or set PILOTFISH_TOKEN.",
            )
        return f"{parts.scheme}://{parts.netloc}", token


@asynccontextmanager
async def _open_own() -> "AsyncGenerator[RunControls]":
    from pilotfish.app import Pilotfish

    async with Pilotfish(adopt=False) as fish:
        yield fish
