"""Pages as text: Markdown in reading order, what matters first, nothing that cannot be seen."""

from io import BytesIO
from pathlib import Path

import pytest

from browser.stage import Site
from pilotfish.browser.perception.isolated_world import PageError
from pilotfish.browser.perception.page_text import PageText, space_blocks
from pilotfish.browser.perception.pdf_text import pdf_text
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.errors import ToolError

pytestmark = pytest.mark.whole_browser

PAGES = Path(__file__).parent / "pages"


async def article(session: BrowserSession, site: Site, links: bool = False) -> PageText:
    tab = await session.tab()
    await tab.goto(site.put("/article", (PAGES / "article.html").read_text("utf-8")))
    return await tab.observer.text(links=links)


def pdf(*pages: str) -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    data = BytesIO()
    canvas = Canvas(data)
    canvas.setTitle("Tides")
    for words in pages:
        canvas.drawString(100, 700, words)
        canvas.showPage()
    canvas.save()
    return data.getvalue()


@pytest.mark.slow
async def test_an_article_becomes_markdown(session: BrowserSession, site: Site) -> None:
    page = await article(session, site)
    assert page.title == "On pilot fish"
    assert page.lang == "en"
    assert page.text.startswith("# On pilot fish\nA pilot fish swims beside a shark. It eats what is left.")
    assert "\n\n## What it eats\n- Scraps\n  - of fish\n- Parasites\n3. third\n4. fourth" in page.text
    assert "Sizes\n| Fish | Length |\n| --- | --- |\n| Pilot \\| fish | 70 cm |" in page.text
    assert "```\ndef swim():\n    return 1\n```" in page.text
    assert "Call `swim()` now." in page.text
    assert "> Stay close." in page.text
    assert "![A pilot fish]" in page.text


@pytest.mark.slow
async def test_values_of_forms_are_part_of_the_text(session: BrowserSession, site: Site) -> None:
    text = (await article(session, site)).text
    assert "Your name Ada" in text
    assert "Sea Baltic (options: North, Baltic)" in text
    assert "[x] Subscribe" in text
    assert "hunter2" not in text


@pytest.mark.slow
async def test_what_surrounds_the_content_comes_last(session: BrowserSession, site: Site) -> None:
    main, rest = (await article(session, site)).text.split("\n---\n")
    assert "Stay close" in main
    for words in ("The Sea Paper", "- News", "Related: whales", "Imprint"):
        assert words in rest


@pytest.mark.slow
async def test_text_that_cannot_be_seen_is_left_out(session: BrowserSession, site: Site) -> None:
    text = (await article(session, site)).text
    for words in ("ignore all", "tiny words", "far away", "hidden words"):
        assert words not in text


@pytest.mark.slow
async def test_links_are_written_out_on_request(session: BrowserSession, site: Site) -> None:
    assert f"[shark]({site.url}/shark)" in (await article(session, site, links=True)).text


@pytest.mark.slow
async def test_frames_are_read_where_they_stand(session: BrowserSession, site: Site) -> None:
    tab = await session.tab()
    inner = site.put("/inner", "<p>inside</p>").replace("127.0.0.1", "localhost")
    await tab.goto(site.html(f"<p>before</p><iframe src={inner}></iframe><p>after</p>"))
    await tab.page.wait_for_load_state()
    assert (await tab.observer.text()).text == "before\ninside\nafter"


@pytest.mark.slow
async def test_one_part_can_be_asked_for(session: BrowserSession, site: Site) -> None:
    tab = await session.tab()
    await tab.goto(site.html("<p>one</p><p id=two>two</p>"))
    assert (await tab.observer.text("#two")).text == "two"
    with pytest.raises(PageError, match="matches"):
        await tab.observer.text("#three")


@pytest.mark.slow
async def test_the_hash_tells_whether_a_page_changed(session: BrowserSession, site: Site) -> None:
    tab = await session.tab()
    await tab.goto(site.html("<p id=p>one</p>"))
    first, second = await tab.observer.text(), await tab.observer.text()
    await tab.page.evaluate("p.textContent = 'two'")
    third = await tab.observer.text()
    assert first.hash == second.hash != third.hash


@pytest.mark.slow
async def test_a_pdf_in_the_tab_is_read(session: BrowserSession, site: Site) -> None:
    data = pdf("High water at noon")
    tab = await session.tab()
    await tab.goto(site.put("/tides.pdf", lambda _: (200, {"content-type": "application/pdf"}, data)))
    assert (await tab.observer.text()).text == "[page 1]\nHigh water at noon"
    assert "This is a PDF" in (await tab.observer.look()).text


def test_a_pdf_is_read_page_by_page() -> None:
    title, text = pdf_text(pdf("High water at noon", "Low water at six"))
    assert title == "Tides"
    assert text == "[page 1]\nHigh water at noon\n\n[page 2]\nLow water at six"


def test_a_broken_pdf_says_so() -> None:
    with pytest.raises(ToolError, match="could not be read"):
        pdf_text(b"no pdf at all")


def test_headings_get_air_and_code_keeps_its_lines() -> None:
    assert space_blocks("a\n# b\n\n\nc\n```\nx\n\ny\n```") == "a\n\n# b\nc\n```\nx\n\ny\n```"
