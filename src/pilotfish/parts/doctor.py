"""Is everything here that Pilotfish needs? Each check says what it found and, where something is amiss, what to do."""

import asyncio
import platform
import shutil
import socket
import sys
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Literal

from pilotfish.core.errors import PersonError, SettingsError
from pilotfish.core.settings import Settings
from pilotfish.core.values import Value

Status = Literal["ok", "warning", "broken"]
NEEDED_PYTHON = (3, 11)
LITTLE_DISK = 2_000_000_000
NO_DISK = 200_000_000


class Finding(Value):
    """The outcome of one check."""

    name: str
    status: Status
    found: str
    fix: str = ""


Check = Callable[[Settings], Awaitable[Finding]]


async def examine() -> list[Finding]:
    """Every check, at the same time; only those that need no settings if the settings cannot be read."""
    from pilotfish.store.config import load

    try:
        settings = load()
    except SettingsError as error:
        return [await python(Settings()), Finding(name="settings", status="broken", found=error.message, fix=error.fix)]
    read = Finding(name="settings", status="ok", found=f"home is {settings.home}")
    return [read, *await asyncio.gather(*(checked(check, settings) for check in CHECKS))]


def healthy(findings: Iterable[Finding]) -> bool:
    return all(finding.status != "broken" for finding in findings)


async def python(_: Settings) -> Finding:
    version = platform.python_version()
    if sys.version_info < NEEDED_PYTHON:
        return Finding(name="python", status="broken", found=version, fix="Install Python 3.11 or newer.")
    if sys.prefix == sys.base_prefix:
        fix = "Better in a virtual environment: `make run` makes one."
        return Finding(name="python", status="warning", found=f"{version}, shared with the system", fix=fix)
    return Finding(name="python", status="ok", found=f"{version} in {sys.prefix}")


async def browser(settings: Settings) -> Finding:
    """Start it (or attach to it), and ask for its version."""
    from pilotfish.browser.pool import attach, launch

    engine = await (attach if settings.browser.attach else launch)(settings.browser)
    try:
        found = f"Chromium {engine.chromium.version}"
    finally:
        await engine.stop()
    return Finding(name="browser", status="ok", found=f"{found}, {'attached' if engine.attached else 'starts'}")


async def model(settings: Settings) -> Finding:
    """Whether the main model could be asked; it is not asked, which might cost money."""
    from pilotfish.llm.providers import connect
    from pilotfish.runtime.minds import Minds

    name = await Minds(settings.models, settings.home).name()
    await (await connect(name, settings.models, settings.home)).close()
    return Finding(name="model", status="ok", found=name)


async def database(settings: Settings) -> Finding:
    """Open it, bring it up to date, write something."""
    from pilotfish.store.database import Database, address

    async with await Database.open(address(settings)) as store:
        await store.put("doctor", "probe", b"", ttl=1)
        await store.drop("doctor", "probe")
    kind = "PostgreSQL" if settings.database.startswith("postgres") else f"SQLite in {settings.home}"
    return Finding(name="database", status="ok", found=f"{kind}, can be written")


async def port(settings: Settings) -> Finding:
    host, number = settings.server.host, settings.server.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, number))
        except OSError as error:
            fix = "If that is not Pilotfish itself, choose another port: PILOTFISH_SERVER__PORT=8418."
            return Finding(name="port", status="warning", found=f"{host}:{number}: {error.strerror}", fix=fix)
    return Finding(name="port", status="ok", found=f"{host}:{number} is free")


async def disk(settings: Settings) -> Finding:
    place = next(folder for folder in (settings.home, *settings.home.parents, Path()) if folder.exists())
    free = shutil.disk_usage(place).free
    found = f"{free / 1e9:.1f} GB free at {settings.home}"
    if free >= LITTLE_DISK:
        return Finding(name="disk", status="ok", found=found)
    status: Status = "broken" if free < NO_DISK else "warning"
    fix = "Free some space (the embedded model takes 1.1 GB), or choose another folder with PILOTFISH_HOME."
    return Finding(name="disk", status=status, found=found, fix=fix)


CHECKS: tuple[Check, ...] = (python, browser, model, database, port, disk)


async def checked(check: Check, settings: Settings) -> Finding:
    try:
        return await check(settings)
    except PersonError as error:
        return Finding(name=check.__name__, status="broken", found=error.message, fix=error.fix)
