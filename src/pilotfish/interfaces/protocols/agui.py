"""AG-UI: a run as the events that standard agent front ends understand.

A thread is a conversation with its tabs. A message to a thread whose run is at work is said to that run, and a question
ends the front end's run with an interrupt, which its next request resumes. A front end that aborts stops the run.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import anyio
from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import ValidationError

from pilotfish.app import Pilotfish
from pilotfish.core.errors import PersonError
from pilotfish.core.events import InputRequested, RunFinished, hide_thinking
from pilotfish.core.journal_reports import find_open_question
from pilotfish.core.messages import Message
from pilotfish.core.records import RunRecord
from pilotfish.core.users import User
from pilotfish.interfaces.answer_pictures import AnswerPictures
from pilotfish.interfaces.http.runs import send_answer, send_command
from pilotfish.interfaces.protocols.agui_translator import AguiTranslator
from pilotfish.interfaces.protocols.client_calls import ClientTurn
from pilotfish.interfaces.protocols.client_threads import find_working_run, name_thread
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, UserDep
from pilotfish.interfaces.web_server.event_stream import EventStream
from pilotfish.interfaces.web_server.problems import RequestRefused
from pilotfish.interfaces.web_server.run_options import begin_run
from pilotfish.services.run_files import read_file

if TYPE_CHECKING:
    from ag_ui.core import RunAgentInput

router = APIRouter(prefix="/agui", tags=["agui"], responses=ERRORS)


@router.post("", response_class=Response)
async def agui_run(fish: AppDep, me: UserDep, request: Request) -> Response:
    """Serve a RunAgentInput: its last message, or its answers to interrupts. `forwardedProps.loop` may name a loop."""
    from ag_ui.core import RunAgentInput

    try:
        asked = RunAgentInput.model_validate_json(await request.body())
    except ValidationError as error:
        first = error.errors()[0]
        raise RequestRefused(
            422, "invalid", f"{'.'.join(map(str, first['loc']))}: {first['msg']}.", "Send a RunAgentInput."
        ) from None
    return EventStream(stream_events(fish, await find_turn(fish, me, asked), asked))


async def find_turn(fish: Pilotfish, me: User, asked: "RunAgentInput") -> ClientTurn:
    """Resume, answer or steer the run of the thread that is at work; else start one."""
    conversation = name_thread(me, "agui", asked.thread_id)
    working = await find_working_run(fish, me, conversation)
    story = await fish.events(working.id) if working else []
    question = find_open_question(story)
    if asked.resume:
        if working is None or question is None:
            raise RequestRefused(409, "not_waiting", "No run of this thread waits for an answer.", "Send a message.")
        return ClientTurn(await resume_run(fish, me, working, question, asked.resume), story[-1].seq)
    said = [message for one in asked.messages if (message := _message(one))]
    if not said or said[-1].origin != "person" or not said[-1].text.strip():
        raise PersonError("The last message must be the user's and say something.", "Add one.")
    text, after = said[-1].text, story[-1].seq if story else 0
    if working and question:
        return ClientTurn(await send_answer(fish, me, working, text, typed=True), after)
    if working:
        return ClientTurn(await send_command(fish, me, working, "say", text), after)
    props: Any = asked.forwarded_props
    loop = str(props.get("loop", "")) if isinstance(props, dict) else ""
    how: dict[str, Any] = {"conversation": conversation, "messages": said}
    return ClientTurn(await begin_run(fish, me, text, loop=loop, options={"history": False}, **how))


async def resume_run(
    fish: Pilotfish, me: User, run: RunRecord, question: InputRequested, resume: "list[Any]"
) -> RunRecord:
    """Give the answer of the entry that names the open question; one that is cancelled is a no, or stops the run."""
    entry = next((entry for entry in resume if entry.interrupt_id == question.request), None)
    if entry is None:
        raise RequestRefused(409, "not_waiting", "That interrupt is not open.", "Resume the one that is.")
    if entry.status == "cancelled" and question.kind == "question":
        return await send_command(fish, me, run, "stop")
    text = question.choices[-1] if entry.status == "cancelled" and question.choices else read_payload(entry.payload)
    return await send_answer(fish, me, run, text, question.request, typed=True)


def read_payload(payload: Any) -> str:
    """The answer in what a front end sends: a text, a yes or no, or an object that holds one of them."""
    if isinstance(payload, dict):
        held = cast(dict[str, Any], payload)
        payload = next((held[name] for name in ("answer", "approved", "value", "text") if name in held), "")
    if isinstance(payload, bool):
        return "yes" if payload else "no"
    return str(payload or "")


def _message(given: Any) -> Message | None:
    """A turn as ours; only the user's turns are the person's words. Results of a front end's tools are left out."""
    if given.role not in ("system", "user", "assistant") or not isinstance(given.content, str):
        return None
    return Message(role=given.role, text=given.content, origin="person" if given.role == "user" else "client")


async def stream_events(fish: Pilotfish, turn: ClientTurn, asked: "RunAgentInput") -> AsyncGenerator[bytes]:
    from pydantic_ai.ui.ag_ui import AGUIEventStream

    coder: AGUIEventStream[None, str] = AGUIEventStream(asked)
    translator = AguiTranslator(asked.thread_id, asked.run_id)
    shown = fish.settings.agent.reasoning_visible
    pictures = AnswerPictures(None, partial(read_file, fish, turn.run.id))
    try:
        for each in translator.begin():
            yield coder.encode_event(each).encode()
        async with aclosing(fish.follow(turn.run.id, turn.after)) as events:
            async for event in events:
                pictures.note(event)
                if isinstance(event, RunFinished) and (markdown := await pictures.markdown()):
                    for each in translator.show(f"{turn.run.id}:pictures", markdown.strip()):
                        yield coder.encode_event(each).encode()
                if shown or hide_thinking(event):
                    for each in translator.translate(event):
                        yield coder.encode_event(each).encode()
                if translator.over:
                    return
    finally:
        if not translator.over:
            with anyio.CancelScope(shield=True):
                await fish.command(turn.run.id, "stop", by=turn.run.user)
