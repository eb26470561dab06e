"""A server that is told to stop before it has started."""

import signal
from pathlib import Path
from typing import Any

import pytest

from pilotfish.core.settings import ModelSettings, ServerSettings, Settings
from pilotfish.interfaces.web_server.app import AppServer, serve

pytestmark = pytest.mark.anyio


async def test_a_server_that_is_told_to_stop_while_it_starts_ends_without_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = AppServer.startup

    async def start_late(self: AppServer, sockets: Any = None) -> None:
        self.handle_exit(signal.SIGTERM, None)
        await start(self, sockets)

    monkeypatch.setattr(AppServer, "startup", start_late)
    addresses: list[str] = []
    settings = Settings(home=tmp_path, models=ModelSettings(main="scripted"), server=ServerSettings(port=0))
    await serve(settings, ready=addresses.append)
    assert addresses == []
