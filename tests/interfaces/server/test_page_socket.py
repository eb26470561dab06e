"""Pages of other sites on the socket: which may connect, and how they say who their user is."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pilotfish.core.settings import ServerSettings

from .running_server import PATIENCE, RunningServer, serve_app_at
from .test_ws import say, until

APP = "https://app.example"


@pytest.fixture(scope="module")
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RunningServer]:
    """A server whose socket pages of another site may use."""
    async with serve_app_at(tmp_path_factory.mktemp("pages"), where=ServerSettings(port=0, origins=(APP,))) as running:
        yield running


def page_socket(running: RunningServer, **how: Any) -> connect:
    given: dict[str, Any] = {"origin": APP, **how}
    return connect(running.url.replace("http", "ws") + "/ws", **given)


async def test_a_page_of_an_admitted_site_signs_in_with_its_first_message(running: RunningServer) -> None:
    async with page_socket(running) as line:
        await say(line, type="auth", token=running.token)
        assert (await until(line, "signed_in"))[-1]["type"] == "signed_in"
        await say(line, type="chat", content="Hello", loop="test-echo")
        assert (await until(line, "response_complete"))[-1]["content"] == "Hello"


async def test_a_page_of_an_admitted_site_signs_in_with_the_subprotocol(running: RunningServer) -> None:
    async with page_socket(running, subprotocols=["pilotfish", running.token]) as line:
        assert line.subprotocol == "pilotfish"
        await say(line, type="ping")
        await until(line, "pong")


@pytest.mark.parametrize("first", ['{"type":"auth","token":"wrong"}', '{"type":"ping"}', "[", "{}"])
async def test_a_page_that_does_not_sign_in_is_closed_and_hears_nothing(running: RunningServer, first: str) -> None:
    async with page_socket(running) as line:
        await line.send(first)
        with pytest.raises(ConnectionClosed) as caught:
            await asyncio.wait_for(line.recv(), PATIENCE)
    assert caught.value.rcvd is not None and caught.value.rcvd.code == 1008


async def test_the_cookie_of_the_person_signs_no_page_of_another_site_in(running: RunningServer) -> None:
    async with running.stranger() as client:
        await client.get("/enter", params={"token": running.token})
        cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    async with page_socket(running, additional_headers={"cookie": cookie}) as line:
        await say(line, type="ping")
        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(line.recv(), PATIENCE)


async def test_other_sites_and_other_paths_stay_closed(running: RunningServer) -> None:
    with pytest.raises(InvalidStatus):
        async with page_socket(running, origin="https://evil.example"):
            pass
    async with running.client() as client:
        assert (await client.get("/api/me", headers={"origin": APP})).status_code == 403
