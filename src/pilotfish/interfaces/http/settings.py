"""Settings over HTTP, for admins: what they are and where from, changes, and who made them."""

from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request
from pydantic import Field, JsonValue

from pilotfish.app import Pilotfish
from pilotfish.core.settings import Settings, present_path
from pilotfish.core.users import LOCAL, User
from pilotfish.core.values import Value
from pilotfish.interfaces.web_server.dependencies import ERRORS, AdminDep, AppDep
from pilotfish.interfaces.web_server.problems import RequestRefused

MACHINE_SETTINGS = (
    "home", "database", "mcp", "models.base_url", "models.api_key", "models.ollama_url", "browser.executable",
    "browser.attach", "browser.remote", "browser.remote_token", "browser.remote_proxy", "search.searxng_url",
    "server",
)  # fmt: skip
FORWARDING_HEADERS = frozenset({"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"})
router = APIRouter(prefix="/api/settings", tags=["settings"], responses=ERRORS)


class SettingInfo(Value):
    """One setting; for a secret, only whether it is set."""

    path: str
    value: Any
    origin: str
    about: str = ""


class SettingInput(Value):
    """The value to set; null unsets the setting."""

    path: str = Field(min_length=1, max_length=200)
    value: JsonValue


class SettingVersion(Value):
    """A change of a setting."""

    version: int
    path: str
    value: Any
    by: str
    at: datetime


def check_settable(fish: Pilotfish, request: Request, me: User, path: str, value: JsonValue) -> None:
    """Refuse what only the owner of the machine may set, at the machine: its files, its programs, where its models are.

    The owner's token alone is not enough: over the network it could be anybody's who got hold of it.
    """
    path, names = present_path(path), value if isinstance(value, list) else [value]
    if path.startswith("models.") and any(isinstance(name, str) and fish.choices.names_file(name) for name in names):
        message = "A model that is a file of the machine is not set over the network."
        raise RequestRefused(403, "machine_only", message, f"On the machine: pilotfish settings {path} VALUE")
    owner = me.id == LOCAL and is_at_machine(request)
    if not owner and any(path == one or path.startswith(f"{one}.") for one in MACHINE_SETTINGS):
        message = f"{path} can only be set on the machine of the server."
        raise RequestRefused(403, "machine_only", message, f"On the machine: pilotfish settings {path} VALUE")


def is_at_machine(request: Request) -> bool:
    """Whether a request comes from a program of this machine that passes on no request of another."""
    client = request.client.host if request.client else ""
    return client in ("127.0.0.1", "::1") and not FORWARDING_HEADERS & set(request.headers)


@router.get("")
async def read_settings(fish: AppDep, me: AdminDep) -> list[SettingInfo]:
    """List all settings with their values and where those come from."""
    await fish.refresh()
    return [SettingInfo.model_validate(line.model_dump(mode="json")) for line in fish.settings_store.lines()]


@router.put("")
async def change_setting(fish: AppDep, request: Request, me: AdminDep, change: SettingInput) -> SettingVersion:
    """Change a setting; it applies from the next run on."""
    check_settable(fish, request, me, change.path, change.value)
    saved = await fish.settings_store.change(change.path, change.value, me.name)
    await fish.refresh()
    return SettingVersion.model_validate(saved.model_dump(mode="json"))


@router.get("/history")
async def settings_history(fish: AppDep, me: AdminDep, path: str = "") -> list[SettingVersion]:
    """List all changes, newest first."""
    return [
        SettingVersion.model_validate(c.model_dump(mode="json"))
        for c in await fish.settings_store.history(path.replace("\0", ""))
    ]


@router.get("/schema")
async def settings_schema(me: AdminDep) -> dict[str, Any]:
    """The JSON schema of all settings: types, limits and choices."""
    return Settings.model_json_schema()
