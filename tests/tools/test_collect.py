"""The tool `collect` on lists of every build: what it reads, how far it goes, and where it leaves the page."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from browser.stage import Answer, Site
from pilotfish.practice.server import Practice
from pilotfish.tools.base import ToolResult
from scripted_app import Open

from .conftest import Hand
from .using import run_tools

pytestmark = pytest.mark.slow

TABLE = """<h1>Office</h1><nav><ul><li><a href=/a>Home</a><li><a href=/b>Mail</a><li><a href=/c>Help</a></ul></nav>
<h2>Orders</h2><table><thead><tr><th>Order<th>Customer<th>Total<th>Paid<th></tr></thead><tbody>
<tr><td>1001<td>Ann Lee<td>€ 12.50<td><input type=checkbox checked aria-label=Paid><td><button>Ship</button>
<tr><td>1002<td>Bob Ray<td>€ 7.00<td><input type=checkbox aria-label=Paid><td><button>Ship</button>
<tr><td>1003<td>Cy Moss<td>€ 99.00<td><input type=checkbox aria-label=Paid><td><button>Ship</button></tbody></table>"""

CARD = """<div class="card{more}"><a href="/p/{n}"><img src="/{n}.png" alt="Kettle {n}" width=40 height=40></a>
<h3><a href="/p/{n}">Kettle {n}</a></h3><span class=price><span>€</span><span>{n}9</span><sup>95</sup></span>
<p>Rated <span>{n}.5</span></p><button>Add to cart</button></div>"""
AD = '<div class="ad"><a href="https://ads.example/x">Buy a car</a></div>'


def cells(result: ToolResult, column: str) -> list[str]:
    """What every row says in a column."""
    assert result.ok, result.error
    return [row["cells"].get(column, {}).get("text", "") for row in result.data["rows"]]


async def collect_at(hand: Hand, url: str, **args: Any) -> ToolResult:
    assert (await hand("navigate", url=url)).ok
    result = await hand("collect", **args)
    assert result.ok, result.error
    return result


async def test_a_table_is_read_by_its_heads_with_states_and_the_numbers_of_its_controls(hand: Hand, site: Site) -> None:
    found = await collect_at(hand, site.html(TABLE))
    assert found.data["columns"] == ["Order", "Customer", "Total", "Paid", "Ship"]
    assert cells(found, "Customer") == ["Ann Lee", "Bob Ray", "Cy Moss"]
    assert found.data["rows"][0]["cells"]["Paid"]["states"] == ["checked"]
    head, columns, first, *_ = found.output.splitlines()
    assert head == "3 rows of the table “Orders”; all there are."
    assert columns == "columns: Order | Customer | Total | Paid (checkbox) | Ship (button)"
    assert first.startswith("1. 1001 | Ann Lee | € 12.50 | [") and first.count("[") == 2
    done = await hand("click", id=found.data["rows"][1]["cells"]["Paid"]["id"])
    assert done.ok and "Bob Ray" in done.output + (await hand("get_text")).output
    again = await hand("collect", words="checked bob")
    assert cells(again, "Order") == ["1002"]


async def test_a_head_with_cells_names_the_columns_and_empty_rows_are_none(hand: Hand, site: Site) -> None:
    head = "<thead><tr><th><input type=checkbox aria-label=All><th>Tool<th>Shelf<td><button>+</button></thead>"
    rows = "".join(
        f"<tr><td><input type=checkbox aria-label=Pick><td>{name}<td>{place}<td><tr class=gap><td><td><td><td>"
        for name, place in (("Drill", "A1"), ("Rake", "C3"), ("Spade", "C2"))
    )
    found = await collect_at(hand, site.html(f"<h2>Tools</h2><table>{head}<tbody>{rows}</tbody></table>"))
    assert found.output.splitlines()[0] == "3 rows of the table “Tools”; all there are."
    assert cells(found, "Tool") == ["Drill", "Rake", "Spade"] and cells(found, "Shelf") == ["A1", "C3", "C2"]


async def test_cards_are_rows_and_what_stands_between_them_is_not(hand: Hand, site: Site) -> None:
    cards = [CARD.format(n=n, more=" sale" if n == 2 else "") for n in range(1, 7)]
    cards.insert(3, AD)
    found = await collect_at(hand, site.html(f"<main><h1>Kettles</h1><div class=grid>{''.join(cards)}</div></main>"))
    assert len(found.data["rows"]) == 6
    assert cells(found, "title") == [f"Kettle {n}" for n in range(1, 7)]
    assert cells(found, "price")[1] == "€2995"
    assert cells(found, "Rated") == [f"{n}.5" for n in range(1, 7)]
    assert "Buy a car" not in found.output
    assert "Add to cart" in found.data["columns"] and found.output.count("Add to cart") == 1
    assert found.output.splitlines()[0] == "6 rows of the set of cards “Kettles”; all there are."


async def test_cards_in_several_lines_are_one_list(hand: Hand, site: Site) -> None:
    lines = [
        "<div class=line>" + "".join(CARD.format(n=n, more="") for n in range(start, min(start + 3, 8))) + "</div>"
        for start in (1, 4, 7)
    ]
    found = await collect_at(hand, site.html(f"<h1>Kettles</h1><div class=grid>{''.join(lines)}</div>"))
    assert cells(found, "title") == [f"Kettle {n}" for n in range(1, 8)]


async def test_of_nested_lists_the_outer_rows_are_read(hand: Hand, site: Site) -> None:
    posts = "".join(
        f"""<li class=post><b class=author>User {n}</b><p class=said>A long remark number {n} about kettles.</p>
        <ul class=answers><li>Yes {n}<li>No {n}<li>Maybe {n}</ul><button>Reply</button></li>"""
        for n in range(1, 5)
    )
    found = await collect_at(hand, site.html(f"<h1>Talk</h1><ul class=posts>{posts}</ul>"))
    assert cells(found, "author") == [f"User {n}" for n in range(1, 5)]
    assert "Maybe 4" in found.output


async def test_rows_under_headings_are_told_with_their_heading(hand: Hand, site: Site) -> None:
    days = "".join(
        f"<section class=day><h2>{day}</h2><ul>"
        + "".join(f"<li><b class=hour>{hour}:00</b> <span class=what>{day} talk {hour}</span>" for hour in (9, 10))
        + "</ul></section>"
        for day in ("Monday", "Tuesday", "Friday")
    )
    found = await collect_at(hand, site.html(f"<main><h1>Programme</h1>{days}</main>"))
    assert cells(found, "group") == ["Monday", "Monday", "Tuesday", "Tuesday", "Friday", "Friday"]
    assert cells(found, "what")[-1] == "Friday talk 10"


async def test_terms_and_rows_of_several_elements_are_read_together(hand: Hand, site: Site) -> None:
    terms = "".join(f"<dt>Part {n}<dd>Does thing {n}" for n in range(1, 5))
    found = await collect_at(hand, site.html(f"<h1>Parts</h1><dl>{terms}</dl>"))
    assert len(found.data["rows"]) == 4 and "Part 2 | Does thing 2" in found.output
    news = "".join(
        f"""<tr class=athing><td>{n}.<td><a href=/i/{n}>Story {n}</a></tr>
        <tr class=sub><td><td><span class=score>{n} points</span></tr><tr class=gap><td>&nbsp;</tr>"""
        for n in range(1, 7)
    )
    found = await collect_at(hand, site.html(f"<table role=presentation class=items>{news}</table>", "/news"))
    assert len(found.data["rows"]) == 6
    assert "Story 6" in found.output.splitlines()[-1] and "6 points" in found.output.splitlines()[-1]


async def test_which_list_is_meant_is_told_by_words_or_by_an_element(hand: Hand, site: Site) -> None:
    staff = "".join(f"<li class=person><b>Person {n}</b> <a href=/s/{n}>Mail</a>" for n in range(1, 4))
    url = site.html(f"{TABLE}<h2>Staff</h2><ul class=people>{staff}</ul>")
    assert "Ann Lee" in (await collect_at(hand, url)).output
    named = await hand("collect", name="the staff")
    assert "Person 2" in named.output and "Ann Lee" not in named.output
    around = await hand("collect", id=named.data["rows"][0]["ids"][0])
    assert "Person 3" in around.output and "Ann Lee" not in around.output
    missing = await hand("collect", name="invoices")
    assert not missing.ok and "“Orders” (3 rows)" in missing.error
    nothing = await hand("navigate", url=site.html("<p>Hello</p>", "/plain"))
    assert nothing.ok and "Nothing on this page repeats" in (await hand("collect")).error


FILTER = """<body><div><a href=/a>Home</a> <a href=/b>Help</a></div><div><h1>Tickets</h1>
<table><tr><td>Owner<td><select><option>is<option>is not</select><td><input value=petra></tr>
<tr><td>Part<td><select><option>is<option>is not</select><td><select><option>Jetty<option>Office</select></tr>
<tr><td>State<td><select><option>is<option>is not</select><td><input value=new></tr></table>
<table><thead><tr><th><input type=checkbox aria-label=All><th><a href=/sort>Summary</a><th>Owner</tr></thead>
<tbody><tr><td><input type=checkbox aria-label=One><td><a href=/1>Loose planks</a><td>petra</tr>
<tr><td><input type=checkbox aria-label=Two><td><a href=/2>Worn rope</a><td>petra</tr></tbody></table></div>
<div><a href=/c>Imprint</a> <a href=/d>Contact</a></div></body>"""


async def test_rows_of_a_form_are_not_taken_for_the_list_and_a_head_stands_for_its_own_table(
    hand: Hand, site: Site
) -> None:
    found = await collect_at(hand, site.html(FILTER))
    assert cells(found, "Summary") == ["Loose planks", "Worn rope"]
    seen = await hand("find", text="Summary")
    around = await hand("collect", id=int(seen.output.split('] link "Summary"')[0].split("[")[-1]))
    assert cells(around, "Summary") == ["Loose planks", "Worn rope"]


VIRTUAL = """<h1>People</h1><div id=box style="height:300px;overflow:auto">
<div id=all style="position:relative;height:12000px"></div></div>
<script>
const draw = () => {
  const from = Math.max(0, Math.floor(box.scrollTop / 40) - 2);
  all.replaceChildren(...Array.from({length: 12}, (_, at) => from + at).filter((n) => n < 300).map((n) => {
    const row = document.createElement("div");
    row.className = "row";
    row.style.cssText = `position:absolute;top:${n * 40}px;height:40px`;
    row.innerHTML = `<span class=name>Person ${n + 1}</span> <button>Greet</button>`;
    return row;
  }));
};
box.onscroll = draw;
draw();
</script>"""


async def test_a_list_that_draws_only_what_is_in_sight_is_read_whole(hand: Hand, site: Site) -> None:
    found = await collect_at(hand, site.html(VIRTUAL), limit=1000)
    assert cells(found, "name") == [f"Person {n}" for n in range(1, 301)]
    first, last = found.data["rows"][0], found.data["rows"][-1]
    assert first["ids"] and not last["ids"] and last["scroll"] > 11_000
    greeted = await hand("click", id=first["ids"][0])
    assert greeted.ok and "Clicked" in greeted.output
    some = await hand("collect", limit=40)
    assert len(some.data["rows"]) == 40 and "stopped at the limit of 40 rows" in some.output


async def test_rows_that_are_drawn_late_and_change_meanwhile_are_read_once_each(hand: Hand, site: Site) -> None:
    late = VIRTUAL.replace("box.onscroll = draw", "box.onscroll = () => setTimeout(draw, 120)")
    few = late.replace("n < 300", "n < 25").replace("12000px", "1000px")
    live = few.replace("</span> <button>", "</span> <i class=seen>${Math.random()}</i> <button>")
    assert cells(await collect_at(hand, site.html(live)), "name") == [f"Person {n}" for n in range(1, 26)]


ENDLESS = """<h1>Posts</h1><div id=feed></div><div id=end style="height:10px"></div><script>
let count = 0;
const add = async () => {
  if (count >= 60) return;
  await fetch("/api?from=" + count);
  for (let n = 0; n < 20; n++) feed.insertAdjacentHTML("beforeend",
    `<article class=post style="height:120px"><h2>Post ${++count}</h2><p>Words of ${count}</p></article>`);
};
new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && add()).observe(end);
</script>"""


async def test_an_endless_list_is_read_to_its_end_and_the_page_is_left_at_its_top(hand: Hand, site: Site) -> None:
    site.put("/api", lambda _: (200, {}, b"{}"))
    found = await collect_at(hand, site.html(ENDLESS))
    assert cells(found, "title") == [f"Post {n}" for n in range(1, 61)]
    tab = await (await hand.context.browser()).tab()
    assert await tab.page.evaluate("scrollY") == 0
    assert all(row["ids"] for row in found.data["rows"])


MORE = """<h1>Finds</h1><ul id=list></ul><button id=more>Load more</button><script>
let count = 0;
const add = () => {
  for (let n = 0; n < 5; n++) list.insertAdjacentHTML("beforeend",
    `<li><a href="/f/${++count}">Find ${count}</a> <i>${count} km</i>`);
  if (count >= 20) more.remove();
};
more.onclick = () => setTimeout(add, 150);
add();
</script>"""


async def test_what_a_button_loads_is_read_too(hand: Hand, site: Site) -> None:
    found = await collect_at(hand, site.html(MORE))
    assert [row["cells"]["link"]["text"] for row in found.data["rows"]] == [f"Find {n}" for n in range(1, 21)]
    assert found.data["pages"] == 1 and all(row["ids"] for row in found.data["rows"])


def shop(page: int, last: int = 3) -> str:
    cards = "".join(CARD.format(n=n, more="") for n in range(page * 4 - 3, page * 4 + 1))
    numbers = "".join(
        f"<strong>{n}</strong> " if n == page else f"<a href=/shop?page={n}>{n}</a> " for n in range(1, last + 1)
    )
    onward = f"<a href=/shop?page={page + 1}>Next ›</a>" if page < last else "<span>Next ›</span>"
    pager = f"<div class=pages>{numbers}{onward}</div>"
    return f"<title>Shop</title><main><h1>Kettles</h1><div class=grid>{cards}</div>{pager}</main>"


async def test_pages_are_followed_to_the_last_and_the_first_is_shown_again(hand: Hand, site: Site) -> None:
    def answer(handler: Any) -> Answer:
        page = int(parse_qs(urlsplit(handler.path).query).get("page", ["1"])[0])
        return 200, {"content-type": "text/html; charset=utf-8"}, shop(page).encode()

    found = await collect_at(hand, site.put("/shop", answer))
    assert cells(found, "title") == [f"Kettle {n}" for n in range(1, 13)]
    assert [row["page"] for row in found.data["rows"]] == [1] * 4 + [2] * 4 + [3] * 4
    assert "— page 3 —" in found.output and "3 pages" in found.output
    tab = await (await hand.context.browser()).tab()
    assert tab.url.endswith("/shop")
    assert [bool(row["ids"]) for row in found.data["rows"]] == [True] * 4 + [False] * 8
    assert (await hand("click", id=found.data["rows"][3]["cells"]["Add to cart"]["id"])).ok
    two = await hand("collect", pages=2)
    assert len(two.data["rows"]) == 8 and "stopped at the limit of 2 pages" in two.output


TURNED = """<h1>Rates</h1><table id=rates><thead><tr><th>Day<th>Rate</tr></thead><tbody id=body></tbody></table>
<div class=pager><button id=prev>‹</button><span id=now></span><button id=next>›</button></div><script>
let page = 1;
const draw = () => {
  now.textContent = page;
  const days = Array.from({length: 5}, (_, at) => page * 5 + at - 4);
  body.innerHTML = days.map((day) => `<tr><td>Day ${day}<td>${day / 10}</tr>`).join("");
  prev.disabled = page === 1;
  next.disabled = page === 4;
};
prev.onclick = () => { page--; draw(); };
next.onclick = () => { page++; draw(); };
draw();
</script>"""


async def test_a_table_that_turns_its_pages_itself_is_turned_back(hand: Hand, site: Site) -> None:
    found = await collect_at(hand, site.html(TURNED))
    assert cells(found, "Day") == [f"Day {n}" for n in range(1, 21)]
    assert "Day 1" in (await hand("get_text")).output
    assert [bool(row["ids"]) for row in found.data["rows"]] == [True] * 5 + [False] * 15


async def test_a_button_that_sends_a_form_is_no_paging(hand: Hand, site: Site) -> None:
    site.html("<h1>Bought</h1>", "/buy")
    found = await collect_at(hand, site.html(f"{TABLE}<form method=post action=/buy><button>Next</button></form>"))
    assert len(found.data["rows"]) == 3 and "POST /buy" not in site.hits
    other = site.url.replace("127.0.0.1", "localhost")
    await collect_at(hand, site.html(f"{TABLE}<a rel=next href={other}/elsewhere>Next</a>", "/away"))
    assert "GET /elsewhere" not in site.hits


async def test_doubles_are_left_out_but_rows_of_a_table_that_say_the_same_are_kept(hand: Hand, site: Site) -> None:
    cards = "".join(CARD.format(n=n, more="") for n in (1, 2, 3, 1, 4))
    found = await collect_at(hand, site.html(f"<h1>Kettles</h1><div class=grid>{cards}</div>"))
    assert cells(found, "title") == ["Kettle 1", "Kettle 2", "Kettle 3", "Kettle 4"]
    assert "1 doubles left out" in found.output
    rows = "<tr><td>Coffee<td>3.50</tr>" * 3
    found = await collect_at(hand, site.html(f"<table><tr><th>What<th>Paid</tr>{rows}</table>", "/paid"))
    assert cells(found, "What") == ["Coffee"] * 3


APART = """<h1>Boats</h1><div role=grid><div id=heads role=rowgroup>
<div role=row aria-rowindex=1><div role=columnheader aria-colindex=1><span role=columnheader>Name</span></div></div>
<div role=row aria-rowindex=1><div role=columnheader aria-colindex=2>Length</div>
<div role=columnheader aria-colindex=3>Berth</div></div></div>
<div role=rowgroup id=left></div><div role=rowgroup id=middle></div></div><script>
for (const [at, name] of [[4, "Fulmar"], [2, "Gannet"], [3, "Petrel"]]) {
  left.innerHTML += `<div role=row aria-rowindex=${at}><div role=gridcell aria-colindex=1>${name}</div></div>`;
  middle.innerHTML += `<div role=row aria-rowindex=${at}><div role=gridcell aria-colindex=2>${at} m</div>
    <div role=gridcell aria-colindex=3>B${at}</div></div>`;
}</script>"""


async def test_the_rows_of_a_grid_are_read_by_their_numbers_with_the_parts_that_are_drawn_apart(
    hand: Hand, site: Site
) -> None:
    found = await collect_at(hand, site.html(APART))
    assert found.data["columns"] == ["Name", "Length", "Berth"]
    assert cells(found, "Name") == ["Gannet", "Petrel", "Fulmar"]
    assert cells(found, "Length") == ["2 m", "3 m", "4 m"] and cells(found, "Berth") == ["B2", "B3", "B4"]


async def test_classes_that_are_hashes_name_no_column(hand: Hand, site: Site) -> None:
    rows = "".join(
        f"<li class=css-9axw{n}><b class=css-100payi>Tea {n}</b><span class='css-1jvugj3 price'>€ {n}</span></li>"
        for n in range(1, 5)
    )
    found = await collect_at(hand, site.html(f"<h1>Teas</h1><ul>{rows}</ul>"))
    assert "price" in found.data["columns"] and not {"payi", "axw", "jvugj"} & set(found.data["columns"])


async def test_a_list_in_a_frame_is_read(hand: Hand, site: Site) -> None:
    site.html(TABLE, "/inner")
    found = await collect_at(hand, site.html("<h1>Around</h1><iframe src=/inner width=700 height=500></iframe>"))
    assert cells(found, "Customer") == ["Ann Lee", "Bob Ray", "Cy Moss"]


async def test_text_that_nobody_sees_is_in_no_row(hand: Hand, site: Site) -> None:
    rows = "".join(
        f"<li class=r><b>Item {n}</b><span style='display:none'>secret {n}</span>"
        f"<span style='position:absolute;left:-9999px'>off {n}</span><i style='color:#fff'>white {n}</i>"
        for n in range(1, 5)
    )
    found = await collect_at(hand, site.html(f"<body style='background:#fff'><h1>Items</h1><ul>{rows}</ul>"))
    assert "Item 3" in found.output
    assert not any(word in found.output for word in ("secret", "off", "white"))


async def test_a_click_that_the_policy_denies_is_not_made_and_what_was_read_is_told(opened: Open, site: Site) -> None:
    app, url = await opened(), site.html(TURNED)
    _, denied = await run_tools(app, ("navigate", {"url": url}), ("collect", {}), policy="read_only")
    assert denied.ok and len(denied.data["rows"]) == 5 and "“›” was not followed" in denied.output
    _, free = await run_tools(app, ("navigate", {"url": url}), ("collect", {}))
    assert len(free.data["rows"]) == 20


async def test_all_goods_of_the_practice_shop_are_read_in_their_order(hand: Hand) -> None:
    async with Practice() as practice:
        found = await collect_at(hand, practice.address("/shop"))
        goods = practice.state()["goods"]
        assert len(found.data["rows"]) == len(goods)
        names = [each["name"] for each in goods]
        assert [next(name for name in names if name in str(row)) for row in found.data["rows"]] == names


async def test_a_page_without_such_a_list_is_left_again(hand: Hand, site: Site) -> None:
    site.html("<h1>Another article</h1>", "/other")
    found = await collect_at(hand, site.html(f"{TABLE}<a rel=next href=/other>Next</a>"))
    assert len(found.data["rows"]) == 3 and "there was no such list" in found.output
    assert (await (await hand.context.browser()).tab()).url.endswith("/page")
    assert (await hand("click", id=found.data["rows"][0]["cells"]["Ship"]["id"])).ok
