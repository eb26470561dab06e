"""Keeps a screenshot after each action, for the transcript of runs that somebody watches."""

from typing import TYPE_CHECKING

from pilotfish.core import events
from pilotfish.core.errors import BrowserError, ToolError

if TYPE_CHECKING:
    from pilotfish.runtime.run_base import RunBase
    from pilotfish.tools.base import Tool

GROUPS = frozenset({"page", "browser"})


async def keep_screenshot(run: "RunBase", tool: "Tool", key: str) -> None:
    """Save a screenshot of the tab. If that fails, the action still counts as done."""
    if not (run.options.get("attended") and tool.group in GROUPS and tool.effect and run.browser.has_session):
        return
    try:
        tab = await (await run.browser.session()).tab()
        data = await tab.picture()
    except (ToolError, BrowserError):
        return
    path = run.folder / "frames" / f"{key}.jpg"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    name = f"frames/{path.name}"
    saved = events.FileSaved(run=run.id, name=name, media="image/jpeg", size=len(data), purpose="frame")
    await run.emit(f"{key}.frame", saved)
