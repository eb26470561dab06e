"""Has a model say in plain words when something happens that a person said in other words."""

from collections.abc import AsyncGenerator
from datetime import datetime
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from pilotfish.core.errors import UnclearTimeError
from pilotfish.core.events import RunFinished, StreamItem
from pilotfish.core.records import RunRecord
from pilotfish.core.recurrence import KNOWN_FORMS
from pilotfish.core.schedules import SchedulePlan
from pilotfish.core.values import Value
from pilotfish.services.schedules import ScheduleService, check_zone, machine_zone


class PlainWhen(Value):
    """When something happens in plain words, its zone, and its next times, for a person to confirm."""

    when: str
    zone: str
    next: tuple[datetime, ...]


class RunStarter(Protocol):
    """The parts of an app that a short run of the product itself needs."""

    schedules: ScheduleService

    async def start(self, task: str, *, loop: str = "", user: str = "", **options: Any) -> RunRecord: ...
    def follow(self, run: str, after: int = 0) -> AsyncGenerator[StreamItem]: ...
    async def delete(self, run: str) -> None: ...


async def read_time(app: RunStarter, words: str, zone: str, user: str) -> PlainWhen:
    """Ask the model in a run that is deleted afterwards. Raises UnclearTimeError where it says no time."""
    place = check_zone(zone) if zone else machine_zone()
    now = app.schedules.clock().astimezone(ZoneInfo(place))
    record = await app.start(words, loop="_when", user=user, now=f"{now:%A %Y-%m-%d %H:%M}", history=False)
    said: dict[str, Any] = {}
    async for event in app.follow(record.id):
        if isinstance(event, RunFinished) and event.outcome == "completed" and isinstance(event.data, dict):
            said = dict(event.data["time"])
    await app.delete(record.id)
    if not said.get("when"):
        raise UnclearTimeError(f"“{words[:80]}” does not surely say when.", f"Say it like one of these: {KNOWN_FORMS}.")
    plan = SchedulePlan(task=words, when=said["when"], zone=said["zone"] or place)
    return PlainWhen(when=plan.when, zone=plan.zone, next=(await app.schedules.preview(plan)).next)
