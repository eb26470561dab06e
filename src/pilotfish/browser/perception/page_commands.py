"""Commands to a page that need not go through the driver, because its browser is reached through this process."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from weakref import WeakKeyDictionary

from playwright.async_api import BrowserContext, CDPSession, Error, Page

PageCommand = Callable[[str, Mapping[str, Any]], Awaitable[dict[str, Any]]]
"""Sends one command of the DevTools protocol to a page and returns its result; raises Playwright's `Error`."""
FindCommand = Callable[[str], PageCommand]

_offered: WeakKeyDictionary[BrowserContext, FindCommand] = WeakKeyDictionary()


def offer_page_commands(context: BrowserContext, find: FindCommand) -> None:
    """Let the pages of a context be reached directly; `find` takes the id of a page's target."""
    _offered[context] = find


async def find_page_command(page: Page, session: CDPSession) -> PageCommand | None:
    """How to reach a page directly, if that is possible."""
    if (find := _offered.get(page.context)) is None:
        return None
    try:
        return find(str((await session.send("Target.getTargetInfo"))["targetInfo"]["targetId"]))
    except Error:
        return None
