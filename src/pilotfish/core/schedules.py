"""Values of standing work: schedules, what they were granted, each time they happened, and what people are told."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from pydantic import AliasChoices, Field

from pilotfish.core.events import RunOutcome, current_time
from pilotfish.core.policy import EffectKind
from pilotfish.core.values import Value

MissedRule = Literal["once", "all", "skip"]
OverlapRule = Literal["skip", "queue"]
Channel = Literal["page", "desktop", "webhook", "email", "ntfy"]
NoticeRule = Literal["always", "changes", "problems"]
FireState = Literal["waiting", "started", "ended", "skipped", "missed"]
NoticeState = Literal["waiting", "sent", "failed"]
NoticeKind = Literal["result", "problem", "paused", "question"]
ScheduleId = str
FAILURES_TO_PAUSE = 3
STANDING_PREFIX = "standing-"
"""The conversations of schedules begin with this."""
FREE_EFFECTS: frozenset[EffectKind] = frozenset({"read", "view", "visit", "search", "local", "forbidden"})
"""Effects that nobody has to grant, and one that nobody can."""


class ScheduleGrant(Value):
    """Effects that a schedule may cause on one site though nobody attends it."""

    site: str = Field(min_length=1, max_length=253, description="such as shop.example; its subdomains too")
    effects: tuple[EffectKind, ...] = Field(min_length=1, max_length=20)


class WatchedPart(Value):
    """What a watch compares: the whole text of a page, or a part of it."""

    kind: Literal["page", "selector", "text", "value"] = "page"
    what: str = Field(default="", max_length=500, description="a CSS selector, or words that the lines contain")


class SchedulePlan(Value):
    """What a person says of a schedule: what is done, when, what it may do, and who is told."""

    task: str = Field(min_length=1, max_length=20_000, description="what is done; of a watch: what is waited for")
    when: str = Field(min_length=1, max_length=200, description="plain words such as every weekday at 8, or cron text")
    zone: str = Field(default="", max_length=60, description="a time zone such as Europe/Lisbon; empty: the machine's")
    name: str = Field(default="", max_length=100)
    pages: tuple[str, ...] = Field(default=(), max_length=20, description="where it begins; of a watch: its page")
    watch: WatchedPart | None = Field(default=None, description="of a watch: what of the page is compared")
    missed: MissedRule = Field(default="once", description="what becomes of times at which no server ran")
    overlap: OverlapRule = Field(default="skip", description="what becomes of a time at which it is still at work")
    jitter: float = Field(default=0, ge=0, le=3600, description="begin up to so many seconds later, by chance")
    budget_cents: float | None = Field(default=None, ge=0, le=1_000_000, description="the most that one run may cost")
    month_cents: float | None = Field(default=None, ge=0, le=1_000_000, description="the most of a calendar month")
    grants: tuple[ScheduleGrant, ...] = Field(default=(), max_length=20)
    asks: bool = Field(default=False, description="ask about other effects, instead of refusing them")
    wait_hours: float = Field(default=12, gt=0, le=240, description="how long a question waits for an answer")
    notify: tuple[Channel, ...] = Field(default=("page",), max_length=5)
    notify_when: NoticeRule = Field(default="always", validation_alias=AliasChoices("notify_when", "tell"))
    options: Mapping[str, Any] = Field(default_factory=dict, description="options of its runs, such as model or loop")


class Schedule(SchedulePlan):
    """A plan that is kept, and where it stands."""

    id: ScheduleId
    user: str
    created: datetime = Field(default_factory=current_time)
    next: datetime | None = Field(default=None, description="when it happens next; none: never again")
    paused: bool = False
    paused_why: str = ""
    failures: int = Field(default=0, description="failures in a row")

    @property
    def title(self) -> str:
        return self.name or self.task[:80]


class ScheduleFire(Value):
    """One time of a schedule: its run and how that ended, or why there was none."""

    schedule: ScheduleId
    due: datetime
    at: datetime = Field(default_factory=current_time)
    state: FireState = "started"
    run: str = ""
    outcome: RunOutcome | Literal["deleted"] | None = None
    text: str = Field(default="", description="the answer of its run, or why there was none")
    change: str = Field(default="", description="what differs from the time before")
    seen: Mapping[str, Any] = Field(default_factory=dict, description="of a watch: what it saw")
    cents: float = 0.0


class Notice(Value):
    """Something that a person is told over one channel."""

    id: str
    user: str
    schedule: ScheduleId = ""
    channel: Channel
    kind: NoticeKind
    title: str
    text: str = ""
    run: str = ""
    link: str = Field(default="", description="a path of this server: a run, or where a question is answered")
    state: NoticeState = "waiting"
    tries: int = 0
    error: str = ""
    at: datetime = Field(default_factory=current_time)
    due: datetime = Field(default_factory=current_time, description="when it is tried next")
    read: bool = False


class CalendarEntry(Value):
    """One time in the calendar: of what comes, or of what was."""

    schedule: ScheduleId
    title: str
    at: datetime
    state: Literal["planned", "waiting", "started", "ended", "skipped", "missed"]
    outcome: RunOutcome | Literal["deleted"] | None = None
    run: str = ""
    count: int = Field(default=1, description="so many times of that day, of which this is the first; 0: see `when`")
    when: str = Field(default="", description="how often the schedule happens, in its own words")
    zone: str = Field(default="UTC", description="by whose clocks its days and times are meant")


class StandingDue(Value):
    """Whether a look at the clock finds something to do."""

    fires: bool = False
    ends: bool = False
    questions: bool = False
    notices: bool = False
