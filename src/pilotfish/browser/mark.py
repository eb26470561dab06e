"""Marking words with the mouse, as people do to copy or format them."""

from typing import Any

from pilotfish.browser.act import Deed, begin
from pilotfish.browser.changes import Change
from pilotfish.browser.session import Session
from pilotfish.browser.spot import Checks
from pilotfish.core.errors import ToolError

TOLD = 60


async def mark_text(session: Session, text: str) -> Change:
    """Mark these words where the page first says them."""
    deed = await begin(session)
    for answer in await deed.tab.guard.call(deed.tab.eyes.world.call("mark", text), "finding the words"):
        found: dict[str, Any] = answer.data
        if "at" in found:
            marked = await _drawn(deed, answer.key, found)
        else:
            marked = found["field"]
        if marked:
            cut = "…" if len(marked) > TOLD else ""
            return await deed.end(f'Marked "{marked[:TOLD]}{cut}"')
    raise ToolError("The page does not say that, or not in one piece.", "Use words exactly as the page shows them.")


async def _drawn(deed: Deed, key: str, found: dict[str, Any]) -> str:
    """Draw the mouse over the words, then see that they are marked."""
    eyes, mouse = deed.tab.eyes, deed.tab.page.mouse
    start, end = [await eyes.outward(found["path"], x, y, Checks(), "the words") for x, y in found["at"]]
    deed.tab.point(start, (*start, 1, 1))
    await deed.input(mouse.move(*start), "pointing at the words")
    await deed.input(mouse.down(), "marking")
    await deed.input(mouse.move(*end, steps=4), "marking")
    await deed.input(mouse.up(), "marking")
    return await deed.tab.guard.call(eyes.world.ask(key, "marked"), "marking")
