"""What each attack tries, and that it gets nowhere."""

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from pilotfish.core.errors import ToolError
from pilotfish.interfaces.web_server.rate_limit import RateLimiter

from .running_server import RunningServer


async def raw(running: RunningServer, request: bytes) -> bytes:
    """What the server says to bytes that no decent client would send."""
    parts = urlsplit(running.url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    writer.write(request)
    await writer.drain()
    try:
        return await asyncio.wait_for(reader.read(), 5)
    finally:
        writer.close()
        await writer.wait_closed()


@pytest.mark.slow
async def test_without_a_token_nothing_is_told(running: RunningServer) -> None:
    async with running.stranger() as client:
        schema = (await client.get("/api/openapi.json")).json()
        for path in schema["paths"]:
            if path in ("/api/session", "/api/health", "/api/ready"):
                continue
            for method in schema["paths"][path]:
                at = path.replace("{run}", "a").replace("{conversation}", "a")
                assert (await client.request(method, at)).status_code == 401, (method, path)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost:1", "", "127.0.0.1:80:80"])
async def test_a_name_that_is_not_ours_is_refused(running: RunningServer, host: str) -> None:
    async with running.client() as client:
        answer = await client.get("/api/me", headers={"host": host})
    assert answer.status_code in (400, 421)


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "file://", "http://127.0.0.1"])
async def test_a_foreign_origin_is_refused_over_http_and_websocket(running: RunningServer, origin: str) -> None:
    async with running.client() as client:
        answer = await client.get("/api/me", headers={"origin": origin})
        assert (answer.status_code, answer.json()["code"]) == (403, "foreign_origin")
        assert "access-control-allow-origin" not in answer.headers
    headers = {"authorization": f"Bearer {running.token}"}
    with pytest.raises(InvalidStatus):
        async with connect(running.url.replace("http", "ws") + "/ws", additional_headers=headers, origin=origin):  # pyright: ignore[reportArgumentType]
            pass


async def test_a_socket_without_a_token_is_refused(running: RunningServer) -> None:
    with pytest.raises(InvalidStatus):
        async with connect(running.url.replace("http", "ws") + "/ws"):
            pass


async def test_the_printed_address_leaves_a_cookie_that_scripts_and_other_sites_cannot_use(
    running: RunningServer,
) -> None:
    async with running.stranger() as client:
        answer = await client.get("/enter", params={"token": running.token})
        assert (answer.status_code, answer.headers["location"]) == (303, "/")
        kept = answer.headers["set-cookie"].lower()
        assert "httponly" in kept
        assert "samesite=strict" in kept
        assert running.token.lower() not in kept
        assert (await client.get("/api/me")).json()["role"] == "admin"
        own = {"origin": running.url}
        assert (await client.delete("/api/session", headers=own)).status_code == 204
    async with running.stranger(headers={"cookie": answer.headers["set-cookie"].partition(";")[0]}) as thief:
        assert (await thief.get("/api/me")).status_code == 401


async def test_a_form_on_another_site_cannot_act_with_the_cookie(running: RunningServer) -> None:
    async with running.stranger() as client:
        await client.get("/enter", params={"token": running.token})
        form: dict[str, Any] = {"content": "task=x", "headers": {"content-type": "application/x-www-form-urlencoded"}}
        assert (await client.post("/api/runs", **form)).status_code == 403
        body = json.dumps({"task": "x", "loop": "test-echo"})
        plain = {"content-type": "text/plain"}
        assert (await client.post("/api/runs", content=body, headers=plain)).status_code == 403
        away = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
        assert (await client.post("/api/runs", content=body, headers=plain | away)).status_code == 403
        near = {"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"}
        assert (await client.get("/api/runs", headers=near)).status_code == 403
        own = {"origin": running.url, "content-type": "application/json"}
        assert (await client.post("/api/runs", content=body, headers=own)).status_code == 201


async def test_a_wrong_token_is_refused_and_guessing_is_slowed(running: RunningServer) -> None:
    async with running.stranger() as client:
        codes = [(await client.post("/api/session", json={"token": f"pf_{n}"})).status_code for n in range(30)]
    assert codes[0] == 401
    assert codes[-1] == 429


def test_a_caller_gets_a_burst_and_then_a_steady_rate() -> None:
    buckets = RateLimiter(rate=0.001, burst=3)
    assert [buckets.take("a") for _ in range(5)] == [True, True, True, False, False]
    assert buckets.take("b")


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/assets/../../server.py",
        "/%2e%2e/%2e%2e/server.py",
        "/..%2f..%2fserver.py",
        "//etc/passwd.txt",
    ],
)
async def test_no_file_beside_the_pages_can_be_had(running: RunningServer, path: str) -> None:
    host = urlsplit(running.url).netloc.encode()
    said = await raw(
        running, b"GET " + path.encode() + b" HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n"
    )
    async with running.stranger() as client:
        front = (await client.get("/")).content
    assert b" 404 " in said.splitlines()[0] or said.endswith(front)
    assert b"root:" not in said
    assert b"APIRouter" not in said


async def test_only_files_that_the_journal_names_are_served(running: RunningServer) -> None:
    run = await running.started("test-echo")
    await running.until(run, "run_finished")
    folder = running.fish.settings.home / "runs" / run
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "secret.txt").write_text("secret")
    async with running.client() as client:
        for name in ("secret.txt", "../../token", "..%2f..%2ftoken", "%2e%2e/%2e%2e/token", "/etc/passwd", "a%00b"):
            answer = await client.get(f"/api/runs/{run}/files/{name}")
            assert answer.status_code in (404, 422), name


async def test_a_body_that_is_too_large_is_refused_before_it_is_read(running: RunningServer) -> None:
    async def chunks() -> AsyncGenerator[bytes]:
        for _ in range(30):
            yield b"x" * 100_000

    async with running.client() as client:
        assert (await client.put("/api/settings", content=b"x" * 1_100_000)).status_code == 413
        assert (await client.put("/api/settings", content=chunks())).status_code == 413


async def test_headers_cannot_be_smuggled_in(running: RunningServer) -> None:
    host = urlsplit(running.url).netloc.encode()
    said = await raw(
        running, b"GET / HTTP/1.1\r\nHost: " + host + b"\r\nX: a\nInjected: yes\r\nConnection: close\r\n\r\n"
    )
    assert b"injected: yes" not in said.lower()
    async with running.client() as client:
        run = (await client.post("/api/runs", json={"task": "x\r\nSet-Cookie: a=b", "loop": "test-echo"})).json()["id"]
        answer = await client.get(f"/api/runs/{run}/export", params={"format": "markdown"})
        assert "set-cookie" not in answer.headers
        double = b"GET /api/me HTTP/1.1\r\nHost: " + host + b"\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    assert b" 400 " in (await raw(running, double)).splitlines()[0]


async def test_pages_and_answers_carry_the_headers_that_keep_browsers_careful(running: RunningServer) -> None:
    async with running.client() as client:
        for path in ("/", "/api/me", "/nothing.js"):
            headers = (await client.get(path)).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["x-frame-options"] == "DENY"
            policy = headers["content-security-policy"]
            assert policy.startswith("default-src 'self'; img-src 'self' data: blob:")
            assert "unsafe-inline" not in policy
        assert (await client.get("/api/me")).headers["cache-control"] == "no-store"


@pytest.mark.slow
async def test_another_persons_things_are_as_if_they_were_not_there(running: RunningServer) -> None:
    run = await running.started("test-question", "mine alone")
    await running.until(run, "input_requested")
    thread = (await running.fish.record(run)).conversation
    _, token = await running.member("eve-http")
    async with running.client(token) as client:
        schema = (await client.get("/api/openapi.json")).json()
        tried = 0
        for path, methods in schema["paths"].items():
            if "{run}" not in path and "{conversation}" not in path:
                continue
            at = (
                path.replace("{run}", run)
                .replace("{conversation}", thread)
                .replace("{name}", "a")
                .replace("{tab}", "1")
            )
            for method in methods:
                bodies: dict[str, Any] = {"text": "x", "title": "x", "task": "x", "url": "about:blank"}
                for body in ({name: value} for name, value in bodies.items()):
                    answer = await client.request(method, at, json=None if method == "get" else body)
                    assert answer.status_code in (404, 422), (method, path, answer.text)
                tried += 1
        assert tried > 15
        assert (await client.get("/api/runs")).json()["items"] == []
        assert (await client.get("/api/conversations")).json() == []
        assert (await client.get("/api/costs")).json()["total"]["input"] == 0
        started = await client.post("/api/runs", json={"task": "x", "loop": "test-echo", "conversation": thread})
        assert started.status_code == 404
    assert (await running.fish.record(run)).state == "awaiting_input"
    await running.fish.command(run, "stop")


async def test_a_member_may_not_change_settings_or_people(running: RunningServer) -> None:
    _, token = await running.member("mallory")
    async with running.client(token) as client:
        assert (await client.get("/api/settings")).status_code == 403
        wish = {"path": "agent.steps", "value": 3}
        assert (await client.put("/api/settings", json=wish)).status_code == 403
        assert (await client.post("/api/users", json={"name": "x"})).status_code == 403
        assert (await client.get("/metrics")).status_code == 403


async def test_a_token_is_shown_once_kept_hashed_and_can_be_revoked(running: RunningServer) -> None:
    async with running.client() as client:
        user = (await client.post("/api/users", json={"name": "Ann"})).json()
        issued = (await client.post(f"/api/users/{user['id']}/tokens", json={"name": "laptop"})).json()
        kept = await running.fish.store.entries("token")
        assert all(
            issued["token"] not in digest and issued["token"].encode() not in held for digest, held in kept.items()
        )
        async with running.client(issued["token"]) as ann:
            assert (await ann.get("/api/me")).json()["name"] == "Ann"
            grants = (await ann.get("/api/tokens")).json()
            assert (await ann.delete(f"/api/tokens/{grants[0]['id']}")).status_code == 204
            assert (await ann.get("/api/me")).status_code == 401
        assert (await client.delete(f"/api/users/{user['id']}")).status_code == 204


@pytest.mark.slow
async def test_an_agents_own_browser_cannot_reach_the_server_even_where_loopback_is_allowed(
    running: RunningServer,
) -> None:
    assert running.fish.settings.browser.allow_private
    tabs = running.fish.browsers.of("agents-own")
    port = running.url.rpartition(":")[2]
    try:
        for address in (running.url, f"http://localhost:{port}/api/health", f"http://[::1]:{port}/"):
            with pytest.raises(ToolError):
                await tabs.tab(address)
        whys = {one.why for one in tabs.proxy.drain()}
        assert whys == {"agents may not reach the server that runs them"}
    finally:
        await running.fish.browsers.close("agents-own")
