"""Driving the browser: addresses, history, tabs, and waiting."""

from typing import Annotated, Literal

from pydantic import Field

from pilotfish.browser import act_move
from pilotfish.core.errors import ToolError
from pilotfish.tools.base import Context, Result, tool
from pilotfish.tools.page import told

HIDDEN = ("file:", "view-source:", "chrome:", "javascript:", "data:", "blob:", "about:config")


@tool(group="browser", effect=True, timeout=60)
async def navigate(
    ctx: Context,
    action: act_move.Journey = "goto",
    url: Annotated[str, Field(description="for goto: the address")] = "",
) -> Result:
    """Go to an address, back, forward, or load the page again. Shows the page that comes up."""
    return told(await act_move.navigate(await ctx.browser(), action, address(url)))


@tool(group="browser", effect=True, timeout=60)
async def manage_tabs(
    ctx: Context,
    action: Literal["open", "close", "switch", "list"],
    tab_id: Annotated[int | None, Field(description="the tab's number; for close: none means the active one")] = None,
    url: Annotated[str, Field(description="for open: the address")] = "",
) -> Result | str:
    """Open, close, switch to or list tabs."""
    session = await ctx.browser()
    match action:
        case "open":
            return told(await act_move.open_tab(session, address(url)))
        case "close":
            return told(await act_move.close_tab(session, tab_id))
        case "list":
            return await act_move.list_tabs(session)
        case "switch":
            if tab_id is None:
                raise ToolError("Say which tab: switch needs tab_id. manage_tabs(list) shows the numbers.")
            return told(await act_move.switch_tab(session, tab_id))


@tool(group="browser", timeout=40)
async def wait_for(
    ctx: Context,
    kind: act_move.Awaited,
    value: Annotated[str, Field(description="for time: milliseconds; for element: its text")] = "",
    selector: Annotated[str, Field(description="for element: a CSS selector")] = "",
    timeout: Annotated[int, Field(description="milliseconds at most", ge=1, le=30_000)] = 5000,
) -> Result:
    """Wait for a time, for an element or text to appear, for another page, or until the network is quiet.

    Actions wait for what they set off: use this only for what comes later.
    """
    return told(await act_move.wait_for(await ctx.browser(), kind, value, selector, timeout))


def address(url: str) -> str:
    """What a model may open: pages, not the machine's files or the browser's insides."""
    if url.strip().lower().startswith(HIDDEN):
        raise ToolError(f"Addresses of this kind cannot be opened: {url[:80]}.")
    return url
