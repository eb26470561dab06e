"""A person's own Chromium with the extension loaded, for tests."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import BrowserContext, Page, Worker, async_playwright

from pilotfish.browser.sessions.chromium import find_executable
from pilotfish.services.extension_files import install_extension

SWITCHES = ("--headless=new", "--no-sandbox", "--disable-background-networking", "--disable-component-update")


@dataclass
class PersonChrome:
    """The browser, the extension's service worker, and the panel as an ordinary tab."""

    context: BrowserContext
    worker: Worker

    @property
    def origin(self) -> str:
        return self.worker.url.rsplit("/", 1)[0]

    async def open(self, url: str) -> Page:
        page = await self.context.new_page()
        await page.goto(url)
        return page

    async def panel(self) -> Page:
        """The side panel's page. A test cannot open the panel itself, so the page stands in a tab of its own."""
        page = await self.context.new_page()
        await page.goto(f"{self.origin}/panel.html")
        return page

    async def tab_id(self, page: Page) -> int:
        """The number that Chrome gave the tab of a page."""
        await page.bring_to_front()
        script = "async url => (await chrome.tabs.query({})).find(tab => tab.url === url).id"
        return int(await self.worker.evaluate(script, page.url))

    async def pair(self, server: str, code: str) -> Page:
        """Type a code into the panel, as a person does."""
        panel = await self.panel()
        await panel.get_by_label("Address").fill(server)
        await panel.get_by_label("Code").fill(code)
        await panel.get_by_role("button", name="Connect").click()
        return panel


@asynccontextmanager
async def person_chrome(folder: Path, others: tuple[Path, ...] = ()) -> AsyncGenerator[PersonChrome]:
    """Start Chromium with the extension, and with others."""
    extension = folder / "extension"
    if not extension.exists():
        install_extension(extension)
    loaded = ",".join(map(str, (extension, *others)))
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            folder / "profile",
            executable_path=find_executable(),
            headless=False,
            args=[*SWITCHES, f"--load-extension={loaded}", f"--disable-extensions-except={loaded}"],
            ignore_default_args=["--disable-extensions"],
        )
        try:
            yield PersonChrome(context, await find_worker(context))
        finally:
            await context.close()


async def find_worker(context: BrowserContext) -> Worker:
    """The service worker of our extension."""
    while True:
        for worker in context.service_workers:
            if worker.url.endswith("/background.js"):
                return worker
        await context.wait_for_event("serviceworker")
