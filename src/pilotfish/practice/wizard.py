"""A booking in four steps, each checked before the next one opens."""

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pilotfish.practice.views import fields, page, part, redirect_to, rows, world_of, write_faults, write_options

ROOMS = ("Attic", "Garden room", "Harbour suite", "Lighthouse cabin")
_RULES: dict[int, dict[str, tuple[str, str]]] = {
    1: {
        "arrive": (r"\d{4}-\d\d-\d\d", "Choose the day you arrive."),
        "nights": (r"[1-9]|1[0-4]", "Stay 1 to 14 nights."),
        "guests": (r"[1-6]", "We have beds for 1 to 6 guests."),
    },
    2: {"room": ("|".join(ROOMS), "Choose a room.")},
    3: {
        "name": (r".{2,}", "Enter the name of the guest."),
        "email": (r"[^@\s]+@[^@\s]+\.[^@\s]+", "Enter an email address."),
        "phone": (r"\+?[\d ]{6,}", "Enter a phone number with at least 6 digits."),
    },
    4: {"agree": (r".+", "Please agree to the house rules.")},
}


def _find_last_open(booking: dict[str, Any]) -> int:
    """The last step whose earlier steps are all answered."""
    for step, rules in _RULES.items():
        if any(name not in booking for name in rules):
            return step
    return len(_RULES)


def _show(request: Request, step: int, form: dict[str, Any], faults: list[str]) -> Response:
    values = {name: form.get(name, "") for rules in _RULES.values() for name in rules} | {
        "breakfast": "checked" if form.get("breakfast") else "",
        "rooms": rows(
            "live/wizard", "room", [{"name": r, "checked": "checked" if form.get("room") == r else ""} for r in ROOMS]
        ),
        "guest_options": write_options("123456", str(form.get("guests", "2"))),
    }
    marks = [
        {"n": n, "name": name, "now": 'aria-current="step"' if n == step else ""}
        for n, name in enumerate(("Stay", "Room", "Guest", "Confirm"), 1)
    ]
    return page(
        request,
        "live/wizard",
        422 if faults else 200,
        step=step,
        marks=rows("live/wizard", "mark", marks),
        faults=write_faults("live/wizard", faults),
        fields=part("live/wizard", f"step{step}", **values),
        back=part("live/wizard", "back", step=step - 1) if step > 1 else "",
        next="Book now" if step == len(_RULES) else "Continue",
    )


async def wizard(request: Request) -> Response:
    world, step = world_of(request), int(request.path_params["step"])
    booking: dict[str, Any] = world.state["booking"]
    if not 1 <= step <= _find_last_open(booking):
        return redirect_to(f"/wizard/{_find_last_open(booking)}")
    if request.method == "GET":
        return _show(request, step, booking, [])
    form = await fields(request)
    faults = [say for name, (rule, say) in _RULES[step].items() if not re.fullmatch(rule, form.get(name, ""))]
    if faults:
        world.record_effect("wizard.refused", step=step, faults=faults)
        return _show(request, step, {**booking, **form}, faults)
    if step == 2:
        booking.pop("breakfast", None)
    booking |= form
    world.record_effect("wizard.step", step=step, fields=form)
    if step < len(_RULES):
        return redirect_to(f"/wizard/{step + 1}")
    world.state["booked"].append(booking)
    world.state["booking"] = {}
    world.record_effect("wizard.booked", **booking)
    return page(request, "live/booked", **booking)


async def begin(request: Request) -> Response:
    return redirect_to("/wizard/1")


def routes() -> list[Route]:
    return [Route("/wizard", begin), Route("/wizard/{step:int}", wizard, methods=["GET", "POST"])]
