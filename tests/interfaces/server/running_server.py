"""A running server for tests: a real port, a scripted model, small loops that do what their names say."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from pilotfish.app import Pilotfish, loop
from pilotfish.core import events
from pilotfish.core.errors import BrowserError
from pilotfish.core.messages import Message, ToolCall
from pilotfish.core.settings import ModelSettings, Settings
from pilotfish.core.settings import ServerSettings as Where
from pilotfish.interfaces.web_server.app import AppServer
from pilotfish.runtime.run import Run
from serving import PATIENCE, serve_pilotfish


@loop("test-echo")
async def echo(run: Run) -> None:
    """Say what the model says."""
    reply = await run.ask(run.messages, purpose="answer", stream=True)
    await run.finish(reply.text)


@loop("test-drawing")
async def draw(run: Run) -> None:
    """Make a picture, as a drawing and rendered."""
    for number, (name, media) in enumerate((("picture.png", "image/png"), ("picture.svg", "image/svg+xml"))):
        (run.folder / name).write_bytes(b"red")
        saved = events.FileSaved(run=run.id, name=name, media=media, size=3, purpose="image_generate")
        await run.emit(f"file{number}", saved)
    await run.finish("Here is your red circle.")


@loop("test-question")
async def question(run: Run) -> None:
    """Ask the person, then repeat the answer."""
    answer = await run.request_input("Which colour?", ("red", "blue"))
    await run.finish(f"You said {answer}.")


@loop("test-sourced")
async def answer_with_sources(run: Run) -> None:
    """Say something before a tool call, then the answer, then the answer with its sources."""
    await run.ask([Message(role="user", text="Let me look.")], purpose="reason", stream=True)
    await run.act(ToolCall(id="c1", tool="nothing"))
    reply = await run.ask([Message(role="user", text="It weighs 4 kg [1].")], purpose="answer", stream=True)
    source = {"title": "Anchors", "url": "https://anchors.example/"}
    await run.finish(f"{reply.text}\n\nSources:\n1. [Anchors](https://anchors.example/)", [source])


@loop("test-tabs")
async def tabs(run: Run) -> None:
    """Say which pages are open."""
    session = await run.browser.session()
    await session.tab()
    await run.finish(" ".join(tab.url for tab in session.tabs.values()))


@loop("test-visit")
async def visit(run: Run) -> None:
    """Open the address at the end of the task."""
    session = await run.browser.session()
    tab = await session.tab()
    await tab.goto(run.task.split()[-1])
    await run.finish("Opened.")


@loop("test-slow")
async def slow(run: Run) -> None:
    """Work as many seconds as the task says."""

    async def sleep() -> dict[str, Any]:
        await asyncio.sleep(float(run.task.split()[1]))
        return {}

    await run.step("sleep", sleep)
    await run.finish("Slept.")


@loop("test-steered")
async def wait_then_answer(run: Run) -> None:
    """Wait for the person, then say what the model says about everything that was said."""
    await run.request_input("Ready?")
    await run.finish((await run.ask(run.messages, purpose="answer")).text)


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

    await run.emit(run.key(), events.Reasoned(run=run.id, text="I think.", phase="reason", step=1))
    await run.report("planning", "started", "Making a plan.", iteration=1)
    await run.act(ToolCall(id="c1", tool="nothing", args={"path": "../../etc/passwd", "html": "<script>"}))
    await run.emit(run.key(), events.Reasoned(run=run.id, text="I see.", phase="observe", step=1))
    await run.finish("Done.")


@dataclass(frozen=True)
class RunningServer:
    """The running server, and how to talk to it."""

    fish: Pilotfish
    url: str
    server: AppServer

    @property
    def token(self) -> str:
        return self.fish.users.local_token

    def client(self, token: str | None = None, **how: Any) -> httpx2.AsyncClient:
        headers = {"authorization": f"Bearer {token or self.token}"}
        return httpx2.AsyncClient(base_url=self.url, headers=headers, timeout=PATIENCE, **how)

    def stranger(self, **how: Any) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(base_url=self.url, timeout=PATIENCE, **how)

    async def member(self, name: str) -> tuple[str, str]:
        """A new user's id and token."""
        user = await self.fish.users.add(name)
        return user.id, (await self.fish.users.grant(user.id, "test"))[1]

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
async def serve_app_at(
    home: Path, port: int = 0, where: Where | None = None, **settings: Any
) -> AsyncGenerator[RunningServer]:
    chosen = Settings(home=home, models=ModelSettings(main="scripted"), server=where or Where(port=0), **settings)
    async with Pilotfish(chosen) as fish, serve_pilotfish(fish, port) as (server, url):
        yield RunningServer(fish, url, server)


@asynccontextmanager
async def serve_page(page: bytes) -> AsyncGenerator[str]:
    """Serve one page, whatever its address; yields where. An address that ends in .txt is a download."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked = (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)[1]
        kind = b"text/html" if not asked.endswith(b".txt") else b"text/plain\r\ncontent-disposition: attachment"
        body = page if not asked.endswith(b".txt") else b"tide table"
        writer.write(b"HTTP/1.0 200 OK\r\ncontent-type: " + kind + b"\r\n\r\n" + body)
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
