"""One request of an OpenAI client and its answer: which run serves it, and what happens when the client leaves."""

import asyncio
import functools
from collections.abc import AsyncGenerator, Coroutine, Sequence
from contextlib import aclosing
from typing import Annotated, Any, NamedTuple, TypeVar

import anyio
from fastapi import Depends, Header, Request

from pilotfish.app import Pilotfish
from pilotfish.core.errors import PersonError
from pilotfish.core.messages import Message
from pilotfish.core.users import User
from pilotfish.interfaces.http.runs import send_answer
from pilotfish.interfaces.protocols import client_calls
from pilotfish.interfaces.protocols.chat_completion import AnswerReader
from pilotfish.interfaces.protocols.client_calls import ClientCalls, ClientTurn
from pilotfish.interfaces.protocols.client_threads import (
    find_waiting_run,
    name_thread,
    recognise_thread,
    remember_thread,
)
from pilotfish.interfaces.web_server.dependencies import AppDep, UserDep
from pilotfish.interfaces.web_server.problems import RequestRefused
from pilotfish.interfaces.web_server.run_options import begin_run
from pilotfish.safety.text_pieces import named_addresses

T = TypeVar("T")
MODEL_PREFIX = "pilotfish"


class WantedData(NamedTuple):
    """The data that a client wants instead of text, of a JSON schema if it gave one."""

    schema: dict[str, Any] | None = None


class ClientRequest(NamedTuple):
    """Who asks, and what the headers say: the conversation's id, and the key of a request that is sent again."""

    fish: Pilotfish
    me: User
    request: Request
    thread: str = ""
    key: str = ""


async def get_client_request(
    fish: AppDep,
    me: UserDep,
    request: Request,
    x_conversation_id: Annotated[str, Header(max_length=200)] = "",
    idempotency_key: Annotated[str, Header(max_length=200)] = "",
) -> ClientRequest:
    return ClientRequest(fish, me, request, x_conversation_id, idempotency_key)


ClientDep = Annotated[ClientRequest, Depends(get_client_request)]


def loop_of(fish: Pilotfish, model: str) -> str:
    """The loop that a model's name stands for; empty for the one that the settings choose."""
    name = "" if model == MODEL_PREFIX else model.removeprefix(f"{MODEL_PREFIX}-")
    if model != MODEL_PREFIX and (name == model or name not in fish.choices.loops()):
        raise RequestRefused(404, "model_not_found", f"There is no model {model!r}.", "See /v1/models.")
    return name


class ClientExchange:
    """A request with the reader of its run. At its end the thread is remembered."""

    def __init__(self, client: ClientRequest, name: str, answer: AnswerReader, said: Sequence[Message]) -> None:
        self.client = client
        self.name = name
        self.answer = answer
        self.said = said

    @property
    def calls(self) -> ClientCalls:
        return self.client.request.app.state.client_calls

    async def stream(self, pieces: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
        """The pieces. A client that leaves stops the run."""
        try:
            async with aclosing(pieces):
                async for piece in pieces:
                    yield piece
        finally:
            with anyio.CancelScope(shield=True):
                await self._close(0.0)

    async def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """The whole answer. A client that leaves and does not ask again stops the run."""
        reading, gone = asyncio.ensure_future(work), asyncio.ensure_future(_wait_until_gone(self.client.request))
        try:
            await asyncio.wait((reading, gone), return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                raise RequestRefused(408, "client_left", "The client left before the answer.")
            return reading.result()
        finally:
            for task in (reading, gone):
                task.cancel()
            await self._close(client_calls.RETURN_SECONDS)

    async def _close(self, grace: float) -> None:
        fish, me = self.client.fish, self.client.me
        if not self.answer.finish:
            self.calls.leave(fish, self.name, self.answer.turn, self.client.key, grace)
            return
        await self.calls.deliver(fish, self.name, self.client.key)
        answer_message = Message(role="assistant", text=self.answer.text.sent)
        await remember_thread(fish, me, [*self.said, answer_message], self.answer.turn.run.conversation)


async def open_exchange(
    client: ClientRequest,
    model: str,
    said: list[Message],
    live: bool,
    conversation: str = "",
    wanted: WantedData | None = None,
) -> ClientExchange:
    """Find or start the run that serves a request, in the conversation that it names, if it names one."""
    loop = loop_of(client.fish, model)
    if wanted and loop not in ("", "extract"):
        fix = f"Use the model {MODEL_PREFIX} or {MODEL_PREFIX}-extract, or ask for text."
        raise RequestRefused(400, "no_data", f"The model {model} answers in words, not with data.", fix)
    if not said or said[-1].origin != "person" or not said[-1].text.strip():
        raise PersonError("The last message must be the user's and say something.", "Add one.")
    calls: ClientCalls = client.request.app.state.client_calls
    body = await client.request.body()
    start = functools.partial(_start_turn, client, "extract" if wanted else loop, said, conversation, wanted)
    name, turn = await calls.join(client.fish, client.me, body, client.key, start)
    return ClientExchange(client, name, AnswerReader(client.fish, turn, live, bool(wanted)), said)


async def _start_turn(
    client: ClientRequest, loop: str, said: list[Message], conversation: str, wanted: WantedData | None
) -> ClientTurn:
    """Answer the question that the conversation's run waits with, or start a run in the tabs of the conversation."""
    fish, me, text = client.fish, client.me, said[-1].text
    named = name_thread(me, "v1", client.thread) if client.thread else conversation
    known = named or await recognise_thread(fish, me, said[:-1])
    if known and (waiting := await find_waiting_run(fish, me, known)):
        after = (await fish.events(waiting.id))[-1].seq
        return ClientTurn(await send_answer(fish, me, waiting, text, typed=True), after)
    pages = list(named_addresses(text)) if loop in ("chat", "extract") else []
    how: dict[str, Any] = {"conversation": known, "messages": said, "tabs": pages}
    options: dict[str, Any] = {"history": bool(conversation)}
    if wanted and wanted.schema:
        options["output_schema"] = wanted.schema
    return ClientTurn(await begin_run(fish, me, text, loop=loop, options=options, **how))


async def _wait_until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
