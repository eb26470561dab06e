"""What the command line offers besides runs: memory, costs, secrets, policy, audits and users."""

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from pydantic import SecretStr

from pilotfish.core.errors import NotFoundError, PersonError
from pilotfish.core.events import current_time
from pilotfish.core.facts import Fact, MemoryTier
from pilotfish.core.journal_reports import CostReport
from pilotfish.core.shortcut import Shortcut, read_shortcut
from pilotfish.core.users import LOCAL, Role, User
from pilotfish.services import run_archive
from pilotfish.services.run_archive import RunArchive

if TYPE_CHECKING:
    from pilotfish.memory.memory import UserMemory
    from pilotfish.safety.logins import SiteLogin
    from pilotfish.services.notice_sender import NoticeList
    from pilotfish.services.safety_service import AuditReport, PolicyPreview, SecretInfo, SecretKind, SupposedAction
    from pilotfish.services.schedules import ScheduleService
    from pilotfish.services.users import UserDirectory
    from pilotfish.services.workers import WorkerInfo


class LocalRecords:
    """The records of the local user."""

    def __init__(self, archive: RunArchive) -> None:
        self.archive = archive

    # Memory and costs

    async def facts(self, history: bool = False) -> list[Fact]:
        """The facts that hold; with `history` also those that no longer do."""
        past = await self._memory.history(LOCAL) if history else []
        return [*await self._memory.facts(LOCAL), *past]

    async def remember(self, content: str, tier: MemoryTier = "important") -> str:
        """Save a fact in a person's own words; what became of it."""
        done = await self._memory.save(LOCAL, [{"content": content, "tier": tier, "confidence": 1.0}])
        if done.refused:
            raise PersonError(f"That cannot be remembered: {done.refused[0].reason}.", "Say it in another way.")
        return describe_added([*done.merged], [*done.replaced, *done.refined, *done.evicted])

    async def correct(self, id: str, content: str) -> str:
        return (await self._memory.correct(LOCAL, id, content)).content

    async def undo(self, id: str) -> str:
        """Bring back a past fact; what it says."""
        return (await self._memory.undo(LOCAL, id)).content

    async def delete_fact(self, id: str, with_conversations: bool = False) -> None:
        """Forget a fact, and if wanted delete the conversations in which it was said."""
        said = await self._memory.delete(LOCAL, id)
        for conversation in said if with_conversations else ():
            await self.archive.delete_conversation(conversation)

    async def export_facts(self) -> str:
        return await self._memory.export(LOCAL)

    async def import_facts(self, text: str) -> int:
        return await self._memory.restore(LOCAL, text)

    async def read_costs(self, days: int) -> CostReport:
        """What the user's runs used in so many days."""
        return await self.archive.costs(LOCAL, current_time() - timedelta(days=days))

    # Safety

    async def secrets(self) -> "list[SecretInfo]":
        return await self.archive.safety.vault.list(LOCAL)

    async def put_secret(self, name: str, value: SecretStr, origins: Iterable[str], kind: "SecretKind") -> None:
        await self.archive.safety.put_secret(LOCAL, name, value, origins, kind)

    async def delete_secret(self, name: str) -> bool:
        return await self.archive.safety.vault.drop(LOCAL, name)

    async def logins(self) -> "list[SiteLogin]":
        return await self.archive.logins.list(LOCAL)

    async def forget_login(self, site: str) -> bool:
        return await self.archive.logins.forget(LOCAL, site)

    async def sign_in(self, site: str, tell: Callable[[str], object]) -> str:
        """Open the site in a window and remember what changes until it is closed; what was remembered."""
        from pilotfish.runtime.session_logins import SessionLogins
        from pilotfish.services.login_window import open_login_window, require_screen

        require_screen()
        settings = self.archive.settings.browser.model_copy(update={"headless": False})
        logins = SessionLogins(self.archive.logins, LOCAL)
        async with open_login_window(settings, logins, site) as window:
            tell("Sign in in the window that opened, then close it.")
            changed = await window.wait_closed()
        if not changed:
            return "Nothing changed."
        return f"Remembered: {', '.join(changed)}. Runs use it with `--profile remembered`."

    # Shortcuts

    async def shortcuts(self) -> list[Shortcut]:
        return await self.archive.shortcuts.list(LOCAL)

    async def shortcut(self, name: str) -> Shortcut:
        return await self.archive.shortcuts.get(LOCAL, name)

    async def save_shortcut(self, run: str, name: str, parameters: Mapping[str, str]) -> Shortcut:
        """Make a shortcut of what a run did."""
        from pilotfish.services.shortcuts import make_from_run

        record = await self.archive.record(run)
        made = make_from_run(record, await self.archive.events(record.id), name, parameters)
        return await self.archive.shortcuts.add(LOCAL, made)

    async def import_shortcut(self, text: str) -> Shortcut:
        return await self.archive.shortcuts.add(LOCAL, read_shortcut(text))

    async def rename_shortcut(self, name: str, new: str) -> Shortcut:
        return await self.archive.shortcuts.rename(LOCAL, name, new)

    async def delete_shortcut(self, name: str) -> None:
        await self.archive.shortcuts.delete(LOCAL, name)

    async def preview_policy(self, supposed: "SupposedAction") -> "PolicyPreview":
        return self.archive.safety.preview_policy(supposed)

    async def audit(self, run: str) -> "AuditReport":
        return await self.archive.safety.audit((await self.archive.record(run)).id)

    async def export_audit(self, run: str) -> str:
        """A run's journal as a signed chain."""
        return await self.archive.safety.export((await self.archive.record(run)).id)

    async def verify_audit(self, text: str) -> str:
        """What is wrong with such a chain; empty if nothing is."""
        return await self.archive.safety.verify(text)

    # Users

    async def list_users(self) -> list[User]:
        return await self._people.all()

    async def add_user(self, name: str, role: Role) -> str:
        """Add a user; return their token, which is shown only now."""
        person = await self._people.add(name, role)
        return (await self._people.grant(person.id, "first"))[1]

    async def list_workers(self) -> "list[WorkerInfo]":
        """The processes that share the database."""
        from pilotfish.services.workers import list_workers

        return await list_workers(self.archive.store)

    async def make_pairing_code(self) -> str:
        """A code to pair a browser extension with."""
        from pilotfish.services.extensions import make_pairing_code

        return (await make_pairing_code(self.archive.store, LOCAL)).code

    async def issue_token(self, id: str) -> str:
        """A new token for a user."""
        if await self._people.get(id) is None:
            raise NotFoundError(f"There is nobody with the id {id!r}.", "See `pilotfish user list`.")
        return (await self._people.grant(id, "another"))[1]

    async def remove_user(self, id: str) -> bool:
        return await self._people.remove(id)

    @cached_property
    def _memory(self) -> "UserMemory":
        from pilotfish.memory.memory import UserMemory

        return UserMemory(self.archive.store, self.archive.settings.memory)

    @cached_property
    def _people(self) -> "UserDirectory":
        from pilotfish.services.users import UserDirectory

        return UserDirectory(self.archive.store, self.archive.settings.home)


def describe_added(known: Sequence[Fact], ended: Sequence[Fact]) -> str:
    """What became of a fact that a person added, and of those that made way for it."""
    words = {"replaced": "Replaced", "refined": "Made more exact", "evicted": "Made room"}
    head = f"Already known: {known[0].content}" if known else "Remembered."
    gone = [
        f"{words[one.ending]}: {one.content} (`pilotfish memory undo {one.id}` brings it back)"
        for one in ended
        if one.ending in words
    ]
    return "\n".join([head, *gone])


@asynccontextmanager
async def open_records() -> AsyncGenerator[LocalRecords]:
    """Open the local records without starting engine, browser or models."""
    async with run_archive.open_archive() as kept:
        yield LocalRecords(kept)


@asynccontextmanager
async def open_schedules() -> "AsyncGenerator[ScheduleService]":
    """Open the local user's schedules without starting anything."""
    from pilotfish.services.schedules import ScheduleService
    from pilotfish.services.standing_work import FireRunMaker

    async with run_archive.open_archive() as kept:
        yield ScheduleService(kept.store, FireRunMaker(lambda: kept.settings), lambda: kept.settings.notices)


@asynccontextmanager
async def open_notices() -> "AsyncGenerator[NoticeList]":
    """Open the local user's notices without starting anything."""
    from pilotfish.services.notice_sender import NoticeList

    async with run_archive.open_archive() as kept:
        yield NoticeList(kept.store, current_time)
