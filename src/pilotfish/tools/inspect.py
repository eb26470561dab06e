"""Tools for people who debug a page from another program: its console, its requests, the window's size and colors.

Loops are not offered them, unless a run names them.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from pilotfish.browser.sessions.page_log import LogKind, keep_logs
from pilotfish.tools.base import TabNumber, ToolContext, ToolResult, tool
from pilotfish.tools.read import shorten_text

ErrorsOnly = Annotated[bool, Field(description="only errors and failures")]


@tool(group="inspect")
async def console_messages(ctx: ToolContext, errors: ErrorsOnly = False, tab: TabNumber = None) -> ToolResult:
    """List what the page wrote to the console since it was opened here, errors of its scripts included."""
    return await _read_log(ctx, "console", errors, tab)


@tool(group="inspect")
async def network_requests(ctx: ToolContext, errors: ErrorsOnly = False, tab: TabNumber = None) -> ToolResult:
    """List the requests that the page made, with the status of each answer."""
    return await _read_log(ctx, "request", errors, tab)


@tool(group="inspect", effect=True)
async def resize(
    ctx: ToolContext,
    width: Annotated[int, Field(ge=200, le=4000)],
    height: Annotated[int, Field(ge=200, le=4000)],
    tab: TabNumber = None,
) -> ToolResult:
    """Change the size of the page's window, in pixels."""
    shown = await (await ctx.browser()).tab(tab)
    shown.count_input()
    size = shown.page.set_viewport_size({"width": width, "height": height})
    await shown.guard.call(size, "changing the window's size")
    return ToolResult(output=f"The window is {width} × {height} pixels now.", data={"width": width, "height": height})


@tool(group="inspect", effect=True)
async def emulate_media(
    ctx: ToolContext,
    media: Literal["screen", "print"] | None = None,
    color_scheme: Literal["light", "dark", "no-preference"] | None = None,
    reduced_motion: Literal["reduce", "no-preference"] | None = None,
    forced_colors: Literal["active", "none"] | None = None,
    contrast: Literal["more", "no-preference"] | None = None,
    tab: TabNumber = None,
) -> ToolResult:
    """Show the page as on paper, in dark colors, or as people set their screens. What is left out stays as it is."""
    shown = await (await ctx.browser()).tab(tab)
    shown.count_input()
    wanted: dict[str, Any] = {
        "media": media,
        "color_scheme": color_scheme,
        "reduced_motion": reduced_motion,
        "forced_colors": forced_colors,
        "contrast": contrast,
    }
    chosen = {name: value for name, value in wanted.items() if value}
    await shown.guard.call(shown.page.emulate_media(**chosen), "changing how the page is shown")
    changes = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in chosen.items())
    return ToolResult(output=f"The page is shown with {changes}." if changes else "Nothing was to change.", data=chosen)


@tool(group="inspect", effect=True)
async def close_browser(ctx: ToolContext) -> ToolResult:
    """Close all tabs. Cookies stay, and the next tool opens the browser again."""
    session = await ctx.browser()
    await session.tab()
    open_tabs = list(session.tabs)
    for number in open_tabs:
        await session.close(number)
    return ToolResult(output=f"Closed {len(open_tabs)} {'tab' if len(open_tabs) == 1 else 'tabs'}.")


async def _read_log(ctx: ToolContext, kind: LogKind, errors: bool, tab: TabNumber) -> ToolResult:
    shown = await (await ctx.browser()).tab(tab)
    lines = keep_logs(shown.page.context).lines(shown.page, kind, errors)
    return ToolResult(output=shorten_text("\n".join(lines)) or "(There is nothing.)", data={"lines": lines})
