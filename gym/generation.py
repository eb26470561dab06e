"""Greedy replies of a model with its adapter, for many requests at once, on a GPU.

    python -m gym.generation --base BASE.gguf --adapter ADAPTER.gguf --port 9017

It listens on loopback. A line that comes in is JSON with `tokens` and `longest`; the line that goes out has `tokens`,
those of the reply without its end, and `chances`, how likely each of them was. Needs PyTorch, numpy and the `gguf`
package, and imports nothing of the product.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional

from gym.qwen import (
    TARGETS,
    Dimensions,
    Tensor,
    Weights,
    load_factors,
    new_factors,
    normalize,
    read_weights,
    rotate,
    rotations,
)

ENDS = (151645, 151643)
"""The tokens of Qwen2 that end a reply."""
MOST = 64
"""Requests that are answered together."""
GATHERING = 0.02
"""Seconds in which requests are gathered."""
LINE = 1 << 20


def merge_adapter(weights: Weights, adapter: Path, rank: int, alpha: float) -> None:
    """Add an adapter to the weights that it was trained beside."""
    factors = new_factors(weights, dict.fromkeys(TARGETS, rank), 0)
    load_factors(adapter, factors)
    for name, (first, second) in factors.items():
        change = second.detach() @ first.detach() * (alpha / rank)
        weights[name] = (weights[name].float() + change).to(weights[name].dtype)


@dataclass
class Generated:
    """A reply: its tokens, and how likely each was."""

    tokens: list[int] = field(default_factory=list[int])
    chances: list[float] = field(default_factory=list[float])


class Cache:
    """Keys and values of every layer for some rows, with room for so many tokens each."""

    def __init__(self, sizes: Dimensions, rows: int, length: int, like: Tensor) -> None:
        shape = (sizes.layers, rows, sizes.groups, length, sizes.head)
        self.keys, self.values = (torch.zeros(shape, device=like.device, dtype=like.dtype) for _ in range(2))
        self.length = length

    def keep(self, layer: int, places: Tensor, key: Tensor, value: Tensor) -> None:
        """Write keys and values at the places of their tokens. What stood there was padding."""
        where = places[:, None, :, None].expand_as(key)
        self.keys[layer].scatter_(2, where, key)
        self.values[layer].scatter_(2, where, value)


class Generator:
    """Generates greedily. Rows are padded at the end; what is generated then takes the place of the padding."""

    def __init__(self, sizes: Dimensions, weights: Weights, ends: Sequence[int] = ENDS) -> None:
        self.sizes = sizes
        self.weights = weights
        self.ends = frozenset(ends)
        starts = [f"blk.{layer}." for layer in range(sizes.layers)]
        self._blocks = [
            {k.removeprefix(start): v for k, v in weights.items() if k.startswith(start)} for start in starts
        ]

    def reply(self, prompts: Sequence[Sequence[int]], longest: int) -> list[Generated]:
        """The reply to each prompt, of at most so many tokens."""
        with torch.inference_mode():
            return self._reply(prompts, longest)

    def _reply(self, prompts: Sequence[Sequence[int]], longest: int) -> list[Generated]:
        embedding = self.weights["token_embd.weight"]
        width = max(map(len, prompts))
        cache = Cache(self.sizes, len(prompts), width + longest, embedding)
        padded = [[*prompt, *[0] * (width - len(prompt))] for prompt in prompts]
        tokens = torch.tensor(padded, device=embedding.device)
        lengths = torch.tensor([len(prompt) for prompt in prompts], device=embedding.device)
        places = torch.arange(width, device=embedding.device).expand(len(prompts), width)
        rows = torch.arange(len(prompts), device=embedding.device)
        last = self._read(tokens, places, cache)[rows, lengths - 1]
        replies = [Generated() for _ in prompts]
        open_rows = set(range(len(prompts)))
        for step in range(longest):
            chances, chosen = self._choose(last)
            for row, (token, chance) in enumerate(zip(chosen.tolist(), chances.tolist(), strict=True)):
                if token in self.ends:
                    open_rows.discard(row)
                elif row in open_rows:
                    replies[row].tokens.append(token)
                    replies[row].chances.append(round(chance, 4))
            if not open_rows:
                break
            last = self._read(chosen[:, None], (lengths + step)[:, None], cache)[:, 0]
        return replies

    def _choose(self, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """The likeliest next tokens, behind how likely they are."""
        logits = hidden @ self.weights.get("output.weight", self.weights["token_embd.weight"]).T
        return logits.float().softmax(-1).max(-1)

    def _read(self, tokens: Tensor, places: Tensor, cache: Cache) -> Tensor:
        """The last hidden states of tokens at their places; what was read before is in the cache."""
        x = self.weights["token_embd.weight"][tokens]
        turns = rotations(places[:, None], self.sizes)
        for layer, held in enumerate(self._blocks):
            x = self._read_layer(x, layer, held, turns, places, cache)
        return normalize(x, self.weights["output_norm.weight"], self.sizes.epsilon)

    def _read_layer(self, x: Tensor, layer: int, held: Weights, turns: Tensor, places: Tensor, cache: Cache) -> Tensor:
        sizes = self.sizes
        rows, length, _ = x.shape

        def project(name: str, x: Tensor) -> Tensor:
            return functional.linear(x, held[f"{name}.weight"], held.get(f"{name}.bias"))

        h = normalize(x, held["attn_norm.weight"], sizes.epsilon)
        query, key, value = (
            project(name, h).view(rows, length, -1, sizes.head).transpose(1, 2)
            for name in ("attn_q", "attn_k", "attn_v")
        )
        query, key = rotate(query, turns), rotate(key, turns)
        cache.keep(layer, places, key, value)
        more: Mapping[str, Any] = {"is_causal": True}
        if length == 1:
            known = torch.arange(cache.length, device=x.device) <= places[:, None, :, None]
            key, value, more = cache.keys[layer], cache.values[layer], {"attn_mask": known}
        mixed = functional.scaled_dot_product_attention(query, key, value, enable_gqa=True, **more)
        x = x + project("attn_output", mixed.transpose(1, 2).reshape(rows, length, sizes.width))
        h = normalize(x, held["ffn_norm.weight"], sizes.epsilon)
        return x + project("ffn_down", functional.silu(project("ffn_gate", h)) * project("ffn_up", h))


class GenerationServer:
    """Answers connections; requests that come within a moment are answered together."""

    def __init__(self, generator: Generator) -> None:
        self.generator = generator
        self.waiting: asyncio.Queue[tuple[list[int], int, asyncio.Future[Generated]]] = asyncio.Queue()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the lines of one connection, one after the other."""
        while line := await reader.readline():
            asked = json.loads(line)
            reply = asyncio.get_running_loop().create_future()
            await self.waiting.put((asked["tokens"], asked["longest"], reply))
            writer.write(json.dumps(asdict(await reply)).encode() + b"\n")
            await writer.drain()
        writer.close()

    async def work(self) -> None:
        """Answer what waits, for ever."""
        while True:
            group = [await self.waiting.get()]
            await asyncio.sleep(GATHERING)
            while not self.waiting.empty() and len(group) < MOST:
                group.append(self.waiting.get_nowait())
            longest = max(each for _, each, _ in group)
            replies = await asyncio.to_thread(self.generator.reply, [prompt for prompt, _, _ in group], longest)
            for (_, _, asked), reply in zip(group, replies, strict=True):
                asked.set_result(reply)


async def serve(generator: Generator, port: int) -> None:
    """Serve until the process ends."""
    service = GenerationServer(generator)
    server = await asyncio.start_server(service.answer, "127.0.0.1", port, limit=LINE)
    print(f"Generating on port {port}.", file=sys.stderr, flush=True)
    async with server, asyncio.TaskGroup() as group:
        group.create_task(server.serve_forever())
        group.create_task(service.work())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--adapter", type=Path, help="without it, the base alone")
    parser.add_argument("--rank", type=int, default=8)
    parser.add_argument("--alpha", type=float, default=16.0)
    parser.add_argument("--port", type=int, default=9017)
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()
    sizes, weights = read_weights(given.base, given.device)
    if given.adapter:
        merge_adapter(weights, given.adapter, given.rank, given.alpha)
    asyncio.run(serve(Generator(sizes, weights), given.port))


if __name__ == "__main__":
    main()
