"""Actions: real events, effects read back, changes told."""

import re
from pathlib import Path

import pytest

from browser.stage import Site, js, number, visit
from pilotfish.browser.actions import fields, navigation, pointer
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.errors import ToolError

pytestmark = pytest.mark.slow


async def test_a_click_is_told_with_what_it_changed(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<a href=#cart id=cart>Cart (0)</a><button onclick="cart.textContent='Cart (1)';
        said.textContent='Added to the cart'">Add</button><p id=said></p>""",
    )
    told = (await pointer.click(session, number(session, "Add"))).text()
    assert 'Clicked [2] button "Add".' in told
    assert re.search(r'link "Cart \(1\)" \(was "Cart \(0\)"\)', told)
    assert 'New text: "Added to the cart".' in told


async def test_a_click_that_changes_nothing_says_so(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<button>Idle</button>")
    idle = number(session, "Idle")
    change = await pointer.click(session, idle)
    assert change.is_nothing
    assert change.text() == f'Clicked [{idle}] button "Idle".\nNothing changed on the page.'


async def test_double_and_right_clicks_are_what_the_page_hears(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        "<button ondblclick='this.textContent=`twice`' oncontextmenu='this.textContent=`menu`;return false'>x</button>",
    )
    assert 'button "twice"' in (await pointer.click(session, number(session, "x"), "double")).text()
    assert 'button "menu"' in (await pointer.click(session, number(session, "twice"), "right")).text()


async def test_a_link_leads_to_another_page_which_is_shown_whole(session: BrowserSession, site: Site) -> None:
    site.html("<h1>Second</h1><button>There</button>", "/second")
    await visit(session, site, "<a href=/second>Go</a>")
    change = await pointer.click(session, number(session, "Go"))
    assert change.moved == "document"
    assert f'The page is now "Stage" at {site.url}/second.' in change.text()
    assert 'button "There"' in change.text()


async def test_a_slow_page_is_waited_for(session: BrowserSession, site: Site) -> None:
    import threading

    gate = threading.Event()

    def slow(_: object) -> tuple[int, dict[str, str], bytes]:
        gate.wait(0.7)
        return 200, {"content-type": "text/html"}, b"<title>Late</title><button>Late</button>"

    site.put("/slow", slow)
    await visit(session, site, "<a href=/slow>Go</a>")
    assert (await pointer.click(session, number(session, "Go"))).title == "Late"


async def test_what_a_click_fetches_is_waited_for(session: BrowserSession, site: Site) -> None:
    site.put("/data", "<p>fetched</p>")
    await visit(
        session,
        site,
        """<button onclick="fetch('/data').then(r => r.text()).then(t => setTimeout(() => out.innerHTML = t, 20))">
        Load</button><div id=out></div>""",
    )
    assert "fetched" in (await pointer.click(session, number(session, "Load"))).text()


async def test_a_route_change_in_the_same_document_is_told(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<button onclick=\"history.pushState(0,'','/next')\">Next</button>")
    change = await pointer.click(session, number(session, "Next"))
    assert change.moved == "route"
    assert f"The address is now {site.url}/next." in change.text()


async def test_a_popup_is_told_and_shown(session: BrowserSession, site: Site) -> None:
    site.html("<button>Inside the popup</button>", "/child")
    await visit(session, site, "<a href=/child target=_blank>Open</a>")
    change = await pointer.click(session, number(session, "Open"))
    assert change.tab == 2
    assert "Tab 2 was opened and is now active." in change.text()
    assert "Inside the popup" in change.text()


async def test_a_dialog_is_told_and_can_be_answered(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<button onclick=\"this.textContent = confirm('Sure?') ? 'yes' : 'no'\">Ask</button>")
    told = (await pointer.click(session, number(session, "Ask"))).text()
    assert 'dialog (confirm): "Sure?"' in told and 'button "no"' in told
    told = (await pointer.click(session, number(session, "no"), answer="ok")).text()
    assert 'button "yes"' in told


@pytest.mark.own_session
async def test_a_download_is_told(session: BrowserSession, site: Site, tmp_path: Path) -> None:
    await visit(session, site, "<a href='data:text/plain,hello' download=note.txt>Get</a>")
    assert "Downloaded note.txt (5 bytes)." in (await pointer.click(session, number(session, "Get"))).text()
    assert (tmp_path / "downloads" / "note.txt").read_text() == "hello"


async def test_a_menu_that_appears_on_hover_can_be_used(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<style>ul{display:none} nav:hover ul{display:block}</style><nav><a href=#>Products</a><ul><li>
        <a href=#tea>Tea</a></ul></nav>""",
    )
    assert 'link "Tea"' in (await pointer.hover(session, number(session, "Products"))).text()
    assert (await pointer.click(session, number(session, "Tea"))).url.endswith("#tea")


async def test_text_replaces_or_follows_what_is_there_and_is_read_back(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<label>Name <input value=Bob></label>")
    field = number(session, "Name")
    assert 'value was "Bob"' in (await fields.type_text(session, field, "Ada")).text()
    await fields.type_text(session, field, " Lovelace", "append")
    assert await js(session, "document.querySelector('input').value") == "Ada Lovelace"
    await fields.type_text(session, field, "")
    assert await js(session, "document.querySelector('input').value") == ""


async def test_enter_sends_the_form(session: BrowserSession, site: Site) -> None:
    site.html("<h1>Found</h1>", "/search")
    await visit(session, site, "<form action=/search><input name=q aria-label=Search></form>")
    change = await fields.type_text(session, number(session, "Search"), "tea", submit=True)
    assert change.url == site.url + "/search?q=tea"


async def test_a_controlled_input_takes_the_text(session: BrowserSession, site: Site) -> None:
    """A field that a framework sets back unless it heard of the change, as React's are."""
    await visit(
        session,
        site,
        """<input aria-label=Name><script>
        const field = document.querySelector('input'); let state = '';
        const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value'); let tracked = '';
        Object.defineProperty(field, 'value', {get() { return native.get.call(this) },
          set(v) { tracked = v; native.set.call(this, v) }});
        const render = () => { field.value = state };
        field.addEventListener('input', () => { if (native.get.call(field) !== tracked) state = native.get.call(field);
          render() });
        </script>""",
    )
    long = "A sentence that is longer than what is typed key by key."
    await fields.type_text(session, number(session, "Name"), long)
    assert await js(session, "state") == long


async def test_a_long_text_still_ends_with_a_key(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<textarea aria-label=Note onkeyup='document.title = this.value.length'></textarea>")
    await fields.type_text(session, number(session, "Note"), "x" * 500)
    assert await js(session, "document.title") == "500"


async def test_lines_do_not_send_the_form(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<form action=/gone><textarea aria-label=Note></textarea></form>")
    await fields.type_text(session, number(session, "Note"), "one\ntwo")
    assert await js(session, "document.querySelector('textarea').value") == "one\ntwo"


async def test_rich_text_is_typed(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<div contenteditable aria-label=Body><b>old</b></div>")
    await fields.type_text(session, number(session, "Body"), "new words")
    assert await js(session, "document.querySelector('div').innerText") == "new words"


async def test_a_mask_is_told(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<input aria-label=Phone oninput="this.value =
        this.value.replace(/\\D/g, '').replace(/^(\\d{3})/, '$1-')">""",
    )
    told = (await fields.type_text(session, number(session, "Phone"), "5551234")).text()
    assert 'it now holds "555-1234"' in told


async def test_a_password_is_typed_and_never_told(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<label>Password <input type=password></label>")
    told = (await fields.type_text(session, number(session, "Password"), "hunter2")).text()
    assert "hunter2" not in told and "7 characters" in told
    assert await js(session, "document.querySelector('input').value") == "hunter2"


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("date", "2026-11-15"),
        ("time", "15:30"),
        ("datetime-local", "2026-11-15T15:30"),
        ("month", "2026-11"),
        ("week", "2026-W46"),
        ("color", "#ff8800"),
        ("range", "70"),
        ("number", "42"),
        ("email", "a@b.org"),
    ],
)
async def test_fields_with_pickers_are_set_with_their_events(
    session: BrowserSession, site: Site, kind: str, value: str
) -> None:
    await visit(session, site, f"<label>Field <input type={kind} onchange='document.title=this.value'></label>")
    await fields.type_text(session, number(session, "Field"), value)
    await navigation.press_key(session, "Tab")
    assert await js(session, "document.title") == value


async def test_a_wrong_date_says_which_form_is_wanted(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<label>When <input type=date></label>")
    with pytest.raises(ToolError, match="it wants YYYY-MM-DD"):
        await fields.type_text(session, number(session, "When"), "tomorrow")


async def test_options_are_chosen_by_text_value_or_place(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<label>Size <select onchange='document.title=this.value'><option value=s>Small<option value=m>Medium
        <option value=l>Large</select></label>""",
    )
    field = number(session, "Size")
    for option, by, value in (("medium", "text", "m"), ("l", "value", "l"), ("0", "index", "s")):
        await fields.select(session, field, option, by)  # pyright: ignore[reportArgumentType]
        assert await js(session, "document.title") == value
    with pytest.raises(ToolError, match=r"there is no option 'Huge'\. Options: Small, Medium, Large"):
        await fields.select(session, field, "Huge")


async def test_a_list_made_of_divs_is_chosen_from(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<button aria-haspopup=listbox onclick="list.hidden = false">Colour</button>
        <ul id=list role=listbox hidden><li role=option onclick="document.title='red'">Red
        <li role=option onclick="document.title='blue'">Blue</ul>""",
    )
    await fields.select(session, number(session, "Colour"), "Blue")
    assert await js(session, "document.title") == "blue"


async def test_suggestions_that_come_while_typing_are_told_with_numbers(session: BrowserSession, site: Site) -> None:
    site.put("/cities", '<li role="option">Paris</li><li role="option">Parma</li>')
    await visit(
        session,
        site,
        """<input role=combobox aria-label=City aria-expanded=false onkeyup="fetch('/cities').then(r => r.text())
        .then(t => cities.innerHTML = t)"><ul id=cities role=listbox aria-label=Cities></ul>""",
    )
    told = (await fields.type_text(session, number(session, "City"), "par")).text()
    assert re.search(r'\[\d+\] option "Paris"', told)


async def test_keys_are_named_as_people_name_them(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        "<input aria-label=Keys onkeydown='document.title=[event.ctrlKey, event.shiftKey, event.key].join()'>",
    )
    field = number(session, "Keys")
    for key, heard in (("Ctrl+A", "true,false,a"), ("esc", "false,false,Escape"), ("down", "false,false,ArrowDown")):
        await navigation.press_key(session, key, field)
        assert str(await js(session, "document.title")).lower() == heard.lower()
    with pytest.raises(ToolError, match="There is no key 'Flurb'"):
        await navigation.press_key(session, "Flurb")


@pytest.mark.parametrize(
    "body",
    [
        """<div id=a draggable=true role=button aria-label=Card
        ondragstart="event.dataTransfer.setData('text','x')">Card</div>
        <div id=b role=button aria-label=Done tabindex=0 style='height:80px;width:200px;margin-top:90px;background:#eee'
        ondragover='event.preventDefault()' ondrop="document.title='dropped'">Done</div>""",
        """<div id=a tabindex=0 role=button aria-label=Card onpointerdown="window.held = 1"
        style='touch-action:none'>Card</div>
        <div id=b role=button aria-label=Done tabindex=0 style='height:80px;width:200px;margin-top:90px;background:#eee'
        onpointerup="if (window.held) document.title='dropped'">Done</div>""",
    ],
    ids=["html5", "pointer"],
)
async def test_things_are_dragged(session: BrowserSession, site: Site, body: str) -> None:
    await visit(session, site, body)
    await pointer.drag(session, number(session, "Card"), number(session, "Done"))
    assert await js(session, "document.title") == "dropped"


async def test_a_thing_is_dragged_by_so_many_pixels(session: BrowserSession, site: Site) -> None:
    body = """<div id=knob style="position:absolute;left:40px;top:40px;width:30px;height:30px;background:red" tabindex=0
    aria-label=Knob onpointerdown="this.setPointerCapture(event.pointerId); this.held = [event.clientX, event.clientY]"
    onpointermove="if (this.held) document.title = [event.clientX - this.held[0], event.clientY - this.held[1]]"
    onpointerup="this.held = null"></div>"""
    await visit(session, site, body)
    change = await pointer.drag_by(session, number(session, "Knob"), 60, -20)
    assert "by 60, -20 pixels" in change.action
    assert await js(session, "document.title") in ("60,-20", "61,-19")


async def test_the_page_and_its_boxes_scroll_and_say_where_the_end_is(session: BrowserSession, site: Site) -> None:
    rows = "".join(f"<p>Row {n}<br><br>" for n in range(100))
    await visit(
        session,
        site,
        f"<div tabindex=0 aria-label=Box style='height:200px;overflow:auto'><button>In box</button>{rows}</div>{rows}",
    )
    assert "Scrolled the page down by 720 pixels" in (await navigation.scroll(session, "down")).action
    assert (
        "already at that end"
        in ((await navigation.scroll(session, "top")) and (await navigation.scroll(session, "up"))).action
    )
    box = number(session, "In box")
    assert "Scrolled the box down by 300 pixels" in (await navigation.scroll(session, "down", 300, box)).action
    assert "Scrolled the box down by 180 pixels" in (await navigation.scroll(session, "down", target=box)).action
    assert "this is the end" in (await navigation.scroll(session, "bottom")).action


async def test_a_canvas_is_clicked_at_a_point(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<p>x<canvas width=300 height=200 aria-label=Map role=img tabindex=0
        onclick='document.title=[event.offsetX, event.offsetY]' ondblclick='document.title += " twice"'
        oncontextmenu='document.title="menu"; return false'></canvas>""",
    )
    await pointer.click_at(session, number(session, "Map"), 120, 45)
    assert await js(session, "document.title") == "120,45"
    assert "Double-clicked" in (await pointer.click_at(session, number(session, "Map"), 30, 40, "double")).action
    assert await js(session, "document.title") == "30,40 twice"
    await pointer.click_at(session, number(session, "Map"), 30, 40, "right")
    assert await js(session, "document.title") == "menu"
    with pytest.raises(ToolError, match="is outside"):
        await pointer.click_at(session, number(session, "Map"), 500, 45)


@pytest.mark.own_session
async def test_history_is_walked(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<h1>One</h1>", "/one")
    with pytest.raises(ToolError, match="There is no page to go back to"):
        await navigation.navigate(session, "back")  # but for the blank one that every tab begins with
    await navigation.navigate(session, "goto", site.html("<h1>Two</h1>", "/two"))
    assert (await navigation.navigate(session, "back")).url.endswith("/one")
    assert (await navigation.navigate(session, "forward")).url.endswith("/two")
    assert "Loaded the page again." in (await navigation.navigate(session, "reload")).text()
    with pytest.raises(ToolError, match="There is no page to go forward to"):
        await navigation.navigate(session, "forward")


@pytest.mark.own_session
async def test_tabs_are_opened_switched_listed_and_closed(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<h1>One</h1>", "/one")
    change = await navigation.open_tab(session, site.html("<h1>Two</h1>", "/two"))
    assert change.tab == 2 and "Two" in change.text()
    assert "2: Stage" in await navigation.list_tabs(session) and "(active)" in await navigation.list_tabs(session)
    assert "One" in (await navigation.switch_tab(session, 1)).text()
    assert (await navigation.close_tab(session, 2)).tab == 1
    assert await navigation.list_tabs(session) == f"1: Stage — {site.url}/one (active)"
