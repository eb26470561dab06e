"""Stores what people are told, until each channel took it or was given up."""

from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, select

from pilotfish.core.schedules import Notice, NoticeState
from pilotfish.store import tables
from pilotfish.store.access import StoreAccess
from pilotfish.store.schedules import notice_row

SENDING_TIME = timedelta(minutes=2)
"""For so long a notice belongs to the worker that took it."""
KEPT_NOTICES = 500

notices = tables.notices


class SqlNoticeStore(StoreAccess):
    """Notices of all users."""

    async def add_notices(self, added: list[Notice]) -> int:
        """Keep new notices; one that is known stays as it is. Returns how many were new."""

        def work(connection: Connection) -> int:
            made = self.add(notices).returning(notices.c.id)
            return sum(connection.execute(made, notice_row(one)).first() is not None for one in added)

        return await self.write(work)

    async def take_notices(self, now: datetime, limit: int = 20) -> list[Notice]:
        """Take notices that are due. No other worker takes them until they are settled or two minutes are over."""
        query = select(notices).where(notices.c.state == "waiting", notices.c.due <= now)

        def work(connection: Connection) -> list[Notice]:
            self.engine.guard(connection)
            rows = connection.execute(query.order_by(notices.c.due, notices.c.id).limit(limit)).all()
            taken = [Notice.model_validate_json(row.body) for row in rows]
            for one in taken:
                held = one.model_copy(update={"due": now + SENDING_TIME})
                connection.execute(self.replace(notices), notice_row(held))
            return taken

        return await self.write(work)

    async def save_notice(self, notice: Notice) -> None:
        """Write how far a notice came."""
        await self.execute(self.replace(notices), notice_row(notice))

    async def notice(self, id: str) -> Notice | None:
        found = await self.rows(select(notices.c.body).where(notices.c.id == id))
        return Notice.model_validate_json(found[0].body) if found else None

    async def notices(self, user: str, state: NoticeState | None = None, limit: int = 100) -> list[Notice]:
        """The notices of a user, newest first."""
        query = select(notices.c.body).where(notices.c.user == user)
        if state is not None:
            query = query.where(notices.c.state == state)
        rows = await self.rows(query.order_by(notices.c.at.desc(), notices.c.id).limit(limit))
        return [Notice.model_validate_json(row.body) for row in rows]

    async def trim_notices(self, user: str) -> int:
        """Delete all but the newest notices of a user."""
        mine = select(notices.c.id).where(notices.c.user == user).order_by(notices.c.at.desc()).limit(KEPT_NOTICES)
        old = delete(notices).where(notices.c.user == user, notices.c.state != "waiting", notices.c.id.not_in(mine))
        return await self.execute(old)
