"""The whole site as one ASGI app: its routes, and how a request finds its world."""

import re
from http.cookies import SimpleCookie
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pilotfish.practice import account, cart, faults, files, forms, forum, live, mail, shop, staff, wizard
from pilotfish.practice.views import PAGES, bare_page, page, world_of
from pilotfish.practice.worlds import PracticeWorlds

_UNLOGGED_PATHS = ("/_", "/static/", "/api/", "/favicon")


class _Visit:
    """Finds a request's world by `?world=`, else by cookie, and logs which pages are looked at."""

    def __init__(self, app: ASGIApp, worlds: PracticeWorlds) -> None:
        self.app = app
        self.worlds = worlds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        query = parse_qs(scope["query_string"].decode())
        asked = query.get("world", [""])[-1][:64]
        seed = query.get("seed", [""])[-1][:9]
        name = asked or request.cookies.get("world") or "main"
        world = self.worlds.get(name, int(seed) if seed.isdecimal() else None)
        scope.setdefault("state", {})["world"] = world
        if scope["method"] == "GET" and not scope["path"].startswith(_UNLOGGED_PATHS):
            asks = {name: values[-1] for name, values in query.items() if name not in ("world", "seed")}
            world.record_effect("visited", path=scope["path"], query=asks)

        async def mark(message: Message) -> None:
            if message["type"] == "http.response.start" and asked:
                cookie = SimpleCookie({"world": asked})
                cookie["world"]["path"] = "/"
                cookie["world"]["samesite"] = "Lax"
                MutableHeaders(scope=message).append("set-cookie", cookie["world"].OutputString())
            await send(message)

        await self.app(scope, receive, mark)


async def log(request: Request) -> Response:
    return JSONResponse([effect.model_dump() for effect in world_of(request).log])


async def state(request: Request) -> Response:
    return JSONResponse(world_of(request).state)


async def reset(request: Request) -> Response:
    world = world_of(request)
    worlds: PracticeWorlds = request.app.state.worlds
    worlds.reset(world.name, world.seed)
    return JSONResponse({"world": world.name, "seed": world.seed})


async def plain(request: Request) -> Response:
    """A page that is only a file."""
    path: str = request.path_params["path"].strip("/") or "index"
    name = f"plain/{path}"
    if not re.fullmatch(r"[a-z0-9/-]+", path) or not (PAGES / f"{name}.html").is_file():
        return page(request, "live/missing", 404, path=request.url.path)
    return bare_page(request, name) if path.startswith("embed/") else page(request, name)


async def odd(request: Request, error: Exception) -> Response:
    """Answer a request with a wrong number or wrong JSON."""
    return JSONResponse({"error": str(error)}, 400)


async def icon(request: Request) -> Response:
    return FileResponse(PAGES / "static" / "icon.svg")


def build(worlds: PracticeWorlds, other: str) -> Starlette:
    """The app over these worlds; `other` is its second origin."""
    parts = (shop, cart, account, forms, wizard, staff, mail, forum, live, files, faults)
    routes: list[BaseRoute] = [route for part in parts for route in part.routes()]
    routes += [
        Route("/_log", log),
        Route("/_state", state),
        Route("/_reset", reset, methods=["POST"]),
        Route("/favicon.ico", icon),
        Mount("/static", StaticFiles(directory=PAGES / "static")),
        Route("/{path:path}", plain),
    ]
    app = Starlette(routes=routes, middleware=[Middleware(_Visit, worlds=worlds)], exception_handlers={ValueError: odd})
    app.state.worlds = worlds
    app.state.other = other
    return app
