"""Lists of unusual builds: heads in groups, rows within rows, cards that are links, rows in shadow roots."""

import pytest

from browser.stage import Site
from pilotfish.tools.base import ToolResult

from .conftest import Hand

pytestmark = pytest.mark.slow


async def collect_page(hand: Hand, url: str) -> ToolResult:
    assert (await hand("navigate", url=url)).ok
    found = await hand("collect")
    assert found.ok, found.error
    return found


def texts(found: ToolResult) -> list[list[str]]:
    return [[cell["text"] for cell in row["cells"].values() if cell["text"]] for row in found.data["rows"]]


async def test_heads_in_groups_and_rows_that_are_headings_name_the_columns_and_rows(hand: Hand, site: Site) -> None:
    heads = "<tr><th rowspan=2>Shop<th colspan=2>2024<th colspan=2>2025<tr><th>Staff<th>Sales<th>Staff<th>Sales"
    rows = "".join(f"<tr><td>{name}<td>1<td>2<td>3<td>4" for name in ("Alder", "Birch"))
    table = f"<table><thead>{heads}</thead><tbody><tr><td colspan=5>North</td></tr>{rows}</tbody></table>"
    found = await collect_page(hand, site.html(table))
    assert found.data["columns"] == ["group", "Shop", "2024 Staff", "2024 Sales", "2025 Staff", "2025 Sales"]
    assert texts(found)[0] == ["North", "Alder", "1", "2", "3", "4"]


async def test_replies_are_rows_as_the_comments_around_them_are(hand: Hand, site: Site) -> None:
    def comment(who: str, inner: str = "") -> str:
        return f"<div class=comment><b class=who>{who}</b><p>Said {who}.</p><div class=replies>{inner}</div></div>"

    page = comment("Ann", comment("Bo")) + comment("Cy") + comment("Di", comment("Ed"))
    found = await collect_page(hand, site.html(f"<section>{page}</section>"))
    assert [row[0] for row in texts(found)] == ["Ann", "Bo", "Cy", "Di", "Ed"]
    assert all(len(row) == 2 for row in texts(found))


async def test_cards_that_are_links_and_pieces_that_touch_are_read_apart(hand: Hand, site: Site) -> None:
    rows = (("Oak", 4, "Kiel", 80), ("Ash", 3, "Husum", 7), ("Elm", 9, "Emden", 15))
    rated = "<div><span>{1}</span><span>,</span><span>5</span></div><div><span>{2}</span><span>{3} km</span></div>"
    card = "<a class=c href=/{0} style='display:block'><div>{0}</div>" + rated + "</a>"
    found = await collect_page(hand, site.html("".join(card.format(*row) for row in rows)))
    assert texts(found)[:2] == [["Oak", "4,5", "Kiel", "80 km"], ["Ash", "3,5", "Husum", "7 km"]]


async def test_rows_in_shadow_roots_are_rows(hand: Hand, site: Site) -> None:
    script = """<x-rows></x-rows><script>
    const draw = (el, html) => { el.attachShadow({mode: "open"}).innerHTML = html; };
    customElements.define("x-row", class extends HTMLElement { connectedCallback() {
      draw(this, `<div><span>${this.dataset.n}</span> <code>${this.dataset.n.length}</code></div>`); } });
    customElements.define("x-rows", class extends HTMLElement { connectedCallback() {
      draw(this, ["Anemone", "Dab", "Cuttle"].map((n) => `<x-row data-n=${n}></x-row>`).join("")); } });
    </script>"""
    assert texts(await collect_page(hand, site.html(script))) == [["Anemone", "7"], ["Dab", "3"], ["Cuttle", "6"]]
