"""The main text of pages of every kind."""

# ruff: noqa: E501 — markup reads better unbroken

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml.html import fromstring

from pilotfish.web.extract import extract_page, needs_scripts
from pilotfish.web.extract.prune import is_chrome

from .samples import Sample, samples

SAMPLES = samples()


def score(found: str, wanted: str) -> float:
    mine, other = (Counter(re.findall(r"\w+", text.lower())) for text in (found, wanted))
    both = (mine & other).total()
    return 2 * both / (mine.total() + other.total())


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_the_main_text_is_found_with_little_else(sample: Sample) -> None:
    assert score(extract_page(sample.html, sample.url).text, sample.text) > 0.93


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_the_kind_of_page_is_seen(sample: Sample) -> None:
    assert extract_page(sample.html).kind in (sample.kind, "page")


def test_tables_code_lists_and_headings_stay_what_they_are() -> None:
    html = """<html><body><main><h1>Tides</h1><table><tr><th>Port</th><th>Height</th></tr><tr><td>Brest</td><td>7 m</td></tr></table>
    <pre><code class="language-python">for tide in tides:
    print(tide)</code></pre><ol><li>Wait<ul><li>for the moon</li></ul></li><li>Sail</li></ol>
    <p>Use <code>tide</code> with care.<br>It turns.</p><dl><dt>Ebb</dt><dd>going out</dd></dl></main></body></html>"""
    text = extract_page(html).text
    assert "| Port | Height |\n| --- | --- |\n| Brest | 7 m |" in text
    assert "```python\nfor tide in tides:\n    print(tide)\n```" in text
    assert "1. Wait\n  - for the moon\n2. Sail" in text
    assert "Use `tide` with care.\nIt turns." in text


def test_an_empty_shell_gives_what_it_declares() -> None:
    body = "The ferry leaves at noon. " * 20
    html = f'<html><head><script type="application/ld+json">{{"@type":"NewsArticle","articleBody":"{body}"}}</script></head><body></body></html>'
    assert "The ferry leaves at noon." in extract_page(html).text


def thread(posts: int, panel: str = "") -> str:
    said = "".join(
        f'<article class="message"><section class="message-user">{panel.format(n=n)}<a class="username">sailor{n}</a></section>'
        f'<div class="message-userContent"><time>March {n + 1}, 2026</time><p>The tide number {n} was high.</p></div></article>'
        for n in range(posts)
    )
    return f'<h1>High tides</h1><div class="posts">{said}</div>'


def test_a_thread_that_stands_in_noscript_is_read() -> None:
    html = f"<html><body><div id='app'></div><noscript>{thread(12)}</noscript></body></html>"
    found = extract_page(html, "https://sea.example/t/high-tides/7")
    assert "The tide number 11 was high." in found.text
    assert "sailor3" in found.text


def test_short_posts_outlive_the_long_panels_of_their_authors() -> None:
    panel = "<dl>" + "<dt>Reaction score</dt><dd>10</dd><dt>Joined</dt><dd>June 2016</dd>" * 5 + "</dl>"
    found = extract_page(f"<html><body>{thread(8, panel)}</body></html>", "https://sea.example/threads/high-tides.7/")
    assert "The tide number 7 was high." in found.text
    assert "March 8, 2026" in found.text
    assert "Reaction score" not in found.text


def test_a_footer_longer_than_the_page_is_still_a_footer() -> None:
    story = "".join(
        f"<p>The {n}th keeper of the lamp wrote down the weather, the ships and the price of oil.</p>" for n in range(9)
    )
    policy = "<p>We process personal data where the law allows it and as described below.</p>" * 80
    html = f"<html><body><main><h1>The lamp</h1>{story}</main><footer><div id='modal-policy'>{policy}</div></footer></body></html>"
    text = extract_page(html).text
    assert "The 8th keeper of the lamp" in text
    assert "personal data" not in text


def test_a_products_story_is_found_where_a_shop_folds_it_away() -> None:
    story = "".join(
        f"<p>Layer {n} of the lamp is blown by hand from glass that once stood in a harbour window.</p>"
        for n in range(12)
    )
    offers = "".join(f"<div class='offer'><b>Deal {n}</b> for members and friends</div>" for n in range(4))
    html = f"""<html><head><meta property="og:type" content="product"></head><body><h1>Harbour lamp</h1><span>$59.00</span>
    {offers}<button>Add to cart</button><div class="panel" aria-hidden="true">{story}</div></body></html>"""
    text = extract_page(html, "https://shop.example/products/harbour-lamp").text
    assert "Layer 11 of the lamp" in text
    assert "Harbour lamp" in text and "$59.00" in text


def test_what_buyers_say_is_left_out_of_a_product_however_long() -> None:
    facts = "".join(f"<li>Part {n} of the kettle is steel</li>" for n in range(20))
    praise = "".join(
        f"<h3>Lovely {n}</h3><p>Buyer {n} boils water every morning and thinks of the sea while it sings on the stove.</p>"
        for n in range(60)
    )
    html = f"""<html><head><meta property="og:type" content="product"></head><body><main><h1>Sea kettle</h1><span>$42.00</span>
    <ul>{facts}</ul><div class="product-reviews">{praise}</div></main></body></html>"""
    text = extract_page(html, "https://shop.example/products/sea-kettle").text
    assert "Part 19 of the kettle is steel" in text
    assert "Buyer" not in text


def test_a_part_about_other_goods_goes_though_its_heading_stands_in_a_box_of_its_own() -> None:
    story = "".join(f"<p>Layer {n} of the lamp is blown from glass of an old harbour window.</p>" for n in range(9))
    cards = "".join(f"<li><h4>Teapot {n}</h4><span>{n} pounds</span></li>" for n in range(4))
    html = f"""<html><body><div><h1>Harbour lamp</h1>{story}<div class="bar"><h2>Recently viewed</h2></div><div><ul>{cards}</ul></div>
    <h2>Care</h2><p>Wipe the lamp with a dry cloth.</p></div></body></html>"""
    text = extract_page(html, "https://shop.example/products/harbour-lamp").text
    assert "Wipe the lamp" in text
    assert "Teapot" not in text


def test_a_product_in_several_variants_is_one_product() -> None:
    variants = ",".join(f'{{"@type":"Product","name":"Size {n}","offers":{{"@type":"Offer"}}}}' for n in range(9))
    html = f"""<html><head><script type="application/ld+json">{{"@type":"ProductGroup","hasVariant":[{variants}]}}</script></head>
    <body><h1>Deck shoe</h1><p>It keeps its grip on wet planks.</p></body></html>"""
    assert extract_page(html).kind == "product"


def test_what_every_card_repeats_is_said_once_and_prices_stay() -> None:
    cards = "".join(
        f"<li><a href='/p/{n}'><h3>Kettle {n}</h3></a><div>Regular price ${n}9.00</div><div>Lifetime guarantee</div><span>({n}4)</span></li>"
        for n in range(1, 9)
    )
    html = f"<html><body><main><h1>Kettles</h1><ul>{cards}</ul></main></body></html>"
    text = extract_page(html, "https://shop.example/collections/kettles").text
    assert all(f"Kettle {n}" in text and f"${n}9.00" in text for n in range(1, 9))
    assert text.count("Lifetime guarantee") == 1
    assert "(54)" not in text


def test_a_list_of_things_to_read_is_kept_whole() -> None:
    rows = "".join(
        f"<li><a href='/{n}'>Paper {n} on tides and what they leave on the shore</a></li>" for n in range(40)
    )
    html = f"<html><body><h1>New papers</h1><ol>{rows}</ol></body></html>"
    assert all(f"Paper {n} on tides" in extract_page(html).text for n in (0, 20, 39))


def test_a_page_without_a_body_of_its_own_is_read() -> None:
    page = "<title>Prices</title><article><h1>Prices</h1><p>A ticket costs 14 crowns.</p></article>"
    assert "A ticket costs 14 crowns." in extract_page(page).text
    both = extract_page(f"{page}<p>Dogs travel free.</p>").text
    assert "A ticket costs 14 crowns." in both and "Dogs travel free." in both


def test_title_author_and_date_come_from_what_the_page_declares() -> None:
    html = """<html><head><title>x</title><meta property="og:title" content="Low tide"><script type="application/ld+json">
    {"@graph": [{"@type": "Article", "author": [{"name": "Ines Prado"}, {"name": "Otto Lund"}], "datePublished": "2026-03-04T08:00"}]}
    </script></head><body><p>Text</p></body></html>"""
    found = extract_page(html)
    assert (found.title, found.author, found.date) == ("Low tide", "Ines Prado, Otto Lund", "2026-03-04")


@pytest.mark.parametrize(
    "html", ["", " ", "<", "<html>", "plain words", "<!-- x", "<p>" * 3000 + "deep", "\x00<p>x", "<script>"]
)
def test_no_page_is_too_odd(html: str) -> None:
    assert isinstance(extract_page(html).text, str)


def test_deep_nesting_loses_no_text() -> None:
    assert "deep" in extract_page("<html><body>" + "<div>" * 2000 + "deep water runs still").text


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from(["<div>", "</div>", "<p>", "<td>", "<ul><li>", "<pre>", "<a href=x>", "word ", "<h2>", "&#0;"]),
        max_size=40,
    )
)
def test_broken_markup_never_crashes(parts: list[str]) -> None:
    assert isinstance(extract_page("".join(parts)).text, str)


def test_a_page_that_waits_for_its_scripts_is_recognised() -> None:
    assert needs_scripts('<html><body><div id="__next"></div><script src="a.js"></script></body></html>', "")
    assert needs_scripts(
        "<html><body><noscript>Please enable JavaScript</noscript><script>1</script></body></html>", ""
    )
    assert not needs_scripts("<html><body><p>Just short.</p></body></html>", "Just short.")


def test_a_chapter_of_documentation_is_not_taken_for_what_its_name_is_about() -> None:
    words = "The library offers this by one function with two parameters, of which the second may be left out. " * 4
    chapters = "".join(
        f'<section id="{name.lower().replace(" ", "-")}"><h2>{name}</h2><p>{name}: {words}</p><pre>call()</pre></section>'
        for name in ("Loading", "Pagination", "Sharing and related topics", "Search")
    )
    found = extract_page(
        f"<main class='docs'><h1>Reference</h1>{chapters}</main>", "https://docs.example.org/reference/api"
    )
    assert found.kind == "documentation"
    assert all(f"{name}: The library" in found.text for name in ("Pagination", "Sharing and related topics", "Search"))


@pytest.mark.parametrize(
    ("name", "beside"), [("mdx-table_root__adKqa", False), ("top-ad", True), ("card__share", True)]
)
def test_what_tools_add_to_class_names_says_nothing(name: str, beside: bool) -> None:
    assert is_chrome(fromstring(f"<div class='{name}'>Words</div>")) is beside
