"""Models, loops and tools over HTTP, and the download of embedded models with progress."""

import asyncio
import time
from collections.abc import AsyncGenerator

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import Field
from pydantic_core import to_json

from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message, ModelRequest
from pilotfish.core.values import Value
from pilotfish.interfaces.http.settings import check_settable
from pilotfish.interfaces.web_server.dependencies import ERRORS, AdminDep, AppDep, UserDep
from pilotfish.interfaces.web_server.event_stream import EventStream
from pilotfish.interfaces.web_server.problems import problem_for
from pilotfish.services.choices import ModelChoice

router = APIRouter(prefix="/api", tags=["models"], responses=ERRORS)
REPORT_PERIOD = 0.25


class ModelName(Value):
    """The model to fetch or to try."""

    name: str = Field(min_length=1, max_length=200)


class ModelTrial(Value):
    """A model that answered, and how long it took."""

    seconds: float


class ToolInfo(Value):
    """A tool, and whether runs may use it."""

    name: str
    group: str
    about: str
    enabled: bool


@router.get("/models")
async def list_models(fish: AppDep, me: UserDep) -> list[ModelChoice]:
    """List the models that can be used or fetched."""
    return await fish.choices.models()


@router.get("/loops")
async def list_loops(fish: AppDep, me: UserDep) -> list[str]:
    """List the loops that a run may name."""
    return fish.choices.loops()


@router.get("/tools")
async def list_tools(fish: AppDep, me: UserDep) -> list[ToolInfo]:
    """List the tools."""
    off = set(fish.settings.agent.disabled_tools)
    return [
        ToolInfo(name=each.name, group=each.group, about=each.description, enabled=each.name not in off)
        for each in fish.choices.tools()
    ]


@router.post("/models/pull", response_class=Response)
async def pull_model(fish: AppDep, me: AdminDep, pull: ModelName) -> Response:
    """Fetch an embedded model; sends `progress` events with bytes done and total, then `done` or `error`."""
    return EventStream(_pull_events(fish, pull.name))


@router.post("/models/test")
async def try_model(fish: AppDep, request: Request, me: AdminDep, pull: ModelName) -> ModelTrial:
    """Ask a model for one word; the error says what is missing."""
    check_settable(fish, request, me, "models.main", pull.name)
    began = time.perf_counter()
    model = await fish.models.of("main", pull.name)
    await model.reply(ModelRequest(messages=(Message(role="user", text="Say ok."),), max_tokens=16))
    return ModelTrial(seconds=time.perf_counter() - began)


async def _pull_events(fish: AppDep, name: str) -> AsyncGenerator[bytes]:
    reached = (0, 0)

    def progress(done: int, total: int) -> None:
        nonlocal reached
        reached = (done, total)

    task = asyncio.create_task(fish.choices.pull(name, progress))
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=REPORT_PERIOD)
            yield _event("progress", {"done": reached[0], "total": reached[1]})
        await task
        yield _event("done", {"name": name})
    except ModelError as error:
        yield _event("error", problem_for(error).model_dump())
    finally:
        task.cancel()


def _event(name: str, data: dict[str, object]) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + to_json(data) + b"\n\n"
