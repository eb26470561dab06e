"""Runs done again over HTTP: another way by a model, or the same way without one."""

from fastapi import APIRouter
from pydantic import Field

from pilotfish.app import Pilotfish
from pilotfish.core.messages import Message
from pilotfish.core.records import RunRecord
from pilotfish.core.values import Value
from pilotfish.interfaces.http.runs import ATTACHED, How, permitted
from pilotfish.interfaces.places import ERRORS, Fish, Me, Run

router = APIRouter(prefix="/api/runs", tags=["runs"], responses=ERRORS)


class Again(How):
    """What is different in the new attempt; an empty task is the old one."""

    task: str = Field(default="", max_length=200_000)


class Mending(Value):
    """Which model finds what cannot be found any more, and whether somebody is there to answer its questions."""

    model: str | None = Field(default=None, max_length=200)
    attended: bool = True


@router.post("/{run}/fork", status_code=201)
async def fork_run(run: Run, fish: Fish, me: Me, again: Again) -> RunRecord:
    """Try again in the same conversation, perhaps another way."""
    await permitted(fish, me, again)
    options = {**run.options, **again.options()}
    how = {"loop": again.loop or run.loop, "tabs": options.pop("tabs", ()), "conversation": run.conversation}
    task = again.task or run.task
    said = await _said(fish, run, task)
    return await fish.start(task, user=me.id, messages=[said] if said else [], **how, **options)


async def _said(fish: Pilotfish, run: RunRecord, task: str) -> Message | None:
    """The person's message with other words, where more than words belongs to it: pictures or files."""
    for event in await fish.events(run.id):
        if event.type == "message_added" and event.message.role == "user":
            words, mark, files = event.message.text.partition(f"\n\n({ATTACHED}")
            more = words == run.task and (event.message.images or mark)
            return event.message.model_copy(update={"text": task + mark + files}) if more else None
    return None


@router.post("/{run}/replay", status_code=201)
async def replay_run(run: Run, fish: Fish, me: Me, mending: Mending | None = None) -> RunRecord:
    """Do in the browser what it did, in the same conversation; a model is asked only about what cannot be found."""
    return await fish.replay(run.id, user=me.id, **(mending or Mending()).model_dump(exclude_none=True))
