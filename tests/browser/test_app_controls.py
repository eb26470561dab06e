"""Controls as component libraries draw them: lists at the end of a long page, trees, ratings, sliders, drawers."""

import pytest

from browser.stage import Site, number, visit
from pilotfish.browser.actions import fields, pointer
from pilotfish.browser.perception.element_search import ElementSearch
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.pages import ElementQuery

pytestmark = pytest.mark.slow

PORTAL = """<label>Berth <input role=combobox aria-expanded=false aria-controls=offers id=field readonly></label>
<p style="height:1900px">Much text</p>
<div id=portal></div><script>
field.onclick = () => { portal.innerHTML = `<div style="position:absolute;top:40px;left:8px;background:#fff">
  <div role=listbox style="height:0;width:0;overflow:hidden"><div role=option>D1</div></div>
  ${["D1", "D2"].map((at) => `<div style="cursor:pointer" title="Berth ${at}">Berth ${at}</div>`).join("")}</div>`;
  for (const one of portal.querySelectorAll("[title]")) one.onclick = () => { field.value = one.title; }; };
</script>"""


async def test_a_list_that_opens_from_the_end_of_a_long_page_is_seen(session: BrowserSession, site: Site) -> None:
    await visit(session, site, PORTAL)
    change = await fields.select(session, number(session, "Berth"), "Berth D2")
    assert 'combobox "Berth": "" → "Berth D2"' in change.headline


TREE = """<style>.tree-switcher{display:inline-block;width:20px;height:20px;cursor:pointer}</style><div role=tree>
<div role=treeitem aria-expanded=false class=tree-node id=docks><span class=tree-switcher id=arrow>
<span role=img aria-label=caret-down>▾</span></span><span role=checkbox aria-checked=false aria-labelledby=docks>
</span><span title=Docks onclick="said.textContent = 'Chosen'">Docks</span></div></div><output id=said></output>
<script>arrow.addEventListener("click", () => docks.setAttribute("aria-expanded", "true"))</script>"""


async def test_the_arrow_of_a_branch_can_be_clicked_beside_the_branch(session: BrowserSession, site: Site) -> None:
    view = await visit(session, site, TREE)
    [arrow] = ElementSearch(view).find(ElementQuery(role="clickable", name="▾ (Docks)"))
    assert arrow.states == ()
    change = await pointer.click(session, arrow.id)
    assert "collapsed → expanded" in change.headline and "Chosen" not in change.view.text


STARS = "".join(
    f"<li><div role=radio tabindex=0 aria-checked={str(at < 2).lower()} aria-posinset={at} aria-setsize=3>"
    "<span role=img aria-label=star>★</span></div></li>"
    for at in (1, 2, 3)
)
NAMED = f"""<style>label::after{{content:" :"}}</style><h1>Harbour office</h1>
<label for=mail>Notify by mail</label><button id=mail role=switch aria-checked=false>&nbsp;</button>
<ul role=radiogroup>{STARS}</ul>
<div class="ui-slider ui-slider-horizontal" onclick="" style="height:12px;width:200px">
<div class=ui-slider-rail></div><div role=slider tabindex=0 aria-valuenow=30 class=ui-slider-handle
style="width:14px;height:14px"></div></div>"""


async def test_names_have_no_loose_colon_tell_stars_apart_and_come_from_no_distant_heading(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, NAMED)
    assert [(each.role, each.name) for each in view.elements] == [
        ("switch", "Notify by mail"),
        ("radio", "star 1 of 3"),
        ("radio", "star 2 of 3"),
        ("radio", "star 3 of 3"),
        ("slider", ""),
    ]


BOAT_LINES = "".join(
    f"<tr onclick=''><td>{name}</td><td>{owner}</td><td><div class=act><span><button>Delete</button></span></div>"
    "<div class=act><span><button>Lend</button></span></div></td></tr>"
    for name, owner in (("Gannet", "Ann"), ("Petrel", "Bo"), ("Fulmar", "Cy"))
)
ROWS = f"<table><tr><th>Name<th>Owner<th></tr>{BOAT_LINES}</table>"


async def test_a_button_is_found_by_the_row_around_the_box_that_holds_only_the_button(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, ROWS)
    found = [ElementSearch(view).find(ElementQuery(role="button", name="Delete", row=row)) for row in ("Bo", "Cy")]
    assert [len(each) for each in found] == [1, 1] and found[0] != found[1]
    assert 'Delete" in "Petrel' in str(ElementSearch(view).describe(found[0][0].id))
    assert not [each for each in view.elements if "Delete" in each.name and each.role != "button"]


DRAWER = """<button style="margin-top:-8px;height:16px">Above</button><p style="height:300px">Text</p>
<button>Behind</button>
<div style="position:fixed;inset:0;background:#0008"></div><div role=dialog aria-modal=true aria-label=Settings
style="position:fixed;right:0;top:0;height:100%;background:#fff">Quiet <button>Save</button><button>Close</button></div>
<script>scrollTo(0, 6)</script>"""


async def test_what_is_cut_by_the_edge_of_the_screen_counts_as_covered_too(session: BrowserSession, site: Site) -> None:
    view = await visit(session, site, "<div style='height:3000px'>" + DRAWER + "</div>")
    assert [each.name for each in view.elements] == ["Save", "Close"]


DRAWN = """<style>input[type=checkbox]{position:absolute;width:0;height:0;opacity:0}.hid{opacity:0;position:absolute}
.ui-switch__core{display:inline-block;width:40px;height:20px;border-radius:10px;background:#ccc;cursor:pointer;
position:relative}.ui-switch__action{position:absolute;left:1px;top:1px;width:16px;height:16px;border-radius:50%;
background:#fff}.is-checked .ui-switch__action{left:23px}.wrap{cursor:pointer;position:relative;width:160px}</style>
<div class=row><label for=heat>Heating</label><div><div class=ui-switch id=box><input type=checkbox role=switch id=heat
aria-checked=false><span class=ui-switch__core><div class=ui-switch__action></div></span></div></div></div>
<div class=row><label for=mesh>Mesh</label><div class=wrap id=wrap tabindex=-1><div class=hid>
<input role=combobox readonly id=mesh aria-expanded=false></div><div><span id=shown>Select</span></div></div></div>
<script>
heat.addEventListener("click", (event) => { event.preventDefault(); const on = box.classList.toggle("is-checked");
  heat.setAttribute("aria-checked", on); });
wrap.addEventListener("click", () => { shown.textContent = "Wide"; });
</script>"""


async def test_a_field_that_is_drawn_by_something_else_is_told_once_and_with_the_state_that_is_seen(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, DRAWN)
    assert [(each.role, each.name, *each.states) for each in view.elements] == [
        ("switch", "Heating", "off"),
        ("combobox", "Mesh", "collapsed", "readonly"),
    ]
    change = await pointer.click(session, number(session, "Heating"))
    assert 'switch "Heating": off → on' in change.headline
    change = await pointer.click(session, number(session, "Mesh"))
    assert '"Wide"' in change.headline


BRANCH = """<div role=tree><div role=treeitem aria-expanded=false id=docks tabindex=0><div>Docks</div></div></div>
<script>docks.onclick = () => { docks.setAttribute("aria-expanded", "true");
  docks.innerHTML += "<div role=group><div role=treeitem tabindex=-1>Dock A</div></div>"; }</script>"""


async def test_a_branch_keeps_its_name_and_number_when_it_is_unfolded(session: BrowserSession, site: Site) -> None:
    await visit(session, site, BRANCH)
    before = number(session, "Docks")
    change = await pointer.click(session, before)
    assert 'treeitem "Docks": collapsed → expanded' in change.headline and number(session, "Docks") == before


SHRINKING = """<div id=list></div><script>
const notes = [["Rope", 0], ["Soap", 0], ["Tea", 0]];
const draw = () => {
  list.innerHTML = [...notes].sort((a, b) => b[1] - a[1]).map(([name, pinned]) => `<div class=note><b>${name}</b>
    <button data-name=${name}>${pinned ? "Pinned" : "Pin"}</button><button class=gone>Archive</button></div>`).join("");
  for (const one of list.querySelectorAll("[data-name]")) one.onclick = () => {
    const note = notes.find(([name]) => name === one.dataset.name); note[1] ^= 1; draw(); };
  list.querySelectorAll(".gone").forEach((one, at) => { one.onclick = () => { notes.splice(at, 1); draw(); }; });
};
draw();
</script>"""


async def test_a_button_whose_name_is_its_state_is_told_as_changed_where_its_row_moves(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, SHRINKING)
    [pin] = ElementSearch(view).find(ElementQuery(role="button", name="Pin", row="Tea"))
    change = await pointer.click(session, pin.id)
    assert change.headline == 'button "Pin" → "Pinned"'


async def test_rows_that_are_no_list_items_keep_their_numbers_when_two_of_three_are_left(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, SHRINKING)
    soap, tea = (ElementSearch(view).find(ElementQuery(name="Archive", row=row))[0].id for row in ("Soap", "Tea"))
    change = await pointer.click(session, soap)
    assert [each.id for each in change.view.elements if each.name == "Archive"][-1] == tea
    assert soap not in [each.id for each in change.view.elements]


FORM = """<style>
.off{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0);border:0;padding:0}</style>
<ul class=messagelist><li>The boat was changed.</li></ul>
<div><label for=port>Port</label><div><select id=port class=off tabindex=-1><option>Saltmarsh</select>
<span><span><span role=combobox tabindex=0 aria-expanded=false aria-labelledby=held>
<span id=held role=textbox title=Saltmarsh>Saltmarsh</span></span></span></span></div></div>
<table><tr><th>Leaves<th>Seats<th>Insured</tr><tr><td><p>Date: <input size=8></p><p>Time: <input size=8></p></td>
<td><input size=3></td><td><img alt=True width=13 height=13 src="data:image/svg+xml,<svg/>"></td></tr></table>
<div><label>Username</label><div><input><span>Invalid username</span></div></div>"""


async def test_a_list_that_replaces_a_field_has_its_name_and_fields_of_one_cell_their_own(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, FORM)
    named = [(each.role, each.name, each.value) for each in view.elements]
    assert ("combobox", "Port", "Saltmarsh") in named
    assert [name for role, name, _ in named if role == "textbox"] == ["Date:", "Time:", "Seats", "Username"]
    assert 'image "True"' in view.text and "status:\n - The boat was changed." in view.text


SHADOW = """<style>td{height:30px}</style><my-label>Heating</my-label><p style="height:1500px">Text</p>
<table role=grid><tr role=row><td role=gridcell tabindex=-1 aria-labelledby=first><a id=first onclick=""
aria-label="November 1">1</a></td><td role=gridcell tabindex=-1 aria-labelledby=second><a id=second onclick=""
aria-label="November 2">2</a></td></tr></table><div role=tree>
<my-branch role=treeitem aria-expanded=false>Docks</my-branch></div><script>
customElements.define("my-label", class extends HTMLElement { connectedCallback() {
  this.attachShadow({ mode: "open" }).innerHTML = "<label><slot></slot></label>"; } });
customElements.define("my-branch", class extends HTMLElement { connectedCallback() {
  this.style.display = "block";
  this.attachShadow({ mode: "open" }).innerHTML = `<div class=expand-button
    style="display:inline-block;width:16px;height:16px;cursor:pointer"></div><slot></slot>`;
  this.shadowRoot.querySelector("div").onclick = () => this.setAttribute("aria-expanded", "true"); } });
scrollTo(0, 3000);</script>"""


async def test_components_tell_no_text_that_is_out_of_sight_and_the_arrows_of_their_branches(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, SHADOW)
    assert "Heating" not in view.text
    assert [(each.role, each.name) for each in view.elements if "November" in each.name] == [
        ("gridcell", "November 1"),
        ("gridcell", "November 2"),
    ]
    [branch] = [each for each in view.elements if each.role == "treeitem"]
    [arrow] = [each for each in view.elements if view.nodes[each.parent] is branch]
    change = await pointer.click(session, arrow.id)
    assert "collapsed → expanded" in change.headline


ASTRAY = """<p><label>Sign in as <input id=user></label></p><form>
<div><label for=user>Keeper</label> <div><input> <span style="display:none">Invalid keeper</span></div></div>
<div><label for=user>Code</label> <div><input type=password> <span>Not the same</span></div></div></form>"""


async def test_a_label_beside_a_field_alone_names_it_though_it_points_at_another_field(
    session: BrowserSession, site: Site
) -> None:
    view = await visit(session, site, ASTRAY)
    assert [each.name for each in view.elements if each.role == "textbox"][1:] == ["Keeper", "Code"]


SMALL_CLASSES = """<style>.block{display:block}</style><div role=listbox aria-label=Panels>
<div role=option tabindex=-1 data-key=files id="aria3361157451-_r_6_-option-files" class="active:cursor-grabbing"><svg
 width=24 height=24 class="lucide lucide-folder-tree h-5 w-5"></svg></div>
<div role=option tabindex=-1 id="aria3361157451-_r_7_" class="justify-center opacity-60"><svg
 width=24 height=24 class="lucide lucide-variable h-5 w-5"></svg></div></div>
<button class="flex items-center justify-center leading-none shadow-inset hover:bg-red/20 reload-table"><svg
 width=24 height=24></svg></button>"""


async def test_small_classes_and_ids_that_a_script_gave_name_nothing(session: BrowserSession, site: Site) -> None:
    view = await visit(session, site, SMALL_CLASSES)
    assert [each.name for each in view.elements if each.role in ("option", "button")] == [
        "files", "lucide variable", "reload table",
    ]  # fmt: skip
