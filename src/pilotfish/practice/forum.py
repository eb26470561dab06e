"""A forum: topics, answers, votes."""

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pilotfish.practice.views import Pagination, fields, page, redirect_to, rows, world_of
from pilotfish.practice.worlds import PracticeWorld

BOARDS = ("Garden", "Harbour", "Kitchen", "Town hall")
WORD = re.compile(r"\w+")
HITS = 3
"""How many posts a page of what was found shows."""


def _topic(world: PracticeWorld, number: int) -> dict[str, Any] | None:
    return next((t for t in world.state["topics"] if t["id"] == number), None)


async def topics(request: Request) -> Response:
    world, board = world_of(request), request.query_params.get("board", "")
    found = [
        {**t, "author": t["posts"][0]["author"], "replies": len(t["posts"]) - 1}
        for t in world.state["topics"]
        if board in ("", t["board"])
    ]
    return page(
        request,
        "live/forum",
        heading=board or "All boards",
        boards=rows("live/forum", "board", [{"name": b} for b in BOARDS]),
        options=rows("live/forum", "option", [{"name": b} for b in BOARDS]),
        topics=rows("live/forum", "topic", found),
    )


async def search(request: Request) -> Response:
    """Posts that hold a word, three to a page."""
    query = {name: request.query_params.get(name, "").strip() for name in ("q", "page")}
    q = query["q"]
    found = [
        {"topic": t["id"], "n": n, "title": t["title"], **post}
        for t in world_of(request).state["topics"]
        for n, post in enumerate(t["posts"])
        if q and q.casefold() in WORD.findall(post["text"].casefold())
    ]
    now, last, links = Pagination.of(query, len(found), HITS)
    start = (now - 1) * HITS
    return page(
        request,
        "live/search",
        q=q,
        start=start + 1,
        count=f"{len(found)} posts, page {now} of {last}" if q else "What are you looking for?",
        found=rows("live/search", "hit", found[start : start + HITS]),
        pages=rows("live/search", "page", links) if last > 1 else "",
    )


async def topic(request: Request) -> Response:
    world = world_of(request)
    found = _topic(world, int(request.path_params["id"]))
    if not found:
        return page(request, "live/missing", 404, path=request.url.path)
    if post := request.query_params.get("post"):
        world.record_effect("forum.opened", topic=found["title"], post=post)
    posts = [{**p, "n": n, "topic": found["id"]} for n, p in enumerate(found["posts"])]
    return page(
        request,
        "live/topic",
        id=found["id"],
        subject=found["title"],
        board=found["board"],
        posts=rows("live/topic", "post", posts),
    )


async def begin(request: Request) -> Response:
    world, form = world_of(request), await fields(request)
    title, text, board = form.get("title", ""), form.get("text", ""), form.get("board", "")
    if not title or not text or board not in BOARDS:
        world.flash_message("A topic needs a board, a title and a text.")
        return redirect_to("/forum")
    number = max(t["id"] for t in world.state["topics"]) + 1
    post = {"author": "you", "date": "today", "votes": 0, "text": text}
    world.state["topics"].insert(0, {"id": number, "board": board, "title": title, "posts": [post]})
    world.record_effect("forum.begun", board=board, title=title, text=text)
    return redirect_to(f"/forum/{number}")


async def reply(request: Request) -> Response:
    world, form = world_of(request), await fields(request)
    found = _topic(world, int(request.path_params["id"]))
    if not found or not form.get("text"):
        world.flash_message("An answer needs a text.")
        return redirect_to("/forum")
    found["posts"].append({"author": "you", "date": "today", "votes": 0, "text": form["text"]})
    world.record_effect("forum.replied", topic=found["title"], text=form["text"])
    return redirect_to(f"/forum/{found['id']}")


async def vote(request: Request) -> Response:
    world, wanted = world_of(request), await request.json()
    found = _topic(world, int(wanted["topic"]))
    if not found or not 0 <= int(wanted["n"]) < len(found["posts"]):
        return JSONResponse({"error": "no such post"}, 404)
    post = found["posts"][int(wanted["n"])]
    post["votes"] += 1
    world.record_effect("forum.voted", topic=found["title"], author=post["author"])
    return JSONResponse({"votes": post["votes"]})


def routes() -> list[Route]:
    return [
        Route("/forum", topics),
        Route("/forum/search", search),
        Route("/forum/new", begin, methods=["POST"]),
        Route("/forum/{id:int}", topic),
        Route("/forum/{id:int}/reply", reply, methods=["POST"]),
        Route("/api/vote", vote, methods=["POST"]),
    ]
