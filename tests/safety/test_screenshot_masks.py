"""Pictures of pages do not show what was typed in secret."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.browser.sessions.tab import Tab
from pilotfish.core.given_pages import GIVEN_ORIGIN, given_address, page_file

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
PAGE = """<style>* {{ font: 16px monospace; caret-color: transparent }}</style>
<label>Code <input id=code value="{0}"></label><label>Password <input id=word type={1} autocomplete=current-password
value="{0}"></label><p>You wrote <b>{0}</b>.</p>"""


@pytest.fixture(scope="module")
async def tab(pool: BrowserPool, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Tab]:
    yield await (await pool.lease("masks", tmp_path_factory.mktemp("masks"))).tab()
    await pool.end("masks")


async def take_picture(tab: Tab, value: str, masked: bool, kind: str = "password") -> bytes:
    """A picture of a page that holds a value in two fields and in its text."""
    file = page_file(tab.shared.folder, "page")
    file.parent.mkdir(exist_ok=True)
    file.write_text(PAGE.format(value, kind))
    await tab.goto(given_address("page"))
    view = await tab.look()
    if masked:
        await tab.mask_secret(
            next(node.id for node in view.elements if node.name == "Code"), GIVEN_ORIGIN.rstrip("/"), value
        )
    return await tab.picture(form="png")


async def test_two_secrets_of_one_length_look_the_same(tab: Tab, tmp_path: Path) -> None:
    assert await take_picture(tab, "tr0ub4dor", False) != await take_picture(tab, "hunter22!", False)
    first = await take_picture(tab, "tr0ub4dor", True)
    assert first == await take_picture(tab, "hunter22!", True)
    assert first == await take_picture(tab, "letmein00", True, "text"), "a revealed password stays covered"


async def test_a_field_that_held_a_secret_shows_dots_in_the_live_view(tab: Tab, tmp_path: Path) -> None:
    await take_picture(tab, "tr0ub4dor", True)
    style = "getComputedStyle(document.getElementById('code')).getPropertyValue('-webkit-text-security')"
    assert await tab.page.evaluate(style) == "disc"
