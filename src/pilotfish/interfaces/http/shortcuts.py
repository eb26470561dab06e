"""Shortcuts over HTTP: made of runs, listed, used, renamed, deleted, exported and imported."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path
from fastapi.responses import Response
from pydantic import Field

from pilotfish.core.records import RunRecord
from pilotfish.core.shortcut import LARGEST_FILE, NAME_PATTERN, Shortcut, read_shortcut, write_shortcut
from pilotfish.core.values import Value
from pilotfish.interfaces.http.repeats import ReplayOptions
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, UserDep, get_conversation
from pilotfish.interfaces.web_server.run_options import check_options
from pilotfish.services.shortcuts import ShortcutPreview, preview_run

router = APIRouter(prefix="/api/shortcuts", tags=["shortcuts"], responses=ERRORS)
ShortcutName = Annotated[str, Path(max_length=40)]
Word = Annotated[str, Field(max_length=2000)]


class ShortcutSource(Value):
    """The run to make a shortcut of."""

    run: str = Field(min_length=1, max_length=64)


class ShortcutStart(ShortcutSource):
    """The run to make a shortcut of, its name, and the words that become parameters."""

    name: str = Field(pattern=f"^{NAME_PATTERN}$")
    parameters: Mapping[str, Word] = Field(default_factory=dict[str, str], max_length=20)


class ShortcutRename(Value):
    """The new name of a shortcut."""

    name: str = Field(pattern=f"^{NAME_PATTERN}$")


class ShortcutUse(ReplayOptions):
    """The values of the parameters, and the conversation that the run belongs to; empty: a new one."""

    values: Mapping[str, Word] = Field(default_factory=dict[str, str], max_length=20)
    conversation: str = Field(default="", max_length=64)


@router.get("")
async def list_shortcuts(fish: AppDep, me: UserDep) -> list[Shortcut]:
    """List your shortcuts by name."""
    return await fish.shortcuts.list(me.id)


@router.post("", status_code=201)
async def save_shortcut(fish: AppDep, me: UserDep, start: ShortcutStart) -> Shortcut:
    """Make a shortcut of what a run did in the browser."""
    return await fish.save_shortcut(start.run, start.name, start.parameters, user=me.id)


@router.post("/preview")
async def preview_shortcut(fish: AppDep, me: UserDep, of: ShortcutSource) -> ShortcutPreview:
    """Say what a shortcut of a run would do, and which words of it could become parameters."""
    record = await fish.record(of.run, me.id)
    return preview_run(record, await fish.events(record.id))


@router.post("/import", status_code=201)
async def import_shortcut(fish: AppDep, me: UserDep, file: Annotated[dict[str, Any], Body()]) -> Shortcut:
    """Keep a shortcut from an exported file."""
    text = json.dumps(file)
    return await fish.shortcuts.add(me.id, read_shortcut(text[: LARGEST_FILE + 1]))


@router.get("/{name}")
async def show_shortcut(fish: AppDep, me: UserDep, name: ShortcutName) -> Shortcut:
    """Read a shortcut with its actions."""
    return await fish.shortcuts.get(me.id, name)


@router.get("/{name}/file", response_class=Response, responses={200: {"content": {"application/json": {}}}})
async def export_shortcut(fish: AppDep, me: UserDep, name: ShortcutName) -> Response:
    """Export a shortcut as a file."""
    text = write_shortcut(await fish.shortcuts.get(me.id, name))
    named = {"content-disposition": f'attachment; filename="{name}.json"'}
    return Response(text, media_type="application/json", headers=named)


@router.post("/{name}/run", status_code=201)
async def use_shortcut(fish: AppDep, me: UserDep, name: ShortcutName, use: ShortcutUse) -> RunRecord:
    """Do what a shortcut records; a model is asked only for elements that cannot be found."""
    options = use.model_dump(exclude_none=True, exclude={"values", "conversation"})
    await check_options(fish, me, options)
    if use.conversation:
        options["conversation"] = (await get_conversation(use.conversation, fish, me)).id
    return await fish.use_shortcut(name, use.values, user=me.id, **options)


@router.patch("/{name}")
async def rename_shortcut(fish: AppDep, me: UserDep, name: ShortcutName, change: ShortcutRename) -> Shortcut:
    """Give a shortcut another name."""
    return await fish.shortcuts.rename(me.id, name, change.name)


@router.delete("/{name}", status_code=204)
async def delete_shortcut(fish: AppDep, me: UserDep, name: ShortcutName) -> None:
    """Delete a shortcut."""
    await fish.shortcuts.delete(me.id, name)
