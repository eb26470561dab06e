"""Products: what speaks of the one that is sold, and what only stands beside it."""

# ruff: noqa: E501 — markup reads better unbroken

from pilotfish.web.extract import extract_page
from pilotfish.web.extract.dom import body_of, parse_html, plain_text
from pilotfish.web.extract.product_blocks import best_blocks, wrap_loose_text

PLACE = "https://shop.example/products/sea-kettle"
STORY = "The sea kettle is drawn from one sheet of steel, so that no seam can leak, and its handle of beech stays cool while the water boils."


def page(inner: str) -> str:
    return f"""<html><head><title>Sea kettle</title><meta property="og:type" content="product"></head><body>
    <div class="menu"><a href="/a">Pots</a> <a href="/b">Pans</a></div><main><h1>Sea kettle</h1><span>$42.00</span>
    <button>Add to cart</button>{inner}</main></body></html>"""


def test_a_description_that_is_folded_away_is_read() -> None:
    text = extract_page(
        page(
            f'<div role="tab">Description</div><div class="tab-panel" style="display:none"><p>{STORY}</p><p>{STORY[::-1]}</p></div>'
        ),
        PLACE,
    ).text
    assert STORY in text


def test_other_goods_are_left_out_though_no_heading_gives_them_away() -> None:
    cards = "".join(f'<div><a href="/products/{n}">Copper pan {n}</a><span>${n}9.00</span></div>' for n in range(1, 30))
    text = extract_page(page(f"<div class='description'><p>{STORY}</p></div><div>{cards}</div>"), PLACE).text
    assert STORY in text
    assert "Copper pan 20" not in text


def test_the_name_and_the_price_stay_whatever_stands_around_them() -> None:
    text = extract_page(page(f"<p>{STORY}</p>").replace("<main>", '<main class="product-reviews">'), PLACE).text
    assert text.startswith("# Sea kettle")
    assert "$42.00" in text
    assert STORY in text


def test_a_product_beside_a_few_others_is_no_collection() -> None:
    cards = "".join(f'<div><a href="/{n}">Copper pan {n}</a> <span>${n}9.00</span></div>' for n in range(1, 10))
    html = page(f"<p>{STORY}</p>{cards}").replace('content="product"', 'content="website"')
    assert extract_page(html, "https://shop.example/sea-kettle.html").kind != "collection"
    buttons = "<button>Add to cart</button>" * 9
    assert (
        extract_page(html.replace("</main>", f"{buttons}</main>"), "https://shop.example/pots.html").kind
        == "collection"
    )


def test_a_page_that_is_heavy_with_scripts_is_read_all_the_same() -> None:
    heavy = f"<script>{'track();' * 200_000}</script>"
    text = extract_page(page(f"<div class='description'><p>{STORY}</p></div>{heavy}"), PLACE).text
    assert STORY in text
    assert "track" not in text


def test_the_likeliest_blocks_are_taken_and_long_unlikely_ones_are_not() -> None:
    assert best_blocks([(0.9, 50), (0.1, 400), (0.6, 20)]) == {0, 2}
    assert best_blocks([(0.2, 10), (0.1, 10)]) >= {0}
    assert best_blocks([]) == set()


def test_text_that_stands_loose_beside_blocks_becomes_a_block_of_its_own() -> None:
    root = body_of(parse_html("<body><div>Loose <b>bold</b> end<p>Block</p>after <i>it</i></div></body>"))
    wrap_loose_text(root)
    assert [(node.tag, plain_text(node)) for node in root[0]] == [
        ("p", "Loose bold end"),
        ("p", "Block"),
        ("p", "after it"),
    ]
