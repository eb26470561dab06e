"""Shows a conversation's browser to a person live: its tabs, pictures of them, and the person's mouse and keys."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pilotfish.core.errors import BrowserError, ToolError
from pilotfish.core.gestures import (
    Gesture,
    KeyGesture,
    MouseGesture,
    PageToolInfo,
    PasteGesture,
    PointerTarget,
    TabInfo,
    WheelGesture,
)
from pilotfish.core.records import RunRecord
from pilotfish.runtime.conversation_browser import ConversationBrowser

if TYPE_CHECKING:
    from pilotfish.browser.sessions.tab import Tab
    from pilotfish.browser.sessions.tab_icon import TabIcon

LOOK_PERIOD = 0.2
FIRST_FRAME = 1.0
"""Seconds in which a screencast sends its first frame. One of a page that draws nothing new may send none."""
SAVE_DELAY = 1.0
"""Seconds after the last gesture of the person, when what it changed is saved."""
JPEG_QUALITY = 60
KEPT_ICONS = 60


class ScreenFrame(NamedTuple):
    """A picture of a tab, JPEG, and the size of the window that it shows."""

    tab: int
    data: bytes
    width: int
    height: int


class FrameSlot:
    """What one viewer is sent next: a frame, where the agent points, or both. New ones replace old ones."""

    def __init__(self, frame: ScreenFrame | None) -> None:
        self.news: dict[type, ScreenFrame | PointerTarget] = {}
        self.filled = asyncio.Event()
        self.ended = False
        if frame:
            self.put(frame)

    def put(self, item: ScreenFrame | PointerTarget) -> None:
        self.news[type(item)] = item
        self.filled.set()

    def end(self) -> None:
        """End the stream: no more frames come."""
        self.ended = True
        self.filled.set()

    async def take(self) -> list[ScreenFrame | PointerTarget]:
        await self.filled.wait()
        self.filled.clear()
        news, self.news = self.news, {}
        return list(news.values())


class LocalBrowserView:
    """One conversation's browser in the live view. All viewers share one screencast."""

    def __init__(self, tabs: ConversationBrowser, start_reading: "Callable[[RunRecord], asyncio.Task[None]]") -> None:
        self.tabs = tabs
        self.start_reading = start_reading
        self._viewers: set[FrameSlot] = set()
        self._camera: asyncio.Task[None] | None = None
        self._last: ScreenFrame | None = None
        self._icons: dict[str, TabIcon | None] = {}
        self._touched = 0.0

    async def list(self) -> list[TabInfo]:
        """All tabs; none if no browser was needed yet."""
        if not self.tabs.has_session:
            return []
        session = await self.tabs.session()
        return [
            TabInfo(
                id=number,
                url=tab.url,
                title=await _title(tab),
                active=number == session.active,
                tools=await _tools(tab) if number == session.active and session.settings.page_tools else (),
            )
            for number, tab in list(session.tabs.items())
        ]

    async def open(self, url: str) -> TabInfo:
        return await self._tab_info(await (await self.tabs.session()).open(url, driver="person"))

    async def select(self, number: int) -> TabInfo:
        return await self._tab_info(await (await self.tabs.session()).switch(number))

    async def close(self, number: int) -> None:
        await (await self.tabs.session()).close(number)
        await self.tabs.save()

    async def go(self, number: int, to: Literal["back", "forward", "reload"] | str) -> TabInfo:
        """Back, forward, reload, or an address."""
        tab = await (await self.tabs.session()).tab(number)
        tab.driver = "person"
        moves = {"back": tab.page.go_back, "forward": tab.page.go_forward, "reload": tab.page.reload}
        if to in moves:
            await tab.guard.call(moves[to](wait_until="commit"), f"going {to}")
        else:
            await tab.goto(to)
        return await self._tab_info(tab)

    async def icon(self, number: int) -> "TabIcon | None":
        """The tab's icon; fetched once."""
        from pilotfish.browser.sessions.tab_icon import fetch_icon, find_icon_url

        tab = await (await self.tabs.session()).tab(number)
        url = await find_icon_url(tab)
        if url and url not in self._icons:
            self._icons[url] = await fetch_icon(tab, url)
            for old in list(self._icons)[:-KEPT_ICONS]:
                del self._icons[old]
        return self._icons.get(url)

    async def screenshot(self, number: int | None = None) -> bytes:
        """The tab as a PNG, passwords covered."""
        return await (await (await self.tabs.session()).tab(number)).picture(form="png")

    async def frames(self) -> AsyncGenerator[ScreenFrame | PointerTarget]:
        """Pictures of the active tab as it changes, and where the agent points; to a slow viewer only the latest.

        They end when the browser is closed, or goes on in another process.
        """
        await (await self.tabs.session()).tab()
        slot = FrameSlot(self._last)
        self._viewers.add(slot)
        if self._camera is None or self._camera.done():
            self._camera = asyncio.create_task(self._run_camera())
        try:
            while not slot.ended:
                for item in await slot.take():
                    yield item
        finally:
            self._viewers.discard(slot)
            if not self._viewers:
                await self.end()

    async def apply_gesture(self, gesture: Gesture) -> None:
        """Repeat a person's gesture in the active tab."""
        tab = await (await self.tabs.session()).tab()
        tab.driver = "person"
        self._touched = time.monotonic()
        for move in _gesture_calls(tab, gesture):
            await tab.guard.call(move, "passing on what the person did")

    async def remember(self) -> None:
        """Begin with the remembered logins of the user."""
        self.tabs.remember()

    async def warm(self, tabs: Sequence[str | int], user: str, model: str = "") -> None:
        """Begin to read these tabs, or the active one, ahead of a question; returns at once."""
        options = {"tabs": [*tabs], "model": model}
        self.start_reading(
            RunRecord(id="", user=user, conversation=self.tabs.key, task="", loop="chat", options=options)
        )

    async def end(self) -> None:
        """End the screencast."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.cancel()
            with suppress(asyncio.CancelledError):
                await camera
        await self._save_gestures(0)

    async def _save_gestures(self, settled: float = SAVE_DELAY) -> None:
        """Save the session when the person's last gesture is this many seconds ago: they may have signed in."""
        if self._touched and time.monotonic() - self._touched >= settled:
            self._touched = 0.0
            await self.tabs.save()

    async def _tab_info(self, tab: "Tab") -> TabInfo:
        await self.tabs.save()
        return TabInfo(id=tab.number, url=tab.url, title=await _title(tab), active=True)

    async def _run_camera(self) -> None:
        while not self.tabs.is_closed:
            with suppress(ToolError, BrowserError):
                session = await self.tabs.session()
                await self._film_tab(await session.tab())
            await asyncio.sleep(LOOK_PERIOD)
        for slot in self._viewers:
            slot.end()

    async def _film_tab(self, tab: "Tab") -> None:
        """Run the screencast of one tab while it is active."""
        session = await self.tabs.session()
        cast, tab.watch, self._last = tab.page.screencast, self._send_to_viewers, None
        await tab.guard.call(
            cast.start(on_frame=lambda shot: self._show(tab.number, shot), quality=JPEG_QUALITY), "filming"
        )
        late = time.monotonic() + FIRST_FRAME
        try:
            while session.active == tab.number and not tab.guard.broken and not tab.page.is_closed():
                await self._save_gestures()
                if self._last is None and time.monotonic() >= late:
                    await self._show_screenshot(tab)
                await asyncio.sleep(LOOK_PERIOD)
        finally:
            tab.watch = None
            with suppress(ToolError):
                await tab.guard.call(cast.stop(), "ending the live view")

    async def _show_screenshot(self, tab: "Tab") -> None:
        size = await tab.guard.call(tab.page.evaluate("[innerWidth, innerHeight]"), "filming")
        data = await tab.picture()
        if self._last is None:
            self._show(tab.number, {"data": data, "viewportWidth": size[0], "viewportHeight": size[1]})

    def _show(self, number: int, shot: Any) -> None:
        self._last = ScreenFrame(number, shot["data"], shot["viewportWidth"], shot["viewportHeight"])
        self._send_to_viewers(self._last)

    def _send_to_viewers(self, item: ScreenFrame | PointerTarget) -> None:
        for slot in self._viewers:
            slot.put(item)


async def _tools(tab: "Tab") -> tuple[PageToolInfo, ...]:
    try:
        return tuple(tool.brief for tool in await tab.tools())
    except ToolError:
        return ()


async def _title(tab: "Tab") -> str:
    try:
        return await tab.title()
    except ToolError:
        return ""


def _gesture_calls(tab: "Tab", gesture: Gesture) -> list[Awaitable[None]]:
    tab.driver, mouse, keyboard = "person", tab.page.mouse, tab.page.keyboard
    match gesture:
        case MouseGesture(action="move", x=x, y=y):
            return [mouse.move(x, y)]
        case MouseGesture(action="down", x=x, y=y, button=button):
            return [mouse.move(x, y), mouse.down(button=button)]
        case MouseGesture(action="up", x=x, y=y, button=button):
            return [mouse.move(x, y), mouse.up(button=button)]
        case MouseGesture(action=action, x=x, y=y, button=button):
            return [mouse.click(x, y, button=button, click_count=2 if action == "double" else 1)]
        case WheelGesture(x=x, y=y, dx=dx, dy=dy):
            return [mouse.move(x, y), mouse.wheel(dx, dy)]
        case KeyGesture(action=action, key=key):
            return [{"down": keyboard.down, "up": keyboard.up, "press": keyboard.press}[action](key)]
        case PasteGesture(text=text):
            return [keyboard.insert_text(text)]
