"""browser-use on held-out tasks, with the model that `gym.generation` serves.

    python -m gym.peer OUT.jsonl --peer PYTHON --learner 9019 --model BASE.gguf --tasks 20 --first 3000001 --parallel 5

PYTHON is that of an environment that has browser-use. It gets a model behind the OpenAI protocol that keeps to no
schema, and is told so; what stands around the JSON of a reply is cut away. Tasks in which the person has to be asked
are left out. `gym.evaluate --learner` plays the same tasks with our loop.
"""

import argparse
import asyncio
import json
import socket
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

from gym.evaluate import TaskResult, summarize
from gym.families import HELD_OUT, list_families, make_site
from gym.learner import Learner, open_learner
from gym.server import SiteServer
from gym.site import Site, TaskEnd

PEER = Path(__file__).parents[1] / "bench" / "peers" / "task.py"
LONGEST = 900
"""Tokens of a reply."""
STEPS, PATIENCE = 15, 240


@asynccontextmanager
async def serve_chat(learner: Learner) -> AsyncGenerator[str]:
    """The learner behind the chat completions of the OpenAI protocol, on loopback; its address."""
    app = FastAPI()

    @app.post("/v1/chat/completions")
    async def complete(body: dict[str, Any]) -> dict[str, Any]:  # pyright: ignore[reportUnusedFunction]
        messages = [{"role": each["role"], "content": read_text(each["content"])} for each in body["messages"]]
        text, read = await learner.say(messages, LONGEST)
        message = {"role": "assistant", "content": cut_json(text)}
        usage = {"prompt_tokens": read, "completion_tokens": 0, "total_tokens": read}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return {"id": "0", "object": "chat.completion", "created": 0, "model": "", "choices": [choice], "usage": usage}

    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        serving = asyncio.create_task(server.serve([bound]))
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.should_exit = True
            await serving


def read_text(content: str | Sequence[dict[str, Any]]) -> str:
    """The text of a message, whose content may be a list of parts."""
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


def cut_json(text: str) -> str:
    """The outermost braces of a text with what is between them, or the text where it has none."""
    begin, end = text.find("{"), text.rfind("}")
    return text[begin : end + 1] if 0 <= begin < end else text


def list_sites(count: int, first: int) -> list[tuple[str, int]]:
    """Tasks of the held-out families in turn, without those in which the person has to be asked."""
    families = [name for name in list_families() if name in HELD_OUT]
    tasks = [(families[number % len(families)], first + number) for number in range(2 * count)]
    return [task for task in tasks if not make_site(*task).person][:count]


async def play_peer(python: str, url: str, server: SiteServer, family: str, seed: int) -> TaskResult:
    """Let browser-use do a task."""
    site = make_site(family, seed)
    began = time.monotonic()
    told = await run_peer(python, server.mount(site), url, site)
    server.remove(site)
    claimed, said = bool(told.get("claimed")), str(told.get("answer") or told.get("error", ""))[:300]
    fault = site.check(TaskEnd("done" if claimed else "give_up", said))
    seconds, steps = round(time.monotonic() - began, 1), int(told.get("steps", 0))
    row = (family, seed, site.draw.language, not fault, claimed, seconds, (0.0,) * steps, (0,) * steps)
    return TaskResult(*row, fault[:300], said)


async def run_peer(python: str, page: str, url: str, site: Site) -> dict[str, Any]:
    """What browser-use told of a task; that it told nothing where its time was over."""
    process = await asyncio.create_subprocess_exec(
        *(python, str(PEER), page, url, str(STEPS), "--free"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        goal = " ".join(site.goal.split())
        told, _ = await asyncio.wait_for(process.communicate(f"no-key\n{goal}\n".encode()), PATIENCE)
        lines = [line for line in told.decode().splitlines() if line.startswith("{")]
        return json.loads(lines[-1]) if lines else {"error": "it ended without a word"}
    except TimeoutError:
        process.terminate()
        await process.wait()
        return {"error": f"not done within {PATIENCE} s"}


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--peer", required=True, help="the Python of an environment that has browser-use")
    parser.add_argument("--learner", type=int, required=True, help="the port of gym.generation")
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--tasks", type=int, default=20)
    parser.add_argument("--first", type=int, default=3_000_001, help="the first seed")
    parser.add_argument("--parallel", type=int, default=5)
    given = parser.parse_args()
    waiting = iter(list_sites(given.tasks, given.first))
    results: list[TaskResult] = []
    async with open_learner(given.learner, given.model) as learner, SiteServer() as server:
        assert learner
        async with serve_chat(learner) as url:

            async def work() -> None:
                for family, seed in waiting:
                    result = await play_peer(given.peer, url, server, family, seed)
                    results.append(result)
                    with given.out.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(asdict(result), ensure_ascii=False) + "\n")
                    print(f"{family} {seed}: {'done' if result.done else result.fault[:120]}", flush=True)

            async with asyncio.TaskGroup() as group:
                for _ in range(given.parallel):
                    group.create_task(work())
    print(summarize(results))


if __name__ == "__main__":
    asyncio.run(main())
