"""A process that dies with its browser open, while a person is being asked."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]
PROGRAM = Path(__file__).with_name("crashing_process.py")


@pytest.fixture
def harbour() -> Iterator[str]:
    """A site that gives each stranger a cookie and tells those who have one what it is."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            cookie = self.headers.get("cookie", "")
            text = f"<title>{self.path}</title><p>You carry {cookie or 'nothing'}</p><button>Buy</button>".encode()
            self.send_response(200)
            if not cookie:
                self.send_header("set-cookie", "berth=17; Max-Age=999")
            self.send_header("content-type", "text/html")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def live(home: Path, url: str, ending: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(PROGRAM), str(home), url, ending]
    return subprocess.run(command, capture_output=True, text=True, timeout=90)


def test_after_a_kill_the_question_is_still_pending_and_the_browser_is_back_where_it_was(
    tmp_path: Path, harbour: str
) -> None:
    assert live(tmp_path, harbour, "kill").returncode == -signal.SIGKILL
    second = live(tmp_path, harbour, "live")
    assert second.returncode == 0, second.stderr
    outcome, answer, told = second.stdout.split("\n", 2)
    assert (outcome, answer) == ("completed", "yes")
    before, after = told.split("\n---\n")
    for page in (before, after):
        assert page.startswith(f"{harbour}/inside\n")
        assert "You carry berth=17" in page
    ids = [{int(id) for id in re.findall(r"\[(\d+)\]", page)} for page in (before, after)]
    assert ids[0] and ids[1] and max(ids[0]) < min(ids[1]), "numbers of the first browser are not given again"
