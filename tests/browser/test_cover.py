"""What lies on top: put away where it came up for a field, left alone otherwise."""

import pytest

from browser.stage import Site, js, number, visit
from pilotfish.browser.actions import fields, pointer
from pilotfish.browser.perception.element_spot import ElementCovered
from pilotfish.browser.sessions.session import BrowserSession

pytestmark = pytest.mark.slow
POPUP = """<input id=f onfocus="pop.hidden=false"><div style="margin-top:60px">
<button onclick="document.title='saved'">Save</button></div>
<div id=pop hidden style="position:absolute;top:40px;left:0;width:300px;height:300px;background:#eee">A picker</div>
<script>
addEventListener('mousedown', (event) => { if (event.target !== f && event.target !== pop) pop.hidden = true; });
</script>"""


async def test_what_came_up_for_a_field_is_put_away_for_what_lies_behind_it(
    session: BrowserSession, site: Site
) -> None:
    await visit(session, site, POPUP)
    save = number(session, "Save")
    change = await fields.type_text(session, save - 1, "red")
    assert f'behind what lies on top: [{save}] button "Save"' in change.view.text
    assert f'Out of sight: [{save}] button "Save".' in change.text()
    await pointer.click(session, save)
    assert await js(session, "document.title") == "saved"


async def test_what_lies_on_top_for_another_reason_stays(session: BrowserSession, site: Site) -> None:
    await visit(session, site, POPUP)
    await js(session, "pop.hidden = false")
    with pytest.raises(ElementCovered, match="is covered by"):
        await pointer.click(session, number(session, "Save"))
    assert await js(session, "[pop.hidden, document.title]") == [False, "Stage"]
    assert "behind what lies on top: 1 elements" in (await (await session.tab()).look()).text


async def test_a_backdrop_is_never_clicked(session: BrowserSession, site: Site) -> None:
    await visit(session, site, POPUP.replace("top:40px", "top:0;bottom:0;right:0").replace("300px", "100%"))
    save = number(session, "Save")
    await js(session, "pop.hidden = false, f.focus()")
    with pytest.raises(ElementCovered, match="is covered by"):
        await pointer.click(session, save)
    assert await js(session, "pop.hidden") is False


async def test_what_a_field_offers_a_moment_later_is_told(session: BrowserSession, site: Site) -> None:
    await visit(
        session,
        site,
        """<input aria-label=Port autocomplete=off oninput="setTimeout(() => found.hidden = false, 300)">
        <ul id=found hidden><li style="cursor:pointer">Gull Island</li></ul>""",
    )
    change = await fields.type_text(session, number(session, "Port"), "Gull")
    assert "Gull Island" in change.text()


MODAL = """<p>Much text</p><div style="position:fixed;inset:0;background:#fffc"></div>
<div role=dialog aria-modal=true style="position:fixed;inset:80px;background:#fff"><h2>Save as</h2>
<label>Name <input></label> <button>Cancel</button>
<button disabled style="pointer-events:none">Save</button></div>"""


async def test_a_disabled_button_that_lets_clicks_through_is_told_where_nothing_lies_over_it(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, MODAL)
    assert [(each.name, each.states) for each in view.elements if each.role == "button"] == [
        ("Cancel", ()),
        ("Save", ("disabled",)),
    ]
