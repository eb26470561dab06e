"""Controls that are made in strange ways."""

import pytest

from browser.stage import Site, js, number, visit
from pilotfish.browser.actions import fields, pointer
from pilotfish.browser.sessions.session import BrowserSession

pytestmark = pytest.mark.slow


async def test_a_slider_that_tells_its_value_only_beside_it_is_set(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<div class=price-slider style="width:200px;height:12px;background:#ccc"><span class=ui-slider-handle
        tabindex=0 style="display:block;width:12px;height:12px;background:red"></span></div><div id=val>5</div>
        <button>Go</button><script>document.querySelector('span').addEventListener('keydown', (event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] || 0;
          val.textContent = Number(val.textContent) + step; });</script>""",
    )
    told = (await fields.type_text(session, number(session, "price", "slider"), "-3")).text()
    assert await js(session, "val.textContent") == "-3"
    assert "-3" in told


async def test_a_field_and_a_button_in_a_closed_root_are_touched(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<secret-box></secret-box><script>customElements.define('secret-box', class extends HTMLElement {
          constructor() { super(); const root = this.attachShadow({ mode: 'closed' });
            root.innerHTML = '<label>Word <input></label> <button>Enter</button>';
            root.querySelector('button').onclick = () => { document.title = root.querySelector('input').value; }; } });
        </script>""",
    )
    await fields.type_text(session, number(session, "Word", "textbox"), "MACKEREL")
    await pointer.click(session, number(session, "Enter", "button"))
    assert await js(session, "document.title") == "MACKEREL"


async def test_what_only_looks_different_after_a_click_is_not_told_as_nothing(
    session: BrowserSession, site: Site
) -> None:
    await visit(
        session,
        site,
        """<style>.q7 { background: #246; color: white }</style>
        <button onclick="this.classList.toggle('q7')">Odd</button><button>Deaf</button>""",
    )
    assert "It looks different now" in (await pointer.click(session, number(session, "Odd"))).text()
    assert "Nothing changed on the page" in (await pointer.hover(session, number(session, "Odd"))).text()
    assert "Nothing changed on the page" in (await pointer.click(session, number(session, "Deaf"))).text()


async def test_a_picture_that_bears_the_name_of_what_documents_do_changes_nothing(
    session: BrowserSession, site: Site
) -> None:
    named = "body title activeElement elementFromPoint querySelectorAll getElementsByTagName createTreeWalker"
    pictures = "".join(f"<img name={name} alt=''>" for name in [*named.split(), "documentElement", "scrollingElement"])
    view = await visit(
        session,
        site,
        f"""{pictures}<p id=pilotfish>Welcome</p><label>Word <input id=word></label>
        <button onclick="window.said = word.value">Save</button>""",
    )
    assert (view.title, "Welcome" in view.text) == ("Stage", True)
    await fields.type_text(session, number(session, "Word", "textbox"), "eel")
    await pointer.click(session, number(session, "Save", "button"))
    assert await js(session, "said") == "eel"


async def test_fields_that_bear_the_name_of_what_forms_have_are_filled_in(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<form role=dialog style="height:200px;overflow:auto" onsubmit="return false"><h2>Trip</h2>
        <input type=hidden name=action>
        <label>Title <input name=title></label><label>Number <input name=id></label>
        <label>Children <input name=children></label><label>Name <input name=name></label>
        <button onclick="window.said = new FormData(this.form).get('children')">Book</button>
        <p style="height:300px"></p></form>""",
    )
    await fields.type_text(session, number(session, "Children", "textbox"), "2")
    await pointer.click(session, number(session, "Book", "button"))
    assert await js(session, "said") == "2"


async def test_a_part_that_cannot_be_read_does_not_hide_the_rest(
    session: BrowserSession, site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    hostile = "".join(
        f"<input name={name}>" for name in ("tagName", "getBoundingClientRect", "getAttribute", "matches")
    )
    view = await visit(session, site, f"<form>{hostile}</form><button>Leave</button>")
    assert "Some of this page cannot be read." in view.text
    assert number(session, "Leave", "button")
    assert "is not a function" in caplog.text
    caplog.clear()


async def test_shapes_of_any_paint_are_told(session: BrowserSession, site: Site) -> None:
    view = await visit(
        session,
        site,
        """<svg width=400 height=120><defs><linearGradient id=g1><stop stop-color=red /></linearGradient></defs>
        <circle cx=60 cy=60 r=40 fill="url(#g1)" /><rect x=150 y=20 width=80 height=80 fill="oklch(60% 0.2 30)" />
        <ellipse cx=320 cy=60 rx=50 ry=30 fill=none stroke=black /></svg>""",
    )
    assert [e.name for e in view.elements] == ["circle", "square", "empty ellipse"]


async def test_a_few_words_that_were_looked_for_can_be_touched_whatever_they_are(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(
        session,
        site,
        """<div style="margin:40px" id=parcel>Parcel</div><p>All that is known of the parcel is: it was sent in March
        and has not been seen since.</p><script>document.addEventListener('mousedown', (event) => {
          if (event.target.id) window.said = event.target.id; })</script>""",
    )
    assert not view.elements
    found = await (await session.tab()).look(find="parcel")
    assert [(element.role, element.name) for element in found.elements] == [("clickable", "Parcel")]
    await pointer.click(session, found.elements[0].id)
    assert await js(session, "said") == "parcel"
