"""What there is to choose from, and fetching embedded models with progress."""

import asyncio
import time
from collections.abc import AsyncGenerator

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import Field
from pydantic_core import to_json

from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message, Request
from pilotfish.core.values import Value
from pilotfish.interfaces.places import ERRORS, Admin, Fish, Me
from pilotfish.interfaces.problems import problem
from pilotfish.interfaces.sse import Stream
from pilotfish.parts.choices import Model

router = APIRouter(prefix="/api", tags=["models"], responses=ERRORS)
PACE = 0.25


class Pull(Value):
    """Which model to fetch, or to try."""

    name: str = Field(min_length=1, max_length=200)


class Trial(Value):
    """A model that answered, and how long it took."""

    seconds: float


class Tool(Value):
    """A tool, and whether runs may use it."""

    name: str
    group: str
    about: str
    enabled: bool


@router.get("/models")
async def list_models(fish: Fish, me: Me) -> list[Model]:
    """What is here and what could be had."""
    return await fish.choices.models()


@router.get("/loops")
async def list_loops(fish: Fish, me: Me) -> list[str]:
    """The loops that a run may name."""
    return fish.choices.loops()


@router.get("/tools")
async def list_tools(fish: Fish, me: Me) -> list[Tool]:
    """What an agent can do."""
    off = set(fish.settings.agent.disabled_tools)
    return [
        Tool(name=each.name, group=each.group, about=each.description, enabled=each.name not in off)
        for each in fish.choices.tools()
    ]


@router.post("/models/pull", response_class=Response)
async def pull_model(fish: Fish, me: Admin, pull: Pull) -> Response:
    """Fetch an embedded model; `progress` events tell bytes done and in all, then `done` or `error`."""
    return Stream(_pulled(fish, pull.name))


@router.post("/models/test")
async def try_model(fish: Fish, me: Admin, pull: Pull) -> Trial:
    """Ask a model for one word; an error says what it lacks."""
    began = time.perf_counter()
    model = await fish.minds.of("main", pull.name)
    await model.reply(Request(messages=(Message(role="user", text="Say ok."),), max_tokens=16))
    return Trial(seconds=time.perf_counter() - began)


async def _pulled(fish: Fish, name: str) -> AsyncGenerator[bytes]:
    reached = (0, 0)

    def progress(done: int, total: int) -> None:
        nonlocal reached
        reached = (done, total)

    task = asyncio.create_task(fish.choices.pull(name, progress))
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=PACE)
            yield _event("progress", {"done": reached[0], "total": reached[1]})
        await task
        yield _event("done", {"name": name})
    except ModelError as error:
        yield _event("error", problem(error).model_dump())
    finally:
        task.cancel()


def _event(name: str, data: dict[str, object]) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + to_json(data) + b"\n\n"
