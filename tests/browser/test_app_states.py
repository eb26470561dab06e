"""What apps draw without saying it: which of several is chosen, boxes to tick, what folds, and what boxes cut off."""

import pytest

from browser.stage import Site, number, visit
from pilotfish.browser.actions import fields, navigation, pointer
from pilotfish.browser.sessions.session import BrowserSession

pytestmark = pytest.mark.slow
CHOICES = """<style>
.tabs{display:flex} .tabs div{padding:6px;cursor:pointer} .tabs .zz{border-bottom:2px solid #06c}
.seg span{padding:4px;cursor:pointer} .seg .zz{background:#333;color:#fff}
.inks i{display:inline-block;width:24px;height:24px;margin:3px;cursor:pointer} .inks .zz{outline:2px solid #000}
</style>
<div class=tabs><div class=zz>General</div><div>Members</div><div>Billing</div></div>
<p class=seg><span class=zz>List</span><span>Board</span><span>Calendar</span></p>
<p class=inks><i style="background:#e33"></i><i class=zz style="background:#3a3"></i><i style="background:#33e"></i></p>
<script>for (const one of document.querySelectorAll('.tabs div,.seg span,.inks i')) one.onclick = () => {
  for (const other of one.parentElement.children) other.classList.remove('zz'); one.classList.add('zz') }</script>"""
TASKS = """<div id=app></div><script>
let tasks = [['Buy milk', 0], ['Call Ann', 0], ['Pay rent', 1]], words = '';
const box = 'display:inline-block;width:14px;height:14px;border:1px solid;cursor:pointer';
function draw() {
  const shown = tasks.filter(([name]) => name.toLowerCase().includes(words));
  const tick = (done) => `<span style="${box}">${done ? '✓' : ''}</span>`;
  const rows = shown.map(([name, done]) => `<li>${tick(done)} ${name} <button>×</button></li>`);
  const typing = document.activeElement.tagName === 'INPUT';
  app.innerHTML = `<h1>Tasks</h1><input placeholder="Filter tasks" value="${words}"><ul>${rows.join('')}</ul>`;
  const field = app.querySelector('input');
  field.oninput = () => { words = field.value; draw() };
  if (typing) { field.focus(); field.setSelectionRange(99, 99) }
  app.querySelectorAll('li').forEach((row, at) => {
    row.querySelector('span').onclick = () => { shown[at][1] = 1 - shown[at][1]; draw() };
    row.querySelector('button').onclick = () => { tasks = tasks.filter((one) => one !== shown[at]); draw() };
  });
}
draw()</script>"""
BOARD = (
    "<style>body{margin:0;overflow:hidden}</style><main style='height:780px;overflow:auto'><h1>Board</h1>"
    "<div style='display:flex;overflow-x:auto;width:700px'>"
    + "".join(
        f"<div style='min-width:240px;height:300px;overflow:auto'><h3>Column {column}</h3>"
        + "".join(f"<div style='height:50px'>Card {column}-{n} <button>Open</button></div>" for n in range(15))
        + "</div>"
        for column in range(5)
    )
    + "</div>"
    + "".join(f"<p style='height:40px'>Line {n}</p>" for n in range(60))
    + "</main>"
)


async def test_the_chosen_one_is_told_though_only_its_drawing_and_an_unknown_class_show_it(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, CHOICES)
    chosen = [element.name for element in view.elements if "selected" in element.states]
    assert chosen == ["General", "List", "green"], view.text
    told = (await pointer.click(session, number(session, "Members"))).text()
    assert '"General" (no longer selected)' in told and "] (now selected)" in told
    blue = number(session, "blue")
    told = (await pointer.click(session, blue)).text()
    assert f"[{blue}] (now selected)" in told


async def test_a_small_frame_beside_words_is_a_box_to_tick(session: BrowserSession, site: Site) -> None:
    view = await visit(session, site, TASKS)
    boxes = {element.name: element for element in view.elements if element.role == "checkbox"}
    assert {name: box.states for name, box in boxes.items()} == {
        "Buy milk": ("unchecked",),
        "Call Ann": ("unchecked",),
        "Pay rent": ("checked",),
    }
    cross = number(session, "× (Buy milk)")
    told = await pointer.click(session, boxes["Buy milk"].id)
    assert f"[{boxes['Buy milk'].id}] (unchecked → checked)" in told.text()
    assert cross in {element.id for element in told.view.elements}, told.text()


async def test_what_is_no_box_to_tick_is_not_called_one(session: BrowserSession, site: Site) -> None:
    square = "display:inline-block;width:20px;height:20px;border:1px solid;cursor:pointer"
    board = "".join(f"<span class=cell style='{square}'></span>" for _ in range(9))
    filled = f"<p><span class=mark style='{square};background:#27c'></span> Label</p>"
    avatar = f"<p><span class=face style='{square};border-radius:50%'></span> Ann</p>"
    view = await visit(session, site, f"<div>{board}</div>{filled}{avatar}")
    told = [(element.role, element.states) for element in view.elements]
    assert told.count(("checkbox", ())) == 1, "what is filled may be on or off"
    assert not any(states for _, states in told), view.text


async def test_a_row_keeps_its_number_when_a_filter_leaves_it_alone(session: BrowserSession, site: Site) -> None:
    view = await visit(session, site, TASKS)
    rent = [element.id for element in view.elements if "Pay rent" in element.name]
    told = await fields.type_text(session, number(session, "Filter tasks"), "rent")
    assert [element.id for element in told.view.elements if "Pay rent" in element.name] == rent
    assert "Numbered anew" not in told.text()


async def test_a_triangle_before_words_is_the_state_of_what_folds(session: BrowserSession, site: Site) -> None:
    body = """<div class=one><div class=h>▸ Order 118</div><div hidden>Two lamps</div></div>
    <div class=one><div class=h>▸ Order 119</div><div hidden>One chair</div></div>
    <script>for (const head of document.querySelectorAll('.h')) head.onclick = () => {
      const body = head.nextElementSibling; body.hidden = !body.hidden;
      head.textContent = (body.hidden ? '▸' : '▾') + head.textContent.slice(1) }</script>"""
    view = await visit(session, site, body)
    assert [(element.name, element.states) for element in view.elements] == [
        ("Order 118", ("collapsed",)),
        ("Order 119", ("collapsed",)),
    ]
    order = number(session, "Order 118")
    told = (await pointer.click(session, order)).text()
    assert f"[{order}] (collapsed → expanded)" in told and "Two lamps" in told


async def test_buttons_under_the_mouse_go_by_their_titles_and_leave_the_row_where_it_is(
    session: BrowserSession, site: Site
) -> None:
    rows = "".join(
        f"<div class=mail><b>{name}</b> <i>{about}</i> <span class=acts><button title=Archive>🗄</button></span></div>"
        for name, about in (("Ann", "Lunch?"), ("Bob", "Invoice"), ("Cyd", "Trip"))
    )
    style = "<style>.acts{visibility:hidden}.mail:hover .acts{visibility:visible}</style>"
    await visit(session, site, style + rows)
    found = await (await session.tab()).look(find="Bob")
    told = (await pointer.hover(session, found.elements[0].id)).text()
    assert 'button "Archive"' in told and "gone" not in told


async def test_a_cross_in_a_panel_is_called_by_the_panel_and_not_by_a_list_before_it(
    session: BrowserSession, site: Site
) -> None:
    choices = "".join(f"<div style='cursor:pointer'>Land {n}</div>" for n in range(9))
    await visit(session, site, f"<div><h3>Country</h3><div>{choices}</div><span onclick=1>✕</span></div>")
    assert number(session, "✕ (Country)")


async def test_boxes_tell_the_rows_of_their_largest_kind_and_the_parts_beside(
    session: BrowserSession, site: Site
) -> None:
    text = (await visit(session, site, BOARD)).text
    assert "main (scrolls, at 0 %, 53 more rows below)" in text
    assert "scrollable (scrolls, at 0 %, 2 more to the right)" in text and "Column 4" not in text
    board = next(element.id for element in (await (await session.tab()).look()).elements if element.beside[1])
    told = await navigation.scroll(session, "right", target=board)
    assert "Scrolled the box right by" in told.text()
    assert "Column 4" in told.view.text and "2 more to the left" in told.view.text


async def test_what_a_box_out_of_sight_cuts_off_is_not_told(session: BrowserSession, site: Site) -> None:
    await visit(session, site, BOARD)
    view = (await navigation.scroll(session, "down")).view
    assert "Line 12" in view.text and "Card" not in view.text and "Open" not in view.text


async def test_what_a_script_changes_between_two_looks_is_seen_also_in_shadow_roots(
    session: BrowserSession, site: Site
) -> None:
    body = """<ul><li>One <div id=a tabindex=0>Light</div></li><li>Two</li></ul><div id=host></div><script>
    host.attachShadow({mode: 'open'}).innerHTML = '<p><span id=b tabindex=0>Dark</span></p>'</script>"""
    page = (await session.tab()).page
    for light, dark in (("clickable", "clickable"), ("button", "clickable"), ("button", "tab")):
        view = await visit(session, site, body) if light == "clickable" else await (await session.tab()).look()
        assert {element.name: element.role for element in view.elements} == {"Light": light, "Dark": dark}
        if light == "clickable":
            await page.evaluate("a.setAttribute('role', 'button')")
        else:
            inside = "host.shadowRoot"
            await page.evaluate(f"{inside}.querySelector('p').setAttribute('role', 'tablist')")
            await page.evaluate(f"{inside}.getElementById('b').setAttribute('role', 'tab')")


async def test_what_is_kept_between_looks_follows_the_attributes_and_classes_of_the_page(
    session: BrowserSession, site: Site
) -> None:
    body = """<style>#icon{display:inline-block;width:16px;height:16px}</style>
    <div id=box><button>Save</button> <b id=icon class=heart onclick=""></b></div>
    <dialog id=note>Note <button>Fine</button></dialog><div style="height:3000px"></div>
    <section id=far style="height:90px"><h2>Later</h2><a href="#x">More</a></section>"""
    first = await visit(session, site, body)
    tab = await session.tab()
    assert (
        'button "Save"' in first.text and '"heart"' in first.text and "1 more elements; headings: Later" in first.text
    )
    await tab.page.evaluate("""box.setAttribute('aria-disabled', 'true'); icon.className = 'trash';
    far.innerHTML = '<h2>Sooner</h2><a href="#x">One</a><a href="#y">Two</a>'""")
    then = await tab.look()
    assert 'button "Save" (disabled)' in then.text and '"trash"' in then.text, then.text
    assert "2 more elements; headings: Sooner" in then.text
    await tab.page.evaluate("note.showModal()")
    assert "dialog (in front, covers the rest)" in (await tab.look()).text


async def test_tags_that_the_style_keeps_apart_are_told_apart(session: BrowserSession, site: Site) -> None:
    tags = "<span class=tag>Client</span><span class=tag>Late</span><span class=tag>2026</span>"
    word = "<p>H<sub>2</sub>O and <b>Pilot</b>fish</p>"
    style = "<style>.tag{padding:2px 8px}</style>"
    view = await visit(session, site, f"{style}<p>{tags}</p><div onclick=1 class=card>{tags}</div>{word}")
    assert "Client Late 2026" in view.text and [element.name for element in view.elements] == ["Client Late 2026"]
    assert "Pilotfish" in view.text
