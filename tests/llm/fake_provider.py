"""A provider on loopback that speaks OpenAI's and Anthropic's wire formats. The model's name says how it behaves."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator
from typing import Any

REASONS = {200: "OK", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 429: "Too Many", 500: "Error"}
ANSWER = ["Par", "is ", "it ", "is."]


class Wire:
    """What was asked of it (`asked`), how often, and whether a client left before the end (`left`)."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.started = asyncio.Event()
        self.left = asyncio.Event()
        self.url = ""
        self.failures = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            path = head.split(" ", 2)[1]
            length = next((int(row[15:]) for row in head.lower().split("\r\n") if row.startswith("content-length:")), 0)
            body = json.loads(await reader.readexactly(length) or b"{}")
            await self._answer(path, body, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.left.set()
        finally:
            writer.close()

    async def _answer(
        self, path: str, body: dict[str, Any], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        model = str(body.get("model", ""))
        self.asked.append(body)
        if path == "/api/tags":
            return _whole(writer, 200, {"models": [{"name": "nomic-embed-text"}, {"name": "qwen3:8b"}]})
        if path == "/api/show":
            told = {"capabilities": ["vision"], "details": {"parameter_size": "27.4B"}, "parameters": "num_ctx 16384"}
            return _whole(writer, 200, told)
        if model.startswith("status-"):
            return _whole(writer, int(model[7:]), {"error": {"message": "no", "type": "bad", "code": "x"}})
        if model.startswith("shaky-") and self.failures < int(model[6:]):
            self.failures += 1
            return _whole(writer, 500, {"error": {"message": "down"}})
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
        if model in ("slow", "torn"):
            return await self._broken(model, reader, writer)
        for event in _anthropic() if path.endswith("/messages") else _openai(model, body):
            writer.write(event.encode())
            await writer.drain()
        return None

    async def _broken(self, model: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(_chunk({"content": "One moment"}).encode())
        await writer.drain()
        self.started.set()
        if model == "torn":
            writer.transport.abort()
        elif await reader.read(1) == b"":
            self.left.set()


@contextlib.asynccontextmanager
async def serve_provider() -> AsyncGenerator[Wire, None]:
    wire = Wire()
    server = await asyncio.start_server(wire.serve, "127.0.0.1", 0)
    wire.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield wire
    finally:
        server.close()
        await server.wait_closed()


def _whole(writer: asyncio.StreamWriter, status: int, body: dict[str, Any]) -> None:
    data = json.dumps(body).encode()
    head = f"HTTP/1.1 {status} {REASONS.get(status, 'X')}\r\ncontent-type: application/json\r\nconnection: close\r\n"
    writer.write(f"{head}content-length: {len(data)}\r\n\r\n".encode() + data)


def _chunk(delta: dict[str, Any], finish: str | None = None, usage: dict[str, Any] | None = None) -> str:
    choices = [{"index": 0, "delta": delta, "finish_reason": finish}]
    body = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices}
    return "data: " + json.dumps(body | ({"choices": [], "usage": usage} if usage else {})) + "\n\n"


def _openai(model: str, body: dict[str, Any]) -> list[str]:
    finish = "stop"
    if body.get("tools") and body["messages"][-1]["role"] != "tool":
        call = {"index": 0, "id": "t1", "type": "function", "function": {"name": "click", "arguments": '{"id"'}}
        rest = {"index": 0, "function": {"arguments": ": 3}"}}
        pieces: list[dict[str, Any]] = [{"tool_calls": [call]}, {"tool_calls": [rest]}]
        finish = "tool_calls"
    elif body.get("response_format"):
        pieces = [{"content": '{"city": "Pa'}, {"content": 'ris"}'}]
    elif model == "thinker":
        pieces = [{"content": "<think>"}, {"content": "Hm."}, {"content": "</think>"}, {"content": "Paris"}]
    else:
        pieces = [{"content": piece} for piece in ANSWER]
    if model == "cut":
        finish = "length"
    used = {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050}
    used_all = used | {"prompt_tokens_details": {"cached_tokens": 200}}
    told = [] if model == "silent" else [_chunk({}, usage=used_all)]
    return [*(_chunk(piece) for piece in pieces), _chunk({}, finish), *told, "data: [DONE]\n\n"]


def _anthropic() -> list[str]:
    usage = {"input_tokens": 900, "output_tokens": 1, "cache_read_input_tokens": 100}
    message = {"id": "m", "type": "message", "role": "assistant", "model": "claude", "content": [], "usage": usage}
    block = {"index": 0, "content_block": {"type": "text", "text": ""}}
    deltas = [{"index": 0, "delta": {"type": "text_delta", "text": piece}} for piece in ANSWER]
    events: list[tuple[str, dict[str, Any]]] = [
        ("message_start", {"message": message | {"stop_reason": None, "stop_sequence": None}}),
        ("content_block_start", block),
        *(("content_block_delta", delta) for delta in deltas),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 7}}),
        ("message_stop", {}),
    ]
    return [f"event: {name}\ndata: {json.dumps({'type': name} | data)}\n\n" for name, data in events]
