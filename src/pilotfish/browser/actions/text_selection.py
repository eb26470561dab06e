"""Marks words with the mouse, to copy or format them."""

from typing import Any

from pilotfish.browser.actions.pointer import PageAction, begin_action
from pilotfish.browser.perception.changes import ChangeReport
from pilotfish.browser.perception.element_spot import TouchChecks
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.errors import ToolError

QUOTE_LENGTH = 60


async def select_text(session: BrowserSession, text: str) -> ChangeReport:
    """Mark the first occurrence of these words on the page."""
    action = await begin_action(session)
    for answer in await action.tab.guard.call(action.tab.observer.world.call("mark", text), "finding the words"):
        found: dict[str, Any] = answer.data
        if "at" in found:
            marked = await _drag_over(action, answer.key, found)
        else:
            marked = found["field"]
        if marked:
            cut = "…" if len(marked) > QUOTE_LENGTH else ""
            return await action.finish(f'Marked "{marked[:QUOTE_LENGTH]}{cut}"')
    raise ToolError("The page does not say that, or not in one piece.", "Use words exactly as the page shows them.")


async def _drag_over(action: PageAction, key: str, found: dict[str, Any]) -> str:
    """Drag the mouse over the words and check that they are marked; words of a control are marked by a script."""
    observer = action.tab.observer
    start, end = [await observer.to_page_point(found["path"], x, y, TouchChecks(), "the words") for x, y in found["at"]]
    action.tab.announce_pointer(start, (*start, 1, 1))
    await action.tab.input.draw(start, end, "marking")
    return await action.tab.guard.call(observer.world.ask(key, "marked"), "marking")
