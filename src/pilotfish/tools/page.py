"""Tools that act on the page: click, type, select, keys, hover, drag, upload, scroll. Each reports what it changed."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from pilotfish.browser.actions import fields, navigation, pointer
from pilotfish.browser.actions.page_tool_call import call_page_tool, describe_change
from pilotfish.browser.actions.text_selection import select_text
from pilotfish.browser.perception.changes import ChangeReport
from pilotfish.core.errors import ToolError
from pilotfish.tools.base import TabNumber, ToolContext, ToolResult, tool

ElementNumber = Annotated[int, Field(description="number as in [12]")]
DialogAnswer = Annotated[
    str, Field(description='for a dialog that may come up: "ok", "cancel", or the text for a prompt')
]


def report_change(change: ChangeReport) -> ToolResult:
    """A change as a tool's result."""
    aim = {"aim": change.pointer.model_dump(mode="json", exclude={"type"})} if change.pointer else {}
    touched = {"touched": {str(id): each.model_dump() for id, each in change.touched.items()}} if change.touched else {}
    events = {"moved": change.moved, "notices": [notice.kind for notice in change.notices]}
    events |= {"only_shows": True} if change.only_shows else {}
    place = {"url": change.url, "title": change.title, "tab": change.tab}
    values = {str(id): {"before": old, "after": new} for id, (old, new) in change.touched_values().items()}
    shown = {"scroll": change.view.outline.scroll[0], **({"values": values} if values else {})}
    data = {**place, "changed": not change.is_nothing, "headline": change.headline, **events, **shown, **aim, **touched}
    return ToolResult(output=change.text(), text=change.action, data=data)


@tool(group="page", effect=True)
async def click(
    ctx: ToolContext,
    id: ElementNumber,
    kind: pointer.ClickKind = "single",
    answer: DialogAnswer = "",
    x: Annotated[float | None, Field(description="for a canvas: pixels from its left")] = None,
    y: Annotated[float | None, Field(description="and from its top")] = None,
) -> ToolResult:
    """Click an element: a button, link, checkbox, tab or anything else."""
    session = await ctx.browser()
    if x is not None and y is not None:
        return report_change(await pointer.click_at(session, id, x, y, kind, answer))
    return report_change(await pointer.click(session, id, kind, answer))


@tool(name="type", group="page", effect=True)
async def type_text(
    ctx: ToolContext,
    id: ElementNumber,
    text: str,
    mode: fields.TypingMode = "replace",
    submit: Annotated[bool, Field(description="press Enter afterwards")] = False,
    part: Annotated[str, Field(description="words in the field that the text takes the place of; the rest stays")] = "",
) -> ToolResult:
    """Type text into a field, replacing what is there or adding to it. Also sets dates, times, colours and sliders."""
    session = await ctx.browser()
    if part:
        return report_change(await fields.replace_part(session, id, part, text, submit))
    return report_change(await fields.type_text(session, id, text, mode, submit))


@tool(group="page", effect=True)
async def select(ctx: ToolContext, id: ElementNumber, option: str, by: fields.OptionKey = "text") -> ToolResult:
    """Choose an option from a drop-down list by its text, value or place (from 0)."""
    return report_change(await fields.select(await ctx.browser(), id, option, by))


@tool(group="page", effect=True)
async def press_key(
    ctx: ToolContext,
    key: Annotated[str, Field(description="such as Enter, Escape, Tab, ArrowDown, Ctrl+A")],
    id: Annotated[int | None, Field(description="none: where the focus is")] = None,
) -> ToolResult:
    """Press a key or a combination of keys."""
    return report_change(await navigation.press_key(await ctx.browser(), key, id))


@tool(group="page", effect=True)
async def hover(ctx: ToolContext, id: ElementNumber) -> ToolResult:
    """Move the mouse over an element, to open a menu or show a hint."""
    return report_change(await pointer.hover(await ctx.browser(), id))


@tool(group="page", effect=True)
async def drag(
    ctx: ToolContext,
    from_id: ElementNumber,
    to_id: int | None = None,
    dx: int = 0,
    dy: int = 0,
) -> ToolResult:
    """Drag one element and drop it on another, or move it by pixels: dx to the right, dy down."""
    session = await ctx.browser()
    if to_id is not None:
        return report_change(await pointer.drag(session, from_id, to_id))
    if not (dx or dy):
        raise ToolError("Say where to: to_id for an element, or dx and dy for pixels.")
    return report_change(await pointer.drag_by(session, from_id, dx, dy))


@tool(group="page", effect=True, timeout=60)
async def page_tool(
    ctx: ToolContext,
    name: Annotated[str, Field(description="as listed with the page, without page.")],
    arguments: Annotated[Mapping[str, Any], Field(description="what the tool takes, by name")] = {},
    answer: DialogAnswer = "",
) -> ToolResult:
    """Call a tool that the page itself offers, where one does in one call what takes several actions."""
    outcome = await call_page_tool(await ctx.browser(), name, arguments, answer)
    tool, change = outcome.tool, outcome.change
    said = f"It answered: {outcome.answer}" if outcome.answer else ""
    lines = [f"{change.action}.", said, describe_change(change)]
    place = {"url": change.url, "title": change.title, "tab": change.tab, "moved": change.moved}
    called = {"page_tool": tool.label, "origin": tool.origin, "notices": [notice.kind for notice in change.notices]}
    return ToolResult(output="\n".join(filter(None, lines)), text=change.action, data={**place, **called})


@tool(group="page")
async def mark(ctx: ToolContext, text: str) -> ToolResult:
    """Mark words of the page, to copy or format them."""
    return report_change(await select_text(await ctx.browser(), text))


@tool(group="page", effect=True)
async def upload(
    ctx: ToolContext,
    id: ElementNumber,
    path: Annotated[str, Field(description="name of one of the run's files; several: a line each")],
) -> ToolResult:
    """Give one of the run's files to a file field or an upload button."""
    return report_change(await pointer.upload(await ctx.browser(), id, path, ctx.folder))


@tool(group="page")
async def scroll(
    ctx: ToolContext,
    direction: navigation.Direction = "down",
    target: Annotated[int | None, Field(description="an element: scroll its box, or scroll to it")] = None,
    amount: Annotated[int | None, Field(description="pixels, not for top and bottom", ge=1, le=20_000)] = None,
    tab: TabNumber = None,
) -> ToolResult:
    """Scroll the page or a box in it, or to an element. Shows what comes into sight."""
    session = await ctx.browser()
    if tab is not None and tab != session.active:
        await session.switch(tab)
    return report_change(await navigation.scroll(session, direction, amount, target))
