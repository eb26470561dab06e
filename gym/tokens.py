"""Turns recorded decisions into the tokens that llama.cpp sees at run time.

The prompt is built by llama.cpp's own chat template and tokenizer, through the server that the product starts.
`python -m gym.tokens --model BASE.gguf --out train.npz decisions.jsonl …` writes a token file for `gym.train`.
"""

import argparse
import asyncio
import json
import os
import secrets
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import numpy as np

from gym.workers import name_share, read_part, run_workers, take_part
from pilotfish.llm.embedded_server import ServeOrder, serve

Decision = Mapping[str, Any]
"""A recorded line: `messages` (each with role and content), `reply` and `family`."""
_CONTEXT = 512
_AT_ONCE = 4


class LlamaTokenizer:
    """A llama.cpp server that applies its chat template and tokenizes. It generates nothing."""

    def __init__(self, client: httpx2.AsyncClient, end: tuple[int, ...] = ()) -> None:
        self.client = client
        self.end = end

    async def read_end(self) -> None:
        """Learn the token that ends a reply."""
        answer = (await self.client.get("/props")).raise_for_status().json()
        self.end = tuple(await self._tokens(answer["eos_token"], special=True))

    async def prompt(self, messages: Sequence[Mapping[str, Any]]) -> list[int]:
        """The tokens of a request as the server would read it."""
        said = [{"role": message["role"], "content": message["content"]} for message in messages]
        answer = await self._post("/apply-template", {"messages": said})
        return await self._tokens(answer["prompt"], special=True)

    async def reply(self, text: str) -> list[int]:
        """The tokens of a reply, with the one that ends it."""
        return [*await self._tokens(text, special=False), *self.end]

    async def text(self, tokens: Sequence[int]) -> str:
        """What some tokens say."""
        return (await self._post("/detokenize", {"tokens": list(tokens)}))["content"]

    async def _tokens(self, text: str, *, special: bool) -> list[int]:
        body = {"content": text, "add_special": special, "parse_special": special}
        return (await self._post("/tokenize", body))["tokens"]

    async def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        return (await self.client.post(path, json=body)).raise_for_status().json()


@asynccontextmanager
async def running_tokenizer(model: Path) -> AsyncGenerator[LlamaTokenizer, None]:
    """A tokenizer for a model file."""
    key = secrets.token_urlsafe(16)
    order = ServeOrder(path=str(model), key=key, context=_CONTEXT, threads=os.cpu_count() or 1, adapter="")
    server = await asyncio.to_thread(serve, order)
    address: str = getattr(server, "listening_address", "")
    head = {"Authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(base_url=address, headers=head, trust_env=False, timeout=60) as client:
        tokenizer = LlamaTokenizer(client)
        await tokenizer.read_end()
        yield tokenizer


def read_decisions(paths: Iterable[Path]) -> Iterator[Decision]:
    """The recorded lines of some files, each different request and reply once."""
    known: set[str] = set()
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            decision: Decision = json.loads(line)
            mark = json.dumps([[m["content"] for m in decision["messages"]], decision["reply"]])
            if mark not in known:
                known.add(mark)
                yield decision


@dataclass(frozen=True)
class TokenRow:
    """The tokens of a decision: the first `prompt` are the request, those from `choice` on say what to do."""

    tokens: list[int]
    prompt: int
    choice: int


async def tokenize_decisions(tokenizer: LlamaTokenizer, decisions: Sequence[Decision]) -> list[TokenRow]:
    """The rows of some decisions."""
    gate = asyncio.Semaphore(_AT_ONCE)

    async def one(decision: Decision) -> TokenRow:
        async with gate:
            prompt = await tokenizer.prompt(decision["messages"])
            reply = await tokenizer.reply(decision["reply"])
            reason = await tokenizer.reply(split_reason(decision["reply"]))
            return TokenRow([*prompt, *reply], len(prompt), len(prompt) + max(0, len(reason) - 1 - len(tokenizer.end)))

    return list(await asyncio.gather(*map(one, decisions)))


def split_reason(reply: str) -> str:
    """The part of a reply up to its second key: the reason, where the reply begins with one."""
    keys: list[str] = list(json.loads(reply))
    return reply.partition(f'"{keys[1]}":')[0] if len(keys) > 1 else ""


def write_tokens(path: Path, decisions: Sequence[Decision], rows: Sequence[TokenRow]) -> None:
    """Write one compressed file: all tokens in a row, the lengths, and each decision's family."""
    families = sorted({decision["family"] for decision in decisions})
    np.savez_compressed(
        path,
        tokens=np.array([token for row in rows for token in row.tokens], np.uint32),
        lengths=np.array([len(row.tokens) for row in rows], np.int32),
        prompts=np.array([row.prompt for row in rows], np.int32),
        choices=np.array([row.choice for row in rows], np.int32),
        family=np.array([families.index(decision["family"]) for decision in decisions], np.int16),
        families=np.array(families),
    )


async def share_tokens(model: Path, out: Path, files: Sequence[Path], count: int) -> None:
    """Tokenize in several processes, and join what they wrote."""
    parts = [name_share(out, number) for number in range(count)]
    same = ["--model", str(model), *map(str, files)]
    await run_workers(
        "gym.tokens", [[*same, "--out", str(part), "--part", f"{at}/{count}"] for at, part in enumerate(parts)]
    )
    join_tokens(out, parts)
    for part in parts:
        part.unlink()


def join_tokens(out: Path, parts: Sequence[Path]) -> None:
    """Write one file with the decisions of several."""
    read = [np.load(part) for part in parts]
    families = sorted({str(name) for each in read for name in each["families"]})
    numbers = [np.array([families.index(str(name)) for name in each["families"]], np.int16) for each in read]
    tokens, lengths, prompts, choices = (
        np.concatenate([each[key] for each in read]) for key in ("tokens", "lengths", "prompts", "choices")
    )
    family = np.concatenate([number[each["family"]] for number, each in zip(numbers, read, strict=True)])
    np.savez_compressed(
        out,
        tokens=tokens,
        lengths=lengths,
        prompts=prompts,
        choices=choices,
        family=family,
        families=np.array(families),
    )


async def main() -> None:
    """Tokenize the files that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--workers", type=int, default=1, help="so many processes share the decisions")
    parser.add_argument("--part", type=read_part, default=(0, 1), help="only this share, such as 0/4")
    options = parser.parse_args()
    if options.workers > 1:
        await share_tokens(options.model, options.out, options.files, options.workers)
        return
    decisions = take_part(list(read_decisions(options.files)), options.part)
    async with running_tokenizer(options.model) as tokenizer:
        rows = await tokenize_decisions(tokenizer, decisions)
    write_tokens(options.out, decisions, rows)
    lengths = sorted(len(row.tokens) for row in rows)
    total = sum(lengths)
    print(f"{len(decisions)} decisions, {total} tokens, median {lengths[len(lengths) // 2]}, longest {lengths[-1]}")


if __name__ == "__main__":
    asyncio.run(main())
