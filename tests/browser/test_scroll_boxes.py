"""Boxes that scroll say how much of them is out of sight; what pages through a list is always told."""

import pytest

from browser.stage import Site, js, number, visit
from pilotfish.browser.actions import navigation, pointer
from pilotfish.browser.perception.element import ElementView, PageOutline
from pilotfish.browser.perception.snapshot import Snapshot
from pilotfish.browser.sessions.session import BrowserSession

pytestmark = pytest.mark.slow
APP = (
    """<style>body{margin:0;height:100vh;overflow:hidden;display:flex}li,.row{height:50px}
nav{width:200px;height:300px;overflow:auto}main{flex:1;height:500px;overflow:auto}
.clip{position:absolute;top:520px;height:30px;width:200px;overflow:hidden}.clip button{display:block;height:30px}
</style>
<nav aria-label=Folders><ul style="margin:0">"""
    + "".join(f"<li><a href='#f{n}'>Folder {n}</a></li>" for n in range(17))
    + "</ul></nav><main id=list>"
    + "".join(
        f"<div class=row>Mail {n} <button onclick=\"document.title='kept {n}'\">Keep {n}</button></div>"
        for n in range(30)
    )
    + """<div class=pagination><a href='#1'>1</a> <a href='#2'>2</a> <a href='#n'>Older</a></div></main>
<div class=clip><button>One</button><button>Two</button><button>Three</button></div>"""
)


async def test_each_box_says_how_many_rows_are_above_and_below(session: BrowserSession, site: Site) -> None:
    text = (await visit(session, site, APP)).text
    assert 'navigation "Folders" (scrolls, at 0 %, 11 more rows below):' in text
    assert "(scrolls, at 0 %, 20 more rows below):" in text
    assert "2 more elements are cut off by the boxes they stand in." in text
    main = next(e for e in (await (await session.tab()).look()).elements if e.scroll and e.name != "Folders")
    await navigation.scroll(session, "down", 500, main.id)
    text = (await (await session.tab()).look()).text
    assert "10 more rows above, 10 more rows below" in text


async def test_the_gaps_between_rows_are_no_rows(session: BrowserSession, site: Site) -> None:
    rows = "".join(f"<p style='height:10px;margin:30px 0'>Paragraph {n}</p>" for n in range(40))
    text = (await visit(session, site, f"<div style='height:400px;overflow:auto'>{rows}</div>")).text
    assert "(scrolls, at 0 %, 30 more rows below):" in text, text


async def test_what_pages_through_a_list_is_told_though_it_is_out_of_sight(session: BrowserSession, site: Site) -> None:
    view = await visit(session, site, APP)
    assert [e.name for e in view.elements if e.turns_page] == ["1", "2", "Older"]
    await pointer.click(session, number(session, "Older"))
    assert await js(session, "location.hash") == "#n"


async def test_where_the_window_cannot_move_scroll_moves_the_main_list(session: BrowserSession, site: Site) -> None:
    await visit(session, site, APP)
    assert "Scrolled the box down by 450 pixels" in (await navigation.scroll(session, "down")).action
    assert await js(session, "list.scrollTop") == 450


async def test_a_click_into_a_row_that_is_cut_off_brings_it_into_sight_first(
    session: BrowserSession, site: Site
) -> None:
    await visit(session, site, APP)
    found = await (await session.tab()).look(find="Keep 27")
    await pointer.click(session, next(e.id for e in found.elements if e.name == "Keep 27"))
    assert await js(session, "document.title") == "kept 27"


async def test_a_list_that_makes_only_the_rows_in_sight_tells_how_many_there_may_be(
    session: BrowserSession, site: Site
) -> None:
    rows = "".join(f"<div class=r style='height:40px'>Row {n}</div>" for n in range(12))
    body = f"<div tabindex=0 style='height:400px;overflow:auto'><div style='height:4000px'>{rows}</div></div>"
    assert "90 more rows below" in (await visit(session, site, body)).text


def test_pages_of_a_list_are_told_though_the_rest_does_not_fit() -> None:
    rows = [ElementView("control", n, "link" if n % 2 else "button", f"Thing {n}") for n in range(1, 900)]
    pager = ElementView("control", 900, "link", "Next", facts={"pg": 1})
    text = Snapshot("http://sea.test", "Sea", (*rows, pager), PageOutline()).render(400)
    assert "do not fit" in text
    assert 'pages: [900] link "Next"' in text


def test_a_page_that_shows_nothing_says_so() -> None:
    assert "(nothing is shown here)" in Snapshot("http://sea.test", "Sea", (), PageOutline()).text


async def test_what_is_found_is_told_whole_and_what_is_left_out_is_counted(session: BrowserSession, site: Site) -> None:
    few = "".join(f"<p>Pier {n} <button>Mend {n}</button></p>" for n in range(25))
    await visit(session, site, few)
    tab = await session.tab()
    found = (await tab.look(budget=6000, find="Pier")).text
    assert '"Pier" was found in 25 places\n' in found
    assert "Mend 24" in found and "more" not in found
    await visit(session, site, few * 2)
    assert "was found in 50 places; 20 of them are not shown" in (await tab.look(budget=6000, find="Pier")).text


async def test_what_is_placed_on_the_screen_is_told_though_the_body_that_hides_the_rest_has_no_height(
    session: BrowserSession, site: Site
) -> None:
    app = """<style>body{overflow:hidden}#app{position:absolute;inset:0}</style>
    <div id=app><button>Deploy</button><div style="overflow:hidden;height:0"><a href="#1">Folded</a></div></div>"""
    view = await visit(session, site, app)
    assert [element.name for element in view.elements] == ["Deploy"]


async def test_a_box_that_hides_what_overflows_does_not_hide_what_another_box_places(
    session: BrowserSession, site: Site
) -> None:
    menu = "<div style='position:absolute;top:200px;left:20px;width:200px'><button>Rename</button></div>"
    bar = f"<div style='overflow:hidden;height:40px'><button>File</button>{menu}</div>"
    view = await visit(session, site, f"<main style='position:relative;height:500px'>{bar}</main>")
    assert [element.name for element in view.elements] == ["File", "Rename"]
    placing = bar.replace("height:40px", "position:relative;height:40px")
    cut = await visit(session, site, f"<main style='position:relative;height:500px'>{placing}</main>")
    assert [element.name for element in cut.elements] == ["File"]


async def test_without_a_distance_scroll_moves_most_of_what_is_seen(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "".join(f"<p>Row {n}" for n in range(200)))
    await navigation.scroll(session, "down")
    assert await js(session, "scrollY >= innerHeight * 0.8 && scrollY < innerHeight")


ESCAPED = """<div style="height:40px;width:300px;overflow:hidden;position:relative"><p>A field</p>
<div style="display:contents"><div style="position:fixed;left:20px;top:120px;background:#fff">
<button>harbour.py</button></div></div></div>"""


async def test_what_is_placed_on_the_screen_is_told_though_a_box_around_it_cuts_off_the_rest(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, ESCAPED)
    assert [each.name for each in view.elements] == ["harbour.py"] and "cut off" not in view.text
