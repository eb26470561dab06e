"""Looking at real pages: what is seen, what it is called, and that an id never leads to another element."""

import json
from pathlib import Path

import pytest

from browser.stage import Site
from pilotfish.browser.perception.element import ElementView
from pilotfish.browser.perception.element_spot import (
    ElementCovered,
    ElementDisabled,
    ElementGone,
    ElementHidden,
    TouchChecks,
)
from pilotfish.browser.perception.observer import PageObserver
from pilotfish.browser.perception.snapshot import Snapshot
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.browser.sessions.tab import Tab
from pilotfish.core.errors import ToolError

pytestmark = pytest.mark.slow
PAGES = Path(__file__).parent / "pages"


async def show(session: BrowserSession, site: Site, name: str) -> Tab:
    tab = await session.tab()
    await tab.goto(site.put(f"/{name}", (PAGES / f"{name}.html").read_text("utf-8")))
    return tab


async def html(session: BrowserSession, site: Site, body: str) -> Tab:
    tab = await session.tab()
    await tab.goto(site.html(body))
    return tab


def find_element(view: Snapshot, name: str, role: str = "") -> ElementView:
    found = [node for node in view.elements if node.name == name and role in ("", node.role)]
    assert found, f"{name!r} is not in:\n{view.render(6000)}"
    return found[0]


async def id_at(eyes: PageObserver, point: tuple[float, float]) -> str:
    return await eyes.page.evaluate("([x, y]) => document.elementFromPoint(x, y).id", list(point))


async def test_every_control_is_seen_with_role_name_and_state(session: BrowserSession, site: Site) -> None:
    tab = await show(session, site, "controls")
    view = await tab.observer.look()
    seen = {(node.role, node.name): node for node in view.elements}
    assert seen["link", "Shop"].states == ("current",)
    assert seen["textbox", "E-mail"].states == ("required",)
    assert seen["textbox", "Arrives"].format == "YYYY-MM-DD"
    assert seen["combobox", "Size"].value == "M"
    assert seen["combobox", "Size"].options == ("S", "M", "L")
    assert seen["checkbox", "Gift"].states == ("checked",)
    assert seen["checkbox", "Newsletter"].states == ("unchecked",)
    assert seen["spinbutton", "Amount"].value == "2"
    assert seen["textbox", "Note"].value == "Please ring"
    assert seen["button", "Later"].states == ("disabled",)
    assert seen["button", "More"].states == ("collapsed",)


async def test_controls_without_a_role_get_an_id_and_the_best_name(session: BrowserSession, site: Site) -> None:
    view = await (await show(session, site, "controls")).observer.look()
    names = {node.name: node.role for node in view.elements}
    assert names["Div button"] == "clickable"
    assert names["Red shoe €20"] == "clickable"
    assert names["trash alt"] == "clickable"
    assert names["close"] == "button"
    assert names["green hat"] == "image"
    assert any(node.role == "scrollable" and node.scroll for node in view.elements)


async def test_what_only_listens_gets_an_id_too(session: BrowserSession, site: Site) -> None:
    body = """<div id=a>Plain words</div><div id=b>Held thing</div><p>Only text</p><script>
    a.oncontextmenu = () => 0; b.onpointerdown = b.onpointermove = () => 0;
    function renew() { a.outerHTML = "<div id=c>New</div>"; c.addEventListener("click", () => 0); }</script>"""
    tab = await html(session, site, body)
    names = {node.name: node.role for node in (await tab.observer.look()).elements}
    assert names == {"Plain words": "clickable", "Held thing": "draggable"}
    await tab.page.evaluate("renew()")
    assert "New" in {node.name for node in (await tab.observer.look()).elements}


async def test_a_box_whose_tools_come_out_on_hover_can_be_hovered(session: BrowserSession, site: Site) -> None:
    style = (
        "<style>.photo{width:90px;height:60px;background:#ccc}.photo button{opacity:0}.photo:hover button{opacity:1}"
    )
    tab = await html(session, site, f"{style}</style><div class=photo><button>Rotate</button></div>")
    view = await tab.observer.look()
    assert [(node.role, node.name) for node in view.elements] == [("hover area", "Rotate")]
    await tab.page.mouse.move(*(await tab.observer.locate(view.elements[0].id)).point)
    assert find_element(await tab.observer.look(), "Rotate")


async def test_shadow_roots_and_slots_are_seen(session: BrowserSession, site: Site) -> None:
    view = await (await show(session, site, "controls")).observer.look()
    assert find_element(view, "Deep").role == find_element(view, "Slotted").role == "button"
    assert "Shadow words" in view.text


async def test_closed_shadow_roots_are_seen_and_touched(session: BrowserSession, site: Site) -> None:
    tab = await html(session, site, "<sea-card></sea-card><div id=plain style='height:40px'></div>")
    await tab.page.evaluate(
        """for (const el of [document.querySelector('sea-card'), plain])
        el.attachShadow({mode: 'closed'}).innerHTML =
            `<button onclick="document.title='hit ${el.id}'">In ${el.tagName}</button>`"""
    )
    view = await tab.observer.look()
    assert find_element(view, "In SEA-CARD")
    spot = await tab.observer.locate(find_element(view, "In DIV").id)
    await tab.page.mouse.click(*spot.point)
    assert await tab.page.title() == "hit plain"


async def test_what_a_person_cannot_see_is_left_out(session: BrowserSession, site: Site) -> None:
    view = await (await show(session, site, "controls")).observer.look()
    for name in ("Ghost", "Off", "None", "Invisible", "Inside", "Only for readers"):
        assert name not in view.text


async def test_a_wrapper_and_its_only_link_are_one(session: BrowserSession, site: Site) -> None:
    view = await (await show(session, site, "controls")).observer.look()
    assert [node.role for node in view.elements if node.name == "Only link"] == ["link"]


async def test_what_wraps_one_control_gives_way_to_it(session: BrowserSession, site: Site) -> None:
    body = """<div id=bar style="width:200px">&nbsp;<button style="text-indent:-9999px;width:20px;background:red">
    Close</button></div><table><tr><td id=day><a href="#">1</a></td></tr></table>
    <span>May</span>&nbsp;<span>2026</span><script>
    bar.onmousedown = bar.onclick = day.onclick = () => 0;</script>"""
    tab = await html(session, site, body)
    await tab.observer.look()  # listeners are known from the second look on
    view = await tab.observer.look()
    assert [(node.role, node.name) for node in view.elements] == [("button", "Close"), ("link", "1")]
    assert "May 2026" in view.text


async def test_a_password_never_leaves_the_page(session: BrowserSession, site: Site) -> None:
    tab = await show(session, site, "controls")
    view = await tab.observer.look()
    world = tab.observer.world
    said = [await world.call("look"), await world.call("find", "a"), await world.call("text", "", True)]
    spot = await tab.observer.locate(find_element(view, "Password").id)
    assert "hunter2" not in json.dumps([answer.data for answers in said for answer in answers])
    assert "hunter2" not in repr(spot.facts)


async def test_looking_changes_nothing_on_the_page(session: BrowserSession, site: Site) -> None:
    tab = await show(session, site, "controls")
    before = await tab.page.content()
    await tab.observer.look()
    await tab.observer.look(find="shoe")
    assert await tab.page.content() == before
    assert await tab.page.evaluate("typeof pilotfish") == "undefined"


async def test_ids_stay_and_new_things_are_marked(session: BrowserSession, site: Site) -> None:
    tab = await html(session, site, "<button>One</button>")
    first = await tab.observer.look()
    await tab.page.evaluate("document.body.insertAdjacentHTML('afterbegin', '<button>Two</button>')")
    second = await tab.observer.look()
    assert find_element(first, "One").id == find_element(second, "One").id
    assert find_element(second, "Two").new
    assert not find_element(second, "One").new


async def test_ids_are_not_given_twice_across_documents_and_tabs(session: BrowserSession, site: Site) -> None:
    tab = await html(session, site, "<button>One</button>")
    first = find_element(await tab.observer.look(), "One").id
    await tab.page.reload()
    second = find_element(await tab.observer.look(), "One").id
    other = await session.open(site.url + "/page")
    third = find_element(await other.observer.look(), "One").id
    assert len({first, second, third}) == 3


async def test_a_spot_is_on_the_element_even_when_it_was_off_screen(session: BrowserSession, site: Site) -> None:
    tab = await html(session, site, "<p style='height:1400px'>long</p><button id=low>Low</button>")
    spot = await tab.observer.locate(find_element(await tab.observer.look(), "Low").id)
    assert await id_at(tab.observer, spot.point) == "low"
    assert (spot.role, spot.tag) == ("button", "button")


async def test_a_drawn_over_checkbox_is_reached_by_its_label(session: BrowserSession, site: Site) -> None:
    tab = await show(session, site, "controls")
    spot = await tab.observer.locate(find_element(await tab.observer.look(), "Newsletter").id)
    await tab.page.mouse.click(*spot.point)
    assert await tab.page.evaluate("document.getElementById('news').checked")


async def test_an_element_that_is_gone_is_refused_with_the_nearest_match(session: BrowserSession, site: Site) -> None:
    tab = await html(session, site, "<div id=place><button>Save</button></div>")
    old = find_element(await tab.observer.look(), "Save").id
    await tab.page.evaluate("place.innerHTML = '<button>Save draft</button>'")
    now = rf'\[{old}\] button "Save" is no longer on the page; nearest now: \[{old + 1}\] button "Save dr'
    with pytest.raises(ElementGone, match=now):
        await tab.observer.locate(old)


async def test_a_renamed_element_is_refused(session: BrowserSession, site: Site) -> None:
    tab = await html(session, site, "<button id=b>Play</button>")
    old = find_element(await tab.observer.look(), "Play").id
    await tab.page.evaluate("b.textContent = 'Delete all'")
    with pytest.raises(ElementGone, match='has become button "Delete all"'):
        await tab.observer.locate(old)
    assert find_element(await tab.observer.look(), "Delete all").id != old


async def test_a_row_that_is_used_again_for_something_else_is_refused(session: BrowserSession, site: Site) -> None:
    tab = await show(session, site, "rows")
    old = find_element(await tab.observer.look(), "Delete").id
    await tab.page.evaluate("recycle()")
    with pytest.raises(ElementGone, match='another row: it was "Person 0", it is "Person 5"'):
        await tab.observer.locate(old)
    assert old not in {node.id for node in (await tab.observer.look()).elements}


async def test_a_row_that_moved_keeps_its_id(session: BrowserSession, site: Site) -> None:
    tab = await show(session, site, "rows")
    view = await tab.observer.look()
    row = [node.id for node in view.elements if node.name == "Delete"][3]
    await tab.page.evaluate("sort()")
    spot = await tab.observer.locate(row)
    near = "([x, y]) => document.elementFromPoint(x, y).closest('tr').innerText"
    assert "Person 3" in await tab.page.evaluate(near, list(spot.point))


async def test_rows_drawn_anew_elsewhere_are_found_and_not_mistaken(session: BrowserSession, site: Site) -> None:
    tab = await show(session, site, "rows")
    ids = [node.id for node in (await tab.observer.look()).elements if node.name == "Delete"]
    await tab.page.evaluate("swap()")
    near = "([x, y]) => document.elementFromPoint(x, y).closest('tr').cells[0].innerText"
    for at, id in enumerate(ids[:5]):
        spot = await tab.observer.locate(id)
        assert await tab.page.evaluate(near, list(spot.point)) == f"Person {at}"


async def test_a_new_document_in_the_same_tab_answers_for_none_of_the_old_ids(
    session: BrowserSession, site: Site
) -> None:
    tab = await html(session, site, "<button>Pay</button>")
    old = find_element(await tab.observer.look(), "Pay").id
    await tab.goto(site.html("<button>Pay</button>", "/other"))
    with pytest.raises(ElementGone):
        await tab.observer.locate(old)


async def test_a_same_document_route_keeps_what_stayed(session: BrowserSession, site: Site) -> None:
    tab = await html(session, site, "<button id=stay>Stay</button>")
    old = find_element(await tab.observer.look(), "Stay").id
    await tab.page.evaluate("history.pushState({}, '', '/elsewhere')")
    assert (await tab.observer.locate(old)).name == "Stay"


async def test_a_covered_element_is_refused_and_the_cover_is_named(session: BrowserSession, site: Site) -> None:
    cover = (
        "<div role=dialog aria-label=Cookies style='position:fixed;inset:0;background:#eee'><button>OK</button></div>"
    )
    tab = await html(session, site, "<button id=b>Buy</button><div id=top></div>")
    old = find_element(await tab.observer.look(), "Buy").id
    await tab.page.evaluate("cover => top_.innerHTML = cover".replace("top_", "document.getElementById('top')"), cover)
    view = await tab.observer.look()
    assert "Buy" not in view.text
    assert find_element(view, "OK")
    with pytest.raises(ElementCovered, match='covered by dialog "Cookies"'):
        await tab.observer.locate(old)


async def test_hidden_and_disabled_elements_are_refused(session: BrowserSession, site: Site) -> None:
    tab = await html(session, site, "<button id=a>One</button><button id=b>Two</button>")
    view = await tab.observer.look()
    await tab.page.evaluate("a.style.display = 'none'; b.disabled = true")
    with pytest.raises(ElementHidden):
        await tab.observer.locate(find_element(view, "One").id)
    with pytest.raises(ElementDisabled):
        await tab.observer.locate(find_element(view, "Two").id)
    assert (await tab.observer.locate(find_element(view, "Two").id, TouchChecks(enabled=False))).name == "Two"


async def test_an_id_that_never_was_is_refused(session: BrowserSession, site: Site) -> None:
    tab = await html(session, site, "<button>One</button>")
    with pytest.raises(ToolError, match=r"no element \[999\]"):
        await tab.observer.locate(999)


async def test_find_looks_over_the_whole_page_and_gives_context(session: BrowserSession, site: Site) -> None:
    filler = "".join(f"<p>Line {at}</p>" for at in range(300))
    tab = await html(session, site, f"{filler}<h2>Prices</h2><p>Herring costs 3 crowns</p><button>Order</button>")
    assert "Herring" not in (await tab.observer.look()).text
    view = await tab.observer.look(find="herring")
    assert "## Prices" in view.text
    assert find_element(view, "Order").id
    assert "nowhere" in (await tab.observer.look(find="unicorn")).text


async def test_scope_opens_the_whole_list_around_an_id(session: BrowserSession, site: Site) -> None:
    items = "".join(f"<li><a href=/{at}>Item {at}</a></li>" for at in range(200))
    tab = await html(session, site, f"<button>Other</button><ul>{items}</ul>")
    view = await tab.observer.look(scope=find_element(await tab.observer.look(), "Item 1").id, budget=6000)
    assert find_element(view, "Item 199")
    assert "Other" not in view.text


async def test_names_and_roles_can_be_asked_for_any_element(session: BrowserSession, site: Site) -> None:
    tab = await html(session, site, "<img class=x alt=Fish src=f.png><section class=x aria-label=Sea></section>")
    assert await tab.observer.describe_matches(".x") == [("image", "Fish"), ("region", "Sea")]


async def test_a_function_can_be_run_on_an_element(session: BrowserSession, site: Site) -> None:
    tab = await html(session, site, "<input aria-label=Name value=Ada>")
    id = find_element(await tab.observer.look(), "Name").id
    assert await tab.observer.run(id, "(el, more) => el.value + more", "!") == "Ada!"


async def test_fifty_thousand_elements_are_no_trouble(session: BrowserSession, site: Site) -> None:
    tab = await html(session, site, "<main id=m></main>")
    row = "<div class=row><span>Name</span><a href=/x>Open</a><button>Delete</button><i></i></div>"
    await tab.page.evaluate("row => { m.innerHTML = row.repeat(10000) }", row)
    view = await tab.observer.look()
    assert view.tokens <= 2000
    assert view.outline.below > 10_000


async def test_a_wrapper_that_says_only_what_its_controls_say_is_left_out(session: BrowserSession, site: Site) -> None:
    body = """<div id=bar style="width:300px"><span id=a>Reply</span> <span id=b>Forward</span></div>
    <div id=row style="width:300px">Ada wrote: hello <span id=c>✕</span></div>
    <script>for (const one of document.querySelectorAll('div,span')) one.addEventListener('click', () => 1)</script>"""
    view = await (await html(session, site, body)).observer.look()
    assert [node.name for node in view.elements] == ["Reply", "Forward", "Ada wrote: hello ✕", "✕ (Ada wrote: hello)"]


async def test_a_field_is_not_named_after_what_nobody_sees(session: BrowserSession, site: Site) -> None:
    body = "<div style='display:none'>Delete everything</div><div><textarea id=reply></textarea></div>"
    view = await (await html(session, site, body)).observer.look()
    assert view.elements[0].name == "reply"


async def test_of_a_long_value_the_end_is_told_too(session: BrowserSession, site: Site) -> None:
    view = await (await html(session, site, f"<textarea>First {'word ' * 200} last</textarea>")).observer.look()
    assert "First word" in view.render() and 'word last"' in view.render()


async def test_the_items_of_a_list_that_can_be_sorted_are_what_is_dragged(session: BrowserSession, site: Site) -> None:
    body = """<ul id=list><li>Bread</li><li>Honey</li></ul>
    <script>document.querySelector('ul').addEventListener('mousedown', () => 1)</script>"""
    view = await (await html(session, site, body)).observer.look()
    assert [(node.role, node.name) for node in view.elements] == [("draggable", "Bread"), ("draggable", "Honey")]


async def test_a_link_without_an_address_is_there_for_a_script(session: BrowserSession, site: Site) -> None:
    body = "<a class=close>Close</a> <a name=top class=anchor>Top</a> <a>plain</a> <a class=empty></a>"
    view = await (await html(session, site, body)).observer.look()
    assert [node.name for node in view.elements] == ["Close"]


async def test_the_arrows_of_a_number_field_are_left_out(session: BrowserSession, site: Site) -> None:
    body = """<span><input role=spinbutton value=0 aria-label=Amount><a role=button tabindex=-1><i>▲</i></a></span>
    <span><a role=button tabindex=-1 aria-label=More></a></span>""".replace("<i>▲</i>", "<i class=up>&nbsp;</i>")
    view = await (await html(session, site, body)).observer.look()
    assert "Amount" in [node.name for node in view.elements]
    assert not any("up" in node.name for node in view.elements)


async def test_a_row_that_the_edge_of_its_box_cuts_still_says_whose_it_is(session: BrowserSession, site: Site) -> None:
    rows = "".join(
        "<li style='height:70px'><i style='opacity:0'>Sly</i>"
        f"<b>Author {n}</b><p>Words {n}</p><button>Like {n}</button></li>"
        for n in range(6)
    )
    tab = await session.tab()
    await tab.goto(site.html(f"<ul id=box style='height:100px;overflow:auto'>{rows}</ul>"))
    await tab.page.evaluate("box.scrollTop = 45")
    text = (await tab.look()).text
    line = next(line for line in text.splitlines() if 'button "Like 0"' in line)
    assert "… Author 0" in line
    assert "… Author 1" not in text and "Sly" not in line


async def test_counters_in_generated_text_are_counted(session: BrowserSession, site: Site) -> None:
    tab = await session.tab()
    await tab.goto(
        site.html(
            "<style>button::before { counter-increment: step; content: counter(step) '. ' }</style>"
            "<button>Begin</button><button>End</button>"
        )
    )
    assert [element.name for element in (await tab.look()).elements] == ["1. Begin", "2. End"]
