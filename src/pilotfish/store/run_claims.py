"""Records which worker drives which run. Workers claim waiting runs within limits and release those of dead workers."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, func, or_, select, update

from pilotfish.core.events import current_time
from pilotfish.core.records import BROWSER_HOLDERS, RunRecord
from pilotfish.core.settings import WorkSettings
from pilotfish.store import tables
from pilotfish.store.access import StoreAccess
from pilotfish.store.base import OpenRuns
from pilotfish.store.projection import from_row, label_sets

BUSY_STATES = ("queued", "running", "stopping")
OPEN_STATES = (*BUSY_STATES, "paused", "awaiting_input", "awaiting_approval")
MOST_WAITING = 1000
HOLDER_LEAD = timedelta(seconds=0.5)
"""For so long a new run is left to the worker that has the browser of its conversation."""

runs = tables.runs


_WAITING = select(runs).where(
    runs.c.worker == "",
    runs.c.state.in_(OPEN_STATES),
    or_(runs.c.version == "", runs.c.version == bindparam("code")),
    runs.c.labels.in_(bindparam("labels", expanding=True)),
)
_HELD_BROWSERS = select(tables.blobs.c.key, tables.blobs.c.value).where(
    tables.blobs.c.kind == BROWSER_HOLDERS, tables.blobs.c.key.in_(bindparam("conversations", expanding=True))
)
_ANY_WAITING = _WAITING.limit(1)
_DRIVEN = select(runs.c.user, runs.c.worker, runs.c.state, runs.c.conversation).where(
    runs.c.worker != "", runs.c.parent == "", runs.c.state.in_(OPEN_STATES)
)
_ROOM = (
    _WAITING.where(or_(runs.c.parent != "", runs.c.user.not_in(bindparam("full", expanding=True))))
    .order_by(runs.c.created, runs.c.id)
    .limit(MOST_WAITING)
    .with_for_update(skip_locked=True)
)
_TAKE = (
    update(runs)
    .where(runs.c.id.in_(bindparam("ids", expanding=True)))
    .values(worker=bindparam("taker"), version=bindparam("code"))
)


class SqlRunClaimStore(StoreAccess):
    """Unfinished runs and the workers that drive them. A run without a worker is waiting."""

    async def claim(
        self, worker: str, version: str, limits: WorkSettings, labels: Iterable[str] = ()
    ) -> list[RunRecord]:
        """Take waiting runs for a worker, oldest first, while it and their person have room; given as they were.

        A run that was begun is only for the code that began it, and a run that asks for labels only for a worker that
        has them all. A worker that has the browser of a conversation is given its runs first. A run waits for the one
        before it in its conversation, whose tabs it would share. Sub-runs always have room, for somebody waits for
        them; runs that wait for a person take none.
        """

        fits = {"code": version, "labels": label_sets(labels)}

        def work(connection: Connection) -> list[RunRecord]:
            if connection.execute(_ANY_WAITING, fits).first() is None:
                return []
            self.engine.guard(connection)
            driven = connection.execute(_DRIVEN).all()
            held = [row for row in driven if row.state in BUSY_STATES]
            busy = Counter(row.user for row in held)
            full = [user for user, count in busy.items() if count >= limits.per_user]
            found = [from_row(row) for row in connection.execute(_ROOM, {**fits, "full": full})]
            found = _left_to_others(connection, found, worker)
            taken = {row.conversation for row in driven}
            found = [record for record in found if record.parent or is_first(record.conversation, taken)]
            room = limits.runs - sum(row.worker == worker for row in held)
            chosen = list(_fitting(found, room, limits.per_user, busy))
            if chosen:
                mine = {"ids": [record.id for record in chosen], "taker": worker, "code": version}
                connection.execute(_TAKE, mine)
            return chosen

        return await self.write(work)

    async def list_foreign(self, version: str, since: datetime) -> list[RunRecord]:
        """Runs that other code began and that have waited in vain since a moment; those said to be paused left out."""
        states = [state for state in OPEN_STATES if state != "paused"]
        query = select(runs).where(runs.c.worker == "", runs.c.state.in_(states), runs.c.updated < since)
        return [from_row(row) for row in await self.rows(query.where(runs.c.version.not_in(("", version))))]

    async def list_labelled(self, since: datetime) -> list[RunRecord]:
        """Runs that ask for labels and have waited for a worker since a moment."""
        query = select(runs).where(runs.c.worker == "", runs.c.state == "queued", runs.c.labels != "")
        return [from_row(row) for row in await self.rows(query.where(runs.c.created < since).limit(MOST_WAITING))]

    async def holders(self) -> set[str]:
        """Every worker that drives something."""
        query = select(runs.c.worker).where(runs.c.worker != "", runs.c.state.in_(OPEN_STATES)).distinct()
        return {row.worker for row in await self.rows(query)}

    async def count_open(self) -> list[OpenRuns]:
        """How many runs are in each state that is no end, and since when the oldest of them is there."""
        query = select(runs.c.state, func.count(), func.min(runs.c.created)).where(runs.c.outcome.is_(None))
        return [OpenRuns(*row) for row in await self.rows(query.group_by(runs.c.state))]

    async def list_held(self, worker: str) -> set[str]:
        """What a worker drives."""
        query = select(runs.c.id).where(runs.c.worker == worker, runs.c.state.in_(OPEN_STATES))
        return {row.id for row in await self.rows(query)}

    async def release(self, worker: str) -> list[RunRecord]:
        """Let a worker's runs wait again."""
        query = select(runs).where(runs.c.worker == worker, runs.c.state.in_(OPEN_STATES))

        def work(connection: Connection) -> list[RunRecord]:
            self.engine.guard(connection)
            found = connection.execute(query.order_by(runs.c.id).with_for_update()).all()
            if found:
                freed = update(runs).where(runs.c.id.in_([row.id for row in found]))
                connection.execute(freed.values(worker=""))
                self.engine.notify(connection, "runs", [""])
            return [from_row(row) for row in found]

        return await self.write(work)


def _left_to_others(connection: Connection, found: list[RunRecord], worker: str) -> list[RunRecord]:
    """The runs without new ones whose browser another worker has."""
    now = current_time()
    new = {record.conversation for record in found if timedelta() <= now - record.created < HOLDER_LEAD}
    if not new:
        return found
    held = connection.execute(_HELD_BROWSERS, {"conversations": list(new)})
    others = {row.key for row in held if bytes(row.value).decode() != worker}
    return [record for record in found if record.conversation not in others]


def is_first(conversation: str, taken: set[str]) -> bool:
    """Whether the conversation is not taken yet; takes it."""
    free = conversation not in taken
    taken.add(conversation)
    return free


def _fitting(found: Iterable[RunRecord], room: int, each: int, busy: Counter[str]) -> Iterable[RunRecord]:
    for record in found:
        if record.parent:
            yield record
        elif room > 0 and busy[record.user] < each:
            room -= 1
            busy[record.user] += 1
            yield record
