"""Stores schedules and their times. Everything that a moment changes is written in one transaction."""

import json
from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, exists, func, or_, select, update

from pilotfish.core.events import RunFinished
from pilotfish.core.schedule_progress import (
    OpenFire,
    ScheduleChange,
    ScheduleView,
    add_jitter,
    forget_run,
    month_start,
)
from pilotfish.core.schedules import Notice, Schedule, ScheduleFire, StandingDue
from pilotfish.store import tables
from pilotfish.store.journal import SqlJournal, decode_events
from pilotfish.store.projection import from_row, strip_nul

Advance = Callable[[ScheduleView], ScheduleChange]
OPEN_FIRES = ("waiting", "started")

schedules, fires, notices, runs = tables.schedules, tables.fires, tables.notices, tables.runs

_OPEN_RUN = select(runs.c.id).where(runs.c.id == fires.c.run, runs.c.outcome.is_(None))
_SETTLED_IDS = select(fires.c.schedule).where(fires.c.state == "started", ~exists(_OPEN_RUN))
_ASKING_IDS = (
    select(fires.c.schedule)
    .join(runs, runs.c.id == fires.c.run)
    .where(fires.c.state == "started", runs.c.state.in_(("awaiting_input", "awaiting_approval")))
)
_READY_IDS = (
    select(fires.c.schedule)
    .join(schedules, schedules.c.id == fires.c.schedule)
    .where(fires.c.state == "waiting", schedules.c.paused == 0)
    .where(fires.c.schedule.not_in(select(fires.c.schedule).where(fires.c.state == "started")))
)


class SqlScheduleStore(SqlJournal):
    """Schedules and their times, for both engines."""

    async def save_schedule(self, schedule: Schedule) -> Schedule:
        """Insert or replace a schedule."""
        await self.write(lambda connection: self._put_schedule(connection, schedule))
        return schedule

    async def schedule(self, id: str) -> Schedule | None:
        found = await self.rows(select(schedules.c.body).where(schedules.c.id == id))
        return Schedule.model_validate_json(found[0].body) if found else None

    async def schedules(self, user: str | None = None) -> list[Schedule]:
        """All schedules of a user, or of everybody, oldest first."""
        query = select(schedules.c.body)
        found = await self.rows(query if user is None else query.where(schedules.c.user == user))
        return sorted((Schedule.model_validate_json(row.body) for row in found), key=lambda one: one.created)

    async def change_schedule(self, id: str, change: Callable[[Schedule], ScheduleChange]) -> Schedule | None:
        """Change a schedule as it is now, in one transaction; None if there is none."""

        def work(connection: Connection) -> Schedule | None:
            self.engine.guard(connection)
            row = connection.execute(select(schedules).where(schedules.c.id == id)).one_or_none()
            if row is None:
                return None
            changed = change(Schedule.model_validate_json(row.body))
            self._put_change(connection, changed)
            return changed.schedule

        return await self.write(work)

    async def delete_schedule(self, id: str) -> bool:
        """Delete a schedule with its history; its runs stay."""
        return await self.execute(delete(schedules).where(schedules.c.id == id)) > 0

    async def fires(self, schedule: str, limit: int = 50, since: datetime | None = None) -> list[ScheduleFire]:
        """The times of a schedule, newest first."""
        query = select(fires.c.body).where(fires.c.schedule == schedule).order_by(fires.c.due.desc()).limit(limit)
        if since is not None:
            query = query.where(fires.c.due >= since)
        return [ScheduleFire.model_validate_json(row.body) for row in await self.rows(query)]

    async def open_fires(self) -> list[ScheduleFire]:
        """The times whose run has not ended."""
        query = select(fires.c.body).where(fires.c.state == "started")
        return [ScheduleFire.model_validate_json(row.body) for row in await self.rows(query)]

    async def compared_runs(self) -> set[str]:
        """The run of each schedule's latest time that ended: the next one is compared with it."""
        ended = select(fires.c.schedule, func.max(fires.c.due).label("due")).where(fires.c.state == "ended")
        latest = ended.group_by(fires.c.schedule).subquery()
        same = and_(latest.c.schedule == fires.c.schedule, latest.c.due == fires.c.due)
        return {row.run for row in await self.rows(select(fires.c.run).join(latest, same))}

    async def forget_runs(self, runs: Collection[str]) -> None:
        """Take out what was kept of deleted runs: what times of schedules say of them, and what people were told."""

        def work(connection: Connection) -> None:
            found = connection.execute(select(fires).where(fires.c.run.in_(runs), fires.c.state == "ended")).all()
            for row in found:
                fire = forget_run(ScheduleFire.model_validate_json(row.body))
                key = (fires.c.schedule == row.schedule, fires.c.due == row.due)
                connection.execute(update(fires).where(*key).values(body=strip_nul(fire.model_dump_json())))
            for run in runs:
                named = notices.c.body.contains(f'"run":{json.dumps(run)}', autoescape=True)
                connection.execute(delete(notices).where(named))

        await self.write(work)

    async def standing_due(self, now: datetime) -> StandingDue:
        """Whether a schedule or a notice needs something done at this moment."""
        late = select(notices.c.id).where(notices.c.state == "waiting", notices.c.due <= now)
        asked = select(
            exists(select(schedules.c.id).where(schedules.c.due <= now)).label("fires"),
            or_(exists(_SETTLED_IDS), exists(_READY_IDS)).label("ends"),
            exists(_ASKING_IDS).label("questions"),
            exists(late).label("notices"),
        )
        row = (await self.rows(asked))[0]
        return StandingDue.model_validate({name: bool(getattr(row, name)) for name in StandingDue.model_fields})

    async def advance_schedules(self, now: datetime, advance: Advance) -> list[ScheduleChange]:
        """Bring every schedule that needs it to this moment. Only one worker at a time does that."""

        def work(connection: Connection) -> list[ScheduleChange]:
            self.engine.guard(connection)
            wanted = or_(schedules.c.due <= now, schedules.c.id.in_(_SETTLED_IDS), schedules.c.id.in_(_READY_IDS))
            found = connection.execute(select(schedules).where(wanted).order_by(schedules.c.id)).all()
            changes = [advance(self._view(connection, row, now)) for row in found]
            for change in changes:
                self._put_change(connection, change)
            return changes

        return await self.write(work)

    def _view(self, connection: Connection, row: Row[Any], now: datetime) -> ScheduleView:
        schedule = Schedule.model_validate_json(row.body)
        mine = select(fires).where(fires.c.schedule == schedule.id)
        open_rows = connection.execute(mine.where(fires.c.state.in_(OPEN_FIRES)).order_by(fires.c.due)).all()
        ended = mine.where(fires.c.state == "ended").order_by(fires.c.due.desc())
        last = connection.execute(ended.limit(1)).one_or_none()
        month = ended.where(fires.c.due >= month_start(schedule, now))
        paid = connection.execute(month).all() if schedule.month_cents is not None else ()
        spent = sum(ScheduleFire.model_validate_json(one.body).cents for one in paid)
        return ScheduleView(
            schedule,
            [self._open_fire(connection, ScheduleFire.model_validate_json(one.body)) for one in open_rows],
            ScheduleFire.model_validate_json(last.body) if last else None,
            spent,
        )

    def _open_fire(self, connection: Connection, fire: ScheduleFire) -> OpenFire:
        row = connection.execute(select(runs).where(runs.c.id == fire.run)).one_or_none() if fire.run else None
        if row is None or not row.outcome:
            return OpenFire(fire, from_row(row) if row else None)
        table = tables.events
        bodies = connection.execute(
            select(table.c.body).where(table.c.run == fire.run, table.c.type == "run_finished")
        ).scalars()
        ends = [event for event in decode_events(bodies) if isinstance(event, RunFinished)]
        return OpenFire(fire, from_row(row), ends[-1] if ends else None)

    def _put_change(self, connection: Connection, change: ScheduleChange) -> None:
        self._put_schedule(connection, change.schedule)
        for fire in change.fires:
            row = {"schedule": fire.schedule, "due": fire.due, "state": fire.state, "run": fire.run}
            connection.execute(self.replace(fires), row | {"body": strip_nul(fire.model_dump_json())})
        for run in change.runs:
            self.enter(connection, run, title=change.schedule.title)
        for notice in change.notices:
            connection.execute(self.add(notices), notice_row(notice))
        if change.runs:
            self.engine.notify(connection, "runs", [run.id for run in change.runs])

    def _put_schedule(self, connection: Connection, schedule: Schedule) -> None:
        due = None if schedule.paused or schedule.next is None else add_jitter(schedule, schedule.next)
        row = {"id": schedule.id, "user": schedule.user, "due": due, "paused": int(schedule.paused)}
        connection.execute(self.replace(schedules), row | {"body": strip_nul(schedule.model_dump_json())})


def notice_row(notice: Notice) -> dict[str, Any]:
    """A notice as its row."""
    row = {name: getattr(notice, name) for name in ("id", "user", "state", "due", "at")}
    return row | {"body": strip_nul(notice.model_dump_json())}
