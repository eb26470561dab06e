"""A foreign extension and a foreign page in the same browser get nothing of the server, the extension and the relay."""

import json
from collections.abc import AsyncGenerator

import pytest
from playwright.async_api import Page, Worker, expect

from interfaces.server.running_server import RunningServer
from pilotfish.practice.server import Practice

from .chores import begin
from .person import PersonChrome, person_chrome

pytestmark = pytest.mark.slow
MANIFEST = {
    "manifest_version": 3,
    "name": "Foreign",
    "version": "1",
    "permissions": ["storage"],
    "host_permissions": ["<all_urls>"],
    "background": {"service_worker": "foreign.js"},
}
ASK = """async ([url, token, method]) => {
  const headers = {...(token ? {authorization: `Bearer ${token}`} : {}), 'x-pilotfish-method': 'GET'};
  const how = {method, headers, credentials: 'include'};
  return fetch(url, how).then(async answer => [answer.status, await answer.text()], () => [0, '']);
}"""
KNOCK = """([url, protocols]) => new Promise(end => {
  const line = new WebSocket(url, protocols);
  line.onmessage = event => end(String(event.data));
  line.onopen = () => line.send('{"id": 1, "method": "Target.getTargets"}');
  line.onclose = () => end('');
})"""


@pytest.fixture(scope="module")
async def chrome(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[PersonChrome]:
    """A browser that has another extension too."""
    foreign = tmp_path_factory.mktemp("foreign")
    (foreign / "manifest.json").write_text(json.dumps(MANIFEST))
    (foreign / "foreign.js").write_text("self.isForeign = true;")
    async with person_chrome(tmp_path_factory.mktemp("chrome"), others=(foreign,)) as running:
        yield running


async def find_foreign(chrome: PersonChrome) -> Worker:
    """The service worker of the other extension."""
    while True:
        for worker in chrome.context.service_workers:
            if worker.url.endswith("/foreign.js"):
                return worker
        await chrome.context.wait_for_event("serviceworker")


async def read_pairing(panel: Page) -> str:
    return str(await panel.evaluate("chrome.storage.local.get('pairing').then(kept => kept.pairing.token)"))


async def test_a_foreign_extension_gets_nothing_even_with_the_token(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    foreign, token = await find_foreign(chrome), await read_pairing(panel)
    # The person's page in the same browser has a cookie, which Chrome sends with an extension's requests too.
    own = await chrome.open(f"{server.url}/enter?token={server.token}")
    for stolen in ("", server.token, token):
        for method in ("GET", "POST"):
            assert (await foreign.evaluate(ASK, [f"{server.url}/api/runs", stolen, method]))[0] == 403, (stolen, method)
        assert (await foreign.evaluate(ASK, [f"{server.url}/api/extension/code", stolen, "POST"]))[0] == 403, stolen
    await expect(own.get_by_label("Your message")).to_be_visible()
    await own.close()
    line = f"{server.url.replace('http', 'ws')}/ws/extension"
    assert await foreign.evaluate(KNOCK, [line, ["pilotfish", token]]) == ""
    ours = chrome.worker.url.split("/")[2]
    script = "async id => chrome.runtime.sendMessage(id, {type: 'hand-over', tab: 1}).then(() => true, () => false)"
    assert not await foreign.evaluate(script, ours)
    page = await chrome.open(f"{site.url}/news")
    work, run = await begin(server, chrome, page, "test-chrome-looks", "Watch while others knock")
    [record] = await server.fish.runs(text="Watch while others knock")
    pool = server.fish.extensions.find_pool(record.conversation)
    assert pool
    assert await foreign.evaluate(KNOCK, [pool.address, []]) == ""
    assert await page.evaluate(KNOCK, [pool.address, []]) == ""
    assert pool.driven
    await work.get_by_role("button", name="Stop").click()
    await server.until(run, "run_finished")
    await work.close()
    await page.close()


async def test_a_foreign_page_gets_nothing_even_with_the_token(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page, token = await chrome.open(f"{site.url}/news"), await read_pairing(panel)
    for path in ("/api/me", "/api/extension", "/api/runs"):
        assert await page.evaluate(ASK, [server.url + path, token, "GET"]) == [0, ""]
    line = f"{server.url.replace('http', 'ws')}/ws/extension"
    assert await page.evaluate(KNOCK, [line, ["pilotfish", token]]) == ""
    assert await page.evaluate("typeof chrome?.runtime?.sendMessage") == "undefined"
    assert len(server.fish.extensions.connected("local")) == 1
    await page.close()
