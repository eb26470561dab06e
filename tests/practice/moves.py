"""The moves that solutions are made of, on a real page."""

from playwright.async_api import Dialog, Page

from .solutions import Move


async def carry(page: Page, move: Move) -> None:
    """Make one move on a page."""
    match move:
        case "click", what:
            await page.click(what)
        case "press", name:
            await page.get_by_role("button", name=name, exact=True).click()
        case "follow", name:
            await page.get_by_role("link", name=name, exact=True).click()
        case "save", name:
            async with page.expect_download():
                await page.get_by_role("link", name=name).click()
        case "fill", label, text:
            await page.get_by_label(label, exact=True).fill(text)
        case "select", label, *options:
            await page.locator(f"label:has-text('{label}') select").select_option(options)
        case "tick", label:
            await page.get_by_label(label, exact=True).check()
        case "type", what, text:
            await page.fill(what, text) if what != "#city" else await page.type(what, text)
        case "inside", part, what, *text:
            frame = next(f for f in page.frames if part in f.url)
            await (frame.fill(what, text[0]) if text else frame.click(what))
        case "accept", text:
            await expect(page, text)
        case "spot", what, x, y:
            await at(page, what, int(x), int(y))
        case _:
            await hand(page, move)


async def expect(page: Page, text: str) -> None:
    async def accept(dialog: Dialog) -> None:
        await dialog.accept(text)

    page.once("dialog", accept)


async def at(page: Page, what: str, x: int, y: int) -> None:
    """Click at a place that is counted in the element's own pixels."""
    box = await page.locator(what).bounding_box()
    assert box
    width = await page.locator(what).evaluate("e => e.width || e.offsetWidth")
    scale = box["width"] / width
    await page.mouse.click(box["x"] + x * scale, box["y"] + y * scale)


async def hand(page: Page, move: Move) -> None:
    """Moves of mouse and keyboard."""
    match move:
        case "hover", what:
            await page.hover(what)
        case "wait", what:
            await page.wait_for_selector(what)
        case "keys", text:
            await page.keyboard.type(text)
        case "hit", key:
            await page.keyboard.press(key)
        case "drag", what, where:
            await page.drag_and_drop(what, where)
        case "pull", what, where:
            await page.hover(what)
            await page.mouse.down()
            await page.hover(where, position={"x": 20, "y": 2}, force=True)
            await page.mouse.up()
        case _:
            raise ValueError(f"no such move: {move}")
