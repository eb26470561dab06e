"""Rows and names as apps draw them: words in plain fonts, rows to open, sticky heads, labels above fields."""

import pytest

from browser.stage import Site, js, number, visit
from pilotfish.browser.actions import pointer
from pilotfish.browser.perception.element_search import ElementSearch
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.pages import ElementQuery

pytestmark = pytest.mark.slow
SYSTEM_FONTS = "-apple-system, 'Segoe UI', Arial, sans-serif, 'Apple Color Emoji', 'Segoe UI Symbol'"
LETTERED = f"""<style>body{{font-family:{SYSTEM_FONTS}}}
.sign::after{{content:attr(data-sign);font-family:'Material Symbols Outlined'}}</style>
<ul><li>scans<span>45m ago</span></li><li>recipes<span>2h ago</span></li></ul>
<div onclick="">garden</div><a class=tag title="add tag"><span>novel</span></a><button class=add-tag>books</button>
<a href="/people"><i class=sign data-sign=people_alt></i></a>
<button role=checkbox aria-checked=false><i class=sign data-sign=check_box_outline_blank></i> Enabled</button>"""


async def test_a_lone_word_is_no_icon_where_a_font_for_symbols_ends_the_list_of_fonts(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, LETTERED)
    assert "scans" in view.text and "recipes" in view.text
    number(session, "garden", "clickable")
    number(session, "novel", "clickable")
    number(session, "books", "button")


async def test_what_a_style_sheet_draws_in_a_font_for_icons_is_no_part_of_a_name(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, LETTERED)
    number(session, "Enabled", "checkbox")
    assert "_" not in view.text


SIGNS = """<style>.sign::after{content:attr(data-sign);font-family:'Material Symbols Outlined'}
.sign{display:inline-block;width:24px;height:24px}</style>
<button data-tooltip=XXK2C4IVmbrK2V-4Zucxn><span><span><i class=sign data-sign=filter_list></i></span></span></button>
<ul><li><button role=checkbox aria-pressed=true><i class=sign data-sign=check_box></i></button><b>Axe</b></li>
<li><button role=checkbox aria-pressed=false><i class=sign data-sign=check_box_blank></i></button><b>Saw</b></li></ul>
<script>for (const sign of document.querySelectorAll(".sign")) sign.addEventListener("click", () => 0)</script>"""


async def test_a_control_that_only_has_an_icon_is_called_by_it_and_told_once(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, SIGNS)
    assert [(element.role, element.name, *element.states) for element in view.elements] == [
        ("button", "filter list"),
        ("checkbox", "Axe", "checked"),
        ("checkbox", "Saw", "unchecked"),
    ]


TREE = "".join(
    f"<div class=flow><div onclick=''>{name}<button>hide</button><button>lock</button></div></div>"
    for name in ("Greenhouse", "Old pump", "Weather")
)


async def test_the_rows_of_a_tree_that_can_be_focused_keep_their_words_beside_their_buttons(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, f"<div tabindex=0 class=tree>{TREE}</div>")
    rows = [line for line in view.text.splitlines() if line.startswith("- ")]
    assert ["Greenhouse" in rows[0], "Old pump" in rows[1], "Weather" in rows[2]] == [True, True, True]
    assert all("hide" in row and "lock" in row for row in rows)


PREFIXED = (
    "<style>button{width:20px;height:20px}</style><div><input class=acme-tiny-gap-popup></div>"
    + "".join(f"<p class=acme-part-{word}>{word}</p>" for word in "abcdefgh")
    + """<button class=acme-trash></button><button class=acme-tool></button>
    <button class=acme-button></button>
    <a class=acme-tab-label href="#env-properties"><i class=acme-tab-icon>&nbsp;</i></a>
    <span role=checkbox class=v-checkbox tabindex=0 style="display:inline-block;width:16px;height:16px"></span>"""
)


async def test_the_name_of_a_design_system_is_no_name_and_fields_are_not_called_by_classes(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, PREFIXED)
    assert [(element.role, element.name) for element in view.elements] == [
        ("textbox", ""),
        ("button", "trash"),
        ("button", "tool"),
        ("button", ""),
        ("link", "env properties"),
        ("checkbox", ""),
    ]


ITEMS = ("Drill", "Saw", "Plane", "Rasp", "Level")
STICKY = (
    """<style>.pane{margin-left:200px;width:500px;height:120px;overflow:auto}table{width:100%;border-collapse:collapse}
    td{height:40px}thead{position:sticky;top:0;z-index:1;background:#fff}</style><div class=pane><table>
    <thead><tr><th>Name <button>sort</button></th><th>State <button>sort</button></th></tr></thead>"""
    + "".join(f"<tr><td><a href='#{name}'>{name}</a></td><td>broken</td></tr>" for name in ITEMS)
    + "</table></div>"
)


async def test_the_sticky_head_of_a_table_is_no_panel_in_front(session: BrowserSession, site: Site) -> None:
    await visit(session, site, STICKY)
    tab = await session.tab()
    await tab.page.evaluate("document.querySelector('.pane').scrollTop = 55")
    view = await tab.look()
    assert "in front" not in view.text
    assert "Saw" in view.text


ROWS = (
    """<style>tr:hover td{cursor:pointer}.box{display:inline-block;width:16px;height:16px;border:1px solid}</style>
    <table id=things>"""
    + "".join(
        f"<tr><td><span role=checkbox tabindex=0 class=box></span></td><td>{name}</td><td>{state}</td></tr>"
        for name, state in zip(ITEMS, ("broken", "lent", "here", "here", "lost"), strict=True)
    )
    + """</table><script>for (const row of things.rows) {
    row.onclick = () => { document.title = `opened ${row.cells[1].textContent}` };
    row.querySelector("span").onclick = (event) => { event.stopPropagation(); document.title = "ticked" } }</script>"""
)


async def test_a_row_that_opens_has_a_number_and_the_name_it_lends_to_its_box_stays_its_own(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, ROWS)
    assert 'row "Drill broken"' in view.text
    assert view.text.count("broken") == 1
    number(session, "Drill", "checkbox")
    [found] = ElementSearch(view).find(ElementQuery(role="checkbox", name="Drill"))
    assert found.role == "checkbox"
    assert ElementSearch(view).find(ElementQuery(role="cell", name="Drill")) == []
    tab = await session.tab()
    await pointer.click(session, number(session, "Drill broken", "row"))
    assert await tab.page.title() == "opened Drill"
    hovered = await tab.look()
    assert not [element for element in hovered.elements if element.role == "cell"]


async def test_rows_that_a_box_around_them_opens_have_numbers(session: BrowserSession, site: Site) -> None:
    files = "".join(f"<li class=file><i></i><span>{name}.txt</span><span>45m ago</span></li>" for name in ITEMS)
    script = "<script>files.ondblclick = (event) => { document.title = event.target.closest('li').innerText }</script>"
    await visit(session, site, f"<div id=files><ul>{files}</ul></div>{script}")
    tab = await session.tab()
    await pointer.click(session, number(session, "Saw.txt45m ago"), "double")
    assert (await tab.page.title()).startswith("Saw.txt")


LABELS = """<style>.label{cursor:pointer}.field{margin-bottom:20px}</style>
<div class=field><div class=label><button>Name</button></div><div><div><input value=Ada></div></div></div>
<div class=field><div class=label><button>Town</button></div><div><div><input value=Saltney></div></div></div>
<div class=field><button>Bold</button><button>Italic</button><div><textarea></textarea></div></div>"""


async def test_a_field_alone_in_its_box_is_called_by_the_one_line_above_it(session: BrowserSession, site: Site) -> None:
    view = await visit(session, site, LABELS)
    fields = [(element.name, element.value) for element in view.elements if element.role == "textbox"]
    assert fields == [("Name", "Ada"), ("Town", "Saltney"), ("", "")]


WIDE = "".join(
    f"<tr><td><input type=checkbox aria-label='Take {name}'></td><td>{name}</td>"
    + "".join(f"<td>{'a long cell of many words ' * 2}{n}</td>" for n in range(5))
    + "</tr>"
    for name in ITEMS
)


async def test_a_row_over_several_lines_is_marked_as_one(session: BrowserSession, site: Site) -> None:
    view = await visit(session, site, f"<table><tr><th>Take<th>Name</tr>{WIDE}</table>")
    lines = view.text.splitlines()
    starts = [line for line in lines if line.startswith(" - ") and 'checkbox "Take' in line]
    assert len(starts) == len(ITEMS)
    assert all(line.startswith((" - ", "   ")) for line in lines[lines.index(starts[0]) : lines.index(starts[-1])])


TOOLS = "".join(
    f"<tr><td>{name}</td><td style='width:60px;height:30px'><a class=add href='#{name}'>Add to {name}</a></td></tr>"
    for name in ITEMS
)


async def test_what_rows_show_under_the_mouse_is_not_told_again_in_each_row(
    session: BrowserSession, site: Site
) -> None:
    style = "<style>.add{opacity:0}tr:hover .add{opacity:1}</style>"
    view = await visit(session, site, f"{style}<table>{TOOLS}</table>")
    assert view.text.count("Add to") == 1
    assert "under the mouse" in view.text


async def test_rows_that_only_hide_buttons_can_be_pointed_at(session: BrowserSession, site: Site) -> None:
    style = "<style>.m{display:flex}.m .t{visibility:hidden}.m:hover .t{visibility:visible}</style>"
    row = "<div class=m><b>Mail {0}</b> <i>from Kim</i><span class=t><button title=Archive>A</button></span></div>"
    view = await visit(session, site, style + "".join(map(row.format, range(4))))
    assert view.text.endswith('hover area "Mail 3 from Kim"') and view.text.count("Mail 3") == 1, view.text
    change = await pointer.hover(session, number(session, "Mail 1 from Kim"))
    assert [element.name for element in change.delta.added] == ["A"]


async def test_what_is_found_in_a_row_is_told_without_the_row_after_it(session: BrowserSession, site: Site) -> None:
    rows = "".join(f"<p>Line {n} <a href=#{n}>{'Needle' if n == 7 else 'hay'} {n}</a></p>" for n in range(40))
    await visit(session, site, rows)
    text = (await (await session.tab()).look(find="Needle")).text
    assert "Line 7 | " in text and "Line 8" not in text, text


async def test_a_row_is_told_once_and_keeps_its_numbers_when_its_star_turns(
    session: BrowserSession, site: Site
) -> None:
    body = """<ul id=a></ul><script>let mails = [['Ann', 0], ['Bo', 0], ['Ann', 0], ['Bo', 0]];
    function draw() { a.innerHTML = mails.map(([who, star], at) => `<li onclick="document.title = ${at}"><i class=star
      onclick="event.stopPropagation(); mails[${at}][1] ^= 1; draw()">${star ? '★' : '☆'}</i> <b>${who}</b> Letter ${at}
      <button aria-label=Delete onclick="mails.splice(${at}, 1); draw()">×</button></li>`).join('') } draw()</script>"""
    view = await visit(session, site, body)
    assert view.text.count("Letter 1") == 2, "the row's name, and that of the star in it"
    row = number(session, "Bo Letter 1")
    kept = [element.id for element in view.elements if element.name in ("Bo Letter 1", "Delete")]
    change = await pointer.click(session, number(session, "☆ (Letter 1)"))
    assert {element.id for element in change.view.elements} >= {row, *kept}
    assert "New: " not in change.text() and "Rows gone" not in change.text(), change.text()


async def test_a_card_that_shows_a_button_under_the_mouse_can_still_be_dragged(
    session: BrowserSession, site: Site
) -> None:
    style = "<style>.k{width:200px}.k button{opacity:0}.k:hover button{opacity:1}</style>"
    card = "<div class=k draggable=true>{0} <button aria-label='Move right'>→</button></div>"
    await visit(session, site, style + "".join(map(card.format, ("Paint", "Sand", "Oil"))))
    card_number = number(session, "Sand →")
    change = await pointer.hover(session, card_number)
    assert card_number in {element.id for element in change.view.elements}, change.text()
    assert [element.name for element in change.delta.added] == ["Move right"]


PINNED = """<style>.grid{position:relative;height:170px;display:flex}.part{position:relative;width:200px}
.line{position:absolute;left:0;right:0;height:40px}.line>div{display:inline-block}</style>
<div class=grid role=grid id=grid><div role=presentation id=box style="display:flex">
<div class=part role=rowgroup id=left></div><div class=part role=rowgroup id=middle></div></div></div>
<script>
const names = ["Gannet", "Petrel", "Fulmar"], lengths = ["6", "7", "8"];
names.forEach((name, at) => {
  const line = (cells) => `<div class="line line-${at ? "odd" : "first"}" role=row aria-rowindex=${at + 2}
    aria-label="Press SPACE to select this row." style="top:${at * 40}px">${cells}</div>`;
  left.innerHTML += line(`<div role=gridcell tabindex=-1>
    <input type=checkbox aria-label="Press Space to select"> ${name}</div>`);
  middle.innerHTML += line(`<div role=gridcell tabindex=-1>${lengths[at]} m</div>
    <div role=gridcell tabindex=-1><button>Lend</button></div>`);
});
const place = (line) => (line.style.top = `${80 - parseInt(line.style.top)}px`);
window.turn = () => document.querySelectorAll(".line").forEach(place);
for (const kind of ["click", "dblclick", "contextmenu", "mousedown"]) box.addEventListener(kind, () => 0);
</script>"""


async def test_the_parts_of_a_row_in_a_grid_with_pinned_columns_are_told_as_one_row(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, PINNED)
    assert view.text.count("\n - ") == 3 and "in front" not in view.text
    [lend] = ElementSearch(view).find(ElementQuery(role="button", name="Lend", row="Petrel"))
    [box] = ElementSearch(view).find(ElementQuery(role="checkbox", name="Press Space to select", row="7 m"))
    assert lend.id > box.id
    assert [each.name for each in view.elements if each.role == "gridcell"] == [
        "Gannet", "Petrel", "Fulmar", "6 m", "7 m", "8 m",
    ]  # fmt: skip


async def test_rows_that_a_page_places_itself_are_told_in_the_order_that_is_seen(
    session: BrowserSession, site: Site
) -> None:
    await visit(session, site, PINNED)
    await js(session, "turn()")
    view = await (await session.tab()).look()
    assert [each.name for each in view.elements if each.role == "gridcell"][:3] == ["Fulmar", "Petrel", "Gannet"]


BOXLESS = """<style>.bare{display:contents;cursor:pointer} .bare i{display:inline-block;width:12px;height:12px}</style>
<p><button class=bare onclick="said.textContent = 'Shown'"><i style="background:#aaa"></i><span>EUR</span></button></p>
<p><label class=bare><input type=checkbox> <span>continue</span></label></p><output id=said></output>"""


async def test_a_control_without_a_box_of_its_own_is_told_once_and_clicked_where_its_parts_are(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, BOXLESS)
    assert [(each.role, each.name) for each in view.elements] == [("button", "EUR"), ("checkbox", "continue")]
    change = await pointer.click(session, number(session, "EUR"))
    assert "Shown" in change.text()
    change = await pointer.click(session, number(session, "continue"))
    assert "unchecked → checked" in change.text()


NAMES = """<style>.gone{display:none}.css-6xix1i{width:40px;height:24px}</style>
<label><span class=gone>Narration:</span><input placeholder=Narration><button>m</button></label>
<label for=code>Code</label><input id=code><p><label for=code>Code</label></p>
<div role=radiogroup><label><input type=radio name=runs-view value=TABLE checked></label>
<label><input type=radio name=runs-view value=CHART></label></div>
<div class=charts style="height:400px"><label><input type=radio name=bars> Stacked Bars</label>
<span><button role=combobox aria-expanded=false>At Cost</button></span></div><div class=charts>EUR</div>
<div class=charts>USD</div><button class="du-bois-btn css-6xix1i"></button>""" + "".join(
    f"<p class=du-bois-part{chr(97 + at)}>{at}</p>" for at in range(9)
)


async def test_a_name_is_no_word_of_another_control_nor_of_the_design_system(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, NAMES)
    named = [(each.role, each.name) for each in view.elements]
    assert named == [
        ("textbox", "Narration"),
        ("button", "m"),
        ("textbox", "Code"),
        ("radio", "runs view table"),
        ("radio", "runs view chart"),
        ("radio", "Stacked Bars"),
        ("combobox", ""),
        ("button", "USD"),
    ]
