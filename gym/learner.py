"""The model that `gym.generation` answers for, behind the interface of models."""

import asyncio
import json
import math
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from gym.tokens import LlamaTokenizer, running_tokenizer, split_reason
from pilotfish.core.messages import Message, ModelFacts, ModelReply, ModelRequest, TokenChance
from pilotfish.llm.base import TextListener
from pilotfish.llm.model_facts import EMBEDDED_MODEL
from pilotfish.llm.scripted import stream_line

LONGEST = 220
"""Tokens of a reply. At run time the grammar ends it long before."""
_LINE = 1 << 20


class Learner:
    """A model whose replies are generated elsewhere; its prompts are tokenized as at run time."""

    def __init__(self, name: str, tokenizer: LlamaTokenizer, port: int) -> None:
        self.name = name
        self.facts: ModelFacts = EMBEDDED_MODEL
        self._tokenizer = tokenizer
        self._port = port

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        """The reply, with how likely its reason and the token after it were, which names the kind of reply."""
        prompt = await self._tokenizer.prompt(
            [{"role": message.role, "content": message.text} for message in request.messages]
        )
        tokens, chances = await self._generate(prompt, LONGEST)
        text = await self._tokenizer.text(tokens)
        reply = await stream_line(self.name, request, text, on_text)
        try:
            reason = split_reason(text)
        except (ValueError, TypeError):
            return reply
        behind = len(await self._tokenizer.reply(reason)) - len(self._tokenizer.end)
        reason_chance = TokenChance(text=text[: len(reason) + 2], chance=math.prod(chances[: behind + 2]))
        return reply.model_copy(update={"tokens": (reason_chance,)})

    async def say(self, messages: Sequence[Mapping[str, str]], longest: int) -> tuple[str, int]:
        """What the model says to some messages in so many tokens at most, and the tokens of the messages."""
        prompt = await self._tokenizer.prompt(messages)
        tokens, _ = await self._generate(prompt, longest)
        return await self._tokenizer.text(tokens), len(prompt)

    async def _generate(self, prompt: Sequence[int], longest: int) -> tuple[list[int], list[float]]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=_LINE)
        try:
            writer.write(json.dumps({"tokens": list(prompt), "longest": longest}).encode() + b"\n")
            await writer.drain()
            generated = json.loads(await reader.readline())
            return generated["tokens"], generated["chances"]
        finally:
            writer.close()
            await writer.wait_closed()

    async def warm(self, messages: Sequence[Message]) -> None:
        """There is no cache."""

    async def close(self) -> None:
        """There is nothing to close."""


@asynccontextmanager
async def open_learner(port: int, model: Path | None) -> AsyncGenerator[Learner | None]:
    """The learner that is served on a port; none without one."""
    if not port or not model:
        yield None
        return
    async with running_tokenizer(model) as tokenizer:
        yield Learner("learner", tokenizer, port)
