"""Lists notices and delivers them: each channel on its own, again after a while where it fails, for some tries."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from pilotfish.core.errors import NotFoundError
from pilotfish.core.schedules import Notice
from pilotfish.core.settings import Settings
from pilotfish.core.users import LOCAL
from pilotfish.services.notice_channels import NoticeChannels
from pilotfish.services.notice_delivery import UndeliverableNotice
from pilotfish.services.schedules import Clock
from pilotfish.services.web_push import WebPush

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pilotfish.core.schedules import NoticeState
    from pilotfish.safety.secrets import SecretVault
    from pilotfish.store.base import Store

FIRST_PAUSE = timedelta(seconds=30)
PAUSE_GROWTH = 4
TRIES = 6
"""The last try is about three hours after the first."""


class NoticeList:
    """What people do with notices."""

    def __init__(self, store: "Store", clock: Clock) -> None:
        self.store = store
        self.clock = clock

    async def list(self, state: "NoticeState | None" = None, limit: int = 100, user: str = LOCAL) -> "Sequence[Notice]":
        """The notices of a user, newest first. Those that failed are the dead letters."""
        return await self.store.notices(user, state, limit)

    async def retry(self, id: str, user: str = LOCAL) -> Notice:
        """Try a notice that was given up once more."""
        again = (await self._get(id, user)).model_copy(update={"state": "waiting", "tries": 0, "due": self.clock()})
        await self.store.save_notice(again)
        return again

    async def mark_read(self, id: str, user: str = LOCAL) -> Notice:
        """Mark a notice as read on the web page."""
        read = (await self._get(id, user)).model_copy(update={"read": True})
        await self.store.save_notice(read)
        return read

    async def _get(self, id: str, user: str) -> Notice:
        found = await self.store.notice(id)
        if found is None or found.user != user:
            raise NotFoundError("There is no such notice.", "See `pilotfish schedules notices` for those there are.")
        return found


class NoticeSender(NoticeList):
    """Takes notices that are due from the store and sends them in the background.

    `address`: where this process serves people, if it does; a worker only knows what the settings say.
    """

    def __init__(
        self,
        store: "Store",
        vault: "SecretVault",
        push: WebPush,
        settings: Callable[[], Settings],
        clock: Clock,
    ) -> None:
        super().__init__(store, clock)
        self.vault = vault
        self.push = push
        self.settings = settings
        self.address = ""
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Send what is due, unless that is under way."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self.send_due())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def send_due(self) -> None:
        """Send all notices that are due now."""
        taken = await self.store.take_notices(self.clock())
        await asyncio.gather(*(self._send(notice) for notice in taken))
        for user in {notice.user for notice in taken}:
            await self.store.trim_notices(user)

    async def _send(self, notice: Notice) -> None:
        settings = self.settings()
        server = settings.server
        served = self.address or f"http://{server.host}:{server.port}"
        address = settings.notices.address.rstrip("/") or served
        tried = notice.tries + 1
        change: dict[str, object] = {"state": "sent", "error": ""}
        try:
            await NoticeChannels(settings.notices, self.vault, self.push).send(notice, f"{address}{notice.link}")
        except UndeliverableNotice as failure:
            given_up = failure.final or tried >= TRIES
            pause = FIRST_PAUSE * PAUSE_GROWTH**notice.tries
            change = {
                "state": "failed" if given_up else "waiting",
                "error": str(failure),
                "due": self.clock() + pause,
            }
        await self.store.save_notice(notice.model_copy(update={**change, "tries": tried}))
