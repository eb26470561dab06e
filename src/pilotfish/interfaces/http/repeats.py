"""Repeats runs over HTTP: a new attempt by a model, or a replay of the actions."""

from typing import Any

from fastapi import APIRouter
from pydantic import Field

from pilotfish.app import Pilotfish
from pilotfish.core.messages import Message
from pilotfish.core.records import RunRecord
from pilotfish.core.values import Value
from pilotfish.interfaces.http.runs import FILES_HEADING, RunOptions
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, RunDep, UserDep
from pilotfish.interfaces.web_server.run_options import check_loop, check_options, keep_permitted
from pilotfish.services.attribution import require_top_run

router = APIRouter(prefix="/api/runs", tags=["runs"], responses=ERRORS)


class RunFork(RunOptions):
    """The changed options of the new attempt; an empty task means the old one."""

    task: str = Field(default="", max_length=200_000)


class ReplayOptions(Value):
    """The model that finds elements which have changed, and whether somebody attends the run."""

    model: str | None = Field(default=None, max_length=200)
    attended: bool = True


@router.post("/{run}/fork", status_code=201)
async def fork_run(run: RunDep, fish: AppDep, me: UserDep, again: RunFork) -> RunRecord:
    """Start a new attempt in the same conversation, perhaps with other options. A stored answer is not used."""
    check_loop(fish, again.loop)
    await check_options(fish, me, again.options())
    options = {**await keep_permitted(fish, me, run.options), **again.options()}
    options.pop("continues", None)
    options["fresh"] = True
    if not again.task:
        require_top_run(run)
        options["continues"] = run.id
    task = again.task or run.task
    said = await _original_message(fish, run, task)
    how: dict[str, Any] = {"user": me.id, "conversation": run.conversation, "messages": [said] if said else []}
    return await fish.start(task, loop=again.loop or run.loop, **{**options, **how})


async def _original_message(fish: Pilotfish, run: RunRecord, task: str) -> Message | None:
    """The person's message with the new task, if it has pictures or files; else None."""
    for event in await fish.events(run.id):
        if event.type == "message_added" and event.message.origin == "person":
            words, mark, files = event.message.text.partition(f"\n\n({FILES_HEADING}")
            more = words == run.task and (event.message.images or mark)
            return event.message.model_copy(update={"text": task + mark + files}) if more else None
    return None


@router.post("/{run}/replay", status_code=201)
async def replay_run(run: RunDep, fish: AppDep, me: UserDep, options: ReplayOptions | None = None) -> RunRecord:
    """Replay a run's actions in the same conversation; a model is asked only for elements that cannot be found."""
    asked = (options or ReplayOptions()).model_dump(exclude_none=True)
    await check_options(fish, me, asked)
    return await fish.replay(run.id, user=me.id, **{**await keep_permitted(fish, me, run.options), **asked})
