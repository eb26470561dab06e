"""A table of people: sorted, filtered and paged by the server, with actions in every row."""

from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pilotfish.practice.stock import PAGE_SIZE
from pilotfish.practice.views import Pagination, fields, page, part, redirect_to, rows, world_of, write_options

COLUMNS = {"name": "Name", "role": "Role", "office": "Office", "salary": "Salary", "started": "Started"}


def _heads(query: dict[str, str]) -> str:
    sort, down = query["sort"], query["down"]
    heads: list[dict[str, Any]] = []
    for key, name in COLUMNS.items():
        turn = {**query, "sort": key, "down": "" if sort != key or down else "1", "page": "1"}
        order = ("descending" if down else "ascending") if sort == key else "none"
        arrow = {"ascending": "▲", "descending": "▼", "none": ""}[order]
        heads.append({"name": name, "order": order, "arrow": arrow, "link": "?" + urlencode(turn)})
    return rows("live/staff", "head", heads)


async def table(request: Request) -> Response:
    world = world_of(request)
    query = {k: request.query_params.get(k, "").strip() for k in ("q", "office", "sort", "down", "page")}
    people: list[dict[str, Any]] = [
        p
        for p in world.state["staff"]
        if query["q"].lower() in f"{p['name']} {p['role']}".lower() and query["office"] in ("", p["office"])
    ]
    if query["sort"] in COLUMNS:
        people = sorted(people, key=lambda p: p[query["sort"]], reverse=bool(query["down"]))
    now, last, links = Pagination.of(query, len(people), PAGE_SIZE)
    shown = [
        {**p, "pay": f"{p['salary']:,}", "turn": "Deactivate" if p["status"] == "active" else "Activate"}
        for p in people[(now - 1) * PAGE_SIZE : now * PAGE_SIZE]
    ]
    return page(
        request,
        "live/staff",
        q=query["q"],
        offices=write_options(
            sorted({p["office"] for p in world.state["staff"]}), query["office"], blank="All offices"
        ),
        heads=_heads(query),
        rows=rows("live/staff", "row", shown) or part("live/staff", "none"),
        pages=rows("live/staff", "page", links),
        count=f"{len(people)} people, page {now} of {last}",
        here="?" + urlencode(query),
    )


async def act(request: Request) -> Response:
    """One row's action: turn its status, raise its pay, or delete it."""
    world, number = world_of(request), int(request.path_params["id"])
    verb = request.url.path.rsplit("/", 1)[-1]
    person = next((p for p in world.state["staff"] if p["id"] == number), None)
    if not person:
        return page(request, "live/missing", 404, path=request.url.path)
    if verb == "delete":
        world.state["staff"].remove(person)
    elif verb == "raise":
        person["salary"] += 1000
    else:
        person["status"] = "inactive" if person["status"] == "active" else "active"
    world.record_effect(f"staff.{verb}", **person)
    said = {"delete": "deleted", "raise": "now earns 1,000 more", "turn": f"is now {person['status']}"}[verb]
    world.flash_message(f"{person['name']} {said}.")
    back = (await fields(request)).get("here", "")
    return redirect_to(f"/staff{back}" if back.startswith("?") else "/staff")


async def archive(request: Request) -> Response:
    """All ticked rows at once."""
    world, ids = world_of(request), [int(i) for i in (await request.json())["ids"]]
    names = [p["name"] for p in world.state["staff"] if p["id"] in ids]
    for person in world.state["staff"]:
        if person["id"] in ids:
            person["status"] = "archived"
    world.record_effect("staff.archived", names=sorted(names))
    return JSONResponse({"names": names})


def routes() -> list[Route]:
    verbs = [Route("/staff/{id:int}/" + verb, act, methods=["POST"]) for verb in ("turn", "raise", "delete")]
    return [Route("/staff", table), *verbs, Route("/api/staff/archive", archive, methods=["POST"])]
