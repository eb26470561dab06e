"""Checks what Pilotfish needs. Each check says what it found and how to fix what is wrong."""

import asyncio
import importlib.util
import platform
import shutil
import socket
import sqlite3
import sys
from collections.abc import Awaitable, Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Literal

from pilotfish import __version__
from pilotfish.core.errors import PersonError, SettingsError
from pilotfish.core.settings import Settings
from pilotfish.core.users import LOCAL
from pilotfish.core.values import Value
from pilotfish.services.own_server import ask_server

CheckStatus = Literal["ok", "warning", "broken"]
NEEDED_PYTHON = (3, 11)
LITTLE_DISK = 2_000_000_000
NO_DISK = 200_000_000
OPTIONAL_PACKAGES = {"embedded": "xllamacpp", "meaning": "wordllama"}
"""Extras by their packages, which a small install may leave out."""
NOT_OFFERED = {"meaning"} if sys.version_info >= (3, 14) else set[str]()
"""Extras whose packages have no wheel for this Python."""


class DoctorFinding(Value):
    """The outcome of one check."""

    name: str
    status: CheckStatus
    found: str
    fix: str = ""


DoctorCheck = Callable[[Settings], Awaitable[DoctorFinding]]


async def run_checks() -> list[DoctorFinding]:
    """Every check, at the same time; only those that need no settings if the settings cannot be read."""
    from pilotfish.store.settings_reader import load_settings

    try:
        settings = load_settings()
    except SettingsError as error:
        return [
            await check_python(Settings()),
            DoctorFinding(name="settings", status="broken", found=error.message, fix=error.fix),
        ]
    read = DoctorFinding(name="settings", status="ok", found=f"home is {settings.home}")
    return [read, *await asyncio.gather(*(run_check(check, settings) for check in CHECKS))]


def is_healthy(findings: Iterable[DoctorFinding]) -> bool:
    return all(finding.status != "broken" for finding in findings)


async def check_python(_: Settings) -> DoctorFinding:
    version = platform.python_version()
    if sys.version_info < NEEDED_PYTHON:
        return DoctorFinding(name="python", status="broken", found=version, fix="Install Python 3.11 or newer.")
    if sys.prefix == sys.base_prefix:
        fix = "Better in a virtual environment: `make run` makes one."
        return DoctorFinding(name="python", status="warning", found=f"{version}, shared with the system", fix=fix)
    return DoctorFinding(name="python", status="ok", found=f"{version} in {sys.prefix}")


async def check_browser(settings: Settings) -> DoctorFinding:
    """Start it (or attach to it), and ask for its version; try each of those elsewhere."""
    from pilotfish.browser.sessions.browser_pool import attach_browser, launch_browser
    from pilotfish.browser.sessions.remote_pool import try_browsers

    if settings.browser.remote:
        every = await try_browsers(settings.browser)
        bad = [one.why for one in every if one.why]
        status: CheckStatus = "ok" if every and not bad else "broken" if len(bad) == len(every) else "warning"
        found = f"{len(every) - len(bad)} of {len(every)} elsewhere answer"
        return DoctorFinding(name="browser", status=status, found=found, fix=" ".join(bad))
    own = settings.browser.attach
    engine = await (attach_browser(own, settings.browser) if own else launch_browser(settings.browser))
    try:
        found = f"Chromium {engine.chromium.version}, {'attached' if engine.is_attached else 'starts'}"
    finally:
        await engine.stop()
    if engine.place.sandboxed:
        return DoctorFinding(name="browser", status="ok", found=found)
    fix = "Run Pilotfish as an ordinary user, and allow user namespaces (in a container: seccomp=unconfined)."
    return DoctorFinding(name="browser", status="warning", found=f"{found} without its sandbox", fix=fix)


async def check_model(settings: Settings) -> DoctorFinding:
    """Whether the main model could be asked; it is not asked, which might cost money."""
    from pilotfish.llm.providers import connect_model
    from pilotfish.runtime.model_pool import ModelPool

    name = await ModelPool(settings.models, settings.home).name()
    await (await connect_model(name, settings.models, settings.home)).close()
    return DoctorFinding(name="model", status="ok", found=name)


async def check_database(settings: Settings) -> DoctorFinding:
    """Open it, bring it up to date, write something."""
    from pilotfish.store.database import Database, database_address

    async with await Database.open(database_address(settings)) as store:
        await store.put("doctor", "probe", b"", ttl=1)
        await store.drop("doctor", "probe")
    if settings.database.startswith("postgres"):
        return DoctorFinding(name="database", status="ok", found="PostgreSQL, can be written")
    found = f"SQLite {sqlite3.sqlite_version} in {settings.home}, can be written"
    return check_engine_clock(DoctorFinding(name="database", status="ok", found=found))


def check_engine_clock(fine: DoctorFinding) -> DoctorFinding:
    """Whether SQLite tells the engine parts of seconds; `EngineConnection` helps one that is too old to."""
    from pilotfish.runtime.engine import EngineConnection

    with closing(EngineConnection(":memory:")) as connection:
        [(clock,)] = connection.execute("select unixepoch('subsec')").fetchall()
    if clock:
        return fine
    fix = "Use a Python whose SQLite is 3.42 or newer."
    return DoctorFinding(name="database", status="broken", found=f"{fine.found}, too old for runs", fix=fix)


async def check_port(settings: Settings) -> DoctorFinding:
    host, number = settings.server.host, settings.server.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, number))
        except OSError as error:
            fix = "If that is not Pilotfish itself, choose another port: PILOTFISH_SERVER__PORT=8418."
            return DoctorFinding(name="port", status="warning", found=f"{host}:{number}: {error.strerror}", fix=fix)
    return DoctorFinding(name="port", status="ok", found=f"{host}:{number} is free")


async def check_disk(settings: Settings) -> DoctorFinding:
    place = next(folder for folder in (settings.home, *settings.home.parents, Path()) if folder.exists())
    free = shutil.disk_usage(place).free
    found = f"{free / 1e9:.1f} GB free at {settings.home}"
    if free >= LITTLE_DISK:
        return DoctorFinding(name="disk", status="ok", found=found)
    status: CheckStatus = "broken" if free < NO_DISK else "warning"
    fix = "Free some space (the embedded model takes 1.1 GB), or choose another folder with PILOTFISH_HOME."
    return DoctorFinding(name="disk", status=status, found=found, fix=fix)


async def check_extension(settings: Settings) -> DoctorFinding:
    """Whether an extension is paired and, if Pilotfish runs, connected. Without one nothing is wrong."""
    from pilotfish.services.users import UserDirectory
    from pilotfish.store.database import Database, database_address

    async with await Database.open(database_address(settings)) as store:
        users = UserDirectory(store, settings.home)
        paired = [token for token in await users.grants(LOCAL) if token.kind == "extension"]
        token = users.local_token
    if not paired:
        found, fix = "none is paired", "To use your own Chrome, run `pilotfish extension`."
        return DoctorFinding(name="extension", status="ok", found=found, fix=fix)
    state = await ask_server(settings, "/api/extension", token)
    if state is None:
        found = f"{len(paired)} paired; whether one is connected is known when Pilotfish runs"
        return DoctorFinding(name="extension", status="ok", found=found)
    if not state["connected"]:
        fix = "Open that Chrome, and see at chrome://extensions that Pilotfish is switched on."
        found = f"{len(paired)} paired, none connected"
        return DoctorFinding(name="extension", status="warning", found=found, fix=fix)
    versions = [str(version) for version in state["versions"]]
    found = f"{len(paired)} paired, {len(versions)} connected ({', '.join(versions)})"
    if set(versions) - {__version__}:
        fix = f"This is Pilotfish {__version__}: run `pilotfish extension` again, and reload it at chrome://extensions."
        return DoctorFinding(name="extension", status="warning", found=found, fix=fix)
    return DoctorFinding(name="extension", status="ok", found=found)


async def check_packages(_: Settings) -> DoctorFinding:
    """Whether packages are missing that a small install leaves out."""
    missing = [extra for extra, package in OPTIONAL_PACKAGES.items() if importlib.util.find_spec(package) is None]
    if not missing:
        return DoctorFinding(name="packages", status="ok", found="all are installed")
    found, offered = f"without {' and '.join(missing)}", [one for one in missing if one not in NOT_OFFERED]
    fix = f"pip install 'pilotfish[{','.join(offered)}]'" if offered else ""
    return DoctorFinding(name="packages", status="ok", found=found, fix=fix)


async def check_workers(settings: Settings) -> DoctorFinding:
    """Which processes drive runs, and whether some runs wait for labels that none of them has."""
    from pilotfish.core.events import current_time
    from pilotfish.services.workers import list_workers
    from pilotfish.store.database import Database, database_address

    async with await Database.open(database_address(settings)) as store:
        taking = [worker for worker in await list_workers(store) if worker.runs and not worker.draining]
        waiting = await store.list_labelled(current_time())
    named = [" ".join((worker.host, *worker.labels)) for worker in taking]
    known = f"{len(taking)} at work: {', '.join(named)}" if taking else "none is at work"
    wanted = {tuple(sorted(run.options.get("labels", ()))) for run in waiting}
    unfit = sorted(labels for labels in wanted if not any(set(labels) <= set(one.labels) for one in taking))
    if unfit:
        found = f"{known}; runs wait for one with {' or with '.join(', '.join(labels) for labels in unfit)}"
        flags = " ".join(f"--label {label}" for label in unfit[0])
        return DoctorFinding(name="workers", status="warning", found=found, fix=f"Start `pilotfish worker {flags}`.")
    return DoctorFinding(name="workers", status="ok", found=known)


async def check_machine(_: Settings) -> DoctorFinding:
    """Which embedded models this machine has the memory for, and which is recommended."""
    from pilotfish.llm.catalog import CATALOG, recommend_entry
    from pilotfish.llm.machine import measure_machine

    machine = measure_machine()
    names = [entry.name for entry in CATALOG.values() if entry.cores and entry.fits(machine)]
    size = f"{machine.memory / 1e9:.0f} GB of memory, {machine.cores} core{'s' * (machine.cores > 1)}"
    if not names:
        fix = "Use a model behind an API, or a machine with more memory."
        return DoctorFinding(
            name="machine", status="warning", found=f"{size}: too little for an embedded model", fix=fix
        )
    found = f"{size}: can run {', '.join(names)}; recommended is {recommend_entry(machine).name}"
    return DoctorFinding(name="machine", status="ok", found=found)


CHECKS: tuple[DoctorCheck, ...] = (
    check_python,
    check_packages,
    check_machine,
    check_browser,
    check_model,
    check_database,
    check_workers,
    check_extension,
    check_port,
    check_disk,
)


async def run_check(check: DoctorCheck, settings: Settings) -> DoctorFinding:
    try:
        return await check(settings)
    except PersonError as error:
        return DoctorFinding(
            name=check.__name__.removeprefix("check_"), status="broken", found=error.message, fix=error.fix
        )
