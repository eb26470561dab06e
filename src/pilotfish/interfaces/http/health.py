"""Health and readiness checks, and metrics."""

import json
import resource
import sys
import time
from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse

from pilotfish import __version__
from pilotfish.app import Pilotfish
from pilotfish.core.events import RunState, current_time
from pilotfish.core.values import Value
from pilotfish.interfaces.web_server.dependencies import ERRORS, AdminDep, AppDep
from pilotfish.interfaces.web_server.problems import RequestRefused
from pilotfish.services.workers import WorkerInfo, list_workers

router = APIRouter(tags=["health"], responses=ERRORS)


class ServerHealth(Value):
    """The server answers."""

    status: Literal["ok"] = "ok"
    version: str = __version__


@router.get("/api/health")
@router.get("/health", include_in_schema=False)
@router.get("/healthz", include_in_schema=False)
async def health() -> ServerHealth:
    """The server answers."""
    return ServerHealth()


@router.get("/api/ready")
@router.get("/readyz", include_in_schema=False)
async def ready(fish: AppDep) -> ServerHealth:
    """The server can take runs: its database answers, and somebody drives them."""
    await fish.store.get("ready", "probe")
    if fish.limits.runs and not fish.queue.is_serving:
        message = "This server has not looked for runs for a while."
        raise RequestRefused(503, "standing_still", message, "Read its log; start it again if this lasts.")
    if not fish.limits.runs and not await fish.count_workers():
        raise RequestRefused(503, "no_worker", "No worker is there to drive runs.", "Start `pilotfish worker`.")
    return ServerHealth()


@router.get("/api/workers")
async def show_workers(fish: AppDep, me: AdminDep) -> list[WorkerInfo]:
    """List the processes that share the database."""
    return await list_workers(fish.store)


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(fish: AppDep, me: AdminDep, request: Request) -> PlainTextResponse:
    """Numbers in the text format of Prometheus: of all runs in the database, and of the runs of this process."""
    state = request.app.state
    usage = resource.getrusage(resource.RUSAGE_SELF)
    scale = 1 if sys.platform == "darwin" else 1024
    samples = [
        *await open_runs(fish),
        MetricSample("pilotfish_workers", await fish.count_workers()),
        MetricSample("pilotfish_followers", len(state.streams)),
        MetricSample("pilotfish_uptime_seconds", round(time.monotonic() - state.began, 3)),
        MetricSample("pilotfish_browser_starts_total", fish.browsers.pool.starts),
        MetricSample("pilotfish_browser_crashes_total", fish.browsers.pool.crashes),
        *(
            MetricSample("pilotfish_remote_browsers", count, (("state", state),))
            for state, count in sorted(fish.browsers.pool.count_states().items())
        ),
        *process_counts(fish),
        MetricSample("process_cpu_seconds_total", round(usage.ru_utime + usage.ru_stime, 3)),
        MetricSample("process_max_resident_memory_bytes", usage.ru_maxrss * scale),
        MetricSample("pilotfish_info", 1, (("version", __version__),)),
    ]
    return PlainTextResponse(write_metrics(samples), media_type="text/plain; version=0.0.4")


class MetricSample(NamedTuple):
    """A number with its name and labels."""

    name: str
    value: float
    labels: Sequence[tuple[str, str]] = ()


async def open_runs(fish: Pilotfish) -> list[MetricSample]:
    """How many runs are in each state, and how long the oldest one waits in the queue."""
    found = {row.state: row for row in await fish.store.count_open()}
    counts = {name: found[name].number if name in found else 0 for name in get_args(RunState) if name != "ended"}
    waits = (current_time() - found["queued"].oldest).total_seconds() if "queued" in found else 0.0
    samples = [MetricSample("pilotfish_runs", count, (("state", name),)) for name, count in counts.items()]
    return [*samples, MetricSample("pilotfish_queue_wait_seconds", round(waits, 3))]


def process_counts(fish: Pilotfish) -> list[MetricSample]:
    """What the runs of this process did."""
    counts = fish.journal.metrics.lines()
    return [MetricSample(f"pilotfish_{name}_total", round(value, 6), labels) for name, labels, value in counts]


def write_metrics(samples: Sequence[MetricSample]) -> str:
    """The samples as text, each name with its kind once."""
    lines: list[str] = []
    known: set[str] = set()
    for name, value, labels in samples:
        if name not in known:
            known.add(name)
            lines.append(f"# TYPE {name} {'counter' if name.endswith('_total') else 'gauge'}")
        shown = ",".join(f"{label}={json.dumps(text, ensure_ascii=False)}" for label, text in labels)
        lines.append(f"{name}{{{shown}}} {value:g}" if shown else f"{name} {value:g}")
    return "\n".join(lines) + "\n"
