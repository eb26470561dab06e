"""The wrong-click suite: pages that change under the hand. Whatever happens, nothing else is ever clicked."""

import asyncio
import random

import pytest

from browser.stage import Site, js
from pilotfish.browser.actions import navigation, pointer
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.errors import ToolError

pytestmark = pytest.mark.slow

LIST = """<ul id=list></ul><script>
window.clicked = [];
let names = ['Ada', 'Bob', 'Cyd', 'Dan', 'Eve', 'Fay'];
const row = (name) => `<li><span>${name}</span> <button onclick="clicked.push('${name}')">Delete ${name}</button></li>`;
const render = () => { list.innerHTML = names.map(row).join('') };
const swap = () => { names = [names[1], names[0], ...names.slice(2)]; render() };
const reverse = () => { names.reverse(); render() };
const drop = () => { names = names.slice(1); render() };
const relabel = () => document.querySelectorAll('li').forEach((li, at) => {
  const name = names[(at + 1) % names.length];
  li.firstElementChild.textContent = name;
  li.lastElementChild.textContent = 'Delete ' + name;
  li.lastElementChild.setAttribute('onclick', `clicked.push('${name}')`);
});
const same = () => document.querySelectorAll('li').forEach((li, at) => {
  const name = names[(at + 1) % names.length];
  li.firstElementChild.textContent = name;
  li.lastElementChild.setAttribute('onclick', `clicked.push('${name}')`);
});
render();
</script>"""


async def visit(session: BrowserSession, site: Site, body: str) -> dict[str, int]:
    """Open the page; the numbers of its elements by name."""
    tab = await session.tab()
    await tab.goto(site.html(body))
    return {element.name: element.id for element in (await tab.look()).elements}


async def read_clicks(session: BrowserSession) -> list[str]:
    return await (await session.tab()).page.evaluate("window.clicked")


async def attempt(session: BrowserSession, id: int) -> str:
    """Click; the error's words where it was refused."""
    try:
        await pointer.click(session, id)
    except ToolError as error:
        return error.message
    return ""


@pytest.mark.parametrize("change", ["render", "swap", "reverse", "drop", "relabel"])
async def test_a_list_that_changed_is_never_clicked_in_the_wrong_row(
    session: BrowserSession, site: Site, change: str
) -> None:
    ids = await visit(session, site, LIST)
    page = (await session.tab()).page
    for name in ("Ada", "Bob", "Eve"):
        await page.evaluate(f"clicked.length = 0; {change}()")
        told = await attempt(session, ids[f"Delete {name}"])
        assert await read_clicks(session) in ([], [name])
        assert told or await read_clicks(session) == [name]


async def test_a_row_that_stands_for_somebody_else_now_is_not_clicked(session: BrowserSession, site: Site) -> None:
    """The button keeps its words ("Delete"), its row does not: as in virtual lists that use elements again. The number
    goes on to mean the row that was seen."""
    body = LIST.replace(">Delete ${name}<", ">Delete<")
    tab = await session.tab()
    await tab.goto(site.html(body))
    first = next(e.id for e in (await tab.look()).elements if e.name == "Delete")
    await tab.page.evaluate("same()")
    assert await attempt(session, first) == ""
    assert await read_clicks(session) == ["Ada"]
    await tab.page.evaluate("names[0] = 'Zoe'; clicked.length = 0; same()")
    assert "is no longer on the page" in await attempt(session, first) or "stands in another row" in await attempt(
        session, first
    )
    assert await read_clicks(session) == []


async def test_a_recycled_row_of_a_virtual_list_is_refused_or_right(session: BrowserSession, site: Site) -> None:
    ids = await visit(
        session,
        site,
        """<div id=box tabindex=0 style='height:200px;overflow:auto' onscroll='draw()'><div id=tall style=
        'height:40000px;position:relative'></div></div><script>window.clicked = [];
        const rows = [...Array(12)].map(() => { const b = document.createElement('button');
          b.style.cssText = 'position:absolute;height:20px;left:0'; b.onclick = () => clicked.push(b.textContent);
          tall.append(b); return b });
        function draw() { const from = Math.floor(box.scrollTop / 20);
          rows.forEach((b, at) => { b.textContent = 'Item ' + (from + at); b.style.top = (from + at) * 20 + 'px' }) }
        draw()</script>""",
    )
    await navigation.scroll(session, "down", 4000, ids["Item 3"])
    told = await attempt(session, ids["Item 3"])
    assert "has become" in told or "no longer" in told
    assert await read_clicks(session) == []


async def test_a_number_from_the_page_before_is_refused_and_numbers_do_not_come_back(
    session: BrowserSession, site: Site
) -> None:
    body = "<script>window.clicked = []</script><button onclick='clicked.push(1)'>Go</button>"
    old = (await visit(session, site, body))["Go"]
    new = (await visit(session, site, body))["Go"]
    assert new > old
    assert "no longer on the page" in await attempt(session, old)
    assert await read_clicks(session) == []
    assert await attempt(session, new) == ""
    assert await read_clicks(session) == [1]


async def test_a_route_change_that_draws_the_page_anew_makes_old_numbers_void(
    session: BrowserSession, site: Site
) -> None:
    ids = await visit(
        session,
        site,
        """<main id=app></main><script>window.clicked = [];
        const show = (path) => { history.pushState(0, '', path);
          app.innerHTML = `<h1>${path}</h1><button onclick="clicked.push('${path}')">Buy</button>` };
        show('/one')</script>""",
    )
    await (await session.tab()).page.evaluate("show('/two')")
    assert "no longer on the page; nearest now: [" in await attempt(session, ids["Buy"])
    assert await read_clicks(session) == []


@pytest.mark.parametrize(
    ("cover", "word"),
    [
        (
            "<div role=dialog aria-label=Cookies style='position:fixed;inset:0;background:#fff8'>We use cookies</div>",
            "Cookies",
        ),
        ("<div style='position:fixed;inset:0;background:#fff8' onclick='clicked.push(2)'>Loading</div>", "Loading"),
    ],
)
async def test_a_covered_button_is_refused_and_the_cover_named(
    session: BrowserSession, site: Site, cover: str, word: str
) -> None:
    ids = await visit(
        session, site, "<script>window.clicked = []</script><button onclick='clicked.push(1)'>Pay</button>"
    )
    page = (await session.tab()).page
    await page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", cover)
    told = await attempt(session, ids["Pay"])
    assert "is covered by" in told and word in told
    assert await read_clicks(session) == []


async def test_hidden_and_disabled_buttons_are_refused(session: BrowserSession, site: Site) -> None:
    ids = await visit(
        session, site, "<button id=a>Hide me</button><button id=b onclick='document.title=1'>Stop me</button>"
    )
    page = (await session.tab()).page
    await page.evaluate("a.style.display = 'none'; b.disabled = true")
    assert "is hidden" in await attempt(session, ids["Hide me"])
    assert "is disabled" in await attempt(session, ids["Stop me"])


async def test_a_button_that_jumps_away_from_the_mouse_gives_no_other_a_click(
    session: BrowserSession, site: Site
) -> None:
    """Pointing at it makes the list move, so that another button lies under the mouse."""
    ids = await visit(
        session,
        site,
        """<div id=pad></div><button onmouseenter="pad.style.height = '22px'" onclick="clicked.push('a')">Keep</button>
        <br><button onclick="clicked.push('b')">Erase</button><script>window.clicked = []</script>""",
    )
    await attempt(session, ids["Keep"])
    assert await read_clicks(session) in ([], ["a"])


async def test_a_page_in_constant_motion_is_never_clicked_wrongly(session: BrowserSession, site: Site) -> None:
    """Rows change places every few milliseconds while they are clicked."""
    ids = await visit(session, site, LIST)
    page = (await session.tab()).page
    dice = random.Random(5)
    await page.evaluate(
        "window.motion = setInterval(() => { names.push(names.shift()); Math.random() < .5 ? render() : relabel() }, 7)"
    )
    for _ in range(15):
        names = {e.name: e.id for e in (await (await session.tab()).look()).elements if e.name.startswith("Delete")}
        name = dice.choice(sorted(names))
        await page.evaluate("clicked.length = 0")
        await attempt(session, names[name])
        assert await read_clicks(session) in ([], [name.removeprefix("Delete ")]), name
    await page.evaluate("clearInterval(motion)")
    assert ids


async def test_rows_that_are_relabelled_between_the_look_and_the_click_are_never_clicked_wrongly(
    session: BrowserSession, site: Site
) -> None:
    """Every 40 ms each button stands for somebody else: often between two of the questions that a click asks."""
    await visit(session, site, LIST)
    page = (await session.tab()).page
    dice = random.Random(7)
    await page.evaluate("window.motion = setInterval(() => { names.push(names.shift()); relabel() }, 120)")
    met = 0
    for _ in range(15):
        names = {e.name: e.id for e in (await (await session.tab()).look()).elements if e.name.startswith("Delete")}
        name = dice.choice(sorted(names))
        await page.evaluate("clicked.length = 0")
        await attempt(session, names[name])
        found = await read_clicks(session)
        assert found in ([], [name.removeprefix("Delete ")]), name
        met += bool(found)
    assert met


async def test_what_a_button_makes_of_being_pressed_is_no_reason_to_refuse_the_click(
    session: BrowserSession, site: Site
) -> None:
    ids = await visit(
        session,
        site,
        """<button onmousedown="this.textContent = 'Pressed'" onclick="clicked.push('a')">Press</button>
        <button onpointerdown="event.stopPropagation(); this.textContent = 'Held'"
        onclick="clicked.push('b')">Hold</button>
        <script>window.clicked = []</script>""",
    )
    await attempt(session, ids["Press"])
    await attempt(session, ids["Hold"])
    assert await read_clicks(session) == ["a", "b"]
    again = await visit(
        session,
        site,
        """<button style="width: 9em" onclick="setTimeout(() => this.textContent = ++n)"
        ondblclick="clicked.push('c')">Twice</button>
        <script>window.clicked = []; let n = 0</script>""",
    )
    await pointer.click(session, again["Twice"], "double")
    assert await read_clicks(session) == ["c"]


async def test_two_tabs_never_share_a_number(session: BrowserSession, site: Site) -> None:
    first = await visit(session, site, "<button>One</button>")
    await navigation.open_tab(session, site.html("<button>Two</button>", "/two"))
    view = await (await session.tab()).look()
    assert not {e.id for e in view.elements} & set(first.values())
    assert await attempt(session, first["One"]) != ""
    await asyncio.sleep(0)


@pytest.mark.parametrize("role", ["", " role=list"])
async def test_a_box_that_scrolls_keeps_its_number_whatever_is_in_it(
    session: BrowserSession, site: Site, role: str
) -> None:
    rows = "".join(f"<p>Row {n}</p>" for n in range(40))
    await visit(session, site, f"<div id=box{role} style='height:120px;overflow:auto'><b id=count>0</b>{rows}</div>")
    tab = await session.tab()
    box = next(element for element in (await tab.look()).elements if element.scroll)
    await js(session, "count.textContent = '1', box.append('more')")
    assert next(element for element in (await tab.look()).elements if element.scroll).id == box.id
    assert "Scrolled the box down" in (await navigation.scroll(session, "down", target=box.id)).text()
