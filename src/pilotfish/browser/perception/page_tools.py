"""Reads the tools that a page and its frames offer to agents (WebMCP), over the DevTools protocol.

The browser tells of tools as they come and go, but not that a document took its tools with it when it went.
"""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from playwright.async_api import CDPSession, Error, Page

from pilotfish.browser.perception.documents import FrameLocation
from pilotfish.browser.perception.isolated_world import IsolatedWorld
from pilotfish.core.errors import ToolError
from pilotfish.core.page_tools import PageTool, number_labels
from pilotfish.core.policy import FormInfo

MOST_TOOLS = 64
FORM_SCRIPT = "function() { return pilotfish.form(this); }"
ABSENT_MESSAGES = ("wasn't found", "not allowed", "not supported", "Not allowed")


class OfferedTool(NamedTuple):
    """A tool with the way to it: the session that calls it, where its document is, and the node of its form."""

    tool: PageTool
    session: CDPSession
    place: FrameLocation
    node: int


class ToolRegistry:
    """The tools that one session tells of, by frame and name. A document that goes takes its tools with it."""

    def __init__(self, session: CDPSession) -> None:
        self.session = session
        self.frames: dict[str, dict[str, Mapping[str, Any]]] = {}
        session.on("WebMCP.toolsAdded", self._add)
        session.on("WebMCP.toolsRemoved", self._remove)
        session.on("Page.frameNavigated", self._leave)
        session.on("Page.frameDetached", self._leave)

    async def start(self) -> None:
        await self.session.send("Page.enable")
        await self.refresh()

    async def refresh(self) -> None:
        """Have the tools of the session's main document told again; what was under way has arrived then, too."""
        await self.session.send("WebMCP.enable")

    def _add(self, event: Mapping[str, Any]) -> None:
        for tool in event.get("tools", ()):
            named = self.frames.setdefault(tool["frameId"], {})
            if tool["name"] in named or len(named) < MOST_TOOLS:
                named[tool["name"]] = tool

    def _leave(self, event: Mapping[str, Any]) -> None:
        """Forget a document that another one takes the place of, or whose frame is gone."""
        self.frames.pop(event["frame"]["id"] if "frame" in event else event["frameId"], None)

    def _remove(self, event: Mapping[str, Any]) -> None:
        for tool in event.get("tools", ()):
            self.frames.get(tool["frameId"], {}).pop(tool["name"], None)


class PageToolReader:
    """The tools of one page. `shown` are those that a model was last shown, by label."""

    def __init__(self, page: Page, world: IsolatedWorld) -> None:
        self.page = page
        self.world = world
        self.shown: Mapping[str, PageTool] = {}
        self._main: ToolRegistry | None = None
        self._foreign: dict[CDPSession, ToolRegistry] = {}
        self._absent = False

    async def listen(self) -> None:
        """Begin, once, to follow which tools the page offers. The browser names those of frames only as they come."""
        if self._main is not None or self._absent:
            return
        try:
            self._main = ToolRegistry(await self.page.context.new_cdp_session(self.page))
            await self._main.start()
        except Error as error:
            self._main, self._absent = None, any(sign in error.message for sign in ABSENT_MESSAGES)

    async def ask(self) -> None:
        """Have the known sessions tell their tools again, while the page is looked at."""
        await self.listen()
        with contextlib.suppress(Error):
            await self._refresh()

    async def offered(self, *, asked: bool = False) -> dict[str, OfferedTool]:
        """The tools as they are now, by label; those of the main document first. None where the browser has none.
        `asked` means that the known sessions were asked just now."""
        await self.listen()
        try:
            places = await self.world.places() if self._main else []
            await self._follow_frames(places)
            if not asked:
                await self._refresh()
        except Error:
            return {}
        made = [
            OfferedTool(read_tool(raw, place), registry.session, place, raw.get("backendNodeId", 0))
            for place in places
            for registry in self._registries
            for _, raw in sorted(registry.frames.get(place.at[0], {}).items())
        ]
        labelled = number_labels(each.tool for each in made[:MOST_TOOLS])
        return {tool.label: each._replace(tool=tool) for tool, each in zip(labelled, made, strict=False)}

    @property
    def _registries(self) -> list[ToolRegistry]:
        return [self._main, *self._foreign.values()] if self._main else []

    async def _refresh(self) -> None:
        await asyncio.gather(*(registry.refresh() for registry in self._registries))

    async def _follow_frames(self, places: Sequence[FrameLocation]) -> None:
        """Begin to follow the tools of frames in other processes, and forget frames that are gone."""
        foreign = {place.session for place in places if place.session is not places[0].session}
        self._foreign = {session: known for session, known in self._foreign.items() if session in foreign}
        for session in foreign - self._foreign.keys():
            self._foreign[session] = ToolRegistry(session)
            await self._foreign[session].start()

    async def look(self, *, asked: bool = False) -> tuple[PageTool, ...]:
        """The tools as they are now, as values."""
        return tuple(each.tool for each in (await self.offered(asked=asked)).values())

    def keep_shown(self, tools: tuple[PageTool, ...]) -> None:
        """Keep what a model is shown, so that a call can be checked against it."""
        self.shown = {tool.label: tool for tool in tools}

    async def find(self, label: str) -> OfferedTool:
        """A tool that is still what the model was shown; else an error that says what happened to it."""
        name = label.removeprefix("page.")
        shown, now = self.shown.get(name), await self.offered()
        if shown is None:
            there = ", ".join(f"page.{each}" for each in self.shown) or "none"
            raise ToolError(f"The page as it was last shown has no tool page.{name}. It has: {there}.")
        if name not in now:
            raise ToolError(f"The page no longer offers page.{name}; it was not called. Look at the page again.")
        if now[name].tool.fingerprint != shown.fingerprint:
            raise ToolError(
                f"The page has changed what it says of page.{name} since it was shown; it was not called. "
                "Look at the page again and decide anew."
            )
        return now[name]

    async def form_of(self, offered: OfferedTool) -> FormInfo | None:
        """The form that a tool fills in; None for a script. A form that cannot be read counts as gone."""
        if not offered.node:
            return None
        try:
            return FormInfo.model_validate(await self.world.ask_node(offered.place, offered.node, FORM_SCRIPT))
        except (Error, ValueError, KeyError):
            raise ToolError(f"The form of page.{offered.tool.label} is gone; look at the page again.") from None


def read_tool(raw: Mapping[str, Any], place: FrameLocation) -> PageTool:
    """A tool from what the browser tells of it."""
    hints: Mapping[str, Any] = raw.get("annotations") or {}
    name = str(raw.get("name", ""))
    declared = "sends" if hints.get("autosubmit") else "fills"
    return PageTool(
        label=name,
        name=name,
        description=str(raw.get("description", "")),
        parameters=raw.get("inputSchema") or {},
        read_only=bool(hints.get("readOnly")),
        consequential=bool(hints.get("consequential")),
        form=declared if raw.get("backendNodeId") else "",
        origin=place.origin,
        frame=place.at[0],
    )
