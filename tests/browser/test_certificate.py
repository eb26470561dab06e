"""Sites whose certificate nobody vouches for."""

from pathlib import Path

import pytest

from browser.stage import Site
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.errors import ToolError
from pilotfish.core.settings import BrowserSettings

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]


async def test_a_certificate_that_nobody_vouches_for_is_refused_with_the_way_out(
    session: BrowserSession, stranger: Site
) -> None:
    with pytest.raises(ToolError, match=r"certificate cannot be trusted \(setting browser\.any_certificate\)"):
        await session.open(stranger.html("secret"))
    assert not stranger.hits


async def test_any_certificate_will_do_where_the_settings_say_so(tmp_path: Path, stranger: Site) -> None:
    pool = BrowserPool(BrowserSettings(any_certificate=True))
    try:
        tab = await (await pool.lease("trusting", tmp_path)).open(stranger.html("<h1>Come in</h1>"))
        assert "Come in" in (await tab.look()).text
    finally:
        await pool.close()
