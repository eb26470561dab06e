"""Forms of every control: whatever is sent is kept under the form's name."""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pilotfish.practice.stock import table
from pilotfish.practice.views import fields, page, rows, world_of


async def send(request: Request) -> Response:
    world, name = world_of(request), request.path_params["name"]
    form = await fields(request)
    world.state["forms"][name] = form
    world.record_effect("form.sent", form=name, fields=form)
    said = [
        {"name": n, "value": ", ".join(v) if isinstance(v, list) else v} for n, v in form.items() if n != "password"
    ]
    return page(request, "live/thanks", form=name, rows=rows("live/thanks", "row", said))


async def save(request: Request) -> Response:
    """The same for forms that a script sends."""
    world, name = world_of(request), request.path_params["name"]
    form = await request.json()
    world.state["forms"][name] = form
    world.record_effect("form.sent", form=name, fields=form)
    return JSONResponse({"ok": True})


async def cities(request: Request) -> Response:
    """Cities that begin with what was typed, at most eight."""
    q = request.query_params.get("q", "").strip().lower()
    found = [c for c in table("places")["city"] if c["name"].lower().startswith(q)] if q else []
    return JSONResponse(found[:8])


def routes() -> list[Route]:
    return [
        Route("/forms/{name}", send, methods=["POST"]),
        Route("/api/forms/{name}", save, methods=["POST"]),
        Route("/api/cities", cities),
    ]
