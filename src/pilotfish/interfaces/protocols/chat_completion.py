"""Tells a run as a chat completion, whole or in chunks."""

import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from typing import Any

from pydantic_core import to_json

from pilotfish.app import Pilotfish
from pilotfish.core import events as e
from pilotfish.core.usage import Usage
from pilotfish.interfaces.answer_pictures import AnswerPictures
from pilotfish.interfaces.protocols.answer_text import AnswerText
from pilotfish.interfaces.protocols.client_calls import ClientTurn
from pilotfish.interfaces.web_server.problems import RequestRefused
from pilotfish.services.run_files import read_file


class AnswerReader:
    """Reads a run from a place to its end, or to a question, as pieces of content and of reasoning.

    With `live` the content comes while it is written; otherwise only finished messages count. With `data` the content
    is the data of the run as JSON, and its words are reasoning.
    """

    def __init__(self, fish: Pilotfish, turn: ClientTurn, live: bool, data: bool = False) -> None:
        self.fish = fish
        self.turn = turn
        self.live = live
        self.data = data
        self.text = AnswerText()
        self.finish = ""
        self.usage = Usage()
        self.pictures = AnswerPictures(None, partial(read_file, fish, turn.run.id))

    async def pieces(self) -> AsyncGenerator[tuple[str, str]]:
        """(field, text) as the run goes."""
        shown = self.fish.settings.agent.reasoning_visible
        async with aclosing(self.fish.follow(self.turn.run.id, self.turn.after)) as events:
            async for event in events:
                self.pictures.note(event)
                if isinstance(event, e.RunFinished) and (markdown := await self.pictures.markdown()):
                    yield "content", self.text.add_pictures(markdown)
                if shown or e.hide_thinking(event):
                    for field, text in self._translate_data(event) if self.data else self._translate(event):
                        if text:
                            yield field, text
                if self.finish:
                    return

    def _translate_data(self, event: e.StreamItem) -> list[tuple[str, str]]:
        """The events of a run that takes data: all its words are reasoning, the data is the content."""
        pieces = [("reasoning_content", text) for _, text in self._translate(event)]
        if isinstance(event, e.RunFinished) and event.outcome == "completed":
            self.text.sent = to_json(event.data).decode()
            pieces.append(("content", self.text.sent))
        return pieces

    def _translate(self, event: e.StreamItem) -> list[tuple[str, str]]:
        match event:
            case e.TextDelta(kind="reasoning") | e.Reasoned():
                return [("reasoning_content", self.text.add_thought(event))]
            case e.TextDelta():
                return [("content", self.text.add_delta(event))] if self.live else []
            case e.Progressed(status="started") | e.ToolFinished() if event.text:
                return self._add_progress(event.text)
            case e.ToolStarted():
                return self._add_progress(event.text or event.tool)
            case e.ModelReplied():
                self.usage += event.usage
            case e.MessageAdded() if event.message.role == "assistant":
                return [("content", self.text.add_message(event))]
            case e.InputRequested():
                self.finish = "question"
                return [("content", self.text.add_question(event))]
            case e.RunFinished():
                return self._read_end(event)
            case _:
                pass
        return []

    def _add_progress(self, line: str) -> list[tuple[str, str]]:
        """What is being done, as reasoning, and where the setting says so as a line of the answer while it comes."""
        pieces = [("reasoning_content", f"{line}\n")]
        if self.live and not self.data and self.fish.settings.server.progress_lines:
            pieces.append(("content", self.text.add_progress(line)))
        return pieces

    def _read_end(self, event: e.RunFinished) -> list[tuple[str, str]]:
        self.usage = event.usage if event.usage.tokens else self.usage
        self.finish = "length" if event.outcome == "out_of_budget" else "stop"
        if event.outcome == "failed":
            raise RequestRefused(500, "run_failed", event.error, event.fix)
        return []

    async def read(self) -> dict[str, str]:
        """All of it: the content and the reasoning."""
        said = {"content": "", "reasoning_content": ""}
        async with aclosing(self.pieces()) as pieces:
            async for field, text in pieces:
                said[field] += text
        return said


class ChatCompletion:
    """One answer in the shape of OpenAI's chat completions."""

    def __init__(self, answer: AnswerReader, model: str, count_usage: bool) -> None:
        self.answer = answer
        self.count_usage = count_usage
        self.head = {"id": f"chatcmpl-{answer.turn.run.id}", "created": int(time.time()), "model": model}

    async def whole(self) -> dict[str, Any]:
        said = await self.answer.read()
        message = {"role": "assistant", **{name: text for name, text in said.items() if text or name == "content"}}
        choice = {"index": 0, "message": message, "finish_reason": self._finish_reason(), "logprobs": None}
        return {**self.head, "object": "chat.completion", "choices": [choice], "usage": self._usage()}

    async def stream(self) -> AsyncGenerator[bytes]:
        yield self._chunk({"role": "assistant", "content": ""})
        try:
            async with aclosing(self.answer.pieces()) as pieces:
                async for field, text in pieces:
                    yield self._chunk({field: text})
        except RequestRefused as error:
            self.answer.finish = "failed"
            problem = {"message": f"{error.message} {error.fix}".strip(), "type": "server_error", "code": error.code}
            yield b"data: " + to_json({"error": {**problem, "param": None}}) + b"\n\n"
        else:
            yield self._chunk({}, self._finish_reason())
            if self.count_usage:
                tail = {**self.head, "object": "chat.completion.chunk", "choices": [], "usage": self._usage()}
                yield b"data: " + to_json(tail) + b"\n\n"
        yield b"data: [DONE]\n\n"

    def _chunk(self, delta: dict[str, str], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return b"data: " + to_json({**self.head, "object": "chat.completion.chunk", "choices": [choice]}) + b"\n\n"

    def _finish_reason(self) -> str:
        return "length" if self.answer.finish == "length" else "stop"

    def _usage(self) -> dict[str, int]:
        used = self.answer.usage
        return {"prompt_tokens": used.input, "completion_tokens": used.output, "total_tokens": used.tokens}
