"""The account area behind a sign-in form and a session cookie."""

import secrets

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pilotfish.practice.views import fields, money, page, part, redirect_to, rows, world_of, write_options
from pilotfish.practice.worlds import PracticeWorld

USER = "mira"
LANGUAGES = ("English", "Deutsch", "Suomi", "Português", "中文")


def _inside(request: Request) -> PracticeWorld | None:
    """The visitor's world, if the request carries its session."""
    world = world_of(request)
    token = world.state["token"]
    return world if token and request.cookies.get("session") == token else None


async def login(request: Request) -> Response:
    world = world_of(request)
    if request.method == "GET":
        return redirect_to("/account") if _inside(request) else page(request, "live/login", fault="", user="")
    form = await fields(request)
    user = form.get("user", "")
    if user.lower() != USER or form.get("password") != world.state["profile"]["password"]:
        world.record_effect("account.refused", user=user)
        fault = part("live/login", "fault")
        return page(request, "live/login", 401, fault=fault, user=user)
    world.state["user"], world.state["token"] = USER, secrets.token_urlsafe(12)
    world.record_effect("account.signed_in", user=USER, remember=bool(form.get("remember")))
    answer = redirect_to("/account")
    answer.set_cookie("session", world.state["token"], httponly=True, samesite="lax")
    return answer


async def logout(request: Request) -> Response:
    world = _inside(request)
    if world:
        world.state["user"], world.state["token"] = None, ""
        world.record_effect("account.signed_out")
    return redirect_to("/account/login")


async def home(request: Request) -> Response:
    world = _inside(request)
    if not world:
        return redirect_to("/account/login")
    profile = world.state["profile"]
    orders = [{**o, "total": money(o["total"])} for o in world.state["orders"]]
    return page(
        request,
        "live/account",
        name=profile["name"],
        phone=profile["phone"],
        languages=write_options(LANGUAGES, profile["language"]),
        newsletter="checked" if profile["newsletter"] else "",
        orders=rows("live/account", "order", orders) or part("live/account", "none"),
    )


async def profile(request: Request) -> Response:
    world = _inside(request)
    if not world:
        return redirect_to("/account/login")
    form = await fields(request)
    if len(form.get("name", "")) < 2:
        world.flash_message("A name has at least two letters.")
        return redirect_to("/account")
    new = {name: form.get(name, "") for name in ("name", "phone", "language")}
    new["newsletter"] = bool(form.get("newsletter"))
    world.state["profile"] |= new
    world.record_effect("account.changed", **new)
    world.flash_message("Profile saved.")
    return redirect_to("/account")


async def password(request: Request) -> Response:
    world = _inside(request)
    if not world:
        return redirect_to("/account/login")
    form = await fields(request)
    new = form.get("new", "")
    if form.get("old") != world.state["profile"]["password"]:
        world.flash_message("The current password is not right.")
    elif len(new) < 8 or new != form.get("again"):
        world.flash_message("The new password needs 8 characters, and the same twice.")
    else:
        world.state["profile"]["password"] = new
        world.record_effect("account.password")
        world.flash_message("Password changed.")
    return redirect_to("/account")


def routes() -> list[Route]:
    return [
        Route("/account", home),
        Route("/account/login", login, methods=["GET", "POST"]),
        Route("/account/logout", logout, methods=["POST"]),
        Route("/account/profile", profile, methods=["POST"]),
        Route("/account/password", password, methods=["POST"]),
    ]
