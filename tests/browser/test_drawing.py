"""What is only drawn or coloured still gets an id and words."""

import pytest

from browser.stage import Site, number, visit
from pilotfish.browser.actions.pointer import click, click_at
from pilotfish.browser.sessions.session import BrowserSession

pytestmark = pytest.mark.slow

DRAWING = """<svg width="200" height="200">
<circle cx="30" cy="30" r="8" fill="red" onclick="document.title='hit'"/>
<circle cx="100" cy="100" r="30" fill="#2040ff"/>
<rect x="150" y="10" width="20" height="20" fill="none" stroke="black"/>
<polygon points="10,150 40,150 25,180" fill="yellow"/><text x="150" y="150">7</text></svg>"""


async def names(session: BrowserSession, site: Site, body: str) -> list[str]:
    tab = await session.tab()
    await tab.goto(site.html(body))
    return [element.name for element in (await tab.look()).elements]


async def test_shapes_go_by_size_colour_and_form(session: BrowserSession, site: Site) -> None:
    found = await names(session, site, DRAWING)
    *shapes, digit = found
    assert shapes == ["small red circle", "large blue circle", "small empty square", "small yellow triangle"]
    assert digit == "small black digit 7"
    tab = await session.tab()
    red = (await tab.look()).elements[0]
    assert (await click(session, red.id)).title == "hit"


async def test_words_and_paths_go_by_what_they_show(session: BrowserSession, site: Site) -> None:
    words = '<svg width="200" height="100"><text x="20" y="40">7</text><text x="80" y="40" fill="red">Sea</text></svg>'
    path = (
        '<svg width="200" height="100"><path d="M10 10 L90 10 L90 80 L40 95 L10 80 Z" fill="red" tabindex="0"/></svg>'
    )
    assert await names(session, site, words + path) == ["7", "red Sea", "red pentagon"]


async def test_of_a_picture_with_a_name_only_what_can_be_touched_is_told(session: BrowserSession, site: Site) -> None:
    chart = DRAWING.replace("<svg", '<svg role="img" aria-label="A chart"')
    assert await names(session, site, chart) == ["small red circle"]


async def test_coloured_boxes_go_by_their_colour(session: BrowserSession, site: Site) -> None:
    box = '<div tabindex="0" style="width:40px;height:40px;background:{}"></div>'
    assert await names(session, site, box.format("#c00") + box.format("rgb(0,128,0)")) == ["red", "green"]


async def test_an_icon_that_listens_inside_a_row_that_listens_has_its_own_id(
    session: BrowserSession, site: Site
) -> None:
    row = '<div class="row" style="width:200px">Ada writes<span class="star" style="padding:5px">☆</span></div>'
    script = (
        "<script>for (const el of document.querySelectorAll('.row,.star')) el.addEventListener('click', alert)</script>"
    )
    assert any("star" in name or "☆" in name for name in (await names(session, site, row + script))[1:])


async def test_a_sentence_is_not_the_label_of_a_field(session: BrowserSession, site: Site) -> None:
    assert "Enter" not in (await names(session, site, "<p>Enter the date and go on.</p><input>"))[0]


async def test_of_two_empty_shapes_alike_each_goes_by_its_side_too(session: BrowserSession, site: Site) -> None:
    box = "<rect x={} y={} width=70 height=50 fill=none stroke=black />"
    drawing = (
        "<svg width=200 height=200><circle cx=20 cy=150 r=8 fill=red /><circle cx=60 cy=150 r=8 fill=red />{}{}</svg>"
    )
    beside = await names(session, site, drawing.format(box.format(90, 5), box.format(5, 5)))
    assert beside[2:] == ["right large empty rectangle", "left large empty rectangle"]
    above = await names(session, site, drawing.format(box.format(5, 5), box.format(5, 70)))
    assert above[:2] == ["small red circle"] * 2
    assert above[2:] == ["upper large empty rectangle", "lower large empty rectangle"]


async def test_a_click_at_a_point_names_the_part_that_lies_there(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<div tabindex=0 aria-label="Seats of the hall" style="position:relative;width:300px;height:200px">
        <button style="position:absolute;left:20px;top:20px;width:80px;height:40px">Seat 4</button>Hall</div>""",
    )
    plan = number(session, "Seats of the hall")
    assert 'at (60, 40), on button "Seat 4"' in (await click_at(session, plan, 60, 40)).action
    assert (await click_at(session, plan, 200, 150)).action.endswith("at (200, 150)")
