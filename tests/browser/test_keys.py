"""The keys for which a run has a clipboard of its own."""

import pytest

from browser.stage import Site, js, number, visit
from pilotfish.browser.actions import navigation
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.errors import ToolError

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]


async def test_text_is_copied_cut_and_pasted_whole(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<label>From <textarea>two  blanks\nand a line </textarea></label><label>To <textarea></textarea></label>
        <label>Key <input type=password value=hush></label>""",
    )
    start, end = number(session, "From"), number(session, "To")
    with pytest.raises(ToolError, match="Nothing was copied"):
        await navigation.press_key(session, "Ctrl+V", end)
    await navigation.press_key(session, "Ctrl+A", start)
    assert "Copied 23 letters" in (await navigation.press_key(session, "Ctrl+C", start)).action
    await navigation.press_key(session, "cmd+v", end)
    assert await js(session, "document.querySelectorAll('textarea')[1].value") == "two  blanks\nand a line "
    await navigation.press_key(session, "Ctrl+A", end)
    await navigation.press_key(session, "Ctrl+X")
    assert await js(session, "document.querySelectorAll('textarea')[1].value") == ""
    await navigation.press_key(session, "Ctrl+A", number(session, "Key"))
    with pytest.raises(ToolError, match="Nothing is selected"):
        await navigation.press_key(session, "Ctrl+C", number(session, "Key"))
