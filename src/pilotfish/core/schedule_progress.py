"""What becomes of a schedule at a moment: which of its times happen, how its runs ended, and what people are told.

Pure functions. The store calls `advance_schedule` within one transaction, so that each time happens exactly once over
all workers and restarts.
"""

import difflib
import hashlib
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pilotfish.core.errors import UnclearTimeError
from pilotfish.core.events import RunFinished
from pilotfish.core.records import RunRecord
from pilotfish.core.recurrence import read_recurrence
from pilotfish.core.schedules import FAILURES_TO_PAUSE, Notice, NoticeKind, Schedule, ScheduleFire

LATE_SECONDS = timedelta(seconds=120)
"""A time that is found so late was not missed: the server was busy or started again."""
MOST_MISSED = 100
LONGEST_TEXT = 2000
CHANGED_LINES = 12
STILL_AT_WORK = "The run before was still at work."
NO_MONEY = "The budget of this month is used up."
NO_SERVER = "No server ran at that time."

MakeRun = Callable[[Schedule, ScheduleFire, float | None], RunRecord]
"""Makes the run of a time, with the cents that are left of the month."""


class OpenFire(NamedTuple):
    """A time that has not ended, with its run and that run's last event; no run if it waits or was deleted."""

    fire: ScheduleFire
    run: RunRecord | None = None
    end: RunFinished | None = None


class ScheduleView(NamedTuple):
    """A schedule and all that decides what becomes of it."""

    schedule: Schedule
    open: Sequence[OpenFire] = ()
    last: ScheduleFire | None = None
    month_cents: float = 0.0


class ScheduleChange(NamedTuple):
    """The schedule as it is then, and what is written with it."""

    schedule: Schedule
    fires: tuple[ScheduleFire, ...] = ()
    runs: tuple[RunRecord, ...] = ()
    notices: tuple[Notice, ...] = ()


def find_next(schedule: Schedule, after: datetime) -> datetime | None:
    """The next time of a schedule after a moment, without jitter; none where its words are not read any more."""
    if find_unclear(schedule):
        return None
    return read_recurrence(schedule.when).next_after(after, ZoneInfo(schedule.zone), schedule.created)


def find_unclear(schedule: Schedule) -> str:
    """Why the words that an earlier version read do not say a time any more; empty where they do."""
    try:
        read_recurrence(schedule.when)
    except UnclearTimeError as error:
        return f"{error.message} {error.fix}"
    return ""


def add_jitter(schedule: Schedule, at: datetime) -> datetime:
    """When a time really happens: the same delay for the same time, wherever it is computed."""
    digest = hashlib.sha256(f"{schedule.id}:{at.isoformat()}".encode()).digest()
    share = int.from_bytes(digest[:4], "big") / 2**32
    return at + timedelta(seconds=schedule.jitter * share)


def month_start(schedule: Schedule, now: datetime) -> datetime:
    """When the calendar month began where the schedule is."""
    local = now.astimezone(ZoneInfo(schedule.zone))
    return local.replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def fire_run_id(fire: ScheduleFire) -> str:
    """The id of the run of a time; always the same for the same time."""
    return hashlib.sha256(f"{fire.schedule}:{fire.due.isoformat()}".encode()).hexdigest()[:16]


def advance_schedule(view: ScheduleView, now: datetime, make_run: MakeRun) -> ScheduleChange:
    """Settle the runs that ended, let the times that are due happen, and start what waited."""
    schedule, last = view.schedule, view.last
    settled: list[ScheduleFire] = []
    notices: list[Notice] = []
    waiting: list[ScheduleFire] = []
    busy = False
    for fire, run, end in view.open:
        if fire.state == "waiting":
            waiting.append(fire)
        elif run is not None and not run.outcome:
            busy = True
        else:
            ended = settle_fire(fire, run, end, last)
            schedule = count_outcome(schedule, ended)
            notices += describe_end(schedule, ended, now)
            settled.append(ended)
            last = ended
    if not schedule.paused and (unclear := find_unclear(schedule)):
        schedule = schedule.model_copy(update={"paused": True, "paused_why": unclear})
        notices += make_notices(schedule, "paused", schedule.when, unclear, "", now)
    due = [] if schedule.paused else list_due(schedule, now)
    left = None if schedule.month_cents is None else schedule.month_cents - view.month_cents
    fires = decide_fires(schedule, due, now, busy or bool(waiting), left)
    if left is not None and left <= 0 and any(fire.text == NO_MONEY for fire in fires):
        notices += make_notices(schedule, "problem", f"month-{month_start(schedule, now):%Y-%m}", NO_MONEY, "", now)
    if due:
        schedule = schedule.model_copy(update={"next": find_next(schedule, now)})
    ready = [*waiting, *(fire for fire in fires if fire.state == "waiting")]
    done = [fire for fire in fires if fire.state != "waiting"]
    runs: list[RunRecord] = []
    if ready and not busy and not schedule.paused:
        first, *ready = ready
        started = first.model_copy(update={"state": "started", "run": fire_run_id(first), "at": now})
        runs.append(make_run(schedule, started, left))
        done.append(started)
    return ScheduleChange(schedule, (*settled, *done, *ready), tuple(runs), tuple(notices))


def list_due(schedule: Schedule, now: datetime) -> list[datetime]:
    """The times up to now that have not happened, oldest first; of very many only the first ones and the last."""
    times: list[datetime] = []
    at = schedule.next
    while at is not None and add_jitter(schedule, at) <= now:
        times.append(at)
        if len(times) == MOST_MISSED:
            at = max(at, now - LATE_SECONDS)
        at = find_next(schedule, at)
    return times


def decide_fires(
    schedule: Schedule, due: Sequence[datetime], now: datetime, busy: bool, left: float | None
) -> list[ScheduleFire]:
    """What becomes of each time that is due: those that happen wait for their turn, the others say why not."""
    fresh = [at for at in due if now - add_jitter(schedule, at) <= LATE_SECONDS]
    wanted = {"all": list(due), "once": list(due[-1:]), "skip": fresh}[schedule.missed]
    fires: list[ScheduleFire] = []
    for at in due:
        fire = ScheduleFire(schedule=schedule.id, due=at, at=now, state="waiting")
        if at not in wanted:
            fire = fire.model_copy(update={"state": "missed", "text": NO_SERVER})
        elif left is not None and left <= 0:
            fire = fire.model_copy(update={"state": "skipped", "text": NO_MONEY})
        elif busy and schedule.overlap == "skip" and schedule.missed != "all":
            fire = fire.model_copy(update={"state": "skipped", "text": STILL_AT_WORK})
        fires.append(fire)
    return fires


def settle_fire(
    fire: ScheduleFire, run: RunRecord | None, end: RunFinished | None, last: ScheduleFire | None
) -> ScheduleFire:
    """The time with how its run ended and what changed since the time before."""
    if run is None:
        return forget_run(fire)
    data = end.data if end else None
    seen = data["watch"] if isinstance(data, dict) and "watch" in data else {}
    failed = end.error if end and run.outcome != "completed" else ""
    text = failed or run.answer
    before = last.text if last and last.outcome != "deleted" else None
    change = str(seen.get("change", "")) if seen else compare_texts(before, text)
    return fire.model_copy(
        update={
            "state": "ended",
            "outcome": run.outcome,
            "text": text[:LONGEST_TEXT],
            "change": change[:LONGEST_TEXT],
            "seen": seen,
            "cents": round(run.usage.cost * 100, 4),
        }
    )


def forget_run(fire: ScheduleFire) -> ScheduleFire:
    """A time whose run was deleted: what the run said and saw is gone, what it cost still counts."""
    gone = {"state": "ended", "outcome": "deleted", "text": "Its run was deleted.", "change": "", "seen": {}}
    return fire.model_copy(update=gone)


def compare_texts(before: str | None, now: str) -> str:
    """The lines that went and came; empty for the first time and where nothing changed."""
    if before is None or before == now:
        return ""
    lines = difflib.unified_diff(before.splitlines(), now.splitlines(), lineterm="", n=0)
    return "\n".join([line for line in lines if line[:1] in "+-" and line[:3] not in ("+++", "---")][:CHANGED_LINES])


def count_outcome(schedule: Schedule, ended: ScheduleFire) -> Schedule:
    """The schedule with its failures in a row; too many pause it. A run that a person stopped does not count."""
    if ended.outcome in ("stopped", "deleted"):
        return schedule
    failures = 0 if ended.outcome == "completed" else schedule.failures + 1
    schedule = schedule.model_copy(update={"failures": failures})
    if failures < FAILURES_TO_PAUSE or schedule.paused:
        return schedule
    why = f"It failed {failures} times in a row: {ended.text[:300]}"
    return schedule.model_copy(update={"paused": True, "paused_why": why})


def describe_end(schedule: Schedule, ended: ScheduleFire, now: datetime) -> Iterable[Notice]:
    """What people are told about a run that ended."""
    key = ended.run
    if schedule.paused and schedule.failures >= FAILURES_TO_PAUSE:
        return make_notices(schedule, "paused", key, schedule.paused_why, ended.run, now)
    if ended.outcome in ("failed", "out_of_budget"):
        return make_notices(schedule, "problem", key, ended.text, ended.run, now)
    if ended.outcome != "completed" or schedule.notify_when == "problems":
        return ()
    worth = bool(ended.seen.get("fulfilled")) and bool(ended.seen.get("news")) if ended.seen else bool(ended.change)
    if schedule.notify_when == "changes" and not worth:
        return ()
    return make_notices(schedule, "result", key, ended.text, ended.run, now)


def make_notices(
    schedule: Schedule, kind: NoticeKind, key: str, text: str, run: str, now: datetime, link: str = ""
) -> list[Notice]:
    """The same words for each channel of a schedule. The same key is told once."""
    return [
        Notice(
            id=f"{schedule.id}:{key}:{kind}:{channel}",
            user=schedule.user,
            schedule=schedule.id,
            channel=channel,
            kind=kind,
            title=schedule.title,
            text=text[:LONGEST_TEXT],
            run=run,
            link=link or (f"/runs/{run}" if run else "/schedules"),
            at=now,
            due=now,
        )
        for channel in dict.fromkeys(schedule.notify)
    ]
