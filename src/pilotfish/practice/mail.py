"""A mail-like app: folders, reading, writing, answering, deleting."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pilotfish.practice.views import fields, page, part, redirect_to, rows, world_of
from pilotfish.practice.worlds import PracticeWorld

FOLDERS = ("inbox", "sent", "archive", "trash")


def _letter(world: PracticeWorld, request: Request) -> dict[str, Any] | None:
    number = int(request.path_params["id"])
    return next((m for m in world.state["mail"] if m["id"] == number), None)


def _side(world: PracticeWorld, folder: str) -> str:
    unread = sum(m["folder"] == "inbox" and not m["read"] for m in world.state["mail"])
    return rows(
        "live/mail",
        "folder",
        [
            {
                "name": name,
                "label": name.capitalize(),
                "count": unread if name == "inbox" and unread else "",
                "now": 'aria-current="page"' if name == folder else "",
            }
            for name in FOLDERS
        ],
    )


async def box(request: Request) -> Response:
    world, folder = world_of(request), request.path_params.get("folder", "inbox")
    q = request.query_params.get("q", "").strip()
    letters = [
        {**m, "unread": "" if m["read"] else "unread", "star": "★" if m["starred"] else "☆"}
        for m in world.state["mail"]
        if m["folder"] == folder and q.lower() in f"{m['from']} {m['subject']} {m['body']}".lower()
    ]
    return page(
        request,
        "live/mail",
        folder=folder,
        label=folder.capitalize(),
        q=q,
        side=_side(world, folder),
        letters=rows("live/mail", "letter", letters) or part("live/mail", "none"),
    )


async def read(request: Request) -> Response:
    world = world_of(request)
    letter = _letter(world, request)
    if not letter:
        return page(request, "live/missing", 404, path=request.url.path)
    letter["read"] = True
    world.record_effect("mail.read", id=letter["id"], subject=letter["subject"])
    return page(
        request, "live/letter", **letter, side=_side(world, letter["folder"]), star="★" if letter["starred"] else "☆"
    )


async def compose(request: Request) -> Response:
    world = world_of(request)
    answered = request.query_params.get("re", "")
    letter = next((m for m in world.state["mail"] if str(m["id"]) == answered), None)
    to_whom, subject = (letter["address"], f"Re: {letter['subject']}") if letter else ("", "")
    return page(request, "live/compose", to=to_whom, subject=subject, side=_side(world, ""))


async def send(request: Request) -> Response:
    world, form = world_of(request), await fields(request)
    sent = {name: form.get(name, "") for name in ("to", "subject", "body")}
    if "@" not in sent["to"]:
        world.flash_message("That is not an address. Nothing was sent.")
        return redirect_to("/mail/compose")
    number = max(m["id"] for m in world.state["mail"]) + 1
    world.state["mail"].insert(
        0,
        {
            "id": number,
            "folder": "sent",
            "from": "me",
            "address": sent["to"],
            "date": "today",
            "read": True,
            "starred": False,
            **sent,
        },
    )
    world.record_effect("mail.sent", **sent)
    world.flash_message("Message sent.")
    return redirect_to("/mail")


async def move(request: Request) -> Response:
    """Archive, delete or bring back one letter."""
    world, folder = world_of(request), request.path_params["folder"]
    letter = _letter(world, request)
    if letter and folder in FOLDERS:
        letter["folder"] = folder
        world.record_effect("mail.moved", id=letter["id"], subject=letter["subject"], folder=folder)
        world.flash_message(f"“{letter['subject']}” moved to {folder}.")
    return redirect_to("/mail")


async def star(request: Request) -> Response:
    world = world_of(request)
    letter = _letter(world, request)
    if not letter:
        return JSONResponse({"error": "no such letter"}, 404)
    letter["starred"] = not letter["starred"]
    world.record_effect("mail.starred", id=letter["id"], subject=letter["subject"], on=letter["starred"])
    return JSONResponse({"on": letter["starred"]})


def routes() -> list[Route]:
    return [
        Route("/mail", box),
        Route("/mail/compose", compose),
        Route("/mail/send", send, methods=["POST"]),
        Route("/mail/letter/{id:int}", read),
        Route("/mail/letter/{id:int}/{folder}", move, methods=["POST"]),
        Route("/mail/{folder}", box),
        Route("/api/mail/{id:int}/star", star, methods=["POST"]),
    ]
