"""Where a link over two lines is clicked: on its words, not in the middle of the box around both lines."""

import pytest

from browser.stage import Site, js, number, visit
from pilotfish.browser.actions import pointer
from pilotfish.browser.sessions.session import BrowserSession

pytestmark = pytest.mark.slow
TEXT = """<p style="width:300px;font:16px/40px monospace" onclick="document.title = event.target.tagName">
Ten letters and then more <a id=wrapped href=#there>here now</a> the rest of this text stands</p>"""


async def test_a_link_over_two_lines_is_clicked_on_its_words(session: BrowserSession, site: Site) -> None:
    await visit(session, site, TEXT)
    apart = "(([first, second, more]) => !more && first.left > second.right)(wrapped.getClientRects())"
    assert await js(session, apart), "the middle of the box around both lines is beside the words"
    await pointer.click(session, number(session, "here now"))
    assert await js(session, "[document.title, location.hash]") == ["A", "#there"]
