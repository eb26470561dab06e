"""Lives of a process that is killed at a chosen moment: a zygote that has imported everything and forks on request.

Each line on standard input is a JSON `Life`; the answer is the child's wait status and the number of moments that it
lived through. Moments are counted around every journal write, every recorded step and inside every action.
"""

import asyncio
import importlib
import json
import os
import signal
import sys
import time
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pilotfish import Pilotfish, loop, tool
from pilotfish.core.messages import Message, ModelReply, ModelRequest, ToolCall
from pilotfish.core.settings import Settings
from pilotfish.llm.scripted import ScriptedModel
from pilotfish.runtime.engine import RunEngine
from pilotfish.runtime.journal import RunJournal
from pilotfish.runtime.run import Run
from pilotfish.tools.base import ToolContext

TURNS = 3


@dataclass(frozen=True)
class Life:
    """One life: where its state is, whom its actions touch, and at which moment it dies (0: never)."""

    home: str
    database: str
    site: str
    kill: int = 0
    run: str = ""


class CrashPlan:
    """Counts moments, and kills the process at the chosen one."""

    def __init__(self, kill: int, file: Path) -> None:
        self.kill = kill
        self.file = file
        self.moments = 0

    def moment(self, what: str) -> None:
        self.moments += 1
        self.file.write_text(json.dumps([self.moments, what]))
        if self.moments == self.kill:
            os.kill(os.getpid(), signal.SIGKILL)


plan_now = CrashPlan(0, Path(os.devnull))
site_now = ""


def visit(path: str) -> None:
    urllib.request.urlopen(f"{site_now}{path}", data=b"", timeout=5).read()


@tool(effect=True)
async def strike(ctx: ToolContext, number: int) -> str:
    """Change the world once."""
    plan_now.moment("in action, before its effect")
    await asyncio.to_thread(visit, f"/effect/{ctx.run}/{number}")
    plan_now.moment("in action, after its effect")
    return f"struck {number}"


@loop("chaos")
async def chaos(run: Run) -> None:
    """Think, act, ask the person, think again."""
    messages = [Message(role="system", text="Strike."), *run.messages]
    for turn in range(TURNS):
        reply = await run.ask(messages, purpose=f"turn {turn}", tools=("strike",))
        result = (await run.act(*reply.calls))[0]
        messages += [
            Message(role="assistant", text=reply.text),
            Message(role="user", text=result.output or result.error),
        ]
    answer = await run.request_input("Go on?", ["yes", "no"], timeout=60)
    await run.finish(f"{answer}, {len(messages)} messages")


def line(request: ModelRequest) -> ModelReply:
    turn = sum(m.role == "assistant" for m in request.messages)
    visit(f"/model/{turn}")
    return ModelReply(text=f"turn {turn}", calls=(ToolCall(id=f"c{turn}", tool="strike", args={"number": turn}),))


def watch_moments(plan: CrashPlan) -> None:
    """Put a moment before and after everything that must be durable."""

    def around(owner: type, name: str) -> None:
        method: Callable[..., Any] = getattr(owner, name)

        async def watched(self: Any, *args: Any) -> Any:
            plan.moment(f"before {name}")
            outcome = await method(self, *args)
            plan.moment(f"after {name}")
            return outcome

        setattr(owner, name, watched)

    around(RunJournal, "append")
    step = RunEngine.step

    async def stepped(self: RunEngine, name: str, body: Any) -> Any:
        async def inner() -> Any:
            outcome = await body()
            plan.moment(f"before {name} is recorded")
            return outcome

        plan.moment(f"before {name}")
        return await step(self, name, inner)

    RunEngine.step = stepped


async def live(life: Life) -> None:
    settings = Settings(home=Path(life.home), database=life.database)
    async with Pilotfish(settings) as fish:
        fish.models.set_default("scripted", ScriptedModel([line] * 100))
        run = life.run
        if await fish.store.run(run) is None:
            # The id is chosen beforehand so that the next life can find the run.
            import pilotfish.app

            pilotfish.app.secrets = type("Fixed", (), {"token_hex": staticmethod(lambda _: run)})  # pyright: ignore
            await fish.start("strike", loop="chaos")
        async with asyncio.timeout(40):
            async for event in fish.follow(run):
                if event.type == "input_requested":
                    await fish.command(run, "answer", request=event.request, text="yes")


def main() -> None:
    global plan_now, site_now
    for module in (
        "dbos",
        "alembic.command",
        "psycopg",
        "pilotfish.store.database",
        "pilotfish.browser.sessions.browser_pool",
    ):
        importlib.import_module(module)
    for text in sys.stdin:
        life = Life(**json.loads(text))
        moments = Path(life.home) / "moments"
        pid = os.fork()
        if pid == 0:
            site_now, plan_now = life.site, CrashPlan(life.kill, moments)
            watch_moments(plan_now)
            asyncio.run(live(life))
            os._exit(0)
        began = time.perf_counter()
        _, status = os.waitpid(pid, 0)
        lived = json.loads(moments.read_text()) if moments.exists() else [0, ""]
        print(json.dumps({"status": status, "moments": lived, "seconds": time.perf_counter() - began}), flush=True)


if __name__ == "__main__":
    main()
