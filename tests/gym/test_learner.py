"""The product's side of a model whose replies are generated elsewhere."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

import httpx2
import pytest

from gym.learner import Learner
from gym.tokens import LlamaTokenizer
from pilotfish.core.messages import Message, ModelRequest
from pilotfish.small_model.short_reply import read_certainty

END = 0


class LetterTokenizer(LlamaTokenizer):
    """One token for each letter."""

    def __init__(self) -> None:
        super().__init__(httpx2.AsyncClient(), (END,))

    async def prompt(self, messages: Sequence[Mapping[str, Any]]) -> list[int]:
        return [ord(letter) for message in messages for letter in message["content"]]

    async def reply(self, text: str) -> list[int]:
        return [*map(ord, text), *self.end]

    async def text(self, tokens: Sequence[int]) -> str:
        return "".join(map(chr, tokens))


@pytest.mark.parametrize(
    ("said", "unsure", "chance"),
    [
        pytest.param('{"why":"it is there","done":"Done."}', "done", 0.25, id="an unsure end"),
        pytest.param('{"why":"it is there","done":"Done."}', "is", 0.0625, id="an unsure reason"),
        pytest.param("[not json", "not", 1.0, id="what cannot be read"),
    ],
)
async def test_a_reply_says_how_likely_its_kind_was(said: str, unsure: str, chance: float) -> None:
    doubted = said.index(unsure)
    chances = [0.25 if doubted <= at < doubted + len(unsure) else 1.0 for at in range(len(said))]

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert json.loads(await reader.readline())["tokens"] == [ord("?")]
        writer.write(json.dumps({"tokens": [*map(ord, said)], "chances": chances}).encode() + b"\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        learner = Learner("learner", LetterTokenizer(), server.sockets[0].getsockname()[1])
        request = ModelRequest(messages=(Message(role="user", text="?"),))
        reply = await learner.reply(request)
    assert (reply.text, read_certainty(reply)) == (said, chance)
