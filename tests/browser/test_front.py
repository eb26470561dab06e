"""What lies in front of a page is told first; what it covers is one line that can be unfolded."""

import pytest

from browser.stage import Site, js, number, visit
from pilotfish.browser.actions import navigation, pointer
from pilotfish.browser.sessions.session import BrowserSession

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]
INBOX = "<h1>Inbox</h1>" + "".join(
    f"<div class=mail><a href='#{n}'>Mail {n}</a> <span>from Ann {n}</span> <button>Delete</button></div>"
    for n in range(12)
)
BACKDROP = "position:fixed;inset:0;background:#0008;display:flex;align-items:center;justify-content:center"
MODAL = f"""{INBOX}<div id=back style="{BACKDROP}"><div id=box style="background:#fff;width:400px">
<h2>New issue</h2><input placeholder=Title><div class="select-trigger">No one</div>
<button onclick="back.remove()">Cancel</button></div></div>
<script>box.addEventListener('click', (event) => event.stopPropagation())</script>"""


async def test_a_dialog_comes_first_and_what_it_covers_is_one_line(session: BrowserSession, site: Site) -> None:
    text = (await visit(session, site, MODAL)).text
    assert 'panel "New issue" (in front, covers the rest):' in text
    assert text.index("New issue") < text.index("behind what lies on top: 24 elements; look with behind=true")
    assert "Mail 3" not in text and "from Ann" not in text
    names = [(element.role, element.name) for element in (await (await session.tab()).look()).elements]
    assert names == [("textbox", "Title"), ("clickable", "No one"), ("button", "Cancel")]


async def test_what_a_dialog_covers_is_unfolded_and_found(session: BrowserSession, site: Site) -> None:
    await visit(session, site, MODAL)
    tab = await session.tab()
    whole = (await tab.look(behind=True)).text
    assert "from Ann 3" in whole and 'link "Mail 3"' in whole and "look with behind" not in whole
    assert "Mail 3" in (await tab.look(find="from Ann 3")).text
    await pointer.click(session, number(session, "Cancel"))
    assert "Mail 3" in (await tab.look()).text


async def test_of_two_dialogs_the_upper_one_is_told_and_the_lower_one_named(
    session: BrowserSession, site: Site
) -> None:
    body = f"""{INBOX}<dialog id=a><h2>Edit card</h2><input value=Card><button>Delete card</button></dialog>
    <dialog id=b><h2>Really delete?</h2><button onclick="b.close()">Keep</button></dialog>
    <script>a.showModal(); b.showModal()</script>"""
    text = (await visit(session, site, body)).text
    assert 'dialog "Really delete?" (in front, covers the rest):' in text
    assert 'dialog "Edit card" and' in text and "Delete card" not in text
    change = await pointer.click(session, number(session, "Keep"))
    assert 'dialog "Edit card" (in front, covers the rest):' in change.view.text
    assert "Delete card" in change.view.text


async def test_a_menu_comes_first_and_leaves_the_rest_in_sight(session: BrowserSession, site: Site) -> None:
    items = "".join(
        f"<div style='cursor:pointer;padding:6px'>{name}</div>" for name in ("Rename", "Duplicate", "Remove")
    )
    header = (
        "<header style='position:fixed;top:0;left:0;right:0;height:30px;background:#eee'><a href='#'>Home</a></header>"
    )
    menu = f"<div style='position:absolute;z-index:5;top:90px;left:0;width:200px;background:#fff'>{items}</div>"
    text = (await visit(session, site, header + INBOX + menu)).text
    assert "panel (in front):" in text
    assert text.index("Remove") < text.index("Home") < text.index("Mail 9")
    assert "look with behind" not in text


async def test_a_bar_along_an_edge_and_a_fixed_page_are_not_in_front(session: BrowserSession, site: Site) -> None:
    style = "position:fixed;bottom:0;left:0;right:0;height:60px;background:#ff9"
    bar = f"<div style='{style}'><b>Offer</b> <a href='#'>Buy</a></div>"
    assert "in front" not in (await visit(session, site, INBOX * 3 + bar)).text
    whole = f"<div style='position:fixed;inset:0;overflow:auto'>{INBOX}</div>"
    text = (await visit(session, site, whole)).text
    assert "in front" not in text and "Mail 3" in text


async def test_without_a_box_scroll_moves_the_dialog(session: BrowserSession, site: Site) -> None:
    terms = "".join(f"<p>Term {n}</p>" for n in range(60))
    body = f"""{INBOX * 5}<dialog id=d style="height:300px;overflow:auto"><button>Close</button>{terms}</dialog>
    <script>d.showModal()</script>"""
    await visit(session, site, body)
    change = await navigation.scroll(session, "down")
    assert "Scrolled the box down" in change.action
    assert await js(session, "d.scrollTop > 200 && scrollY === 0")


async def test_a_drawn_list_in_a_dialog_has_a_number_and_the_dialog_that_listens_has_none(
    session: BrowserSession, site: Site
) -> None:
    listening = (
        "for (const id of ['over', 'card', 'pick']) window[id].addEventListener('click', (e) => e.stopPropagation())"
    )
    view = await visit(
        session,
        site,
        f"""<a href="#1">Issue 1</a><div id=over style="position:fixed;inset:0;background:#0007"><div id=card
        style="width:400px;margin:60px auto;background:#fff"><h3>New issue</h3><input placeholder=Title>
        <div id=pick class=dropdown><div>Priority: Medium</div></div><button>Save</button></div></div>
        <script>{listening}</script>""",
    )
    assert 'panel "New issue" (in front, covers the rest):' in view.text
    assert [(element.role, element.name) for element in view.elements] == [
        ("textbox", "Title"),
        ("clickable", "Priority: Medium"),
        ("button", "Save"),
    ]


async def test_a_message_over_a_dialog_is_told_beside_it(session: BrowserSession, site: Site) -> None:
    over = "position:fixed;inset:0;background:#0007"
    view = await visit(
        session,
        site,
        f"""<a href="#1">Issue 1</a><div style="{over}"></div><div role=dialog aria-label=Cart aria-modal=true
        style="position:fixed;inset:80px 200px;background:#fff"><button>Pay</button></div>
        <div role=status style="position:fixed;bottom:0;z-index:9">Lamp removed</div>""",
    )
    assert "Lamp removed" in view.text and "Issue 1" not in view.text


async def test_a_dialog_beside_its_shade_covers_the_rest_too(session: BrowserSession, site: Site) -> None:
    dialog = """<div style="position:fixed;inset:0;background:#0008"></div><div style="position:fixed;left:300px;
    top:100px;width:400px;background:#fff"><h3>Assign people</h3><button>×</button><button>Assign</button></div>"""
    text = (await visit(session, site, INBOX + dialog)).text
    assert 'panel "Assign people" (in front, covers the rest):' in text
    assert "behind what lies on top: 24 elements; look with behind=true" in text
