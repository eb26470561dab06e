"""The doctor finds what is amiss and says how to mend it."""

import socket
from pathlib import Path

import pytest

from pilotfish.core.settings import Browser, Models, Server, Settings
from pilotfish.parts import doctor


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path, models=Models(main="scripted"))


async def test_a_database_that_can_be_written_is_fine(settings: Settings) -> None:
    assert (await doctor.database(settings)).status == "ok"


async def test_settings_that_cannot_be_read_are_the_first_thing_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "settings.toml").write_text("[agent]\nstepz = 3\n")
    monkeypatch.setenv("PILOTFISH_HOME", str(tmp_path))
    found = await doctor.examine()
    assert not doctor.healthy(found)
    [broken] = [finding for finding in found if finding.status == "broken"]
    assert (broken.name, bool(broken.fix)) == ("settings", True)


async def test_a_database_that_is_no_database_is_broken(settings: Settings) -> None:
    (settings.home / "pilotfish.db").write_text("not a database, but long enough to be looked at " * 50)
    finding = await doctor.checked(doctor.database, settings)
    assert finding.status == "broken"
    assert finding.fix


async def test_a_missing_embedded_model_comes_with_the_command_that_fetches_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PILOTFISH_MODELS_DIR", raising=False)
    lacking = settings.model_copy(update={"models": Models(main="embedded:smollm2-135m")})
    finding = await doctor.checked(doctor.model, lacking)
    assert finding.status == "broken"
    assert "pilotfish models pull smollm2-135m" in finding.fix


async def test_a_browser_that_is_not_there_is_broken(settings: Settings) -> None:
    wrong = settings.model_copy(update={"browser": Browser(executable="no-such-browser")})
    finding = await doctor.checked(doctor.browser, wrong)
    assert (finding.status, "no-such-browser" in finding.found) == ("broken", True)


async def test_a_port_in_use_is_a_warning(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        busy = settings.model_copy(update={"server": Server(port=taken.getsockname()[1])})
        finding = await doctor.port(busy)
    assert finding.status == "warning"
    assert doctor.healthy([finding])


async def test_the_disk_is_measured_where_home_will_be(settings: Settings) -> None:
    later = settings.model_copy(update={"home": settings.home / "not" / "yet"})
    assert "GB free" in (await doctor.disk(later)).found


@pytest.mark.slow
async def test_the_browser_is_started_to_see_that_it_starts(settings: Settings) -> None:
    finding = await doctor.browser(settings)
    assert finding.status == "ok"
    assert "Chromium" in finding.found
