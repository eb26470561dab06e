"""MiniWoB++: small web tasks with a reward. Passed means: a seeded episode, ten steps, a reward above zero.

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

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from pilotfish.core.errors import PersonError
from pilotfish.practice.loopback import serve_app
from pilotfish.trials.case import TrialCase, TrialStart

MOST_STEPS = 10
SCRIPT = Path(__file__).with_suffix(".js")


def pages_folder() -> Path:
    """Where the installed pages are; the package itself is never imported."""
    spec = importlib.util.find_spec("miniwob")
    if spec is None or not spec.submodule_search_locations:
        raise PersonError("The MiniWoB++ pages are not installed.", "Run `pip install --no-deps miniwob`.")
    return Path(spec.submodule_search_locations[0]) / "html"


def list_tasks() -> list[str]:
    return sorted(path.stem for path in (pages_folder() / "miniwob").glob("*.html"))


def draw_tasks(count: int, seed: int = 0) -> list[str]:
    """Draw tasks by a seeded shuffle."""
    drawn = list_tasks()
    random.Random(seed).shuffle(drawn)
    return drawn[:count]


class MiniwobServer:
    """Serves the pages and keeps what they report."""

    def __init__(self) -> None:
        self.url = ""
        self.goals: dict[str, asyncio.Future[str]] = {}
        self.rewards: dict[str, float] = {}

    def app(self) -> Starlette:
        root = pages_folder()

        async def page(request: Request) -> HTMLResponse:
            text = (root / "miniwob" / f"{Path(request.path_params['name']).name}.html").read_text("utf-8", "replace")
            return HTMLResponse(f"{text}<script>{SCRIPT.read_text('utf-8')}</script>")

        async def start(request: Request) -> Response:
            announced = self.goals.get(request.query_params["key"])
            if announced and not announced.done():
                announced.set_result((await request.body()).decode())
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

    def cases(self, tasks: Sequence[str], loop: str = "") -> list[TrialCase]:
        return [self._case(task, loop or "pilot") for task in tasks]

    def _case(self, task: str, loop: str) -> TrialCase:
        async def prepare(key: str) -> TrialStart:
            self.rewards.pop(key, None)
            announced = self.goals[key] = asyncio.get_running_loop().create_future()
            url = f"{self.url}/miniwob/{task}.html?key={key}"

            async def goal() -> str:
                return await announced

            return TrialStart(goal, url, MOST_STEPS, lambda: key in self.rewards)

        async def passed(key: str, answer: str) -> bool:
            return self.rewards.get(key, 0) > 0

        return TrialCase(task, loop, prepare, passed)


@asynccontextmanager
async def serve_miniwob() -> AsyncGenerator[MiniwobServer]:
    """Serve the pages on a loopback port."""
    server = MiniwobServer()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        async with serve_app(server.app(), listener):
            yield server
