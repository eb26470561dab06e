"""A password in a real run: typed by the runtime, seen by nobody."""

import json
from collections.abc import AsyncIterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from pydantic import SecretStr

from pilotfish.core import events
from pilotfish.enforcement.approvals import ALLOW_ONCE
from pilotfish.safety.secrets import Secret, SecretVault
from scripted_app import Open

from .obedient_model import Order, follow_run, start_run

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
VALUE = "tr0ub4dor&3"
PAGE = """<title>Sign in</title><form method=post action=/in><label>Name <input name=user></label>
<label>Password <input name=word type=password></label><label>Comment <input name=note></label><button>Sign in</button>
</form>"""


class Door:
    """A page that takes a password and says it back, as bad pages do."""

    def __init__(self) -> None:
        self.got: list[str] = []
        door = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._say(PAGE)

            def do_POST(self) -> None:
                got = self.rfile.read(int(self.headers["Content-Length"])).decode()
                door.got.append(got)
                self._say(f"<title>Hello</title><p>You sent {got} and your password is {VALUE}</p>")

            def _say(self, text: str) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    door = Door()
    yield door
    door.server.shutdown()
    door.server.server_close()


async def test_a_password_reaches_the_site_and_nothing_else(opened: Open, door: Door, tmp_path: Path) -> None:
    fish = await opened()
    secret = Secret(name="door", value=SecretStr(VALUE), origins=(door.url,))
    await SecretVault(fish.store, fish.settings.home).keep("local", secret)
    orders: list[Order] = [
        ("type", "Comment", {"text": "<secret:door>"}),
        ("type", "Password", {"text": "<secret:none>"}),
        ("navigate", "", {"url": "http://127.0.0.1:1/?<secret:door>"}),
        ("type", "Password", {"text": "<secret:door>"}),
        ("click", "Sign in", {}),
        ("get_text", "", {}),
    ]
    record = await start_run(fish, "Sign me in", door.url, orders)
    story = await follow_run(fish, record, [ALLOW_ONCE, ALLOW_ONCE])
    assert len(door.got) == 1 and "tr0ub4dor%263" in door.got[0]
    lines = story.answer.splitlines()
    assert "not a field for one" in lines[0] and "There is no <secret:none>" in lines[1]
    assert "only be typed into a field" in lines[2]
    assert "your password is <secret:door>" in story.answer
    kept = json.dumps([event.model_dump(mode="json") for event in story.journal])
    assert "tr0ub4dor" not in kept
    assert [
        event.details["name"] for event in story.journal if isinstance(event, events.Noted) and event.topic == "secret"
    ]
    seen = [event.text for event in story.journal if isinstance(event, events.PageSeen)]
    assert "can be typed here by their names: <secret:door> (password)" in seen[0]
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix in (".db", ".db-wal", ".log")]
    assert all(VALUE.encode() not in path.read_bytes() for path in files)
