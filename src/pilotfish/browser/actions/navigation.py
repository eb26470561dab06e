"""Presses keys, scrolls, opens addresses, manages tabs, and waits for something in particular."""

import asyncio
from typing import TYPE_CHECKING, Any, Literal

from pilotfish.browser.actions.keys import ClipboardMove, ClipboardText, find_clipboard_move, key_name
from pilotfish.browser.actions.pointer import PageAction, begin_action, describe_element
from pilotfish.browser.actions.tab_history import has_previous_page, refuse_resending
from pilotfish.browser.perception.changes import ChangeReport
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.browser.sessions.waiting import read_action_script, wait_until_idle
from pilotfish.core.errors import ToolError

if TYPE_CHECKING:
    from pilotfish.browser.sessions.tab import Tab

Direction = Literal["up", "down", "left", "right", "top", "bottom", "to_element"]
HistoryMove = Literal["goto", "back", "forward", "reload"]
WaitKind = Literal["time", "element", "gone", "navigation", "network_idle"]


async def press_key(session: BrowserSession, key: str, id: int | None = None) -> ChangeReport:
    """Press a key or a chord, on an element if one is named, else where the focus is."""
    action = await begin_action(session)
    where = ""
    if id is not None:
        spot = await action.locate(id)
        await action.tab.input.focus(id)
        where = f" on {describe_element(id, spot)}"
    if way := find_clipboard_move(key):
        return await action.finish(f"{await _use_clipboard(session, action, way, id)}{where}")
    try:
        await action.tab.input.press(key, f"pressing {key}")
    except ToolError as error:
        if "Unknown key" in error.message:
            raise ToolError(
                f"There is no key {key!r}. Keys are named like Enter, Escape, ArrowDown, F5, Ctrl+A."
            ) from None
        raise
    return await action.finish(f"Pressed {key_name(key)}{where}")


async def _use_clipboard(session: BrowserSession, action: PageAction, way: ClipboardMove, id: int | None) -> str:
    """Copy, cut or paste with the run's own clipboard."""
    if way == "paste":
        if not session.clipboard.text:
            raise ToolError("Nothing was copied in this run, so there is nothing to paste.", "Type the text instead.")
        await action.tab.input.paste(session.clipboard.text, "pasting")
        return f"Pasted {len(session.clipboard.text)} letters"
    if id is not None:
        text: str = await action.run_script(id, "read_selection")
    else:
        code = f"() => ({read_action_script('read_selection')})(document.activeElement)"
        text = await action.tab.guard.call(action.tab.page.evaluate(code), "copying")
    if not text:
        raise ToolError("Nothing is selected there to copy.", "Press Ctrl+A in the field first.")
    session.clipboard = ClipboardText(text, action.tab.url)
    if way == "cut":
        await action.tab.input.press("Delete", "cutting")
    return f"{'Cut' if way == 'cut' else 'Copied'} {len(text)} letters"


async def scroll(
    session: BrowserSession, direction: Direction, amount: int | None = None, target: int | None = None
) -> ChangeReport:
    """Scroll the page, or the box around an element; or bring an element into sight."""
    action = await begin_action(session)
    action.tab.count_scroll()
    if direction == "to_element":
        if target is None:
            raise ToolError("Say which element: scroll to_element needs target.")
        return await action.finish(f"Scrolled to {describe_element(target, await action.locate(target))}")
    if target is None:
        code = f"([direction, amount]) => ({read_action_script('scroll_box')})(null, direction, amount)"
        work = action.tab.page.evaluate(code, [direction, amount])
        moved: dict[str, Any] = await action.tab.guard.call(work, "scrolling")
    else:
        moved = await action.run_script(target, "scroll_box", direction, amount)
    what = "the page" if moved["page"] else "the box"
    if not moved["by"]:
        return await action.finish(f"Could not scroll {what} {direction}: it is already at that end")
    where = "further right" if direction in ("left", "right") else "below"
    left = f"; {moved['left']} pixels are {where}" if moved["left"] > 0 else "; this is the end"
    return await action.finish(f"Scrolled {what} {direction} by {abs(moved['by'])} pixels{left}")


async def navigate(session: BrowserSession, action: HistoryMove, url: str = "") -> ChangeReport:
    """Go to an address, back, forward, or load the page again."""
    page_action = await begin_action(session)
    tab = page_action.tab
    if action == "goto":
        if not url:
            raise ToolError("Say where to: goto needs url.")
        await tab.goto(url)
        return await page_action.finish(f"Opened {url[:120]}")
    if action == "back" and not await has_previous_page(tab):
        raise ToolError("There is no page to go back to.")
    limit = tab.shared.limit
    tab.count_scroll()
    step = {"back": tab.page.go_back, "forward": tab.page.go_forward, "reload": tab.page.reload}[action]
    visits = tab.activity.visits
    with refuse_resending(tab):
        await tab.guard.call(step(wait_until="domcontentloaded", timeout=limit * 1000), f"going {action}", limit + 1)
    if action != "reload" and tab.activity.visits == visits:
        raise ToolError(f"There is no page to go {action} to.")
    return await page_action.finish(
        {"back": "Went back", "forward": "Went forward", "reload": "Loaded the page again"}[action]
    )


async def open_tab(session: BrowserSession, url: str = "") -> ChangeReport:
    action = await begin_action(session)
    tab = await session.open(url or "about:blank")
    return await action.finish(f"Opened tab {tab.number}")


async def switch_tab(session: BrowserSession, number: int) -> ChangeReport:
    action = await begin_action(session)
    await session.switch(number)
    return await action.finish(f"Switched to tab {number}")


async def close_tab(session: BrowserSession, number: int | None = None) -> ChangeReport:
    action = await begin_action(session)
    number = action.tab.number if number is None else number
    await session.close(number)
    return await action.finish(f"Closed tab {number}; tab {session.active} is active")


async def list_tabs(session: BrowserSession) -> str:
    """The open tabs, one a line."""
    await session.tab()

    async def describe_tab(tab: "Tab") -> str:
        mark = " (active)" if tab.number == session.active else ""
        return f"{tab.number}: {await tab.title() or 'untitled'} — {tab.url[:120]}{mark}"

    return "\n".join(await asyncio.gather(*(describe_tab(tab) for tab in session.tabs.values())))


async def wait_for(
    session: BrowserSession, kind: WaitKind, value: str = "", selector: str = "", timeout: int = 5000
) -> ChangeReport:
    """Wait until a time has passed, an element or text appears or is gone, the page navigates, or its requests end."""
    action = await begin_action(session)
    seconds = min(timeout, 30_000) / 1000
    match kind:
        case "time":
            if not value.isdigit():
                raise ToolError("Say how long: wait_for time needs value in milliseconds.")
            await asyncio.sleep(min(int(value), 30_000) / 1000)
            did = f"Waited {value} ms"
        case "element" | "gone":
            did = await _wait_for_element(action.tab, value, selector, seconds, kind == "gone")
        case "navigation":
            did = await _wait_for_navigation(action.tab, action.visits, seconds)
        case "network_idle":
            rest = await wait_until_idle(action.tab, seconds)
            did = "The page's requests are done" if rest else f"The page was still loading after {seconds:g} s"
    return await action.finish(did)


async def _wait_for_element(tab: "Tab", text: str, selector: str, seconds: float, gone: bool) -> str:
    from playwright.async_api import TimeoutError as RequestTooLong

    if not (text or selector):
        raise ToolError("Say what for: wait_for element and gone need selector, or the text as value.")
    place = tab.page.locator(selector) if selector else tab.page.get_by_text(text)

    async def wait_for_element() -> bool:
        try:
            shown = place.filter(visible=True).first
            await shown.wait_for(timeout=seconds * 1000, state="hidden" if gone else "visible")
        except RequestTooLong:
            return False
        return True

    if not await tab.guard.call(wait_for_element(), "waiting for an element", seconds + 1):
        raise ToolError(
            f"{selector or text!r} {'is still there after' if gone else 'did not appear within'} {seconds:g} s."
        )
    return f"{selector or text!r} is {'gone' if gone else 'there'}"


async def _wait_for_navigation(tab: "Tab", visits: int, seconds: float) -> str:
    clock = asyncio.get_running_loop().time
    deadline = clock() + seconds
    while tab.activity.visits == visits:
        if clock() >= deadline:
            raise ToolError(f"The page did not go elsewhere within {seconds:g} s.")
        await tab.activity.wait_for_change(deadline - clock())
    return "The page went elsewhere"
