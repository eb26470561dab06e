"""AG-UI: a run as the events that standard agent front ends understand."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import ValidationError
from pydantic_core import to_json

from pilotfish.app import Pilotfish
from pilotfish.core import events as e
from pilotfish.core.errors import PersonError
from pilotfish.core.messages import Message
from pilotfish.core.people import User
from pilotfish.core.records import RunRecord
from pilotfish.interfaces.places import ERRORS, Fish, Me
from pilotfish.interfaces.problems import Refusal
from pilotfish.interfaces.sse import Stream, private

if TYPE_CHECKING:
    from ag_ui.core import BaseEvent, RunAgentInput

router = APIRouter(prefix="/agui", tags=["agui"], responses=ERRORS)


@router.post("", response_class=Response)
async def agui_run(fish: Fish, me: Me, request: Request) -> Response:
    """Run the task in the last message of a RunAgentInput; `forwardedProps.loop` may name a loop."""
    from ag_ui.core import RunAgentInput

    try:
        asked = RunAgentInput.model_validate_json(await request.body())
    except ValidationError as error:
        first = error.errors()[0]
        raise Refusal(
            422, "invalid", f"{'.'.join(map(str, first['loc']))}: {first['msg']}.", "Send a RunAgentInput."
        ) from None
    return Stream(told(fish, await begun(fish, me, asked), asked))


async def begun(fish: Pilotfish, me: User, asked: "RunAgentInput") -> RunRecord:
    said = [Message(role=one.role, text=one.content) for one in asked.messages if _plain(one)]  # pyright: ignore
    if not said or said[-1].role != "user" or not said[-1].text.strip():
        raise PersonError("The last message must be the user's and say something.", "Add one.")
    props: Any = asked.forwarded_props
    loop = str(props.get("loop", "")) if isinstance(props, dict) else ""
    return await fish.start(said[-1].text, loop=loop, user=me.id, messages=said)


def _plain(message: Any) -> bool:
    return message.role in ("system", "user", "assistant") and isinstance(message.content, str)


async def told(fish: Pilotfish, run: RunRecord, asked: "RunAgentInput") -> AsyncGenerator[bytes]:
    from pydantic_ai.ui.ag_ui import AGUIEventStream

    coder: AGUIEventStream[None, str] = AGUIEventStream(asked)
    teller = Teller(asked.thread_id, asked.run_id)
    shown = fish.settings.agent.reasoning_visible
    async with aclosing(fish.follow(run.id)) as events:
        async for event in events:
            if shown or not private(event):
                for each in teller.tell(event):
                    yield coder.encode_event(each).encode()


class Teller:
    """Turns what a run says into AG-UI events; knows which message is being written."""

    def __init__(self, thread: str, run: str) -> None:
        self.thread = thread
        self.run = run
        self.writing = ""
        self.written = ""

    def tell(self, event: e.Live) -> "Iterator[BaseEvent]":
        from ag_ui import core as ui

        if self.writing and not isinstance(event, e.Delta):
            yield ui.TextMessageEndEvent(message_id=self.writing)
            self.writing = ""
        match event:
            case e.RunStarted():
                yield ui.RunStartedEvent(thread_id=self.thread, run_id=self.run)
            case e.Delta(kind="content"):
                yield from self._write(event.call, event.text)
            case e.MessageAdded() if event.message.role == "assistant" and event.message.text not in self.written:
                yield from self._write(f"{event.run}:{event.seq}", event.message.text)
                yield ui.TextMessageEndEvent(message_id=self.writing)
                self.writing = ""
            case e.ToolStarted():
                yield ui.ToolCallStartEvent(tool_call_id=event.call, tool_call_name=event.tool)
                yield ui.ToolCallArgsEvent(tool_call_id=event.call, delta=to_json(dict(event.args)).decode())
                yield ui.ToolCallEndEvent(tool_call_id=event.call)
            case e.ToolFinished():
                content = event.output if event.ok else event.error
                place = f"{event.run}:{event.seq}"
                yield ui.ToolCallResultEvent(message_id=place, tool_call_id=event.call, content=content, role="tool")
            case e.RunFinished(outcome="failed"):
                yield ui.RunErrorEvent(message=f"{event.error} {event.fix}".strip(), code="run_failed")
            case e.RunFinished():
                yield ui.RunFinishedEvent(thread_id=self.thread, run_id=self.run)
            case e.Progressed() | e.InputRequested() | e.Planned() | e.StateChanged() | e.Reasoned():
                yield ui.CustomEvent(name=event.type, value=event.model_dump(mode="json"))
            case _:
                pass

    def _write(self, message: str, text: str) -> "Iterator[BaseEvent]":
        from ag_ui import core as ui

        if not text:
            return
        if self.writing != message:
            if self.writing:
                yield ui.TextMessageEndEvent(message_id=self.writing)
            self.writing = message
            yield ui.TextMessageStartEvent(message_id=message, role="assistant")
        self.written += text
        yield ui.TextMessageContentEvent(message_id=message, delta=text)
