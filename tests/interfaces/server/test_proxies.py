"""Behind a reverse proxy: what its headers say counts only where the settings name its address."""

from pathlib import Path

import pytest

from pilotfish.core.settings import ServerSettings

from .running_server import serve_app_at

OUTSIDE = {"host": "agent.example", "x-forwarded-proto": "https", "x-forwarded-for": "203.0.113.9"}


@pytest.mark.parametrize("trusted", [True, False])
async def test_a_cookie_is_secure_where_a_trusted_proxy_speaks_tls(tmp_path: Path, trusted: bool) -> None:
    where = ServerSettings(port=0, hosts=("agent.example",), proxies=("127.0.0.1",) if trusted else ())
    async with serve_app_at(tmp_path, where=where) as running, running.stranger() as client:
        answer = await client.post("/api/session", json={"token": running.token}, headers=OUTSIDE)
        assert answer.status_code == 200
        assert ("secure" in answer.headers["set-cookie"].lower()) == trusted
        other = await client.post("/api/session", json={"token": running.token}, headers={"host": "evil.example"})
        assert other.status_code == 421


async def test_a_tunnel_or_container_may_give_it_another_port_of_this_machine_that_the_settings_name(
    tmp_path: Path,
) -> None:
    where = ServerSettings(port=0, hosts=("127.0.0.1:9000",))
    async with serve_app_at(tmp_path, where=where) as running, running.client() as client:
        told = [
            (await client.get("/api/me", headers={"host": f"127.0.0.1:{port}", "origin": f"http://127.0.0.1:{origin}"}))
            for port, origin in ((9000, 9000), (9001, 9001), (9000, 9001))
        ]
        assert [answer.status_code for answer in told] == [200, 421, 403]
