"""Settings over HTTP, for admins: what they are and where from, changes, and who made them."""

from datetime import datetime
from typing import Any

from fastapi import APIRouter
from pydantic import Field, JsonValue

from pilotfish.core.settings import Settings
from pilotfish.core.values import Value
from pilotfish.interfaces.places import ERRORS, Admin, Fish

router = APIRouter(prefix="/api/settings", tags=["settings"], responses=ERRORS)


class Setting(Value):
    """One setting; secrets only tell whether they are set."""

    path: str
    value: Any
    origin: str
    about: str = ""


class Wish(Value):
    """The value to set; null takes back what was set."""

    path: str = Field(min_length=1, max_length=200)
    value: JsonValue


class Change(Value):
    """A setting as somebody set it."""

    version: int
    path: str
    value: Any
    by: str
    at: datetime


@router.get("")
async def read_settings(fish: Fish, me: Admin) -> list[Setting]:
    """Every setting with its value and where that comes from."""
    await fish.refresh()
    return [Setting.model_validate(line.model_dump(mode="json")) for line in fish.dials.lines()]


@router.put("")
async def change_setting(fish: Fish, me: Admin, wish: Wish) -> Change:
    """Set one; it counts from the next run on."""
    change = await fish.dials.change(wish.path, wish.value, me.name)
    await fish.refresh()
    return Change.model_validate(change.model_dump(mode="json"))


@router.get("/history")
async def settings_history(fish: Fish, me: Admin, path: str = "") -> list[Change]:
    """Every change, newest first."""
    return [Change.model_validate(c.model_dump(mode="json")) for c in await fish.dials.history(path.replace("\0", ""))]


@router.get("/schema")
async def settings_schema(me: Admin) -> dict[str, Any]:
    """The JSON schema of all settings: types, limits and choices."""
    return Settings.model_json_schema()
