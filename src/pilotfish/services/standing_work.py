"""Runs schedules: whenever the queue looks for work, it starts what is due, settles what ended, and tells people."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pilotfish.core.journal_reports import find_open_question
from pilotfish.core.policy import PolicyPreset
from pilotfish.core.records import RunRecord
from pilotfish.core.schedule_progress import advance_schedule, make_notices
from pilotfish.core.schedules import STANDING_PREFIX, Schedule, ScheduleFire
from pilotfish.core.settings import Settings
from pilotfish.core.users import LOCAL

if TYPE_CHECKING:
    from pilotfish.core.schedule_progress import ScheduleChange
    from pilotfish.services.answer_links import AnswerLinks
    from pilotfish.services.notice_sender import NoticeSender
    from pilotfish.store.base import Store

WATCH_LOOP = "_watch"
STRICT_PRESETS: tuple[PolicyPreset, ...] = ("unattended", "read_only")


class StandingWork:
    """Brings all schedules to the present moment. Every worker calls it; the store lets one at a time do it."""

    def __init__(self, store: "Store", make_run: "FireRunMaker", sender: "NoticeSender", links: "AnswerLinks") -> None:
        self.store = store
        self.make_run = make_run
        self.sender = sender
        self.links = links
        self.clock = sender.clock
        self._known_questions: set[str] = set()

    async def is_due(self) -> bool:
        """Whether something is to be done now. Notices are sent at once, in the background."""
        due = await self.store.standing_due(self.clock())
        if due.notices:
            self.sender.start()
        if due.questions:
            await self.send_questions()
        return due.fires or due.ends

    async def advance(self) -> "list[ScheduleChange]":
        """Do what is due now; returns what changed."""
        now = self.clock()
        return await self.store.advance_schedules(now, lambda view: advance_schedule(view, now, self.make_run))

    async def send_questions(self) -> None:
        """Tell people what runs of schedules ask, each question once, with a link to answer it."""
        for fire in await self.store.open_fires():
            asked = find_open_question(await self.store.events(fire.run))
            schedule = await self.store.schedule(fire.schedule)
            if asked is None or schedule is None or asked.request in self._known_questions:
                continue
            expires = asked.deadline or self.clock() + timedelta(hours=schedule.wait_hours)
            link = "" if asked.kind == "budget" else await self.links.make(asked, expires)
            text = "\n".join([asked.question, *(f"- {choice}" for choice in asked.choices)])
            key = asked.request.replace(":", ".")
            notices = make_notices(schedule, "question", key, text, fire.run, self.clock(), link)
            await self.store.add_notices(notices)
            self._known_questions.add(asked.request)


class FireRunMaker:
    """Makes the run of one time of a schedule, with what it may do, spend and reach under the present settings."""

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self.settings = settings

    def __call__(self, schedule: Schedule, fire: ScheduleFire, left: float | None) -> RunRecord:
        settings = self.settings()
        own = schedule.budget_cents if schedule.budget_cents is not None else settings.budget.run_cents
        cents = [each for each in (own, left) if each is not None]
        options: dict[str, Any] = {
            **schedule.options,
            **choose_rights(schedule, settings.policy.preset),
            "tabs": list(schedule.pages),
            "schedule": schedule.id,
            "history": False,
            "input_timeout": schedule.wait_hours * 3600,
            "budget_cents": min(cents) if cents else None,
        }
        loop = str(options.pop("loop", "") or settings.agent.loop)
        if schedule.watch is not None:
            loop = WATCH_LOOP
            options["watch"] = schedule.watch.model_dump(mode="json")
        return RunRecord(
            id=fire.run,
            user=schedule.user,
            conversation=f"{STANDING_PREFIX}{schedule.id}-{fire.due:%Y%m%dT%H%M%S}",
            task=schedule.task,
            loop=loop,
            options=options,
        )


def choose_rights(schedule: Schedule, preset: PolicyPreset) -> Mapping[str, Any]:
    """The policy of a run that nobody attends: effects are refused or asked about, but for those granted.

    Where the settings let nobody approve anything, only the owner of the machine can grant something.
    """
    strict = preset in STRICT_PRESETS
    may_grant = not strict or schedule.user == LOCAL
    asks = schedule.asks and not strict
    grants = [grant.model_dump(mode="json") for grant in schedule.grants] if may_grant else []
    if preset == "read_only" and not grants:
        return {"policy": "read_only", "attended": False}
    return {"policy": "ask_before_effects" if asks else "unattended", "attended": asks, "grants": grants}
