"""Files that are given to a page."""

from pathlib import Path

import pytest

from browser.stage import Site, js, number, visit
from pilotfish.browser.actions import pointer
from pilotfish.browser.sessions.session import BrowserSession, SessionRules
from pilotfish.core.errors import ToolError

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "body",
    [
        "<label>File <input type=file onchange='document.title=this.files[0].name'></label>",
        """<input type=file id=f style='display:none' onchange='document.title=this.files[0].name'>
        <button aria-label=File onclick='f.click()'>Choose</button>""",
    ],
    ids=["field", "button"],
)
@pytest.mark.own_session
async def test_a_file_of_the_run_is_uploaded(session: BrowserSession, site: Site, tmp_path: Path, body: str) -> None:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "cv.txt").write_text("me")
    await visit(session, site, body)
    await pointer.upload(session, number(session, "File"), "cv.txt")
    assert await js(session, "document.title") == "cv.txt"


@pytest.mark.own_session
async def test_several_files_are_given_at_once_to_a_field_that_takes_them(
    session: BrowserSession, site: Site, tmp_path: Path
) -> None:
    (tmp_path / "files").mkdir()
    for name in ("cv.txt", "map.txt"):
        (tmp_path / "files" / name).write_text(name)
    told = "document.title=[...this.files].map(file => file.name)"
    await visit(
        session,
        site,
        f"<label>All <input type=file multiple onchange='{told}'></label><label>One <input type=file></label>",
    )
    change = await pointer.upload(session, number(session, "All"), "cv.txt\nmap.txt")
    assert await js(session, "document.title") == "cv.txt,map.txt"
    assert "Gave the files cv.txt, map.txt to" in change.action
    with pytest.raises(ToolError, match="takes one file only"):
        await pointer.upload(session, number(session, "One"), "cv.txt\nmap.txt")


@pytest.mark.own_session
async def test_no_other_file_of_the_machine_is_uploaded(session: BrowserSession, site: Site, tmp_path: Path) -> None:
    (tmp_path / "browser.json").write_text("cookies")
    await visit(session, site, "<label>File <input type=file></label>")
    for path in ("/etc/passwd", "../../etc/passwd", "browser.json", "../browser.json"):
        with pytest.raises(ToolError, match="is not among this run's files"):
            await pointer.upload(session, number(session, "File"), path)
    assert SessionRules().files == ()
