"""The pages as files and as a whole."""

import re

import httpx2
import pytest

from pilotfish.practice.server import Practice
from pilotfish.practice.views import PAGES

LINK = re.compile(r'(?:href|src)="(/[^"#]*)"')


@pytest.mark.slow
async def test_every_link_on_the_site_leads_somewhere(site: Practice, visitor: httpx2.AsyncClient) -> None:
    seen: dict[str, int] = {}
    todo = ["/", "/wizard/1", "/embed/poll", "/embed/egg", "/embed/donate"]
    while todo:
        path = todo.pop()
        if path in seen or path.startswith("/faults/"):
            continue
        reply = await visitor.get(path)
        seen[path] = reply.status_code
        if "html" in reply.headers["content-type"]:
            todo += [link.replace("&amp;", "&") for link in LINK.findall(reply.text)]
            assert "{{" not in reply.text
    assert len(seen) > 90
    assert {path: code for path, code in seen.items() if code != 200} == {}


async def test_an_unknown_page_is_not_found(visitor: httpx2.AsyncClient) -> None:
    for path in ("/nowhere", "/shop/product/none", "/../worlds", "/mail/letter/999", "/live/cart"):
        assert (await visitor.get(path)).status_code == 404


def test_no_page_loads_anything_from_elsewhere() -> None:
    for file in PAGES.rglob("*.*"):
        if file.suffix in {".html", ".css", ".js"}:
            assert not re.search(r"""(?:src|href)=["']?https?:|url\(|@import|//cdn""", file.read_text("utf-8")), file


def test_pages_that_are_bad_on_purpose_say_so() -> None:
    marked = [file.name for file in PAGES.rglob("*.html") if "deliberately bad" in file.read_text("utf-8")]
    assert set(marked) >= {"shop.html", "mail.html", "app.html", "custom.html", "old.html", "board.html", "menus.html"}


def test_page_files_are_short() -> None:
    for file in PAGES.rglob("*.*"):
        if file.suffix in {".html", ".css", ".js"}:
            assert len(file.read_text("utf-8").splitlines()) <= 250, file
