"""Notices in a browser while no page is open: turned on, sent by the server, shown by the service worker."""

import json
import re
from typing import Any

import anyio
import pytest
from playwright.async_api import Page, expect

from push_receiver import PushReceiver
from serving import PATIENCE
from web.loopback import Reply, site

from .stage import Stage
from .test_screens import look

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]

# Chromium without its maker's keys has no push service; what that would answer is put in its place.
SERVICE = """(target => {
  let kept = null;
  PushManager.prototype.getSubscription = async () => kept;
  PushManager.prototype.subscribe = async (wanted) => kept = {
    toJSON: () => ({ ...target, asked: wanted.applicationServerKey }),
    unsubscribe: async () => { kept = null; return true; },
  };
})(TARGET)"""
SHOWN = """async () => (await (await navigator.serviceWorker.ready).getNotifications())
  .map(({ title, body, data }) => ({ title, body, link: data.link }))"""


async def deliver(page: Page, origin: str, message: dict[str, Any]) -> None:
    """Hand a message to the page's service worker, as the browser does when its push service sends one."""
    line = await page.context.new_cdp_session(page)
    found: list[str] = []
    line.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
    )
    await line.send("ServiceWorker.enable")
    with anyio.fail_after(PATIENCE):
        while not found:
            await anyio.sleep(0.05)
    sent = {"origin": f"{origin}/", "registrationId": found[-1], "data": json.dumps(message)}
    await line.send("ServiceWorker.deliverPushMessage", sent)


async def test_a_browser_is_sent_notices_shows_them_and_can_be_taken_out(stage: Stage, page: Page) -> None:
    receiver = PushReceiver()
    async with site() as service:
        target = receiver.target(service.at("/send", lambda _: Reply(status=201)))
        keys = {"p256dh": target.p256dh, "auth": target.auth}
        await stage.fish.settings_store.change("notices.push_services", ["127.0.0.1"], "test")
        await stage.fish.refresh()
        await page.context.grant_permissions(["notifications"], origin=stage.url)
        await page.add_init_script(SERVICE.replace("TARGET", json.dumps({"endpoint": target.endpoint, "keys": keys})))
        await stage.open(page, "/schedules")
        await page.get_by_role("button", name=re.compile("Notices")).click()
        await page.get_by_role("switch", name="Notifications in this browser").click()
        await page.get_by_role("button", name="Send a test").click()
        await expect(page.locator(".notices")).to_contain_text("A test was sent.")
        await look(page, "schedules-push")
        [browser] = await stage.fish.push.list("local")
        told = receiver.open(service.asked[0].body)
    assert re.fullmatch(r"\w+, \w+", browser.name) and browser.service == "127.0.0.1"
    await deliver(page, stage.url, told)
    shown = []
    with anyio.fail_after(PATIENCE):
        while not shown:
            shown = await page.evaluate(SHOWN)
            await anyio.sleep(0.05)
    assert shown == [{"title": "Pilotfish", "body": "Notices reach this browser.", "link": told["link"]}]
    await page.get_by_role("switch", name="Notifications in this browser").click()
    await expect(page.get_by_role("button", name="Send a test")).to_have_count(0)
    with anyio.fail_after(PATIENCE):
        while await stage.fish.push.list("local"):
            await anyio.sleep(0.05)


async def test_a_browser_that_may_not_says_why(stage: Stage, page: Page) -> None:
    await stage.open(page, "/schedules")
    await page.get_by_role("button", name=re.compile("Notices")).click()
    await page.get_by_role("switch", name="Notifications in this browser").click()
    await expect(page.get_by_role("alert").first).to_contain_text("does not allow notifications")
    await expect(page.get_by_role("switch", name="Notifications in this browser")).not_to_be_checked()
    assert await stage.fish.push.list("local") == []
