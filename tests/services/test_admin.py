"""Settings and embedded models, cared for without starting a run."""

from pathlib import Path

import pytest

from pilotfish.core.errors import SettingsError
from pilotfish.services import admin


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PILOTFISH_HOME", str(tmp_path))
    monkeypatch.delenv("PILOTFISH_MODELS_DIR", raising=False)
    return tmp_path


async def test_what_is_typed_as_json_is_taken_as_json() -> None:
    await admin.change_setting("agent.disabled_tools", '["screenshot"]')
    [line] = await admin.list_settings("agent.disabled_tools")
    assert line.value == ("screenshot",)


async def test_a_group_of_settings_is_found_by_its_name() -> None:
    assert {line.path.split(".")[0] for line in await admin.list_settings("budget")} == {"budget"}


async def test_a_value_that_a_setting_cannot_have_is_refused() -> None:
    with pytest.raises(SettingsError):
        await admin.change_setting("agent.steps", "many")
    [line] = await admin.list_settings("agent.steps")
    assert line.origin == "default"


async def test_the_default_model_is_lacking_where_there_is_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    await admin.change_setting("models.main", "embedded:")
    assert await admin.find_missing_model() == "qwen2.5-coder-1.5b"


async def test_nothing_is_lacking_where_another_model_is_set() -> None:
    await admin.change_setting("models.main", "scripted")
    assert await admin.find_missing_model() == ""


def test_removing_a_model_that_is_not_here_says_so(home: Path) -> None:
    assert not admin.remove_embedded("smollm2-135m")


def test_a_removed_model_is_gone(home: Path) -> None:
    file = home / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf"
    file.parent.mkdir()
    file.touch()
    assert admin.remove_embedded("smollm2-135m")
    assert not file.exists()
