"""Costs of the user's runs, computed from their journals."""

from datetime import datetime, timedelta

from fastapi import APIRouter

from pilotfish.core.events import current_time
from pilotfish.core.journal_reports import CostReport, UsageTotal, sum_costs
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, RunDep, UserDep
from pilotfish.interfaces.web_server.problems import RequestRefused

router = APIRouter(prefix="/api", tags=["costs"], responses=ERRORS)


@router.get("/costs")
async def read_costs(fish: AppDep, me: UserDep, since: datetime | None = None) -> CostReport:
    """Costs by run, day, model and tool; by default of the last 30 days."""
    if since is not None and since.tzinfo is None:
        raise RequestRefused(422, "invalid", "`since` has no time zone.", "Add Z or an offset.")
    return await fish.costs(me.id, since or current_time() - timedelta(days=30))


@router.get("/runs/{run}/costs")
async def read_run_costs(run: RunDep, fish: AppDep) -> CostReport:
    """What one run cost."""
    return sum_costs(await fish.events(run.id))


@router.get("/searches")
async def search_usage(fish: AppDep, me: UserDep) -> tuple[UsageTotal, ...]:
    """Web searches of the last day, by provider."""
    return (await fish.costs(me.id, current_time() - timedelta(days=1))).searches
