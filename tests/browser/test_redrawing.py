"""Pages that draw themselves anew: what stays keeps its number, and no number ever means another row."""

import random
from typing import Any

import pytest

from browser.stage import Site, js, number
from browser.stage import visit as visit_page
from pilotfish.browser.actions import pointer
from pilotfish.browser.perception.changes import ChangeReport
from pilotfish.browser.perception.snapshot import Snapshot
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.errors import ToolError

pytestmark = pytest.mark.slow

APP = """<style>.toast{position:fixed;right:9px;bottom:9px} li .late{visibility:hidden}
li:hover .late{visibility:visible}</style><div id=app></div><script>
window.clicked = []; let next = 0;
const item = (name, more = '') => ({ uid: next++, name, more });
let rows = ['Ada', 'Bob', 'Cyd', 'Dan', 'Eve'].map((name) => item(name));
let toast = '', filter = '', count = 0, mode = 'html', late = '';
const shown = () => rows.filter((row) => row.name.includes(filter));
const press = (uid, what) => { clicked.push([uid, what]); act(uid, what) };
const act = (uid, what) => { const row = rows.find((row) => row.uid === uid);
  if (what === 'delete') { rows = rows.filter((each) => each !== row); toast = 'Deleted ' + row.name }
  if (what === 'like') row.more = (Number(row.more) || 0) + 1;
  if (what === 'rename') row.name += 'x';
  if (what === 'count') count++;
  draw() };
const button = (row, what) => `<button class="${what === 'delete' ? late : ''}"
  onclick="press(${row.uid}, '${what}')">${what}</button>`;
const line = (row) => `<span>${row.name}</span> <i>${row.more}</i>
  ${['like', 'rename', 'delete'].map((what) => button(row, what)).join('')}`;
const undo = () => `<div class=toast role=status>${toast}
  <button onclick="clicked.push(['undo', toast])">Undo</button></div>`;
const page = () => `<h1>People</h1><nav><a href="/one">One</a> <a href="/two">Two</a></nav>
  <button onclick="act(-1, 'count')">Refresh</button><button>Idle</button><p>Refreshed ${count} times</p>
  <ul>${shown().map((row) => `<li>${line(row)}</li>`).join('')}</ul>${toast ? undo() : ''}`;
const fill = (li, row) => { // in place: other words and other listeners in the same elements
  const made = document.createElement('template');
  made.innerHTML = line(row);
  [...made.content.children].forEach((to, at) => { const own = li.children[at];
    own.textContent = to.textContent;
    if (to.hasAttribute('onclick')) own.setAttribute('onclick', to.getAttribute('onclick')) }) };
const patch = (list) => { // as frameworks do: by key, or by place where there is none
  const keyed = mode === 'keyed', old = new Map([...list.children].map((li, at) => [keyed ? li.uid : at, li]));
  list.replaceChildren(...shown().map((row, at) => {
    const li = old.get(keyed ? row.uid : at) || document.createElement('li');
    li.uid = row.uid;
    if (li.firstElementChild) fill(li, row); else li.innerHTML = line(row);
    return li })) };
const draw = () => { if (mode === 'html' || !app.firstElementChild) return void (app.innerHTML = page());
  patch(app.querySelector('ul')); app.querySelector('p').textContent = `Refreshed ${count} times` };
draw();
</script>"""
MODES = ("html", "keyed", "unkeyed")


async def visit(session: BrowserSession, site: Site, set_up: str = "") -> Snapshot:
    tab = await session.tab()
    await tab.goto(site.html(APP))
    if set_up:
        await tab.page.evaluate(f"() => {{ {set_up}; draw() }}")
    return await tab.look()


async def look(session: BrowserSession) -> Snapshot:
    return await (await session.tab()).look()


async def owners(session: BrowserSession, view: Snapshot) -> dict[int, tuple[int, str]]:
    """Whose button each number is now, by what the page itself knows."""
    found: dict[int, tuple[int, str]] = {}
    tab = await session.tab()
    for element in view.elements:
        if element.name in ("like", "rename", "delete"):
            code = await tab.observer.run(element.id, "(el) => el.getAttribute('onclick')")
            uid, _, what = code.removeprefix("press(").rstrip(")").partition(", ")
            found[element.id] = (int(uid), what.strip("'"))
    return found


async def press(session: BrowserSession, id: int) -> ChangeReport:
    return await pointer.click(session, id)


def pick(view: Snapshot, name: str, nth: int = 0) -> int:
    return [element.id for element in view.elements if element.name == name][nth]


@pytest.mark.parametrize("mode", MODES)
async def test_everything_keeps_its_number_when_the_page_is_drawn_anew(
    session: BrowserSession, site: Site, mode: str
) -> None:
    first = await visit(session, site, f"mode = '{mode}'")
    change = await press(session, pick(first, "Refresh"))
    assert [e.id for e in change.view.elements] == [e.id for e in first.elements]
    assert not any(element.new for element in change.view.elements)
    assert change.text().splitlines()[1:] == ['Changed text: "Refreshed 0 times" → "Refreshed 1 times".']
    assert change.headline == '"Refreshed 0 times" → "Refreshed 1 times"'


@pytest.mark.parametrize("mode", MODES)
async def test_rows_that_move_up_after_a_delete_keep_their_numbers_and_the_deleted_one_is_refused(
    session: BrowserSession, site: Site, mode: str
) -> None:
    first = await visit(session, site, f"mode = '{mode}'")
    was = await owners(session, first)
    gone = pick(first, "delete", 1)
    change = await press(session, gone)
    now = await owners(session, change.view)
    assert now == {id: owner for id, owner in was.items() if owner[0] != was[gone][0]}
    with pytest.raises(ToolError, match=r"no longer on the page|another row"):
        await press(session, gone)
    assert len(await js(session, "clicked")) == 1  # pyright: ignore[reportArgumentType]
    assert "Numbered anew" not in change.text()


async def test_a_batch_of_actions_goes_on_with_the_numbers_of_the_first_look(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site)
    for name, nth in (("like", 0), ("like", 0), ("delete", 1), ("like", 3), ("Refresh", 0), ("delete", 4)):
        await press(session, pick(view, name, nth))
    assert await js(session, "clicked") == [[0, "like"], [0, "like"], [1, "delete"], [3, "like"], [4, "delete"]]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "change",
    [
        "rows.reverse()",
        "rows.push(rows.shift())",
        "filter = 'd'",
        "rows.unshift(item('Zoe'))",
        "rows = rows.slice(2)",
        "rows[0].name = 'Bea'",
        "rows = rows.map((row) => item(row.name + '2'))",
    ],
)
async def test_sorting_filtering_adding_and_renaming_never_give_a_number_to_another_row(
    session: BrowserSession, site: Site, mode: str, change: str
) -> None:
    first = await visit(session, site, f"mode = '{mode}'")
    was = await owners(session, first)
    await js(session, f"{change}; draw()")
    now = await owners(session, await look(session))
    assert {id: now[id] for id in now if id in was} == {id: was[id] for id in was if id in now}
    stayed = set(now.values()) & set(was.values())
    kept = {owner for id, owner in now.items() if id in was}
    assert len(kept) >= len(stayed) - (3 if "Bea" in change else 0)


@pytest.mark.parametrize("mode", MODES)
async def test_equal_rows_lose_their_numbers_when_one_of_them_goes(
    session: BrowserSession, site: Site, mode: str
) -> None:
    first = await visit(session, site, f"mode = '{mode}'; rows = [item('Pen'), item('Pen'), item('Pen'), item('Ink')]")
    was = await owners(session, first)
    change = await press(session, pick(first, "delete", 0))
    now = await owners(session, change.view)
    assert {id: now[id] for id in now if id in was} == {id: was[id] for id in was if id in now}
    assert {owner for id, owner in now.items() if id in was} == {owner for owner in was.values() if owner[0] == 8}


async def test_equal_rows_keep_their_numbers_while_nothing_in_the_list_changes(
    session: BrowserSession, site: Site
) -> None:
    first = await visit(session, site, "rows = [item('Pen'), item('Pen'), item('Ink')]")
    change = await press(session, pick(first, "Refresh"))
    assert await owners(session, change.view) == await owners(session, first)


async def test_rows_that_begin_alike_are_told_apart_by_the_rest(session: BrowserSession, site: Site) -> None:
    """Also where the other one was out of sight when the first was seen."""
    for mode in MODES:
        first = await visit(session, site, f"mode = '{mode}'; rows = [item('Order', 12), item('Order', 15)]")
        was = await owners(session, first)
        await js(session, "rows = rows.slice(1); draw()")
        now = await owners(session, await look(session))
        assert {id: now[id] for id in now if id in was} == {id: was[id] for id in was if id in now}, mode


async def test_the_button_of_a_toast_is_another_one_in_the_next_toast(session: BrowserSession, site: Site) -> None:
    first = await visit(session, site)
    one = await press(session, pick(first, "delete", 0))
    undo = pick(one.view, "Undo")
    two = await press(session, pick(one.view, "delete", 0))
    assert pick(two.view, "Undo") != undo
    with pytest.raises(ToolError, match="no longer on the page"):
        await press(session, undo)
    assert one.headline.startswith('"Deleted Ada"') and two.headline.startswith('"Deleted Bob"')


async def test_a_toast_that_vanishes_leaves_the_numbers_alone(session: BrowserSession, site: Site) -> None:
    first = await visit(session, site, "toast = 'Saved'")
    await js(session, "toast = ''; draw()")
    after = await look(session)
    assert [e.id for e in after.elements] == [e.id for e in first.elements if e.name != "Undo"]


async def test_buttons_that_show_on_hover_only_are_those_of_the_row_that_is_pointed_at(
    session: BrowserSession, site: Site
) -> None:
    await visit(session, site, "late = 'late'")
    await js(
        session,
        """addEventListener('mouseover', ({ target }) => { const at = [...document.querySelectorAll('li')].indexOf(
        target.closest('li')); if (at !== window.hot) { window.hot = at; draw() } })""",
    )
    for nth, uid in ((1, 1), (0, 0), (1, 3)):
        view = await look(session)
        shown = await pointer.hover(session, pick(view, "like", nth))
        await press(session, pick(shown.view, "delete"))
        assert await js(session, "clicked.at(-1)") == [uid, "delete"]


async def test_a_click_whose_button_is_drawn_anew_under_the_mouse_and_does_nothing_says_so(
    session: BrowserSession, site: Site
) -> None:
    first = await visit(session, site)
    await js(session, "addEventListener('mousedown', () => draw())")
    change = await press(session, pick(first, "Idle"))
    assert change.text().splitlines()[1:] == ["Nothing changed on the page."]
    assert change.is_nothing and change.headline == "nothing changed"


async def test_a_dialog_that_opens_and_closes_leaves_the_numbers_of_what_it_covers(
    session: BrowserSession, site: Site
) -> None:
    body = """<div id=app></div><script>let open = false, names = ['Ada', 'Bob', 'Cyd'];
    const set = (to) => { open = to; draw() };
    const draw = () => { app.innerHTML = `<h1>People</h1><p>All of them</p><ul>${names.map((name) => `<li><b>${name}</b>
      <button onclick="set(true)">Edit</button></li>`).join('')}</ul>` + (open ? `<div role=dialog aria-modal=true
      aria-label=Editing style="position:fixed;inset:0;background:#fff"><input aria-label=Name>
      <button onclick="set(false)">Close</button></div>` : '') };
    draw()</script>"""
    tab = await session.tab()
    await tab.goto(site.html(body))
    first = await tab.look()
    opened = await press(session, pick(first, "Edit", 1))
    closed = await press(session, pick(opened.view, "Close"))
    assert [e.id for e in closed.view.elements] == [e.id for e in first.elements]
    assert opened.headline.startswith('dialog "Editing" opened')
    assert "Text gone" not in opened.text() and "Rows gone" not in opened.text()
    assert closed.headline.startswith('dialog "Editing" closed')
    assert "New" not in closed.text() and "Closed: dialog" in closed.text()


async def test_the_same_list_under_another_heading_is_another_list(session: BrowserSession, site: Site) -> None:
    """The second list comes to where the first was, with a row of the same name."""
    body = """<div id=app></div><script>window.clicked = [];
    let lists = [['Friends', ['Ada', 'Bob']], ['Blocked', ['Ada', 'Cyd']]];
    const row = (title, name) => `<li><span>${name}</span>
      <button onclick="clicked.push('${title} ${name}')">Remove</button></li>`;
    const draw = () => { app.innerHTML = lists.map(([title, names]) => `<div class=panel><b>${title}</b>
      <ul>${names.map((name) => row(title, name)).join('')}</ul><div style="height:2000px"></div></div>`).join('') };
    draw()</script>"""
    tab = await session.tab()
    await tab.goto(site.html(body))
    ada = pick(await tab.look(), "Remove")
    await js(session, "lists.shift(); draw()")
    with pytest.raises(ToolError):
        await press(session, ada)
    assert await js(session, "clicked") == []


async def test_a_page_that_is_drawn_anew_all_the_time_is_clicked_and_never_wrongly(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site)
    page = (await session.tab()).page
    await page.evaluate("window.motion = setInterval(() => { rows.push(rows.shift()); count++; draw() }, 90)")
    was, met = await owners(session, view), 0
    for _ in range(10):
        id = pick(view, "like", 2)
        await page.evaluate("clicked.length = 0")
        try:
            await press(session, id)
        except ToolError:
            continue
        found: Any = await js(session, "clicked")
        assert found in ([], [list(was[id])])
        met += bool(found)
    await page.evaluate("clearInterval(motion)")
    assert met


@pytest.mark.parametrize("seed", range(3))
async def test_random_changes_of_lists_never_give_a_number_to_another_row(
    session: BrowserSession, site: Site, seed: int
) -> None:
    dice = random.Random(seed)
    names = "['Ada', 'Ada', 'Bob', 'Bob B', 'Order', 'Order'].map((name, at) => item(name, at % 3))"
    await visit(session, site, f"rows = {names}.flatMap((row) => [row, item(row.name, row.more)])")
    moves = (
        "rows.splice({0} % rows.length, 1)", "rows.splice({0} % rows.length, 0, item('Ada', {0} % 3))",
        "rows.reverse()",
        "rows.sort((a, b) => a.name < b.name ? -1 : 1)", "filter = ['', 'A', 'O'][{0} % 3]", "rows[0].more = {0} % 4",
        "rows.push(rows.shift())", "rows[{0} % rows.length].name = 'Bob'", "rows.unshift(item('Order', 1))", "count++",
    )  # fmt: skip
    before: dict[int, tuple[int, str]] = {}
    told: dict[int, str] = {}
    for step in range(25):
        mode, move = dice.choice(MODES), dice.choice(moves).format(dice.randrange(50))
        await js(session, f"mode = '{mode}'; {move}; draw()")
        view = await look(session)
        now = await owners(session, view)
        texts: Any = await js(session, "Object.fromEntries(shown().map((row) => [row.uid, row.name + ' ' + row.more]))")
        for id in now.keys() & before.keys():
            # Rows that read the same in the same list cannot be told apart by anyone.
            same = now[id] == before[id] or texts[str(now[id][0])] == told[id]
            assert same, (step, mode, move, id)
        before, told = now, {id: texts[str(owner[0])] for id, owner in now.items()}


async def test_two_columns_alike_are_no_rows_whose_first_words_count(session: BrowserSession, site: Site) -> None:
    body = """<div class=col><b id=count>Inbox 3</b><button onclick="count.textContent = 'Inbox 2'">Read</button>
    <button>Archive</button></div><div class=col><b>Drafts</b><button>Write</button></div>"""
    view = await visit_page(session, site, body)
    change = await pointer.click(session, number(session, "Read"))
    assert "Inbox 2" in change.view.text
    assert {element.id for element in change.view.elements} == {element.id for element in view.elements}
