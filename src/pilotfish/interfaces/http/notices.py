"""Notices over HTTP: what standing work told the user, and the dead letters of channels that failed."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from pilotfish.core.schedules import Notice, NoticeState
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, UserDep

router = APIRouter(prefix="/api/notices", tags=["schedules"], responses=ERRORS)
NoticeId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_:.-]{1,300}$")]


@router.get("")
async def list_notices(
    fish: AppDep,
    me: UserDep,
    state: NoticeState | None = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> list[Notice]:
    """List notices, newest first; with `state=failed` those that a channel did not take."""
    return list(await fish.notices.list(state, limit, me.id))


@router.post("/{notice}/read")
async def mark_notice_read(fish: AppDep, me: UserDep, notice: NoticeId) -> Notice:
    """Mark a notice as read."""
    return await fish.notices.mark_read(notice, me.id)


@router.post("/{notice}/retry")
async def retry_notice(fish: AppDep, me: UserDep, notice: NoticeId) -> Notice:
    """Try to deliver a dead letter once more."""
    return await fish.notices.retry(notice, me.id)
