"""A user's schedules and notices at a server, for the command line; `services` has those of this machine."""

from collections.abc import Sequence
from datetime import datetime
from urllib.parse import quote

from pydantic import TypeAdapter

from pilotfish.core.schedules import CalendarEntry, Notice, NoticeState, Schedule, ScheduleFire, SchedulePlan
from pilotfish.interfaces.terminal.remote_controls import ServerClient
from pilotfish.services.schedules import SchedulePreview

SCHEDULES: TypeAdapter[list[Schedule]] = TypeAdapter(list[Schedule])
FIRES: TypeAdapter[list[ScheduleFire]] = TypeAdapter(list[ScheduleFire])
NOTICES: TypeAdapter[list[Notice]] = TypeAdapter(list[Notice])
ENTRIES: TypeAdapter[list[CalendarEntry]] = TypeAdapter(list[CalendarEntry])


class RemoteSchedules(ServerClient):
    """The schedules of the user whose token it is."""

    async def create(self, plan: SchedulePlan) -> Schedule:
        made = await self.call("POST", "/schedules", json=plan.model_dump(mode="json"))
        return Schedule.model_validate_json(made.content)

    async def preview(self, plan: SchedulePlan) -> SchedulePreview:
        shown = await self.call("POST", "/schedules/preview", json=plan.model_dump(mode="json"))
        return SchedulePreview.model_validate_json(shown.content)

    async def list(self) -> Sequence[Schedule]:
        return SCHEDULES.validate_json((await self.call("GET", "/schedules")).content)

    async def get(self, id: str) -> Schedule:
        return Schedule.model_validate_json((await self.call("GET", f"/schedules/{quote(id, '')}")).content)

    async def edit(self, id: str, plan: SchedulePlan) -> Schedule:
        changed = await self.call("PUT", f"/schedules/{quote(id, '')}", json=plan.model_dump(mode="json"))
        return Schedule.model_validate_json(changed.content)

    async def pause(self, id: str) -> Schedule:
        return Schedule.model_validate_json((await self.call("POST", f"/schedules/{quote(id, '')}/pause")).content)

    async def resume(self, id: str) -> Schedule:
        return Schedule.model_validate_json((await self.call("POST", f"/schedules/{quote(id, '')}/resume")).content)

    async def delete(self, id: str) -> Schedule:
        found = await self.get(id)
        await self.call("DELETE", f"/schedules/{quote(id, '')}")
        return found

    async def history(self, id: str, *, limit: int = 50) -> Sequence[ScheduleFire]:
        found = await self.call("GET", f"/schedules/{quote(id, '')}/history", params={"limit": limit})
        return FIRES.validate_json(found.content)

    async def run_now(self, id: str) -> ScheduleFire:
        return ScheduleFire.model_validate_json((await self.call("POST", f"/schedules/{quote(id, '')}/run")).content)

    async def calendar(self, since: datetime, until: datetime) -> Sequence[CalendarEntry]:
        span = {"since": since.isoformat(), "until": until.isoformat()}
        found = await self.call("GET", "/schedules/calendar", params=span)
        return ENTRIES.validate_python(found.json()["entries"])


class RemoteNotices(ServerClient):
    """The notices of the user whose token it is."""

    async def list(self, state: NoticeState | None = None, limit: int = 100) -> Sequence[Notice]:
        params = {"limit": limit, **({"state": state} if state else {})}
        return NOTICES.validate_json((await self.call("GET", "/notices", params=params)).content)

    async def retry(self, id: str) -> Notice:
        return Notice.model_validate_json((await self.call("POST", f"/notices/{quote(id, '')}/retry")).content)
