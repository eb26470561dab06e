"""Fetching pages from a small web on loopback."""

import asyncio
import gzip
import io
import zlib
from collections.abc import AsyncIterator

import pytest
from reportlab.pdfgen.canvas import Canvas

from pilotfish.core import parser_pool
from pilotfish.core.errors import ToolError
from pilotfish.core.settings import FetchSettings
from pilotfish.web import address_guard
from pilotfish.web.fetcher import FetchCounts, Fetcher, WebPage

from .loopback import Asked, Reply, Site

PROSE = " ".join(
    f"The harbour at low tide shows boat number {n}, its ropes slack and its paint dull." for n in range(20)
)
ARTICLE = f"""<html><head><title>Low tide | The Quay</title><meta name="author" content="Ines Prado">
<meta property="article:published_time" content="2026-03-04T10:00:00Z"></head>
<body><nav><a href="/">Home</a></nav><article><h1>Low tide</h1><p>{PROSE}</p><p>See the
<a href="/charts?x=1#part">tide charts</a> for more about when the water comes back to the boats.</p></article>
</body></html>"""


@pytest.fixture
async def fetcher() -> AsyncIterator[Fetcher]:
    async with Fetcher(FetchSettings(allow_private=True, timeout=3, max_bytes=400_000)) as made:
        yield made


def pdf(*pages: str) -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.setTitle("Tide report")
    canvas.setAuthor("Ines Prado")
    for page in pages:
        canvas.drawString(72, 700, page)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


async def test_an_article_comes_as_markdown_with_title_author_date_and_links(fetcher: Fetcher, web: Site) -> None:
    page = await fetcher.fetch(web.page("/tide", ARTICLE))
    assert (page.title, page.author, page.date) == ("Low tide", "Ines Prado", "2026-03-04")
    assert "boat number 7" in page.text
    assert "Home" not in page.text
    assert ("tide charts", f"{web.url}/charts?x=1") in [(link.text, link.url) for link in page.links]
    assert page.status == 200
    assert page.size == len(ARTICLE.encode())


async def test_a_page_is_fetched_once_and_then_comes_from_the_cache(fetcher: Fetcher, web: Site) -> None:
    url = web.page("/tide", ARTICLE)
    first = await fetcher.fetch(url)
    second = await fetcher.fetch(f"{url}#part")
    await fetcher.fetch(url, fresh=True)
    assert first == second
    assert web.count("/tide") == 2
    assert fetcher.counts == FetchCounts(fetched=2, cached=1, failed=0)


async def test_several_pages_come_in_order_and_failures_stand_in_their_place(fetcher: Fetcher, web: Site) -> None:
    urls = [web.page("/a", ARTICLE), f"{web.url}/missing", web.page("/b", "plain", media="text/plain")]
    results = await fetcher.fetch_all(urls)
    assert [isinstance(each, WebPage) for each in results] == [True, False, True]
    assert "404" in str(results[1])
    assert fetcher.counts == FetchCounts(fetched=2, failed=1)


async def test_at_most_three_pages_are_fetched_at_once(web: Site) -> None:
    running = peak = 0
    full = asyncio.Event()

    async def busy(_: Asked) -> Reply:
        nonlocal running, peak
        running += 1
        peak = max(peak, running)
        if running == 3:
            full.set()
        await asyncio.wait_for(full.wait(), 5)
        running -= 1
        return Reply(b"done", media="text/plain")

    async with Fetcher(FetchSettings(allow_private=True, robots=False)) as fetcher:
        await fetcher.fetch_all([web.at(f"/{n}", busy) for n in range(6)])
    assert peak == 3


async def test_redirects_are_followed(fetcher: Fetcher, web: Site) -> None:
    web.page("/tide", ARTICLE)
    web.redirect("/old", "/tide")
    page = await fetcher.fetch(web.redirect("/start", f"{web.url}/old?x=1"))
    assert page.final_url == f"{web.url}/tide"
    assert page.url == f"{web.url}/start"


async def test_a_redirect_in_a_circle_is_a_clear_error(fetcher: Fetcher, web: Site) -> None:
    web.redirect("/b", "/a")
    with pytest.raises(ToolError, match="in a circle"):
        await fetcher.fetch(web.redirect("/a", "/b"))


async def test_endless_redirects_are_a_clear_error(fetcher: Fetcher, web: Site) -> None:
    for n in range(20):
        web.redirect(f"/{n}", f"/{n + 1}")
    with pytest.raises(ToolError, match="too many times"):
        await fetcher.fetch(f"{web.url}/0")


async def test_a_redirect_to_a_private_address_is_refused(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    # The loopback site plays a public one: only what it redirects to is judged by the real rules.
    monkeypatch.setattr(address_guard, "is_public", lambda address: str(address) == "127.0.0.1")
    for place in ("http://169.254.169.254/latest/meta-data/", "http://[::1]:80/", "http://0xa9fea9fe/", "//10.0.0.1/"):
        web.redirect("/out", place)
        async with Fetcher(FetchSettings(robots=False, timeout=2), resolve=resolve) as fetcher:
            with pytest.raises(ToolError, match="private address"):
                await fetcher.fetch(f"http://public.example.org:{web.port}/out")
    assert web.count("/out") == 4


async def test_a_redirect_to_another_scheme_is_refused(fetcher: Fetcher, web: Site) -> None:
    with pytest.raises(ToolError, match="not an http"):
        await fetcher.fetch(web.redirect("/out", "file:///etc/passwd"))


async def test_a_slow_server_is_given_up_in_time(web: Site) -> None:
    async def never(_: Asked) -> Reply:
        await asyncio.Event().wait()
        return Reply()

    async with Fetcher(FetchSettings(allow_private=True, timeout=0.3, robots=False)) as fetcher:
        with pytest.raises(ToolError, match=r"within 0.3 seconds"):
            await asyncio.wait_for(fetcher.fetch(web.at("/slow", never)), 5)


@pytest.mark.parametrize("status", [403, 429, 500, 503])
async def test_a_passing_refusal_is_tried_again(fetcher: Fetcher, web: Site, status: int) -> None:
    answers = [Reply(status=status, headers={"retry-after": "0"}), Reply(b"here", media="text/plain")]
    page = await fetcher.fetch(web.at("/shy", lambda _: answers.pop(0)))
    assert page.text == "here"


async def test_a_lasting_refusal_says_what_to_do(fetcher: Fetcher, web: Site) -> None:
    url = web.page("/closed", "no", status=403, headers={"retry-after": "0"})
    with pytest.raises(ToolError) as caught:
        await fetcher.fetch(url)
    assert "403" in caught.value.message
    assert "browser" in caught.value.fix
    assert web.count("/closed") == 3


async def test_a_server_that_wants_us_to_wait_long_is_not_waited_for(fetcher: Fetcher, web: Site) -> None:
    with pytest.raises(ToolError, match="wait 3600 seconds"):
        await fetcher.fetch(web.page("/busy", "", status=429, headers={"retry-after": "3600"}))
    assert web.count("/busy") == 1


async def test_a_missing_page_is_not_tried_again(fetcher: Fetcher, web: Site) -> None:
    with pytest.raises(ToolError, match="404"):
        await fetcher.fetch(f"{web.url}/none")
    assert web.count("/none") == 1


async def test_a_page_of_ten_megabytes_is_cut_and_says_so(fetcher: Fetcher, web: Site) -> None:
    row = "<p>The tide table of the northern quay lists one more hour of slack water than before.</p>\n"
    page = await fetcher.fetch(web.page("/big", f"<html><body><main>{row * 120_000}</main></body></html>"))
    assert page.size == 400_000
    assert "first 400,000 bytes" in page.note
    assert "slack water" in page.text


async def test_a_small_answer_that_unpacks_to_something_huge_is_cut(fetcher: Fetcher, web: Site) -> None:
    bomb = gzip.compress(b"water " * 5_000_000)
    page = await fetcher.fetch(web.page("/bomb", bomb, media="text/plain", headers={"content-encoding": "gzip"}))
    assert page.size == 400_000


@pytest.mark.parametrize(
    ("codec", "claimed"),
    [("utf-8", "iso-8859-1"), ("iso-8859-1", "utf-8"), ("cp1252", ""), ("shift_jis", "shift_jis"), ("utf-16", "utf-8")],
)
async def test_a_wrong_encoding_does_not_garble_the_text(fetcher: Fetcher, web: Site, codec: str, claimed: str) -> None:
    text = (
        "潮が引くと、船は砂の上に横たわる。港の人々は網を直し、次の満ち潮を待っている。"
        if codec == "shift_jis"
        else PROSE + " café à la plage, señor"
    )
    media = f"text/plain; charset={claimed}" if claimed else "text/plain"
    page = await fetcher.fetch(web.page("/odd", text.encode(codec), media=media))
    assert page.text == text


async def test_json_is_laid_out_and_text_that_only_claims_to_be_json_stays(fetcher: Fetcher, web: Site) -> None:
    good = await fetcher.fetch(web.json("/good", {"tide": [1, 2]}))
    bad = await fetcher.fetch(web.page("/bad", "{tide: low", media="application/json"))
    assert good.text.startswith("```json")
    assert bad.text == "{tide: low"


async def test_a_pdf_is_read_page_by_page(fetcher: Fetcher, web: Site) -> None:
    page = await fetcher.fetch(
        web.page("/report", pdf("High water at noon", "Low water at six"), media="application/pdf")
    )
    assert "## Page 2\n\nLow water at six" in page.text
    assert (page.title, page.author) == ("Tide report", "Ines Prado")
    assert page.date.startswith("20")


@pytest.mark.parametrize("body", [b"%PDF-1.7 broken", pdf("High water")[:300]])
async def test_a_damaged_pdf_is_a_clear_error(fetcher: Fetcher, web: Site, body: bytes) -> None:
    with pytest.raises(ToolError, match=r"damaged|no text"):
        await fetcher.fetch(web.page("/report", body, media="application/pdf"))


async def test_a_pdf_without_text_says_what_to_do(fetcher: Fetcher, web: Site) -> None:
    with pytest.raises(ToolError, match="no text") as caught:
        await fetcher.fetch(web.page("/scan", pdf(""), media="application/pdf"))
    assert "screenshot" in caught.value.fix


def endless_pdf() -> bytes:
    """A few kilobytes: three hundred pages that share one compressed drawing of very many words."""
    drawing = zlib.compress(b"BT /F 9 Tf " + b"1 1 Td (tide) Tj " * 100_000 + b"ET", 9)
    kids = b" ".join([b"3 0 R"] * 300)
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count 300/Kids[" + kids + b"]>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(drawing), drawing),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    body = b"".join(b"%d 0 obj %s endobj\n" % (number, part) for number, part in enumerate(parts, 1))
    return b"%PDF-1.4\n" + body + b"trailer <</Root 1 0 R>>\n%%EOF"


async def test_a_small_pdf_that_takes_very_long_is_given_up(
    fetcher: Fetcher, web: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool, body = parser_pool.ParserPool(limit=1.0), endless_pdf()
    monkeypatch.setattr(parser_pool, "parsers", lambda: pool)
    assert len(body) < 20_000
    with pytest.raises(ToolError, match="took too long to read"):
        await fetcher.fetch(web.page("/endless", body, media="application/pdf"))
    pool.close()


async def test_a_picture_is_not_text(fetcher: Fetcher, web: Site) -> None:
    with pytest.raises(ToolError, match="image/png, not text"):
        await fetcher.fetch(web.page("/boat", b"\x89PNG", media="image/png"))


async def test_robots_rules_are_kept_unless_switched_off(fetcher: Fetcher, web: Site) -> None:
    web.page("/robots.txt", "User-agent: *\nDisallow: /private", media="text/plain")
    url = web.page("/private/tide", ARTICLE)
    with pytest.raises(ToolError, match="robots"):
        await fetcher.fetch(url)
    assert web.count("/private/tide") == 0
    async with Fetcher(FetchSettings(allow_private=True, robots=False)) as free:
        assert (await free.fetch(url)).title == "Low tide"


async def test_a_page_that_needs_scripts_is_drawn_by_the_browser(web: Site) -> None:
    shell = (
        '<html><head><title>App</title></head><body><div id="root"></div><script src="/app.js"></script></body></html>'
    )
    url = web.page("/app", shell)
    drawn: list[str] = []

    async def render(address: str) -> str:
        drawn.append(address)
        return ARTICLE

    async with Fetcher(FetchSettings(allow_private=True)) as fetcher:
        assert "JavaScript" in (await fetcher.fetch(url)).note
        assert "boat number 7" in (await fetcher.fetch(url, render=render)).text
        assert "boat number 7" in (await fetcher.fetch(url)).text
    assert drawn == [url]


async def test_a_browser_that_fails_leaves_the_page_as_it_was(web: Site) -> None:
    async def render(address: str) -> str:
        raise ToolError("The browser is gone.")

    url = web.page("/app", '<html><body><div id="app">Wait</div><script src="/app.js"></script></body></html>')
    async with Fetcher(FetchSettings(allow_private=True), render=render) as fetcher:
        page = await fetcher.fetch(url)
    assert page.text == "Wait"
    assert "The browser is gone." in page.note


async def test_an_address_without_its_scheme_is_completed() -> None:
    async def resolve(host: str, port: int) -> list[str]:
        raise OSError(f"asked for {host}:{port}")

    async with Fetcher(FetchSettings(robots=False), resolve=resolve) as fetcher:
        with pytest.raises(ToolError, match=r"example.org cannot be found"):
            await fetcher.fetch(" example.org/tide ")


@pytest.mark.parametrize(
    "url", ["", "javascript:alert(1)", "file:///etc/passwd", "http://", "https://exa mple.org/", "://"]
)
async def test_what_is_no_address_is_a_clear_error(fetcher: Fetcher, url: str) -> None:
    with pytest.raises(ToolError):
        await fetcher.fetch(url)


async def test_a_connection_that_breaks_off_is_a_clear_error(fetcher: Fetcher) -> None:
    async def slam(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(slam, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(ToolError, match="cannot be read"):
        await fetcher.fetch(f"http://127.0.0.1:{port}/")
    server.close()
