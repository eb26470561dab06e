"""Health and readiness checks, and metrics."""

import resource
import sys
import time
from typing import Literal, get_args

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from pilotfish import __version__
from pilotfish.core.events import RunState
from pilotfish.core.values import Value
from pilotfish.interfaces.web_server.dependencies import ERRORS, AdminDep, AppDep

router = APIRouter(tags=["health"], responses=ERRORS)
MOST = 10_000


class ServerHealth(Value):
    """The server answers."""

    status: Literal["ok"] = "ok"
    version: str = __version__


@router.get("/api/health")
async def health() -> ServerHealth:
    """The server answers."""
    return ServerHealth()


@router.get("/api/ready")
async def ready(fish: AppDep) -> ServerHealth:
    """The server can take runs: its database answers."""
    await fish.store.get("ready", "probe")
    return ServerHealth()


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(fish: AppDep, me: AdminDep, request: Request) -> PlainTextResponse:
    """Numbers in the text format of Prometheus."""
    state = request.app.state
    lines = ["# TYPE pilotfish_runs gauge"]
    for name in get_args(RunState):
        if name != "ended":
            count = len(await fish.runs(state=name, limit=MOST))
            lines.append(f'pilotfish_runs{{state="{name}"}} {count}')
    usage = resource.getrusage(resource.RUSAGE_SELF)
    scale = 1 if sys.platform == "darwin" else 1024
    for kind, name, value in (
        ("gauge", "pilotfish_followers", len(state.streams)),
        ("gauge", "pilotfish_uptime_seconds", round(time.monotonic() - state.began, 3)),
        ("counter", "process_cpu_seconds_total", round(usage.ru_utime + usage.ru_stime, 3)),
        ("gauge", "process_max_resident_memory_bytes", usage.ru_maxrss * scale),
    ):
        lines += [f"# TYPE {name} {kind}", f"{name} {value}"]
    lines += ["# TYPE pilotfish_info gauge", f'pilotfish_info{{version="{__version__}"}} 1']
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")
