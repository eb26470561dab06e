"""What pages send: held to a size, kept with the run, and asked about where it could run on this machine."""

from collections.abc import AsyncIterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from pilotfish.core import events
from pilotfish.core.settings import BrowserSettings
from pilotfish.enforcement.approvals import ALLOW_ONCE, DENY_ACTION
from scripted_app import Open

from .obedient_model import follow_run, start_run

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
PAGE = b"".join(b"<p><a href=/%s>%s</a></p>" % (name, name) for name in (b"plain", b"sized", b"endless", b"tool"))
MEGA = 1_000_000


class DownloadServer(BaseHTTPRequestHandler):
    """Sends a small table, a file of a known size, one without end, and a program that does not look like one."""

    protocol_version = "HTTP/1.1"
    sent = 0

    def do_GET(self) -> None:
        if self.path == "/":
            return self.answer(PAGE, "text/html")
        name = self.path[1:]
        if name == "endless":
            return self.flood()
        body = {"plain": b"a,b\n1,2\n", "tool": b"MZ\x90\x00" + b"x" * 100, "sized": b"x" * (2 * MEGA)}[name]
        return self.answer(body, "application/octet-stream", f"{name}.dat")

    def answer(self, body: bytes, kind: str, name: str = "") -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if name:
            self.send_header("Content-Disposition", f"attachment; filename={name}")
        self.end_headers()
        self.wfile.write(body)

    def flood(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Disposition", "attachment; filename=endless.dat")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            while DownloadServer.sent < 2000 * MEGA:
                self.wfile.write(b"%x\r\n" % 50_000 + b"x" * 50_000 + b"\r\n")
                DownloadServer.sent += 50_000
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
async def server() -> AsyncIterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), DownloadServer)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


async def test_downloads_are_kept_within_their_limits_and_programs_only_if_allowed(
    opened: Open, server: str, tmp_path: Path
) -> None:
    fish = await opened(browser=BrowserSettings(download_mb=1, downloads_mb=1.5))
    names = ("plain", "sized", "endless", "tool", "tool")
    record = await start_run(fish, "Get the files", server, [("click", name, {}) for name in names])
    story = await follow_run(fish, record, [DENY_ACTION, ALLOW_ONCE])
    saved = [event.name for event in story.journal if isinstance(event, events.FileSaved)]
    assert saved == ["downloads/plain.dat", "downloads/tool.dat"], story.answer
    assert story.answer.count("more than 1 MB, the limit in browser.download_mb") == 2
    assert DownloadServer.sent < 1500 * MEGA, "an endless download is ended, not waited for"
    assert [request.details["effect"] for request in story.asked] == ["download", "download"]
    assert "could run on this machine" in story.asked[0].question
    assert "tool.dat was deleted: the person said no" in story.answer
    assert "tool.dat was kept: that was allowed" in story.answer
    folder = tmp_path / "conversations" / record.conversation
    assert sorted(path.name for path in folder.rglob("*.dat")) == ["plain.dat", "tool.dat"]
    assert {path.stat().st_mode & 0o777 for path in folder.rglob("*.dat")} == {0o600}
    own = tmp_path / "runs" / record.id / "downloads" / "plain.dat"
    assert (own.read_bytes(), own.stat().st_mode & 0o777) == (b"a,b\n1,2\n", 0o600)


async def test_all_downloads_of_a_run_together_are_limited(opened: Open, server: str) -> None:
    fish = await opened(browser=BrowserSettings(download_mb=3, downloads_mb=3))
    record = await start_run(fish, "Get the files", server, [("click", "sized", {}), ("click", "sized", {})])
    story = await follow_run(fish, record)
    assert sum(isinstance(event, events.FileSaved) for event in story.journal) == 1
    assert "this run's downloads would exceed 3 MB" in story.answer
