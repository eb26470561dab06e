"""Pages and endpoints that are slow, or fail the first time."""

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pilotfish.practice.views import page, world_of
from pilotfish.practice.worlds import PracticeWorld

LONGEST_DELAY = 10_000


def _again(world: PracticeWorld, what: str) -> bool:
    """Whether `what` has been tried before."""
    tries: dict[str, int] = world.state["tries"]
    tries[what] = tries.get(what, 0) + 1
    return tries[what] > 1


async def flaky(request: Request) -> Response:
    world = world_of(request)
    if _again(world, "page"):
        world.record_effect("flaky.shown")
        return page(request, "live/flaky")
    world.record_effect("flaky.failed")
    return page(request, "live/failed", 503)


async def report(request: Request) -> Response:
    world = world_of(request)
    if _again(world, "report"):
        world.record_effect("report.loaded")
        return JSONResponse({"visitors": 1284, "busiest": "Saturday", "code": "KELP-77"})
    world.record_effect("report.failed")
    return JSONResponse({"error": "The archive is busy. Try again."}, 503)


async def slow(request: Request) -> Response:
    asked = request.query_params.get("ms", "1500")
    await asyncio.sleep(min(int(asked) if asked.isdecimal() else 1500, LONGEST_DELAY) / 1000)
    world_of(request).record_effect("slow.shown")
    return page(request, "live/slow")


def routes() -> list[Route]:
    return [Route("/faults/flaky", flaky), Route("/faults/slow", slow), Route("/api/report", report)]
