"""Every page there is, and what is seen on it once it has read what it shows."""

from playwright.async_api import Page, expect

from .stage import Stage

PLACES = {
    "/": ".tries li",
    "/runs": ".runlist, .hint",
    "/schedules": ".plainlist, .hint",
    "/memory": "form.row",
    "/costs": ".days, .hint",
    "/welcome": ".ok",
    "/settings/you": "select",
    "/settings/agent": ".setting",
    "/settings/models": ".setting",
    "/settings/tools": "input[type=checkbox]",
    "/settings/people": ".plainlist li",
    "/settings/policy": ".setting",
    "/settings/history": ".plainlist, .hint",
    "/settings/secrets": ".hint, .plainlist li",
}


async def visit(stage: Stage, page: Page, place: str) -> None:
    """Open a page and wait until it is whole."""
    await stage.open(page, place)
    await expect(page.locator("#main").locator(PLACES[place]).first).to_be_visible()
