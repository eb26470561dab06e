"""What controls are called that have no words of their own: by their row, their label, or their icon."""

import pytest

from browser.stage import Site, visit
from pilotfish.browser.actions import pointer
from pilotfish.browser.sessions.session import BrowserSession

pytestmark = pytest.mark.slow
ICONS = ".material-icons{font-family:'Material Icons'}.fancy{font-family:'My Icons'}"
PAGE = f"""<style>{ICONS}.row{{display:flex}}</style>
<h2>Search results for lamps</h2><div class=list><div class=hit><div><input type=checkbox></div><div>
<b>Desk lamp</b><p>Bright. Costs little.</p></div></div><div class=hit><div><input type=checkbox></div><div>
<b>Floor lamp</b><p>Tall. Costs more.</p></div></div></div>
<a href="#c"><span class=material-icons>person_outline</span><span>Other contacts</span></a>
<div onclick=""><i class=fancy>inbox</i> Inbox</div><button><i class=fancy>more_vert</i></button>
<a href="#h"><span class="badge">home</span></a>
<div class=tags><span class=tag>Design <button>×</button></span><span class=tag>Ops <i onclick="">✕</i></span></div>
<table><tr onclick=""><td>INV-1</td><td>Paid</td></tr><tr onclick=""><td>INV-2</td><td>Open</td></tr>
<tr onclick=""><td>INV-3</td><td>Late</td></tr></table>
<button aria-hidden=true style="width:40px;height:20px;background:#fff;border:1px solid #ccc"></button>
<div class=people><div class=row onclick=""><b>Ann</b><span class=tag>Admin</span><span class=tag>Owner</span></div>
<div class=row onclick=""><b>Bo</b><span class=tag>Guest</span></div>
<div class=row onclick=""><b>Cy</b><span class=tag>Guest</span><span class=tag>New</span></div></div>
<div class=rating><i class=star onclick=""></i><i class=star onclick=""></i><i class=star onclick=""></i></div>
<style>.star{{display:inline-block;width:16px;height:16px}}</style>"""


async def test_controls_are_called_by_their_row_label_or_icon(session: BrowserSession, site: Site) -> None:
    view = await visit(session, site, PAGE)
    assert [(element.role, element.name) for element in view.elements] == [
        ("checkbox", "Desk lamp"),
        ("checkbox", "Floor lamp"),
        ("link", "Other contacts"),
        ("clickable", "Inbox"),
        ("button", "more vert"),
        ("link", "home"),
        ("button", "× (Design)"),
        ("clickable", "✕ (Ops)"),
        ("row", "INV-1 Paid"),
        ("row", "INV-2 Open"),
        ("row", "INV-3 Late"),
        ("button", ""),
        ("clickable", "Ann Admin Owner"),
        ("clickable", "Bo Guest"),
        ("clickable", "Cy Guest New"),
        ("clickable", "star 1 of 3"),
        ("clickable", "star 2 of 3"),
        ("clickable", "star 3 of 3"),
    ]
    assert view.text.count("INV-2") == 1, "a row is not told again as its cells"
    assert "person_outline" not in view.text
    assert "person_outline" not in (await (await session.tab()).text()).text


async def test_words_that_name_a_field_find_the_field(session: BrowserSession, site: Site) -> None:
    fields = """<section><h2><label for=town>Town</label></h2><p>Where they are</p></section>
    <section><h2 id=phone>Phone</h2></section>""" + "".join(f"<p>Line {n}</p>" for n in range(90))
    inputs = "<form><input id=town value=Saltney></form><div><input aria-labelledby=phone value='960 101'></div>"
    tab = await session.tab()
    await visit(session, site, fields + inputs)
    assert 'textbox "Town" = "Saltney"' in (await tab.look(find="town")).text
    assert 'textbox "Phone" = "960 101"' in (await tab.look(find="phone")).text


HIDDEN = """<style>.cell .edit { opacity: 0 } .cell:hover .edit { opacity: 1 } li button { display: none }
.group:hover .group-hover\\:block { display: block } .plain:hover b { color: red } .plain a { display: none }</style>
<div class=cell>Ada <button class=edit aria-label=Edit></button></div>
<div class=cell>Bo <button class=edit aria-label=Edit></button></div>
<ul><li class=group>Rope <button class="group-hover:block">Buy</button></li><li class=group>Net
<button>Buy</button></li></ul>
<div class=plain><b>Cy</b><a href="#c">Call</a></div><div class=plain><b>Dee</b><a href="#d">Call</a></div>"""


async def test_what_rows_show_under_the_mouse_is_said_once_ahead_of_them(session: BrowserSession, site: Site) -> None:
    view = await visit(session, site, HIDDEN)
    assert [line.strip() for line in view.text.splitlines() if "under the mouse" in line] == [
        "(rows show under the mouse: Edit)",
        "(rows show under the mouse: Buy)",
    ]
    assert "Call" not in view.text


async def test_a_heading_that_can_be_clicked_has_a_number(session: BrowserSession, site: Site) -> None:
    headings = """<style>.go{cursor:pointer}</style><h3><span class=go>Oak table</span></h3>
    <h3><span>Plain words</span></h3><h3><em>Nothing</em> to click</h3>"""
    view = await visit(session, site, headings)
    assert [(element.role, element.name) for element in view.elements] == [("clickable", "Oak table")]
    assert "### [" in view.text
    assert "### Plain words" in view.text


FILES = """<style>.file{display:flex;gap:20px;cursor:pointer}</style><h2>Files</h2><div>
<div class=file onclick=""><span>📄</span><span>Budget.xlsx</span><span>Mar 3, 2024</span><span>12 KB</span></div>
<div class=file onclick=""><span>📄</span><input value="Holiday.docx"><span>Feb 11, 2024</span><span>40 KB</span></div>
<div class=file onclick=""><span>📄</span><span>Zoo.png</span><span>Jan 9, 2024</span><span>1 MB</span></div></div>
<table><tr><th>Title<th>Changed</tr><tr><td><input value="b.txt"><td>May 2</tr><tr><td>c.txt<td>May 3</tr></table>
<form><div class=group><input><span>Email</span></div><div class=group><input><span>City</span></div>
<div class=group><input><span>Country</span></div></form>
<div class="v-list-item__wrapper" tabindex=0 style="width:50px;height:20px"></div>
<div class="toolbox tools-wrench" onclick="" style="width:24px;height:24px;background:#ccc"></div>"""


async def test_a_field_in_a_row_is_not_called_by_another_cell(session: BrowserSession, site: Site) -> None:
    view = await visit(session, site, FILES)
    named = [(element.role, element.name) for element in view.elements]
    assert named[1:4] == [
        ("clickable", "📄 Feb 11, 2024 40 KB"),
        ("textbox", ""),
        ("clickable", "📄 Zoo.png Jan 9, 2024 1 MB"),
    ]
    assert [name for role, name in named if role == "textbox"] == ["", "Title", "Email", "City", "Country"]
    assert view.text.count("Email") == 1, "a label that stands after its field is not told again"


SIGNS = """<div><div>Dark mode</div><div><div class="toggle-switch" onclick="" style="width:40px;height:20px"></div>
<span>Off</span></div></div><div class=spin><span>Seats</span><button>−</button><input role=spinbutton value=2>
<button>+</button></div><div style="display:flex;gap:90px"><span>Cycle updates</span><div class=t
onclick="this.classList.toggle('k')"></div></div><style>.t{width:40px;height:20px;background:#ccc}.k{background:#28f}
</style><div class="alert alert-warning"><span>Check your address.</span></div>"""


async def test_a_switch_is_not_called_by_its_state_and_steps_are_called_by_their_field(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, SIGNS)
    assert [element.name for element in view.elements] == [
        "Dark mode",
        "− (Seats)",
        "Seats",
        "+ (Seats)",
        "Cycle updates",
    ]
    change = await pointer.click(session, view.elements[-1].id)
    assert "It looks different now" in change.text(), "of what does not tell its state at least that is told"


async def test_a_message_that_only_its_class_calls_one_is_told_as_such(session: BrowserSession, site: Site) -> None:
    view = await visit(session, site, SIGNS)
    assert "status:\n Check your address." in view.text


async def test_what_a_layout_is_built_of_is_no_name(session: BrowserSession, site: Site) -> None:
    view = await visit(session, site, FILES)
    assert [element.name for element in view.elements[-2:]] == ["", "toolbox tools wrench"]
