"""Pages that are reached without the driver between, because their browser is reached through this process."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol
from weakref import WeakKeyDictionary

from playwright.async_api import BrowserContext, CDPSession, Error, Page


class PageMouse(Protocol):
    """The mouse of a page: Playwright's own, or one that a page has directly."""

    async def move(self, x: float, y: float) -> None: ...

    async def click(
        self, x: float, y: float, *, button: Literal["left", "right"] = "left", click_count: int = 1
    ) -> None: ...


class PageKeyboard(Protocol):
    """The keyboard of a page, as far as text is typed."""

    async def type(self, text: str) -> None: ...

    async def insert_text(self, text: str) -> None: ...


class DirectPage(Protocol):
    """A page that is reached directly: code is run in it, its mouse moves and clicks, its keyboard types."""

    @property
    def mouse(self) -> PageMouse: ...

    @property
    def keyboard(self) -> PageKeyboard: ...

    async def evaluate(self, wanted: Mapping[str, Any]) -> dict[str, Any]: ...


FindPage = Callable[[str], DirectPage]
_offered: WeakKeyDictionary[BrowserContext, FindPage] = WeakKeyDictionary()


def offer_direct_pages(context: BrowserContext, find: FindPage) -> None:
    """Let the pages of a context be reached directly; `find` takes the id of a page's target."""
    _offered[context] = find


async def find_direct_page(page: Page, session: CDPSession) -> DirectPage | None:
    """How to reach a page directly, if that is possible."""
    if (find := _offered.get(page.context)) is None:
        return None
    try:
        return find(str((await session.send("Target.getTargetInfo"))["targetInfo"]["targetId"]))
    except Error:
        return None
