"""MiniWoB++: small web tasks with a reward. The usual protocol: a seeded episode, ten steps, a reward above zero.

The pages are those of the package `miniwob`; a few lines of script start the episode and report its reward, so that
the agent sees an ordinary page.
"""

import asyncio
import importlib.util
import random
import socket
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from pilotfish.core.errors import PersonError
from pilotfish.trials.case import Case, Start

STEPS = 10
SCRIPT = Path(__file__).with_suffix(".js")


def folder() -> Path:
    """Where the installed pages are; the package itself is never imported."""
    spec = importlib.util.find_spec("miniwob")
    if spec is None or not spec.submodule_search_locations:
        raise PersonError("The MiniWoB++ pages are not installed.", "Run `pip install --no-deps miniwob`.")
    return Path(spec.submodule_search_locations[0]) / "html"


def names() -> list[str]:
    return sorted(path.stem for path in (folder() / "miniwob").glob("*.html"))


def draw(count: int, seed: int = 0) -> list[str]:
    """Tasks drawn by a seeded shuffle, before anybody has looked at them."""
    drawn = names()
    random.Random(seed).shuffle(drawn)
    return drawn[:count]


class Arcade:
    """Serves the pages and keeps what they report."""

    def __init__(self) -> None:
        self.url = ""
        self.goals: dict[str, asyncio.Future[str]] = {}
        self.rewards: dict[str, float] = {}

    def app(self) -> Starlette:
        root = folder()

        async def page(request: Request) -> HTMLResponse:
            text = (root / "miniwob" / f"{Path(request.path_params['name']).name}.html").read_text("utf-8", "replace")
            return HTMLResponse(f"{text}<script>{SCRIPT.read_text('utf-8')}</script>")

        async def start(request: Request) -> Response:
            told = self.goals.get(request.query_params["key"])
            if told and not told.done():
                told.set_result((await request.body()).decode())
            return Response()

        async def end(request: Request) -> Response:
            self.rewards[request.query_params["key"]] = float((await request.body()).decode() or 0)
            return Response()

        return Starlette(
            routes=[
                Route("/miniwob/{name}.html", page),
                Route("/_start", start, methods=["POST"]),
                Route("/_end", end, methods=["POST"]),
                Mount("/", StaticFiles(directory=root)),
            ]
        )

    def cases(self, tasks: Sequence[str], loop: str = "") -> list[Case]:
        return [self._case(task, loop or "pilot") for task in tasks]

    def _case(self, task: str, loop: str) -> Case:
        async def prepare(key: str) -> Start:
            self.rewards.pop(key, None)
            told = self.goals[key] = asyncio.get_running_loop().create_future()
            url = f"{self.url}/miniwob/{task}.html?key={key}"

            async def goal() -> str:
                return await told

            return Start(goal, url, STEPS, lambda: key in self.rewards)

        async def passed(key: str, answer: str) -> bool:
            return self.rewards.get(key, 0) > 0

        return Case(task, loop, prepare, passed)


@asynccontextmanager
async def serve() -> AsyncGenerator[Arcade]:
    """The arcade on a loopback port."""
    arcade = Arcade()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        arcade.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        config = uvicorn.Config(arcade.app(), log_config=None, lifespan="off", ws="none", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve([listener]))
        try:
            yield arcade
        finally:
            server.should_exit = True
            await serving
