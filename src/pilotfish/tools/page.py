"""Touching the page: click, type, select, keys, hover, drag, upload, scroll. Each tells what it changed."""

from typing import Annotated

from pydantic import Field

from pilotfish.browser import act, act_fill, act_move
from pilotfish.browser.changes import Change
from pilotfish.browser.mark import mark_text
from pilotfish.core.errors import ToolError
from pilotfish.tools.base import Context, Result, tool

Id = Annotated[int, Field(description="number as in [12]")]
Answer = Annotated[str, Field(description='for a dialog that may come up: "ok", "cancel", or the text for a prompt')]


def told(change: Change) -> Result:
    """A change as a tool's result."""
    aim = {"aim": change.aim.model_dump(mode="json", exclude={"type"})} if change.aim else {}
    met = {"met": {str(id): each.model_dump() for id, each in change.met.items()}} if change.met else {}
    data = {"url": change.url, "title": change.title, "tab": change.tab, "changed": not change.nothing, **aim, **met}
    return Result(output=change.text(), text=change.did, data=data)


@tool(group="page", effect=True)
async def click(
    ctx: Context,
    id: Id,
    kind: act.Kind = "single",
    answer: Answer = "",
    x: Annotated[float | None, Field(description="for a canvas: pixels from its left")] = None,
    y: Annotated[float | None, Field(description="and from its top")] = None,
) -> Result:
    """Click an element: a button, link, checkbox, tab or anything else."""
    session = await ctx.browser()
    if x is not None and y is not None:
        return told(await act.click_at(session, id, x, y))
    return told(await act.click(session, id, kind, answer))


@tool(name="type", group="page", effect=True)
async def type_text(
    ctx: Context,
    id: Id,
    text: str,
    mode: act_fill.Mode = "replace",
    submit: Annotated[bool, Field(description="press Enter afterwards")] = False,
) -> Result:
    """Type text into a field, replacing what is there or adding to it. Also sets dates, times, colours and sliders."""
    return told(await act_fill.type_text(await ctx.browser(), id, text, mode, submit))


@tool(group="page", effect=True)
async def select(ctx: Context, id: Id, option: str, by: act_fill.By = "text") -> Result:
    """Choose an option from a drop-down list by its text, value or place (from 0)."""
    return told(await act_fill.select(await ctx.browser(), id, option, by))


@tool(group="page", effect=True)
async def press_key(
    ctx: Context,
    key: Annotated[str, Field(description="such as Enter, Escape, Tab, ArrowDown, Ctrl+A")],
    id: Annotated[int | None, Field(description="none: where the focus is")] = None,
) -> Result:
    """Press a key or a combination of keys."""
    return told(await act_move.press_key(await ctx.browser(), key, id))


@tool(group="page", effect=True)
async def hover(ctx: Context, id: Id) -> Result:
    """Move the mouse over an element, to open a menu or show a hint."""
    return told(await act.hover(await ctx.browser(), id))


@tool(group="page", effect=True)
async def drag(
    ctx: Context,
    from_id: Id,
    to_id: int | None = None,
    dx: int = 0,
    dy: int = 0,
) -> Result:
    """Drag one element and drop it on another, or move it by pixels: dx to the right, dy down."""
    session = await ctx.browser()
    if to_id is not None:
        return told(await act.drag(session, from_id, to_id))
    if not (dx or dy):
        raise ToolError("Say where to: to_id for an element, or dx and dy for pixels.")
    return told(await act.drag_by(session, from_id, dx, dy))


@tool(group="page")
async def mark(ctx: Context, text: str) -> Result:
    """Mark words of the page, to copy or format them."""
    return told(await mark_text(await ctx.browser(), text))


@tool(group="page", effect=True)
async def upload(
    ctx: Context, id: Id, path: Annotated[str, Field(description="name of one of the run's files")]
) -> Result:
    """Give one of the run's files to a file field or an upload button."""
    return told(await act.upload(await ctx.browser(), id, path, ctx.folder))


@tool(group="page")
async def scroll(
    ctx: Context,
    direction: act_move.Direction = "down",
    amount: Annotated[int | None, Field(description="pixels, for up and down", ge=1, le=20_000)] = None,
    target: Annotated[int | None, Field(description="an element: scroll its box, or scroll to it")] = None,
) -> Result:
    """Scroll the page or a box in it, or to an element. Shows what comes into sight."""
    return told(await act_move.scroll(await ctx.browser(), direction, amount, target))
