"""Has the person confirm what a model takes words for that do not surely say when something happens."""

import asyncio
import sys
from typing import TYPE_CHECKING

import typer

from pilotfish.core.errors import PersonError, UnclearTimeError
from pilotfish.interfaces.commands.base import echo, get_target

if TYPE_CHECKING:
    from pilotfish.services.time_reading import PlainWhen

SHOWN_TIMES = 3


def confirm_time(context: typer.Context, when: str, zone: str) -> tuple[str, str]:
    """The words and the zone of a schedule: as they were given, or as a model read them and the person confirmed."""
    from zoneinfo import ZoneInfo

    from pilotfish.core.recurrence import read_recurrence

    try:
        read_recurrence(when)
    except UnclearTimeError as error:
        echo(f"Asking the model what “{when}” means …")
        said = asyncio.run(_ask_model(context, when, zone))
        times = " · ".join(f"{at.astimezone(ZoneInfo(said.zone)):%a %Y-%m-%d %H:%M}" for at in said.next[:SHOWN_TIMES])
        meant = f"“{when}” is taken for “{said.when}” ({said.zone}): {times}."
        if not sys.stdin.isatty():
            raise PersonError(f"{meant} Nobody confirmed it.", f'If it is right, give it as "{said.when}".') from None
        if not typer.confirm(f"{meant} Is that right?"):
            raise error
        return said.when, said.zone
    return when, zone


async def _ask_model(context: typer.Context, when: str, zone: str) -> "PlainWhen":
    async with get_target(context).open_controls() as controls:
        return await controls.read_when(when, zone=zone)
