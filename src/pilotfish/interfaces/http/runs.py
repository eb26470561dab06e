"""Runs over HTTP: start, list, read, tell, delete."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import Field

from pilotfish.app import Pilotfish
from pilotfish.core.events import Event, State
from pilotfish.core.folds import waiting
from pilotfish.core.hands import Outside
from pilotfish.core.messages import Image, Message
from pilotfish.core.people import User
from pilotfish.core.policy import Preset
from pilotfish.core.records import RunRecord, Verb
from pilotfish.core.values import Value
from pilotfish.interfaces.http.files import drawer
from pilotfish.interfaces.places import ERRORS, Fish, Me, Run, thread
from pilotfish.interfaces.problems import Refusal

router = APIRouter(prefix="/api/runs", tags=["runs"], responses=ERRORS)
ATTACHED = "Attached files:"
STRICTER: tuple[Preset, ...] = ("trusted_sites", "ask_before_effects", "unattended", "read_only")
Names = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], Field(max_length=50)]
YES = ("approve", "yes", "allow", "ok")
NO = ("deny", "no", "refuse", "cancel")


class How(Value):
    """How a run goes about its task; what is left out comes from the settings."""

    loop: str = Field(default="", max_length=100)
    model: str | None = Field(default=None, max_length=200)
    max_steps: int | None = Field(default=None, ge=1, le=500)
    budget_cents: float | None = Field(default=None, ge=0, le=1_000_000)
    input_timeout: float | None = Field(default=None, gt=0, le=30 * 24 * 3600)
    attended: bool | None = Field(default=None, description="whether somebody is there to answer its questions")
    iterations: int | None = Field(default=None, ge=1, le=10, description="the most rounds of research")
    disabled_tools: Names | None = Field(default=None, description="tools that it may not use")
    policy: Preset | None = Field(default=None, description="what it may do without asking; stricter than the settings")
    trusted: Names | None = Field(default=None, description="sites where trusted_sites does not ask; for admins")
    sites: Names | None = Field(default=None, description="the only sites that its browser may reach")

    def options(self) -> dict[str, Any]:
        return {
            name: value for name, value in self if value is not None and name in How.model_fields and name != "loop"
        }


class Start(How):
    """A task, the tabs it is about, and the conversation it goes on with."""

    task: str = Field(min_length=1, max_length=200_000)
    conversation: str = Field(default="", pattern=r"^[A-Za-z0-9_-]{0,100}$")
    tabs: tuple[int | Outside, ...] = Field(default=(), max_length=50)
    files: tuple[str, ...] = Field(default=(), max_length=20, description="attached to the conversation before")
    images: tuple[Image, ...] = Field(default=(), max_length=20)


class Answer(Value):
    """What the person says to the run's question. `request` may name the question that is meant."""

    text: str = Field(max_length=100_000)
    request: str = Field(default="", max_length=200)


class Consent(Value):
    """How far a yes goes. What is asked singly, such as paying, is allowed once all the same."""

    always: bool = Field(default=False, description="for this run on this site")


class Reason(Value):
    """Why not."""

    reason: str = Field(default="", max_length=2000)


class Runs(Value):
    """A page of runs; `next` is the `before` of the page after it."""

    items: tuple[RunRecord, ...]
    next: datetime | None = None


@router.post("", status_code=201)
async def start_run(fish: Fish, me: Me, start: Start) -> RunRecord:
    """Begin a run."""
    return await begun(fish, me, start)


async def begun(fish: Pilotfish, me: User, start: Start, **more: Any) -> RunRecord:
    await permitted(fish, me, start)
    if start.conversation:
        await thread(start.conversation, fish, me)
    if start.files and not start.conversation:
        raise Refusal(422, "invalid", "Files belong to a conversation.", "Open one, attach them, and name it here.")
    pages = drawer(fish, start.conversation).addresses(start.files) if start.files else []
    text = f"{start.task}\n\n({ATTACHED} {', '.join(start.files)})" if start.files else start.task
    said = [Message(role="user", text=text, images=start.images)] if start.images or start.files else []
    return await fish.start(
        start.task,
        loop=start.loop,
        tabs=(*start.tabs, *pages),
        conversation=start.conversation,
        user=me.id,
        messages=said,
        **start.options(),
        **more,
    )


async def permitted(fish: Pilotfish, me: User, how: How) -> None:
    """Nobody but an admin may give a run more freedom than the settings do."""
    if me.admin or (how.policy is None and not how.trusted):
        return
    await fish.refresh()
    own = fish.settings.policy.preset
    if how.trusted or STRICTER.index(how.policy or own) < STRICTER.index(own):
        told = f"The settings say {own}, and a run may only be stricter."
        raise Refusal(403, "too_free", told, "Leave `policy` and `trusted` out, or ask the one who runs this server.")


@router.get("")
async def list_runs(
    fish: Fish,
    me: Me,
    state: State | None = None,
    conversation: Annotated[str | None, Query(max_length=100)] = None,
    text: Annotated[str, Query(max_length=200)] = "",
    before: datetime | None = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    background: bool = False,
) -> Runs:
    """My runs, newest first; with `background`, also what works behind the scenes, such as remembering."""
    if before is not None and before.tzinfo is None:
        raise Refusal(422, "invalid", "`before` has no time zone.", "Add Z or an offset.")
    text, conversation = text.replace("\0", ""), conversation and conversation.replace("\0", "")
    which = {"state": state, "conversation": conversation, "text": text, "background": background}
    found = await fish.runs(user=me.id, before=before, limit=limit, **which)
    return Runs(items=tuple(found), next=found[-1].created if len(found) == limit else None)


@router.get("/{run}")
async def read_run(run: Run) -> RunRecord:
    """One run at a glance."""
    return run


@router.get("/{run}/journal", response_model=list[Event])
async def read_journal(
    run: Run,
    fish: Fish,
    after: Annotated[int, Query(ge=0, le=2**31)] = 0,
) -> Response:
    """Every event so far, as it is kept: to read and write ten thousand again takes longer than all the rest."""
    without = () if fish.settings.agent.reasoning_visible else ("reasoned",)
    story = ",".join(await fish.store.bodies(run.id, after, without))
    return Response(f"[{story}]".encode(errors="replace"), media_type="application/json")


@router.post("/{run}/stop", status_code=202)
async def stop_run(run: Run, fish: Fish, me: Me) -> RunRecord:
    """End it; what was found stays."""
    return await told(fish, me, run, "stop")


@router.post("/{run}/pause", status_code=202)
async def pause_run(run: Run, fish: Fish, me: Me) -> RunRecord:
    """Hold it before its next step."""
    return await told(fish, me, run, "pause")


@router.post("/{run}/resume", status_code=202)
async def resume_run(run: Run, fish: Fish, me: Me) -> RunRecord:
    """Let it go on."""
    return await told(fish, me, run, "resume")


@router.post("/{run}/continue", status_code=201)
async def continue_run(run: Run, fish: Fish, me: Me) -> RunRecord:
    """Let it go on: itself if it is only paused; as a new run that knows what it did, if it ended or was parked."""
    return await fish.proceed(run.id, by=me.id)


@router.post("/{run}/answer", status_code=202)
async def answer_run(run: Run, fish: Fish, me: Me, answer: Answer) -> RunRecord:
    """Answer its question."""
    return await replied(fish, me, run, answer.text, answer.request)


@router.post("/{run}/approve", status_code=202)
async def approve_run(run: Run, fish: Fish, me: Me, consent: Consent | None = None) -> RunRecord:
    """Allow what it asks to do: this once, or for this run on this site."""
    return await settled(fish, me, run, YES, -1 if consent and consent.always else 0)


@router.post("/{run}/deny", status_code=202)
async def deny_run(run: Run, fish: Fish, me: Me, refusal: Reason | None = None) -> RunRecord:
    """Refuse what it asks to do; the reason goes to the model."""
    return await settled(fish, me, run, NO, reason=refusal.reason.strip() if refusal else "")


@router.delete("/{run}", status_code=204)
async def delete_run(run: Run, fish: Fish) -> None:
    """Stop it and remove all of it."""
    await fish.delete(run.id)


async def told(fish: Pilotfish, me: User, run: RunRecord, verb: Verb) -> RunRecord:
    if run.state == "ended":
        raise Refusal(409, "ended", "That run is over.", "Start a new one, or fork it.")
    await fish.command(run.id, verb, by=me.id)
    return await fish.record(run.id, me.id)


async def replied(fish: Pilotfish, me: User, run: RunRecord, text: str, request: str = "") -> RunRecord:
    """Hand an answer to the question that is open."""
    asked = waiting(await fish.events(run.id))
    if asked is None or request not in ("", asked.request):
        raise Refusal(409, "not_waiting", "That run is not waiting for this answer.", "Read its journal again.")
    await fish.command(run.id, "answer", text=text, request=asked.request, by=me.id)
    return await fish.record(run.id, me.id)


async def settled(
    fish: Pilotfish, me: User, run: RunRecord, words: tuple[str, ...], which: int = 0, reason: str = ""
) -> RunRecord:
    """Answer an approval in the words that it offers."""
    asked = waiting(await fish.events(run.id))
    if asked is None or asked.kind != "approval":
        raise Refusal(409, "not_waiting", "That run does not ask for approval.", "Answer its question instead.")
    fitting = [choice for choice in asked.choices if choice.lower().startswith(words)]
    answer = fitting[which] if fitting else words[0]
    return await replied(fish, me, run, f"{answer}: {reason}" if reason else answer)
