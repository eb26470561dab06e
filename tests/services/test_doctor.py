"""The doctor finds what is amiss and says how to mend it."""

import os
import socket
from pathlib import Path
from unittest.mock import AsyncMock

import pytest

from interfaces.server.running_server import serve_app_at
from pilotfish import __version__
from pilotfish.core.settings import BrowserSettings, ModelSettings, ServerSettings, Settings
from pilotfish.llm.machine import MachineSize
from pilotfish.runtime.engine import EngineConnection
from pilotfish.services import doctor


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path, models=ModelSettings(main="scripted"))


async def test_a_database_that_can_be_written_is_fine(settings: Settings) -> None:
    assert (await doctor.check_database(settings)).status == "ok"


async def test_a_database_whose_clock_the_engine_cannot_read_is_broken(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    class OldConnection(EngineConnection):
        def __init__(self, *args: object) -> None:
            super().__init__(*args)
            self.create_function("unixepoch", 1, lambda how: None)

    monkeypatch.setattr("pilotfish.runtime.engine.EngineConnection", OldConnection)
    finding = await doctor.check_database(settings)
    assert (finding.status, bool(finding.fix)) == ("broken", True)


async def test_settings_that_cannot_be_read_are_the_first_thing_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "settings.toml").write_text("[agent]\nstepz = 3\n")
    monkeypatch.setenv("PILOTFISH_HOME", str(tmp_path))
    found = await doctor.run_checks()
    assert not doctor.is_healthy(found)
    [broken] = [finding for finding in found if finding.status == "broken"]
    assert (broken.name, bool(broken.fix)) == ("settings", True)


async def test_a_database_that_is_no_database_is_broken(settings: Settings) -> None:
    (settings.home / "pilotfish.db").write_text("not a database, but long enough to be looked at " * 50)
    finding = await doctor.run_check(doctor.check_database, settings)
    assert finding.status == "broken"
    assert finding.fix


async def test_a_missing_embedded_model_comes_with_the_command_that_fetches_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PILOTFISH_MODELS_DIR", raising=False)
    lacking = settings.model_copy(update={"models": ModelSettings(main="embedded:smollm2-135m")})
    finding = await doctor.run_check(doctor.check_model, lacking)
    assert finding.status == "broken"
    assert "pilotfish models pull smollm2-135m" in finding.fix


async def test_a_browser_that_is_not_there_is_broken(settings: Settings) -> None:
    wrong = settings.model_copy(update={"browser": BrowserSettings(executable="no-such-browser")})
    finding = await doctor.run_check(doctor.check_browser, wrong)
    assert (finding.status, "no-such-browser" in finding.found) == ("broken", True)


async def test_a_port_in_use_is_a_warning(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        busy = settings.model_copy(update={"server": ServerSettings(port=taken.getsockname()[1])})
        finding = await doctor.check_port(busy)
    assert finding.status == "warning"
    assert doctor.is_healthy([finding])


async def test_an_extension_is_told_as_paired_and_as_connected(tmp_path: Path) -> None:
    async with serve_app_at(tmp_path) as running:
        port = int(running.url.rsplit(":", 1)[1])
        there = running.fish.settings.model_copy(update={"server": ServerSettings(port=port)})
        none = await doctor.check_extension(there)
        assert (none.status, "pilotfish extension" in none.fix) == ("ok", True)
        token, _ = await running.fish.users.grant("local", "Chrome", kind="extension", origin="chrome-extension://a")
        absent = await doctor.check_extension(there)
        assert (absent.status, absent.found) == ("warning", "1 paired, none connected")
        assert "chrome://extensions" in absent.fix
        extension = await running.fish.extensions.join(token, AsyncMock(), lambda conversation: None)
        extension.link.receive({"type": "hello", "version": __version__, "browser": "Chrome"})
        assert (await doctor.check_extension(there)).status == "ok"
        extension.link.receive({"type": "hello", "version": "0.0.1", "browser": "Chrome"})
        old = await doctor.check_extension(there)
        assert (old.status, "reload" in old.fix) == ("warning", True)
    stopped = await doctor.check_extension(there)
    assert (stopped.status, "when Pilotfish runs" in stopped.found) == ("ok", True)


async def test_the_disk_is_measured_where_home_will_be(settings: Settings) -> None:
    later = settings.model_copy(update={"home": settings.home / "not" / "yet"})
    assert "GB free" in (await doctor.check_disk(later)).found


@pytest.mark.slow
async def test_the_browser_is_started_to_see_that_it_starts(settings: Settings) -> None:
    finding = await doctor.check_browser(settings)
    as_root = os.geteuid() == 0
    assert (finding.status, "without its sandbox" in finding.found) == ("warning" if as_root else "ok", as_root)
    assert "Chromium" in finding.found


async def test_the_machine_is_told_with_the_models_that_it_can_run(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pilotfish.llm.machine.measure_machine", lambda: MachineSize(memory=16_000_000_000, cores=8))
    finding = await doctor.check_machine(settings)
    assert finding.status == "ok"
    assert finding.found.endswith("recommended is qwen3-4b")
    monkeypatch.setattr("pilotfish.llm.machine.measure_machine", lambda: MachineSize(memory=1_000_000_000, cores=1))
    finding = await doctor.check_machine(settings)
    assert (finding.status, bool(finding.fix)) == ("warning", True)
