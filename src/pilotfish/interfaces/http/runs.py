"""Runs over HTTP: start, list, read, tell, delete."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import Field

from pilotfish.app import Pilotfish
from pilotfish.core.answers import read_answer
from pilotfish.core.events import EVENT_ADAPTER, Event, RunState, hide_thinking
from pilotfish.core.gestures import WebAddress
from pilotfish.core.journal_reports import find_open_question
from pilotfish.core.messages import Image, Message
from pilotfish.core.pages import SharedPage
from pilotfish.core.policy import PolicyPreset
from pilotfish.core.records import CommandVerb, RunRecord
from pilotfish.core.settings import BrowserProfile
from pilotfish.core.users import User
from pilotfish.core.values import Value
from pilotfish.core.workers import WorkerLabels
from pilotfish.interfaces.http.files import open_attached
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, RunDep, UserDep, get_conversation
from pilotfish.interfaces.web_server.problems import RequestRefused
from pilotfish.interfaces.web_server.run_options import begin_run, check_budget, keep_permitted
from pilotfish.services.choices import raised_limit

router = APIRouter(prefix="/api/runs", tags=["runs"], responses=ERRORS)
FILES_HEADING = "Attached files:"
THINKING_EVENTS = ("reasoned", "model_replied")
NameList = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], Field(max_length=50)]
YES_CHOICES = ("approve", "yes", "allow", "ok")
NO_CHOICES = ("deny", "no", "refuse", "cancel")


class RunOptions(Value):
    """The options of a run; those left out come from the settings."""

    loop: str = Field(default="", max_length=100)
    model: str | None = Field(default=None, max_length=200)
    max_steps: int | None = Field(default=None, ge=1, le=500)
    max_minutes: float | None = Field(default=None, gt=0, le=24 * 60, description="the most time that it may work")
    budget_cents: float | None = Field(default=None, ge=0, le=1_000_000)
    input_timeout: float | None = Field(default=None, gt=0, le=30 * 24 * 3600)
    attended: bool | None = Field(default=None, description="whether somebody is there to answer its questions")
    chore: bool | None = Field(default=None, description="it is something to do in the browser, whatever its words say")
    iterations: int | None = Field(default=None, ge=1, le=10, description="the most rounds of research")
    tools: NameList | None = Field(default=None, description="the only tools that it may use; none: all")
    disabled_tools: NameList | None = Field(default=None, description="tools that it may not use")
    screenshots: bool | None = Field(default=None, description="whether a model with vision sees the page")
    fresh: bool | None = Field(default=None, description="the model is asked, also where its answer is stored")
    policy: PolicyPreset | None = Field(
        default=None, description="what it may do without asking; stricter than the settings"
    )
    trusted: NameList | None = Field(default=None, description="sites where trusted_sites does not ask; for admins")
    output_schema: dict[str, Any] | None = Field(
        default=None,
        description="a JSON schema: data of this form is taken from the tabs, see `data` of the last event",
    )
    max_rows: int | None = Field(default=None, ge=1, le=3000, description="the most rows of data of a page")
    max_pages: int | None = Field(default=None, ge=1, le=100, description="how far the paging of data is followed")
    sites: NameList | None = Field(default=None, description="the only sites that its browser may reach")
    profile: BrowserProfile | None = Field(
        default=None, description="fresh, or remembered: with the logins that are remembered of the user"
    )

    labels: WorkerLabels | None = Field(default=None, description="only a worker that has these takes it; for admins")

    def options(self) -> dict[str, Any]:
        return {
            name: value
            for name, value in self
            if value is not None and name in RunOptions.model_fields and name != "loop"
        }


class RunStart(RunOptions):
    """A task, the tabs it is about, and the conversation it continues."""

    task: str = Field(min_length=1, max_length=200_000)
    conversation: str = Field(default="", pattern=r"^[A-Za-z0-9_-]{0,100}$")
    tabs: tuple[int | WebAddress, ...] = Field(default=(), max_length=50)
    files: tuple[str, ...] = Field(default=(), max_length=20, description="attached to the conversation before")
    images: tuple[Image, ...] = Field(default=(), max_length=20)
    pages: tuple[SharedPage, ...] = Field(default=(), max_length=10, description="shown from the person's own browser")


class RunAnswer(Value):
    """The answer to a run's question. `request` may name the question."""

    text: str = Field(max_length=100_000)
    request: str = Field(default="", max_length=200)


class RunMessage(Value):
    """What the person says to a run while it works."""

    text: str = Field(min_length=1, max_length=100_000)


class ApprovalScope(Value):
    """How far an approval goes. Some effects, such as paying, are allowed only once in any case."""

    always: bool = Field(default=False, description="for this run on this site")


class DenialReason(Value):
    """The reason of a denial."""

    reason: str = Field(default="", max_length=2000)


class RunPage(Value):
    """A page of runs; `next` is the `before` of the page after it."""

    items: tuple[RunRecord, ...]
    next: datetime | None = None


class DeletedRuns(Value):
    """How many runs were deleted."""

    deleted: int


@router.post("", status_code=201)
async def start_run(fish: AppDep, me: UserDep, start: RunStart) -> RunRecord:
    """Start a run."""
    return await start_requested(fish, me, start)


async def start_requested(fish: Pilotfish, me: User, start: RunStart) -> RunRecord:
    if start.conversation:
        await get_conversation(start.conversation, fish, me)
    if start.files and not start.conversation:
        raise RequestRefused(
            422, "invalid", "Files belong to a conversation.", "Open one, attach them, and name it here."
        )
    pages = (await open_attached(fish, start.conversation, me.id)).addresses(start.files) if start.files else []
    text = f"{start.task}\n\n({FILES_HEADING} {', '.join(start.files)})" if start.files else start.task
    mine = Message(role="user", text=text, images=start.images, origin="person")
    shared: dict[str, Any] = {"pages": [page.model_dump(mode="json") for page in start.pages]} if start.pages else {}
    shared |= {"files": list(start.files)} if start.files else {}
    said = [mine] if start.images or start.files else []
    return await begin_run(
        fish,
        me,
        start.task,
        loop=start.loop,
        options={**start.options(), **shared},
        tabs=(*start.tabs, *pages),
        conversation=start.conversation,
        messages=said,
    )


@router.get("")
async def list_runs(
    fish: AppDep,
    me: UserDep,
    state: RunState | None = None,
    conversation: Annotated[str | None, Query(max_length=100)] = None,
    text: Annotated[str, Query(max_length=200)] = "",
    before: datetime | None = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    background: bool = False,
) -> RunPage:
    """List the user's runs, newest first; with `background`, also background runs such as memory runs."""
    if before is not None and before.tzinfo is None:
        raise RequestRefused(422, "invalid", "`before` has no time zone.", "Add Z or an offset.")
    text, conversation = text.replace("\0", ""), conversation and conversation.replace("\0", "")
    which = {"state": state, "conversation": conversation, "text": text, "background": background}
    found = await fish.runs(user=me.id, before=before, limit=limit, **which)
    return RunPage(items=tuple(found), next=found[-1].created if len(found) == limit else None)


@router.get("/{run}")
async def read_run(run: RunDep) -> RunRecord:
    """Read the record of a run."""
    return run


@router.get("/{run}/journal", response_model=list[Event])
async def read_journal(
    run: RunDep,
    fish: AppDep,
    after: Annotated[int, Query(ge=0, le=2**31)] = 0,
) -> Response:
    """Read all events so far. They are passed on as stored: parsing ten thousand would take too long."""
    bodies = await fish.store.bodies(run.id, after)
    if not fish.settings.agent.reasoning_visible:
        bodies = [(kind, hide_in_body(kind, body)) for kind, body in bodies]
    joined = ",".join(body for _, body in bodies if body)
    return Response(f"[{joined}]".encode(errors="replace"), media_type="application/json")


def hide_in_body(kind: str, body: str) -> str:
    """A stored event without what the model thought; empty where it is nothing else."""
    if kind not in THINKING_EVENTS:
        return body
    shown = hide_thinking(EVENT_ADAPTER.validate_json(body))
    return shown.model_dump_json() if shown else ""


@router.post("/{run}/stop", status_code=202)
async def stop_run(run: RunDep, fish: AppDep, me: UserDep) -> RunRecord:
    """Stop a run; its results so far stay."""
    return await send_command(fish, me, run, "stop")


@router.post("/{run}/pause", status_code=202)
async def pause_run(run: RunDep, fish: AppDep, me: UserDep) -> RunRecord:
    """Pause a run before its next step."""
    return await send_command(fish, me, run, "pause")


@router.post("/{run}/resume", status_code=202)
async def resume_run(run: RunDep, fish: AppDep, me: UserDep) -> RunRecord:
    """Resume a paused run. One that another version of the code began goes on as a new run, which is returned."""
    if run.outcome:
        return await send_command(fish, me, run, "resume")
    return await fish.continue_run(run.id, by=me.id, options=await keep_permitted(fish, me, run.options))


@router.post("/{run}/continue", status_code=201)
async def continue_run(run: RunDep, fish: AppDep, me: UserDep) -> RunRecord:
    """Continue a run: resume it if it is only paused, else start a new run with its transcript."""
    return await fish.continue_run(run.id, by=me.id, options=await keep_permitted(fish, me, run.options))


@router.post("/{run}/answer", status_code=202)
async def answer_run(run: RunDep, fish: AppDep, me: UserDep, answer: RunAnswer) -> RunRecord:
    """Answer a run's question."""
    return await send_answer(fish, me, run, answer.text, answer.request)


@router.post("/{run}/say", status_code=202)
async def say_to_run(run: RunDep, fish: AppDep, me: UserDep, message: RunMessage) -> RunRecord:
    """Say something to it while it works; its next model call reads it."""
    return await send_command(fish, me, run, "say", message.text)


@router.post("/{run}/approve", status_code=202)
async def approve_run(run: RunDep, fish: AppDep, me: UserDep, consent: ApprovalScope | None = None) -> RunRecord:
    """Approve what a run asks to do: once, or for this run on this site."""
    return await answer_approval(fish, me, run, YES_CHOICES, -1 if consent and consent.always else 0)


@router.post("/{run}/deny", status_code=202)
async def deny_run(run: RunDep, fish: AppDep, me: UserDep, refusal: DenialReason | None = None) -> RunRecord:
    """Deny what a run asks to do; the model gets the reason."""
    return await answer_approval(fish, me, run, NO_CHOICES, reason=refusal.reason.strip() if refusal else "")


@router.delete("")
async def delete_runs(fish: AppDep, me: UserDep, before: datetime) -> DeletedRuns:
    """Delete the user's runs that ended before a moment, with their journals and files."""
    if before.tzinfo is None:
        raise RequestRefused(422, "invalid", "`before` has no time zone.", "Add Z or an offset.")
    return DeletedRuns(deleted=await fish.delete_before(before, me.id))


@router.delete("/{run}", status_code=204)
async def delete_run(run: RunDep, fish: AppDep) -> None:
    """Stop a run and delete it with its journal and files."""
    await fish.delete(run.id)


async def send_command(fish: Pilotfish, me: User, run: RunRecord, verb: CommandVerb, text: str = "") -> RunRecord:
    if run.state == "ended":
        raise RequestRefused(409, "ended", "That run is over.", "Start a new one, or fork it.")
    await fish.command(run.id, verb, text=text, by=me.id)
    return await fish.record(run.id, me.id)


async def send_answer(
    fish: Pilotfish, me: User, run: RunRecord, text: str, request: str = "", *, typed: bool = False
) -> RunRecord:
    """Send an answer to the open question of a run."""
    asked = find_open_question(await fish.events(run.id))
    if asked is None or request not in ("", asked.request):
        raise RequestRefused(409, "not_waiting", "That run is not waiting for this answer.", "Read its journal again.")
    text = read_answer(asked, text, typed=typed)
    if asked.kind == "budget" and not me.admin:
        budget = fish.settings.budget
        most = budget.run_cents if asked.details.get("of") == "run" else budget.day_cents
        check_budget(raised_limit(asked, text), most)
    await fish.command(run.id, "answer", text=text, request=asked.request, by=me.id)
    return await fish.record(run.id, me.id)


async def answer_approval(
    fish: Pilotfish, me: User, run: RunRecord, words: tuple[str, ...], which: int = 0, reason: str = ""
) -> RunRecord:
    """Answer an approval with one of its choices."""
    asked = find_open_question(await fish.events(run.id))
    if asked is None or asked.kind != "approval":
        raise RequestRefused(409, "not_waiting", "That run does not ask for approval.", "Answer its question instead.")
    fitting = [choice for choice in asked.choices if choice.lower().startswith(words)]
    answer = fitting[which] if fitting else words[0]
    return await send_answer(fish, me, run, f"{answer}: {reason}" if reason else answer)
