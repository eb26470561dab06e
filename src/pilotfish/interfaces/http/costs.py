"""What it cost: folds over the journals of one's own runs."""

from datetime import datetime, timedelta

from fastapi import APIRouter

from pilotfish.core.events import now
from pilotfish.core.folds import Costs, Spent, costs
from pilotfish.interfaces.places import ERRORS, Fish, Me, Run
from pilotfish.interfaces.problems import Refusal

router = APIRouter(prefix="/api", tags=["costs"], responses=ERRORS)


@router.get("/costs")
async def read_costs(fish: Fish, me: Me, since: datetime | None = None) -> Costs:
    """By run, day, model and tool; the last 30 days unless told otherwise."""
    if since is not None and since.tzinfo is None:
        raise Refusal(422, "invalid", "`since` has no time zone.", "Add Z or an offset.")
    return await fish.costs(me.id, since or now() - timedelta(days=30))


@router.get("/runs/{run}/costs")
async def read_run_costs(run: Run, fish: Fish) -> Costs:
    """What one run cost."""
    return costs(await fish.events(run.id))


@router.get("/searches")
async def search_usage(fish: Fish, me: Me) -> tuple[Spent, ...]:
    """Web searches of the last day, by provider."""
    return (await fish.costs(me.id, now() - timedelta(days=1))).searches
