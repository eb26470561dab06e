"""Controls that are made in strange ways."""

import pytest

from browser.stage import Site, js, number, visit
from pilotfish.browser import act, act_fill
from pilotfish.browser.session import Session

pytestmark = pytest.mark.slow


async def test_a_slider_that_tells_its_value_only_beside_it_is_set(session: Session, site: Site) -> None:
    await visit(
        session,
        site,
        """<div class=price-slider style="width:200px;height:12px;background:#ccc"><span class=ui-slider-handle
        tabindex=0 style="display:block;width:12px;height:12px;background:red"></span></div><div id=val>5</div>
        <button>Go</button><script>document.querySelector('span').addEventListener('keydown', (event) => {
          const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] || 0;
          val.textContent = Number(val.textContent) + step; });</script>""",
    )
    told = (await act_fill.type_text(session, number(session, "price slider", "slider"), "-3")).text()
    assert await js(session, "val.textContent") == "-3"
    assert "-3" in told


async def test_a_field_and_a_button_in_a_closed_root_are_touched(session: Session, site: Site) -> None:
    await visit(
        session,
        site,
        """<secret-box></secret-box><script>customElements.define('secret-box', class extends HTMLElement {
          constructor() { super(); const root = this.attachShadow({ mode: 'closed' });
            root.innerHTML = '<label>Word <input></label> <button>Enter</button>';
            root.querySelector('button').onclick = () => { document.title = root.querySelector('input').value; }; } });
        </script>""",
    )
    await act_fill.type_text(session, number(session, "Word", "textbox"), "MACKEREL")
    await act.click(session, number(session, "Enter", "button"))
    assert await js(session, "document.title") == "MACKEREL"


async def test_what_only_looks_different_after_a_click_is_not_told_as_nothing(session: Session, site: Site) -> None:
    await visit(
        session,
        site,
        """<style>.on { background: #246; color: white }</style>
        <button onclick="this.classList.toggle('on')">Odd</button><button>Deaf</button>""",
    )
    assert "It looks different now" in (await act.click(session, number(session, "Odd"))).text()
    assert "Nothing changed on the page" in (await act.hover(session, number(session, "Odd"))).text()
    assert "Nothing changed on the page" in (await act.click(session, number(session, "Deaf"))).text()
