"""Little widgets as libraries draw them can be operated, and the report says what became of them."""

import tomllib
from pathlib import Path

import pytest

from browser.stage import Site, number, visit
from pilotfish.browser.actions import fields, pointer
from pilotfish.browser.perception.changes import ChangeReport
from pilotfish.browser.perception.element_search import ElementSearch
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.pages import ElementQuery

pytestmark = pytest.mark.slow
WIDGETS = {
    one["name"]: one
    for one in tomllib.loads((Path(__file__).parent / "pages" / "little_widgets.toml").read_text("utf-8"))["widget"]
}

KINDS: dict[str, pointer.ClickKind] = {"double": "double", "right": "right"}


async def act(session: BrowserSession, way: str, name: str) -> ChangeReport:
    """Do what a way says (`click`, `type:WORDS`, `drag:GOAL` …) with the element of a name."""
    id, (tool, _, given) = number(session, name), way.partition(":")
    match tool:
        case "type" | "enter":
            return await fields.type_text(session, id, given, submit=tool == "enter")
        case "drag":
            return await pointer.drag(session, id, number(session, given))
        case "hover":
            return await pointer.hover(session, id)
        case _:
            return await pointer.click(session, id, KINDS.get(tool, "single"))


@pytest.mark.parametrize("name", WIDGETS)
async def test_a_widget_is_operated_and_the_report_says_what_happened(
    session: BrowserSession, site: Site, name: str
) -> None:
    await visit(session, site, WIDGETS[name]["html"])
    for way, element, told in WIDGETS[name]["steps"]:
        change = await act(session, way, element)
        assert told in change.headline


async def test_days_between_the_ends_of_a_span_are_selected_too(session: BrowserSession, site: Site) -> None:
    await visit(session, site, WIDGETS["date range"]["html"])
    for name in ("10", "13"):
        change = await act(session, "click", name)
    found = ElementSearch(change.view).find(ElementQuery(role="cell"))
    assert [one.name for one in found if "selected" in one.states] == ["10", "11", "12", "13"]


async def test_stars_are_told_by_halves(session: BrowserSession, site: Site) -> None:
    view = await visit(session, site, WIDGETS["half stars"]["html"])
    found = ElementSearch(view).find(ElementQuery(role="listitem"))
    assert [" ".join(one.states) for one in found] == ["on", "on", "half", "", ""]


async def test_an_arrow_that_always_points_down_says_no_state(session: BrowserSession, site: Site) -> None:
    view = await visit(session, site, WIDGETS["split button"]["html"])
    [arrow] = ElementSearch(view).find(ElementQuery(name="▾"))
    assert arrow.states == ()


@pytest.mark.parametrize("name", ["svg map", "segmented", "chips filter"])
async def test_elements_keep_their_numbers_when_one_of_them_gets_the_class_of_a_state(
    session: BrowserSession, site: Site, name: str
) -> None:
    view = await visit(session, site, WIDGETS[name]["html"])
    change = await act(session, "click", WIDGETS[name]["steps"][0][1])
    assert [one.id for one in change.view.elements] == [one.id for one in view.elements]


@pytest.mark.parametrize(
    ("name", "element", "states"),
    [
        ("eye", "eye", ()),
        ("tri state tree", "Fruit", ("mixed",)),
        ("sort header", "Name", ("ascending",)),
        ("sort header", "Price", ()),
        ("accordion", "What does it cost?", ("collapsed",)),
        ("carousel", "dot 1 of 3", ("selected",)),
    ],
)
async def test_a_drawn_state_is_told_and_none_where_nothing_says_so(
    session: BrowserSession, site: Site, name: str, element: str, states: tuple[str, ...]
) -> None:
    view = await visit(session, site, WIDGETS[name]["html"])
    [found] = ElementSearch(view).find(ElementQuery(name=element))
    assert found.states == states


async def test_an_icon_that_is_called_off_is_no_state(session: BrowserSession, site: Site) -> None:
    await visit(session, site, WIDGETS["eye"]["html"])
    change = await act(session, "click", "eye")
    [eye] = ElementSearch(change.view).find(ElementQuery(name="eye"))
    assert eye.states == ()
