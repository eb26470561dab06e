"""The corner of apps: what the view tells of pages that draw themselves anew, and that they can be worked with."""

import pytest

from pilotfish.browser.actions import navigation, pointer
from pilotfish.browser.perception.snapshot import Snapshot
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.practice.server import Practice

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture
def session(browser_session: BrowserSession) -> BrowserSession:
    return browser_session


async def opened_app(session: BrowserSession, site: Practice, name: str) -> Snapshot:
    tab = await session.tab()
    await tab.goto(f"{site.url}/apps/{name}?world=apps-{name}")
    return await tab.look()


def id_of(view: Snapshot, name: str) -> int:
    found = [element.id for element in view.elements if element.name == name]
    assert found, f"{name!r} is not in:\n{view.render(6000)}"
    return found[0]


async def test_switches_segments_and_swatches_tell_their_state(session: BrowserSession, site: Practice) -> None:
    view = await opened_app(session, site, "settings")
    assert 'switch "Cycle updates" (off)' in view.text
    assert 'switch "Ferry alarms" (on)' in view.text
    assert 'clickable "List" (selected)' in view.text
    assert 'clickable "teal" (selected)' in view.text
    change = await pointer.click(session, id_of(view, "Cycle updates"))
    assert 'switch "Cycle updates" (on)' in change.view.text
    change = await pointer.click(session, id_of(change.view, "crimson"))
    assert 'clickable "crimson" (selected)' in change.view.text
    assert 'clickable "teal"\n' in change.view.text


async def test_a_card_opens_in_front_of_the_board_and_a_question_in_front_of_the_card(
    session: BrowserSession, site: Practice
) -> None:
    view = await opened_app(session, site, "kanban")
    card = await pointer.click(session, id_of(view, "Mend the pier"))
    assert 'panel "Mend the pier" (in front, covers the rest):' in card.view.text
    assert "Paint the boats" not in card.view.text
    question = await pointer.click(session, id_of(card.view, "Delete"))
    assert 'panel "Delete this card?" (in front, covers the rest):' in question.view.text
    assert "Move to" not in question.view.text
    board = await pointer.click(session, id_of(question.view, "Yes, delete"))
    assert "Paint the boats" in board.view.text and "Mend the pier" not in board.view.text


async def test_boxes_in_boxes_say_what_they_hide_and_scroll_one_by_one(session: BrowserSession, site: Practice) -> None:
    view = await opened_app(session, site, "panes")
    assert len([element for element in view.elements if element.scroll]) == 4
    assert view.text.count("more rows below") == 4
    inner = next(element for element in view.elements if element.scroll and element.scroll[1] < 130)
    moved = await navigation.scroll(session, "down", target=inner.id)
    assert "Crate 5" in moved.view.text


async def test_the_crosses_and_hidden_tools_of_rows_are_told_by_their_rows(
    session: BrowserSession, site: Practice
) -> None:
    view = await opened_app(session, site, "crew")
    gone = await pointer.click(session, id_of(view, "× (Bo)"))
    assert "Bo" not in {element.name for element in gone.view.elements}
    view = await opened_app(session, site, "post")
    assert view.text.count("(rows show under the mouse: Archive, Delete)") == 1
    hovered = await pointer.hover(session, id_of(view, "Star"))
    assert 'button "Archive"' in hovered.view.text
