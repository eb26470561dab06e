"""The history of a tab: which entry is shown, whether there is one before it, and going to one."""

import contextlib
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from pilotfish.browser.sessions.waiting import wait_until_settled
from pilotfish.core.errors import ToolError

if TYPE_CHECKING:
    from pilotfish.browser.sessions.tab import Tab


async def _ask(tab: "Tab", method: str, **params: Any) -> dict[str, Any]:
    session = await tab.page.context.new_cdp_session(tab.page)
    try:
        return await tab.guard.call(session.send(method, params), "using the history")
    finally:
        await session.detach()


async def has_previous_page(tab: "Tab") -> bool:
    """Whether the tab has an earlier page; the blank page that every tab begins with does not count."""
    past = await _ask(tab, "Page.getNavigationHistory")
    return any(entry["url"] != "about:blank" for entry in past["entries"][: past["currentIndex"]])


async def current_entry(tab: "Tab") -> int:
    """The number of the entry that is shown now."""
    past = await _ask(tab, "Page.getNavigationHistory")
    return past["entries"][past["currentIndex"]]["id"]


@contextlib.contextmanager
def refuse_resending(tab: "Tab") -> Generator[None]:
    """Reload or move in the history within the block; raise an error if that would have sent a form again."""
    with tab.activity.track_move() as step:
        try:
            yield
        except ToolError:
            if not step.refused:
                raise
    if step.refused:
        raise ToolError(
            "This page is the answer to a form. Loading it again would send the form again, so nothing was sent.",
            f"Open {step.refused[:200]} with goto instead.",
        )


async def go_to_entry(tab: "Tab", entry: int) -> None:
    """Show an entry again, and look at it when it is there."""
    mark, visits = tab.activity.mark, tab.activity.visits
    with tab.activity.track_move():
        await _ask(tab, "Page.navigateToHistoryEntry", entryId=entry)
        await wait_until_settled(tab, mark, visits)
    await tab.look()
