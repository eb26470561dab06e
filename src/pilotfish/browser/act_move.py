"""Moving about: keys, scrolling, addresses, tabs, and waiting for something in particular."""

import asyncio
from typing import TYPE_CHECKING, Any, Literal

from pilotfish.browser.act import Deed, begin, named
from pilotfish.browser.changes import Change
from pilotfish.browser.keys import Clip, Transfer, key_name, transfer
from pilotfish.browser.session import Session
from pilotfish.browser.wait import idle, script
from pilotfish.core.errors import ToolError

if TYPE_CHECKING:
    from pilotfish.browser.tab import Tab

Direction = Literal["up", "down", "top", "bottom", "to_element"]
Journey = Literal["goto", "back", "forward", "reload"]
Awaited = Literal["time", "element", "navigation", "network_idle"]


async def press_key(session: Session, key: str, id: int | None = None) -> Change:
    """Press a key or a chord, on an element if one is named, else where the focus is."""
    deed = await begin(session)
    where = ""
    if id is not None:
        spot = await deed.spot(id)
        await deed.run(id, "focus")
        where = f" on {named(id, spot)}"
    if way := transfer(key):
        return await deed.end(f"{await _transfer(session, deed, way, id)}{where}")
    try:
        await deed.input(deed.tab.page.keyboard.press(key_name(key)), f"pressing {key}")
    except ToolError as error:
        if "Unknown key" in error.message:
            raise ToolError(
                f"There is no key {key!r}. Keys are named like Enter, Escape, ArrowDown, F5, Ctrl+A."
            ) from None
        raise
    return await deed.end(f"Pressed {key_name(key)}{where}")


async def _transfer(session: Session, deed: Deed, way: Transfer, id: int | None) -> str:
    """Copy, cut or paste by the run's own clipboard."""
    keyboard = deed.tab.page.keyboard
    if way == "paste":
        if not session.clip.text:
            raise ToolError("Nothing was copied in this run, so there is nothing to paste.", "Type the text instead.")
        await deed.input(keyboard.insert_text(session.clip.text), "pasting")
        return f"Pasted {len(session.clip.text)} letters"
    if id is not None:
        text: str = await deed.run(id, "selected")
    else:
        code = f"() => ({script('selected')})(document.activeElement)"
        text = await deed.tab.guard.call(deed.tab.page.evaluate(code), "copying")
    if not text:
        raise ToolError("Nothing is selected there to copy.", "Press Ctrl+A in the field first.")
    session.clip = Clip(text, deed.tab.url)
    if way == "cut":
        await deed.input(keyboard.press("Delete"), "cutting")
    return f"{'Cut' if way == 'cut' else 'Copied'} {len(text)} letters"


async def scroll(
    session: Session, direction: Direction, amount: int | None = None, target: int | None = None
) -> Change:
    """Scroll the page, or the box around an element; or bring an element into sight."""
    deed = await begin(session)
    if direction == "to_element":
        if target is None:
            raise ToolError("Say which element: scroll to_element needs target.")
        return await deed.end(f"Scrolled to {named(target, await deed.spot(target))}")
    if target is None:
        code = f"([direction, amount]) => ({script('scroll')})(null, direction, amount)"
        work = deed.tab.page.evaluate(code, [direction, amount])
        moved: dict[str, Any] = await deed.tab.guard.call(work, "scrolling")
    else:
        moved = await deed.run(target, "scroll", direction, amount)
    what = "the page" if moved["page"] else "the box"
    if not moved["by"]:
        return await deed.end(f"Could not scroll {what} {direction}: it is already at that end")
    left = f"; {moved['left']} pixels are below" if moved["left"] > 0 else "; this is the end"
    return await deed.end(f"Scrolled {what} {direction} by {abs(moved['by'])} pixels{left}")


async def navigate(session: Session, action: Journey, url: str = "") -> Change:
    """Go to an address, back, forward, or load the page again."""
    deed = await begin(session)
    tab = deed.tab
    if action == "goto":
        if not url:
            raise ToolError("Say where to: goto needs url.")
        await tab.goto(url)
        return await deed.end(f"Opened {url[:120]}")
    if action == "back" and not await _behind(tab):
        raise ToolError("There is no page to go back to.")
    limit = tab.desk.limit
    step = {"back": tab.page.go_back, "forward": tab.page.go_forward, "reload": tab.page.reload}[action]
    visits = tab.activity.visits
    await tab.guard.call(step(wait_until="domcontentloaded", timeout=limit * 1000), f"going {action}", limit + 1)
    if action != "reload" and tab.activity.visits == visits:
        raise ToolError(f"There is no page to go {action} to.")
    return await deed.end({"back": "Went back", "forward": "Went forward", "reload": "Loaded the page again"}[action])


async def _behind(tab: "Tab") -> bool:
    """Whether a page was here before this one; the blank one that every tab begins with is none."""
    wire = await tab.page.context.new_cdp_session(tab.page)
    try:
        past = await tab.guard.call(wire.send("Page.getNavigationHistory"), "going back")
    finally:
        await wire.detach()
    return any(entry["url"] != "about:blank" for entry in past["entries"][: past["currentIndex"]])


async def open_tab(session: Session, url: str = "") -> Change:
    deed = await begin(session)
    tab = await session.open(url or "about:blank")
    return await deed.end(f"Opened tab {tab.number}")


async def switch_tab(session: Session, number: int) -> Change:
    deed = await begin(session)
    await session.switch(number)
    return await deed.end(f"Switched to tab {number}")


async def close_tab(session: Session, number: int | None = None) -> Change:
    deed = await begin(session)
    number = deed.tab.number if number is None else number
    await session.close(number)
    return await deed.end(f"Closed tab {number}; tab {session.active} is active")


async def list_tabs(session: Session) -> str:
    """The open tabs, one a line."""
    await session.tab()

    async def line(tab: "Tab") -> str:
        mark = " (active)" if tab.number == session.active else ""
        return f"{tab.number}: {await tab.title() or 'untitled'} — {tab.url[:120]}{mark}"

    return "\n".join(await asyncio.gather(*(line(tab) for tab in session.tabs.values())))


async def wait_for(session: Session, kind: Awaited, value: str = "", selector: str = "", timeout: int = 5000) -> Change:
    """Until a time has passed, an element or a text is there, the page went elsewhere, or its requests are done."""
    deed = await begin(session)
    seconds = min(timeout, 30_000) / 1000
    match kind:
        case "time":
            if not value.isdigit():
                raise ToolError("Say how long: wait_for time needs value in milliseconds.")
            await asyncio.sleep(min(int(value), 30_000) / 1000)
            did = f"Waited {value} ms"
        case "element":
            did = await _appear(deed.tab, value, selector, seconds)
        case "navigation":
            did = await _leave(deed.tab, deed.visits, seconds)
        case "network_idle":
            rest = await idle(deed.tab, seconds)
            did = "The page's requests are done" if rest else f"The page was still loading after {seconds:g} s"
    return await deed.end(did)


async def _appear(tab: "Tab", text: str, selector: str, seconds: float) -> str:
    from playwright.async_api import TimeoutError as TooLong

    if not (text or selector):
        raise ToolError("Say what for: wait_for element needs selector, or the text as value.")
    place = tab.page.locator(selector) if selector else tab.page.get_by_text(text)

    async def appear() -> bool:
        try:
            await place.first.wait_for(timeout=seconds * 1000)
        except TooLong:
            return False
        return True

    if not await tab.guard.call(appear(), "waiting for an element", seconds + 1):
        raise ToolError(f"{selector or text!r} did not appear within {seconds:g} s.")
    return f"{selector or text!r} is there"


async def _leave(tab: "Tab", visits: int, seconds: float) -> str:
    clock = asyncio.get_running_loop().time
    deadline = clock() + seconds
    while tab.activity.visits == visits:
        if clock() >= deadline:
            raise ToolError(f"The page did not go elsewhere within {seconds:g} s.")
        await tab.activity.news(deadline - clock())
    return "The page went elsewhere"
