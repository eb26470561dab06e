"""A running server for tests: a real port, a scripted model, small loops that do what their names say."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from pilotfish.app import Pilotfish, loop
from pilotfish.core.errors import BrowserError
from pilotfish.core.settings import Models, Settings
from pilotfish.core.settings import Server as Where
from pilotfish.core.sockets import url
from pilotfish.interfaces.server import Server, create, listener
from pilotfish.runtime.run import Run

PATIENCE = 20


@loop("test-echo")
async def echo(run: Run) -> None:
    """Say what the model says."""
    reply = await run.ask(run.messages, purpose="answer", aloud=True)
    await run.finish(reply.text)


@loop("test-question")
async def question(run: Run) -> None:
    """Ask the person, then repeat the answer."""
    answer = await run.request_input("Which colour?", ("red", "blue"))
    await run.finish(f"You said {answer}.")


@loop("test-twice")
async def twice(run: Run) -> None:
    """Ask the person again and again."""
    first = await run.request_input("One?")
    second = await run.request_input("Two?")
    await run.finish(f"{first} and {second}")


@loop("test-broken")
async def broken(run: Run) -> None:
    """Fail as if there were no browser."""
    raise BrowserError("There is no browser.", "Get one.")


@loop("test-approval")
async def approval(run: Run) -> None:
    """Ask whether something may be done."""
    answer = await run.request_input("May I buy it?", ("Approve once", "Deny"), kind="approval")
    await run.finish(f"You said {answer}.")


@loop("test-phases")
async def phases(run: Run) -> None:
    """Tell of every phase, use a tool that is not there, and end."""
    from pilotfish.core import events
    from pilotfish.core.messages import Call

    await run.emit(run.key(), events.Reasoned(run=run.id, text="I think.", phase="reason", step=1))
    await run.report("planning", "started", "Making a plan.", iteration=1)
    await run.act(Call(id="c1", tool="nothing", args={"path": "../../etc/passwd", "html": "<script>"}))
    await run.emit(run.key(), events.Reasoned(run=run.id, text="I see.", phase="observe", step=1))
    await run.finish("Done.")


@dataclass(frozen=True)
class House:
    """The running server, and how to talk to it."""

    fish: Pilotfish
    url: str
    server: Server

    @property
    def token(self) -> str:
        return self.fish.people.key

    def client(self, token: str | None = None, **how: Any) -> httpx2.AsyncClient:
        headers = {"authorization": f"Bearer {token or self.token}"}
        return httpx2.AsyncClient(base_url=self.url, headers=headers, timeout=PATIENCE, **how)

    def stranger(self, **how: Any) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(base_url=self.url, timeout=PATIENCE, **how)

    async def member(self, name: str) -> tuple[str, str]:
        """A new user's id and token."""
        user = await self.fish.people.add(name)
        return user.id, (await self.fish.people.grant(user.id, "test"))[1]

    async def started(self, loop: str, task: str = "Hello there", user: str = "local", **how: Any) -> str:
        return (await self.fish.start(task, loop=loop, user=user, **how)).id

    async def until(self, run: str, kind: str) -> Any:
        """The first event of a type."""
        async with asyncio.timeout(PATIENCE):
            async for event in self.fish.follow(run):
                if event.type == kind:
                    return event
        raise AssertionError(f"{run} ended without {kind}")

    async def settled(self, user: str = "local") -> None:
        """Every run of a person comes to its end when it is told to: none is stuck."""
        left = [run.id for run in await self.fish.runs(user=user, limit=1000) if run.state != "ended"]
        await asyncio.gather(*(self.fish.command(run, "stop") for run in left))
        await asyncio.gather(*(self.until(run, "run_finished") for run in left))


@asynccontextmanager
async def opened(home: Path, **settings: Any) -> AsyncGenerator[House]:
    chosen = Settings(home=home, models=Models(main="scripted"), server=Where(port=0), **settings)
    async with Pilotfish(chosen) as fish:
        with listener("127.0.0.1", 0) as at:
            server = Server(create(fish))
            serving = asyncio.create_task(server.serve([at]))
            await asyncio.wait_for(server.ready.wait(), PATIENCE)
            try:
                yield House(fish, url(at), server)
            finally:
                server.should_exit = True
                await serving
