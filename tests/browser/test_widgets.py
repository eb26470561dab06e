"""Controls as the libraries make them that most pages are built with."""

import pytest

from browser.stage import Site, js, number, visit
from pilotfish.browser.actions import fields, pointer
from pilotfish.browser.sessions.session import BrowserSession

pytestmark = pytest.mark.slow
EVERYTHING = ("click", "dblclick", "mousedown", "pointerdown", "pointermove", "contextmenu", "dragstart", "drop")
FAINT = "position:absolute;opacity:0;width:30px;height:20px;margin:0"
CLIPPED = "position:absolute;clip:rect(0,0,0,0);width:100%;height:100%;margin:0"


async def names(session: BrowserSession) -> set[str]:
    return {element.name for element in (await (await session.tab()).look()).elements}


async def test_the_root_of_a_framework_is_no_control(session: BrowserSession, site: Site) -> None:
    listening = "".join(f"root.addEventListener('{kind}', () => {{}}); " for kind in EVERYTHING)
    view = await visit(session, site, f"<div id=root>Ada <button>Invite</button></div><script>{listening}</script>")
    assert [(element.role, element.name) for element in view.elements] == [("button", "Invite")]
    assert "Ada" in view.text


@pytest.mark.parametrize(
    "body",
    [
        f"<label style='position:relative'><input type=checkbox style='{FAINT}'> Agree</label>",
        f"<input id=a type=checkbox style='{FAINT}'><label for=a>Agree</label>",
    ],
)
async def test_a_box_under_a_drawn_one_is_told_once(session: BrowserSession, site: Site, body: str) -> None:
    view = await visit(session, site, body)
    assert [(element.role, element.name) for element in view.elements] == [("checkbox", "Agree")]
    await pointer.click(session, number(session, "Agree"))
    assert await js(session, "document.querySelector('input').checked")


async def test_a_drawn_box_with_a_button_in_its_label_is_told(session: BrowserSession, site: Site) -> None:
    box = f"<label style='position:relative'><input type=checkbox style='{FAINT}'> Agree <button>Help</button></label>"
    view = await visit(session, site, box)
    assert {element.role for element in view.elements} == {"checkbox", "button"}


async def test_stars_in_something_to_click_are_chosen_by_their_labels(session: BrowserSession, site: Site) -> None:
    hidden = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"
    stars = "".join(
        f"<label for=s{n}>★<span style='{hidden}'>{n} stars</span></label><input type=radio id=s{n} style='{hidden}'>"
        for n in (1, 2, 3)
    )
    await visit(session, site, f"<span style='cursor:pointer'>{stars}</span>")
    await pointer.click(session, number(session, "★ 2 stars", "radio"))
    assert await js(session, "s2.checked")


async def test_a_slider_under_a_drawn_one_is_set(session: BrowserSession, site: Site) -> None:
    track = f"<span><input type=range aria-label=Volume style='{CLIPPED}'></span>"
    await visit(session, site, f"<div style='position:relative;width:200px;height:20px;background:#ccc'>{track}</div>")
    await fields.type_text(session, number(session, "Volume", "slider"), "65")
    assert await js(session, "document.querySelector('input').value") == "65"


KNOB = """<div id=track aria-label=Price style="position:relative;margin:40px;width:400px;height:10px;background:#ccc">
<div id=knob role=slider tabindex=0 aria-valuemin=0 aria-valuemax=100 aria-valuenow=20
style="position:absolute;top:-5px;width:20px;height:20px;background:teal"></div></div><script>
const put = (value) => { knob.setAttribute('aria-valuenow', value); knob.style.left = value * 4 - 10 + 'px'; };
put(20);
knob.onkeydown = ({ key }) => put(Number(knob.ariaValueNow) + ({ ArrowRight: 10, ArrowLeft: -10 }[key] ?? 0));
knob.onpointerdown = (event) => { knob.setPointerCapture(event.pointerId);
  knob.onpointermove = ({ clientX }) => put((clientX - track.getBoundingClientRect().left) / 4);
  knob.onpointerup = () => { knob.onpointermove = null; }; };</script>"""


async def test_a_knob_is_dragged_where_the_keys_are_too_coarse(session: BrowserSession, site: Site) -> None:
    await visit(session, site, KNOB)
    told = (await fields.type_text(session, number(session, "Price", "slider"), "45")).text()
    assert await js(session, "Math.abs(Number(knob.ariaValueNow) - 45) < 0.5"), told


async def test_keys_alone_move_a_slider_where_they_meet_the_number(session: BrowserSession, site: Site) -> None:
    await visit(session, site, KNOB.replace("knob.onpointerdown", "knob.unused"))
    told = (await fields.type_text(session, number(session, "Price", "slider"), "60")).text()
    assert "to 60" in told


async def test_a_hint_that_the_style_adds_under_the_mouse_does_not_make_it_another_option(
    session: BrowserSession, site: Site
) -> None:
    await visit(
        session,
        site,
        """<style>[role=option]:hover::after { content: "Press to select" }</style><div role=listbox aria-label=Land>
        <div role=option tabindex=0 onclick="window.said = 'Norway'">Norway</div>
        <div role=option tabindex=0 onclick="window.said = 'Sweden'">Sweden</div></div>""",
    )
    await pointer.click(session, number(session, "Sweden", "option"))
    assert await js(session, "said") == "Sweden"


async def test_a_sign_that_only_the_style_draws_is_watched_all_the_same(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<style>button::before { content: "Play" } button.on::before { content: "Stop" }</style>
        <button onclick="window.said = 1"></button>""",
    )
    play = number(session, "Play", "button")
    await js(session, "document.querySelector('button').className = 'on'")
    with pytest.raises(Exception, match="has become"):
        await pointer.click(session, play)
    assert await js(session, "window.said ?? 0") == 0


async def test_cells_and_sortable_heads_of_a_grid_are_touched_one_by_one(session: BrowserSession, site: Site) -> None:
    view = await visit(
        session,
        site,
        """<div role=grid onclick="window.said = event.target.textContent"><div role=row>
        <div role=columnheader aria-sort=none>Name</div><div role=columnheader aria-sort=descending>Pay</div></div>
        <div id=rows><div role=row><div role=gridcell>Mona</div><div role=gridcell>5</div></div>
        <div role=row><div role=gridcell>Ari</div><div role=gridcell>9</div></div></div></div>
        <script>rows.addEventListener('mousedown', () => {})</script>""",
    )
    assert [element.name for element in view.elements] == ["Name", "Pay", "Mona", "5", "Ari", "9"]
    assert [element.states for element in view.elements[:2]] == [(), ("descending",)]
    await pointer.click(session, number(session, "Ari", "gridcell"))
    assert await js(session, "said") == "Ari"


async def test_a_cell_that_becomes_a_field_under_the_mouse_was_clicked(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<div role=grid><div role=row><div role=gridcell tabindex=0 id=cell>Ari</div></div></div>
        <script>cell.addEventListener('focus', () => { cell.innerHTML = '<input value=Ari aria-label=Name>';
          cell.firstChild.focus(); })</script>""",
    )
    await pointer.click(session, number(session, "Ari", "gridcell"))
    await fields.type_text(session, number(session, "Name", "textbox"), "Arne")
    assert await js(session, "document.querySelector('input').value") == "Arne"


async def test_the_days_of_a_calendar_that_listens_as_a_whole_are_told(session: BrowserSession, site: Site) -> None:
    days = "".join(f"<i style='cursor:pointer;display:inline-block;padding:4px'>{day}</i>" for day in range(1, 29))
    await visit(
        session,
        site,
        f"""<div id=box style="width:240px">{days}</div><script>
        box.addEventListener('click', (event) => {{ window.said = event.target.textContent; }})</script>""",
    )
    await pointer.click(session, number(session, "18"))
    assert await js(session, "said") == "18"


async def test_what_an_editor_draws_itself_is_replaced_by_what_is_typed(session: BrowserSession, site: Site) -> None:
    view = await visit(
        session,
        site,
        """<div id=box style="width:300px;cursor:text"><div id=paper>old</div><div id=ear tabindex=0 role=textbox
        aria-label=Code style="width:4px;height:4px"></div></div><script>
        const context = ear.editContext = new EditContext({ text: 'old', selectionStart: 3, selectionEnd: 3 });
        context.addEventListener('textupdate', () => { paper.textContent = context.text; });
        ear.addEventListener('keydown', (event) => { if (event.ctrlKey && event.key === 'a') {
          context.updateSelection(0, context.text.length); event.preventDefault(); } });
        box.addEventListener('mousedown', (event) => { ear.focus(); event.preventDefault(); });</script>""",
    )
    await fields.type_text(session, view.elements[0].id, "new words")
    assert await js(session, "paper.textContent") == "new words"


async def test_a_drawn_select_goes_by_the_words_that_it_shows(session: BrowserSession, site: Site) -> None:
    view = await visit(
        session,
        site,
        """<label for=s>Land</label><select id=s hidden><option>Norway</option></select>
        <div style="cursor:pointer"><div>Pick a country</div><input readonly role=combobox></div>""",
    )
    assert "Land" in view.text
    assert [element.name for element in view.elements if element.role == "combobox"] == ["Pick a country"]


async def test_a_control_inside_a_component_goes_by_the_label_around_the_component(
    session: BrowserSession, site: Site
) -> None:
    await visit(
        session,
        site,
        """<label><my-box></my-box> Agree</label><script>customElements.define('my-box', class extends HTMLElement {
          constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<input type=checkbox>'; } });
        </script>""",
    )
    await pointer.click(session, number(session, "Agree", "checkbox"))
    assert await js(session, "document.querySelector('my-box').shadowRoot.querySelector('input').checked")


async def test_a_field_that_its_component_shows_only_while_it_is_used_is_typed_into(
    session: BrowserSession, site: Site
) -> None:
    await visit(
        session,
        site,
        """<my-field></my-field><div style="opacity:0"><input aria-label=Trap></div><script>
        customElements.define('my-field', class extends HTMLElement { constructor() { super();
          this.attachShadow({ mode: 'open' }).innerHTML = `<style>div { opacity: 0 } div:focus-within { opacity: 1 }
          </style><span>Name</span><div><input aria-label=Name></div>`; } });</script>""",
    )
    await fields.type_text(session, number(session, "Name", "textbox"), "Ola")
    assert await js(session, "document.querySelector('my-field').shadowRoot.querySelector('input').value") == "Ola"
    assert not await names(session) & {"Trap"}


async def test_a_slider_that_is_hidden_in_its_knob_is_set(session: BrowserSession, site: Site) -> None:
    hidden = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"
    knob = (
        f"<div style='width:20px;height:20px;background:teal'><div style='{hidden}'><input type=range id=v></div></div>"
    )
    await visit(session, site, f"<div>Volume</div><div aria-label=Volume style='width:300px'>{knob}</div>")
    await fields.type_text(session, number(session, "Volume", "slider"), "65")
    assert await js(session, "v.value") == "65"


async def test_what_a_box_outside_the_screen_cuts_off_is_not_told(session: BrowserSession, site: Site) -> None:
    hidden = "position:fixed;top:0;left:0;margin:-1px;width:1px;height:1px;overflow:hidden"
    view = await visit(
        session, site, f"<div style='{hidden}'><select><option>Norway</option></select></div><p>Hello</p>"
    )
    assert not view.elements


async def test_a_frame_that_is_not_shown_is_not_told(session: BrowserSession, site: Site) -> None:
    view = await visit(session, site, "<iframe style='visibility:hidden' srcdoc='<button>Send</button>'></iframe>")
    assert not view.elements


async def test_an_option_that_is_drawn_as_a_circle_is_chosen(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<button onclick="more.hidden = false">Land</button><div id=more hidden>
        <label><input type=radio name=l> Norway</label><label><input type=radio name=l id=se> Sweden</label></div>""",
    )
    await fields.select(session, number(session, "Land", "button"), "Sweden")
    assert await js(session, "se.checked")


async def test_a_calendar_beside_its_field_in_one_label_is_told(session: BrowserSession, site: Site) -> None:
    days = "".join(f"<i style='cursor:pointer;padding:4px'>{day}</i>" for day in range(1, 29))
    await visit(session, site, f"<label>Day <input id=d><b><button type=button>Next</button>{days}</b></label>")
    assert number(session, "18") and number(session, "Next")


async def test_of_a_field_in_a_field_only_the_one_with_a_name_is_told(session: BrowserSession, site: Site) -> None:
    view = await visit(
        session,
        site,
        """<div role=combobox tabindex=0 class=x-field aria-expanded=false><span>▾</span>
        <input role=combobox aria-label=Land></div>""",
    )
    assert [(element.role, element.name) for element in view.elements] == [("combobox", "Land")]


async def test_items_and_cells_of_what_listens_as_a_whole_are_clicked_one_by_one(
    session: BrowserSession, site: Site
) -> None:
    cells = "".join(f"<span>{key}</span> " for key in "123456789")
    await visit(
        session,
        site,
        f"""<ul id=list><li>Cod</li><li>Eel</li></ul><div id=pad style="width:200px"><p>{cells}</p></div>
        <script>for (const box of [list, pad]) box.addEventListener('click', (event) => {{
          window.said = event.target.textContent; }})</script>""",
    )
    await pointer.click(session, number(session, "Eel"))
    assert await js(session, "said") == "Eel"
    await pointer.click(session, number(session, "7"))
    assert await js(session, "said") == "7"
    assert "Cod Eel" not in await names(session)


async def test_a_card_that_listens_is_one_thing_with_all_that_it_says(session: BrowserSession, site: Site) -> None:
    stars = "<i>★</i>" * 5
    view = await visit(
        session,
        site,
        f"""<div id=card style="width:200px"><h3>Kayak tour</h3><p>Two hours</p><p>{stars}</p></div>
        <script>card.addEventListener('click', () => {{}})</script>""",
    )
    assert [element.role for element in view.elements] == ["clickable"]


async def test_a_slider_that_tells_only_how_far_along_it_is_goes_by_that(session: BrowserSession, site: Site) -> None:
    view = await visit(
        session,
        site,
        """<div style="position:relative;width:300px;height:12px;background:#ccc"><span tabindex=0 id=knob
        class=ui-slider-handle style="position:absolute;left:20%;width:12px;height:12px;background:red"></span></div>
        <script>knob.onkeydown = ({ key }) => { knob.style.left = parseFloat(knob.style.left)
          + ({ ArrowRight: 5, ArrowLeft: -5 }[key] ?? 0) + '%'; };</script>""",
    )
    await fields.type_text(session, view.elements[0].id, "50")
    assert await js(session, "knob.style.left") == "50%"
