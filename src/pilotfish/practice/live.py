"""Endpoints for the pages' scripts: the single-page app, the board, long lists and widgets."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pilotfish.practice.views import page, world_of

ITEM_COUNT = 10_000
_NOUNS = ("Pebble", "Shell", "Feather", "Driftwood", "Sea glass", "Starfish", "Anchor", "Lantern", "Compass", "Kelp")
_TONES = ("amber", "blue", "copper", "dusky", "emerald", "frosted", "golden")


def item(n: int) -> dict[str, Any]:
    return {"n": n, "name": f"{_TONES[n % 7].capitalize()} {_NOUNS[n % 10].lower()} no. {n}"}


async def effect(request: Request) -> Response:
    """Something that happened in a widget. Its kind is marked, so that no script can forge an order."""
    body: dict[str, Any] = await request.json()
    kind = str(body.pop("kind", "unknown"))
    world_of(request).record_effect(f"ui.{kind}", **body)
    return JSONResponse({"ok": True})


async def items(request: Request) -> Response:
    query = request.query_params
    offset, limit = int(query.get("offset", "0")), min(int(query.get("limit", "20")), 100)
    return JSONResponse([item(n) for n in range(offset + 1, min(offset + limit, ITEM_COUNT) + 1)])


async def mark(request: Request) -> Response:
    """Like an entry of the endless list, or pin one of the virtual list."""
    world, body = world_of(request), await request.json()
    kind = request.url.path.rsplit("/", 1)[-1]
    marked: list[int] = world.state[kind]
    n = int(body["n"])
    if n in marked:
        marked.remove(n)
    else:
        marked.append(n)
    world.record_effect(f"list.{kind}", n=n, on=n in marked)
    return JSONResponse({"on": n in marked})


async def app(request: Request) -> Response:
    """Every route of the single-page app is the same page."""
    return page(request, "live/app")


async def todos(request: Request) -> Response:
    world = world_of(request)
    todos: list[dict[str, Any]] = world.state["todos"]
    if request.method == "POST":
        text = str((await request.json())["text"]).strip()
        todos.append({"id": max((t["id"] for t in todos), default=0) + 1, "text": text, "done": False})
        world.record_effect("todo.added", text=text)
    return JSONResponse(todos)


async def todo(request: Request) -> Response:
    world, number = world_of(request), int(request.path_params["id"])
    found = next((t for t in world.state["todos"] if t["id"] == number), None)
    if not found:
        return JSONResponse({"error": "no such entry"}, 404)
    if request.method == "DELETE":
        world.state["todos"].remove(found)
        world.record_effect("todo.removed", **found)
    else:
        body = await request.json()
        found |= {name: body[name] for name in ("text", "done") if name in body}
        world.record_effect("todo.changed", **found)
    return JSONResponse(world.state["todos"])


async def preferences(request: Request) -> Response:
    world = world_of(request)
    kept: dict[str, Any] = world.state["preferences"]
    if request.method == "POST":
        body = await request.json()
        kept |= {name: body[name] for name in kept if name in body}
        world.record_effect("preferences.saved", **kept)
    return JSONResponse(kept)


async def board(request: Request) -> Response:
    world = world_of(request)
    columns: dict[str, list[str]] = world.state["board"]
    if request.method == "POST":
        body = await request.json()
        card, column = body["card"], body["to"]
        if column in columns and any(card in cards for cards in columns.values()):
            for cards in columns.values():
                if card in cards:
                    cards.remove(card)
            columns[column].append(card)
            world.record_effect("board.moved", card=card, to=column)
    return JSONResponse(columns)


async def ranking(request: Request) -> Response:
    world = world_of(request)
    if request.method == "POST":
        order = (await request.json())["order"]
        if sorted(order) == sorted(world.state["ranking"]) and order != world.state["ranking"]:
            world.state["ranking"] = order
            world.record_effect("ranking.changed", order=order)
    return JSONResponse(world.state["ranking"])


def routes() -> list[Route]:
    both = ["GET", "POST"]
    return [
        Route("/api/widgets", effect, methods=["POST"]),
        Route("/api/metrics", effect, methods=["POST"]),
        Route("/api/items", items),
        Route("/api/list/liked", mark, methods=["POST"]),
        Route("/api/list/pinned", mark, methods=["POST"]),
        Route("/app", app),
        Route("/app/{path:path}", app),
        Route("/api/todos", todos, methods=both),
        Route("/api/todos/{id:int}", todo, methods=["PATCH", "DELETE"]),
        Route("/api/preferences", preferences, methods=both),
        Route("/api/board", board, methods=both),
        Route("/api/ranking", ranking, methods=both),
    ]
