"""What the page looked like after an action, kept for the replay of runs that somebody watches."""

from typing import TYPE_CHECKING

from pilotfish.core import events
from pilotfish.core.errors import BrowserError, ToolError

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run
    from pilotfish.tools.base import Tool

GROUPS = frozenset({"page", "browser"})


async def frame(run: "Run", tool: "Tool", key: str) -> None:
    """Keep a picture of the tab. A page that cannot be shown is no reason for an action to fail."""
    if not (run.options.get("attended") and tool.group in GROUPS and tool.effect and run.browsing.known):
        return
    try:
        tab = await (await run.browsing.session()).tab()
        data = await tab.picture()
    except (ToolError, BrowserError):
        return
    path = run.kit.folder(run.id) / "frames" / f"{key}.jpg"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    name = f"frames/{path.name}"
    saved = events.FileSaved(run=run.id, name=name, media="image/jpeg", size=len(data), purpose="frame")
    await run.emit(f"{key}.frame", saved)
