"""A person's eyes and hands on a conversation's browser: its tabs, live pictures of them, mouse and keys."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pilotfish.core.errors import BrowserError, ToolError
from pilotfish.core.hands import Aim, Gesture, Key, Mouse, Paste, TabInfo, Wheel
from pilotfish.runtime.browsing import Browsers, Tabs

if TYPE_CHECKING:
    from pilotfish.browser.icon import Icon
    from pilotfish.browser.tab import Tab

LOOK = 0.2
QUALITY = 60
ICONS = 60


class Frame(NamedTuple):
    """A picture of a tab, JPEG, and the size of the window that it shows."""

    tab: int
    data: bytes
    width: int
    height: int


class Slot:
    """What one viewer is to see next: a frame, where the agent points, or both. The newer takes the older's place."""

    def __init__(self, frame: Frame | None) -> None:
        self.news: dict[type, Frame | Aim] = {}
        self.filled = asyncio.Event()
        if frame:
            self.put(frame)

    def put(self, sight: Frame | Aim) -> None:
        self.news[type(sight)] = sight
        self.filled.set()

    async def take(self) -> list[Frame | Aim]:
        await self.filled.wait()
        self.filled.clear()
        news, self.news = self.news, {}
        return list(news.values())


class Window:
    """One conversation's browser as a person sees it. All who watch share one camera."""

    def __init__(self, tabs: Tabs) -> None:
        self.tabs = tabs
        self._viewers: set[Slot] = set()
        self._camera: asyncio.Task[None] | None = None
        self._last: Frame | None = None
        self._icons: dict[str, Icon | None] = {}

    async def list(self) -> list[TabInfo]:
        """Every tab; none where no browser was needed yet."""
        if not self.tabs.known:
            return []
        session = await self.tabs.session()
        return [
            TabInfo(id=number, url=tab.url, title=await _title(tab), active=number == session.active)
            for number, tab in list(session.tabs.items())
        ]

    async def open(self, url: str) -> TabInfo:
        return await self._told(await (await self.tabs.session()).open(url))

    async def select(self, number: int) -> TabInfo:
        return await self._told(await (await self.tabs.session()).switch(number))

    async def close(self, number: int) -> None:
        await (await self.tabs.session()).close(number)
        await self.tabs.save()

    async def go(self, number: int, to: Literal["back", "forward", "reload"] | str) -> TabInfo:
        """Back, forward, reload, or an address."""
        tab = await (await self.tabs.session()).tab(number)
        moves = {"back": tab.page.go_back, "forward": tab.page.go_forward, "reload": tab.page.reload}
        if to in moves:
            await tab.guard.call(moves[to](wait_until="commit"), f"going {to}")
        else:
            await tab.goto(to)
        return await self._told(tab)

    async def icon(self, number: int) -> "Icon | None":
        """The tab's icon, as its site has it; asked for once."""
        from pilotfish.browser.icon import address, fetch

        tab = await (await self.tabs.session()).tab(number)
        url = await address(tab)
        if url and url not in self._icons:
            self._icons[url] = await fetch(tab, url)
            for old in list(self._icons)[:-ICONS]:
                del self._icons[old]
        return self._icons.get(url)

    async def screenshot(self, number: int | None = None) -> bytes:
        """The tab as a PNG, passwords covered."""
        return await (await (await self.tabs.session()).tab(number)).picture(form="png")

    async def frames(self) -> AsyncGenerator[Frame | Aim]:
        """Pictures of the active tab as it changes, and where the agent points; to a slow viewer only the latest."""
        await (await self.tabs.session()).tab()
        slot = Slot(self._last)
        self._viewers.add(slot)
        if self._camera is None or self._camera.done():
            self._camera = asyncio.create_task(self._film())
        try:
            while True:
                for sight in await slot.take():
                    yield sight
        finally:
            self._viewers.discard(slot)
            if not self._viewers:
                await self.end()

    async def touch(self, gesture: Gesture) -> None:
        """Do in the active tab what the person did."""
        tab = await (await self.tabs.session()).tab()
        for move in _moves(tab, gesture):
            await tab.guard.call(move, "passing on what the person did")

    async def end(self) -> None:
        """Put the camera away."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.cancel()
            with suppress(asyncio.CancelledError):
                await camera

    async def _told(self, tab: "Tab") -> TabInfo:
        await self.tabs.save()
        return TabInfo(id=tab.number, url=tab.url, title=await _title(tab), active=True)

    async def _film(self) -> None:
        while True:
            with suppress(ToolError, BrowserError):
                session = await self.tabs.session()
                await self._shoot(await session.tab())
            await asyncio.sleep(LOOK)

    async def _shoot(self, tab: "Tab") -> None:
        """Film one tab for as long as it is the active one."""
        session = await self.tabs.session()
        cast, tab.watch = tab.page.screencast, self._tell
        await tab.guard.call(cast.start(on_frame=lambda shot: self._show(tab.number, shot), quality=QUALITY), "filming")
        try:
            while session.active == tab.number and not tab.guard.broken and not tab.page.is_closed():  # noqa: ASYNC110
                await asyncio.sleep(LOOK)
        finally:
            tab.watch = None
            with suppress(ToolError):
                await tab.guard.call(cast.stop(), "putting the camera away")

    def _show(self, number: int, shot: Any) -> None:
        self._last = Frame(number, shot["data"], shot["viewportWidth"], shot["viewportHeight"])
        self._tell(self._last)

    def _tell(self, sight: Frame | Aim) -> None:
        for slot in self._viewers:
            slot.put(sight)


class Windows:
    """The windows of all conversations that somebody looked at."""

    def __init__(self, browsers: Browsers) -> None:
        self.browsers = browsers
        self._windows: dict[str, Window] = {}

    def of(self, conversation: str) -> Window:
        tabs = self.browsers.of(conversation)
        window = self._windows.get(conversation)
        if window is None or window.tabs is not tabs:
            window = self._windows[conversation] = Window(tabs)
        return window

    async def close(self) -> None:
        for window in self._windows.values():
            await window.end()


async def _title(tab: "Tab") -> str:
    try:
        return await tab.title()
    except ToolError:
        return ""


def _moves(tab: "Tab", gesture: Gesture) -> list[Awaitable[None]]:
    mouse, keyboard = tab.page.mouse, tab.page.keyboard
    match gesture:
        case Mouse(action="move", x=x, y=y):
            return [mouse.move(x, y)]
        case Mouse(action="down", x=x, y=y, button=button):
            return [mouse.move(x, y), mouse.down(button=button)]
        case Mouse(action="up", x=x, y=y, button=button):
            return [mouse.move(x, y), mouse.up(button=button)]
        case Mouse(action=action, x=x, y=y, button=button):
            return [mouse.click(x, y, button=button, click_count=2 if action == "double" else 1)]
        case Wheel(x=x, y=y, dx=dx, dy=dy):
            return [mouse.move(x, y), mouse.wheel(dx, dy)]
        case Key(action=action, key=key):
            return [{"down": keyboard.down, "up": keyboard.up, "press": keyboard.press}[action](key)]
        case Paste(text=text):
            return [keyboard.insert_text(text)]
