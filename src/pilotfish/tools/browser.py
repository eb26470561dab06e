"""Tools that open pages, move in the history, manage tabs and wait."""

from typing import Annotated, Literal

from pydantic import Field

from pilotfish.browser.actions import navigation
from pilotfish.core.errors import ToolError
from pilotfish.tools.base import ToolContext, ToolResult, tool
from pilotfish.tools.page import report_change

HIDDEN = ("file:", "view-source:", "chrome:", "javascript:", "data:", "blob:", "about:config")


@tool(group="browser", effect=True, timeout=60)
async def navigate(
    ctx: ToolContext,
    action: navigation.HistoryMove = "goto",
    url: Annotated[str, Field(description="for goto: the address")] = "",
) -> ToolResult:
    """Go to an address, back, forward, or load the page again. Shows the page that comes up."""
    return report_change(await navigation.navigate(await ctx.browser(), action, require_page_address(url)))


@tool(group="browser", effect=True, timeout=60)
async def manage_tabs(
    ctx: ToolContext,
    action: Literal["open", "close", "switch", "list"],
    tab_id: Annotated[int | None, Field(description="the tab's number; for close: none means the active one")] = None,
    url: Annotated[str, Field(description="for open: the address")] = "",
) -> ToolResult | str:
    """Open, close, switch to or list tabs."""
    session = await ctx.browser()
    match action:
        case "open":
            return report_change(await navigation.open_tab(session, require_page_address(url)))
        case "close":
            return report_change(await navigation.close_tab(session, tab_id))
        case "list":
            return await navigation.list_tabs(session)
        case "switch":
            if tab_id is None:
                raise ToolError("Say which tab: switch needs tab_id. manage_tabs(list) shows the numbers.")
            return report_change(await navigation.switch_tab(session, tab_id))


@tool(group="browser", timeout=40)
async def wait_for(
    ctx: ToolContext,
    kind: navigation.WaitKind,
    value: Annotated[str, Field(description="for time: milliseconds; for element and gone: its text")] = "",
    selector: Annotated[str, Field(description="for element and gone: a CSS selector")] = "",
    timeout: Annotated[int, Field(description="milliseconds, 30000 at most", ge=1)] = 5000,
) -> ToolResult:
    """Wait for a time, for an element or text to appear or be gone, for another page, or until the network is quiet.

    Actions wait for what they set off: use this only for what comes later.
    """
    return report_change(await navigation.wait_for(await ctx.browser(), kind, value, selector, timeout))


def require_page_address(url: str) -> str:
    """Accept web pages only, not local files or the browser's internal pages."""
    if url.strip().lower().startswith(HIDDEN):
        raise ToolError(f"Addresses of this kind cannot be opened: {url[:80]}.")
    return url
