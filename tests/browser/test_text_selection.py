"""Marking words: by the mouse, across lines and tags, in fields and frames."""

import pytest

from browser.stage import Site, js, visit
from pilotfish.browser.actions.navigation import press_key
from pilotfish.browser.actions.text_selection import select_text
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.errors import ToolError

pytestmark = pytest.mark.slow
MARKED = "getSelection().toString()"


async def test_words_are_marked_with_real_mouse_events(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        "<p>One</p><p onmousedown='this.id=`pressed`' onmouseup='this.title=`released`'>Two  <b>green</b>\nboats</p>",
    )
    change = await select_text(session, "Two green boats")
    assert change.action == 'Marked "Two green boats"'
    assert str(await js(session, MARKED)).split() == ["Two", "green", "boats"]
    assert await js(session, "pressed.title") == "released"


async def test_only_the_words_asked_for_are_marked_and_can_be_copied(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<div style='width:90px'>A long row of words that goes over several lines</div>")
    await select_text(session, "row of WORDS that goes")
    assert str(await js(session, MARKED)).replace("\n", " ") == "row of words that goes"
    await press_key(session, "Ctrl+C")
    assert session.clipboard.text.replace("\n", " ") == "row of words that goes"


async def test_words_that_a_look_shortened_are_marked_to_the_end_of_their_paragraph(
    session: BrowserSession, site: Site
) -> None:
    await visit(session, site, "<p>First <i>of all</i> the words</p><p>Second</p>")
    await select_text(session, "First of…")
    assert await js(session, MARKED) == "First of all the words"


async def test_words_further_down_are_scrolled_to(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<div style='height:3000px'></div><p>Far down</p>")
    await select_text(session, "Far down")
    assert await js(session, MARKED) == "Far down"


async def test_words_of_a_field_are_marked_in_it_but_never_a_password(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<textarea id=t>one two three</textarea><input type=password value='hidden words'>")
    await select_text(session, "two")
    assert await js(session, "[t.selectionStart, t.selectionEnd]") == [4, 7]
    with pytest.raises(ToolError, match="does not say that"):
        await select_text(session, "hidden words")


async def test_where_the_page_refuses_the_mouse_the_words_are_marked_all_the_same(
    session: BrowserSession, site: Site
) -> None:
    await visit(session, site, "<p onmousedown='event.preventDefault()'>Stubborn words</p>")
    await select_text(session, "Stubborn")
    assert await js(session, MARKED) == "Stubborn"


async def test_words_in_a_frame_are_marked(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<h1>Outside</h1><iframe srcdoc='<p>Inside words</p>'></iframe>")
    await select_text(session, "Inside words")
    assert await js(session, "frames[0].getSelection().toString()") == "Inside words"


@pytest.mark.parametrize("text", ["", "   ", "not said here"])
async def test_words_that_are_not_there_are_refused(session: BrowserSession, site: Site, text: str) -> None:
    await visit(session, site, "<p>Something else</p>")
    with pytest.raises(ToolError, match="does not say that"):
        await select_text(session, text)
