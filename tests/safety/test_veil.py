"""Pictures of pages do not show what was typed in secret."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pilotfish.browser.pool import Pool
from pilotfish.browser.tab import Tab

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
PAGE = """<style>* {{ font: 16px monospace; caret-color: transparent }}</style>
<label>Code <input id=code value="{0}"></label><label>Password <input id=word type={1} autocomplete=current-password
value="{0}"></label><p>You wrote <b>{0}</b>.</p>"""


@pytest.fixture(scope="module")
async def tab(pool: Pool, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Tab]:
    yield await (await pool.lease("veil", tmp_path_factory.mktemp("veil"))).tab()
    await pool.end("veil")


async def shown(tab: Tab, folder: Path, value: str, veil: bool, kind: str = "password") -> bytes:
    """A picture of a page that holds a value in two fields and in its text."""
    file = folder / "page.html"
    file.write_text(PAGE.format(value, kind))
    await tab.goto(file.as_uri())
    view = await tab.look()
    if veil:
        await tab.veil(next(node.id for node in view.elements if node.name == "Code"), "file://", value)
    return await tab.picture(form="png")


async def test_two_secrets_of_one_length_look_the_same(tab: Tab, tmp_path: Path) -> None:
    assert await shown(tab, tmp_path, "tr0ub4dor", False) != await shown(tab, tmp_path, "hunter22!", False)
    first = await shown(tab, tmp_path, "tr0ub4dor", True)
    assert first == await shown(tab, tmp_path, "hunter22!", True)
    assert first == await shown(tab, tmp_path, "letmein00", True, "text"), "a revealed password stays covered"


async def test_a_field_that_held_a_secret_shows_dots_in_the_live_view(tab: Tab, tmp_path: Path) -> None:
    await shown(tab, tmp_path, "tr0ub4dor", True)
    style = "getComputedStyle(document.getElementById('code')).getPropertyValue('-webkit-text-security')"
    assert await tab.page.evaluate(style) == "disc"
