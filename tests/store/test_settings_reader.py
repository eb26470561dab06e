from pathlib import Path

import pytest

from pilotfish.core.errors import SettingsError
from pilotfish.core.settings import FORMER_PATHS
from pilotfish.store.settings_reader import MASK, describe_settings, list_paths, load_settings, read_settings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


def test_with_nothing_set_the_defaults_hold_and_home_is_a_real_folder(file: Path) -> None:
    settings = load_settings({}, file)

    assert (settings.agent.steps, settings.agent.horizon) == (None, 8)
    assert settings.home.is_absolute()


def test_environment_beats_file_and_database_beats_both(file: Path) -> None:
    file.write_text("[agent]\nsteps = 1\niterations = 1\nloop = 'chat'\n")
    environ = {"PILOTFISH_AGENT__STEPS": "2", "PILOTFISH_AGENT__ITERATIONS": "2"}

    settings = load_settings(environ, file, stored={"agent.steps": 3})

    assert (settings.agent.steps, settings.agent.iterations, settings.agent.loop) == (3, 2, "chat")


def test_home_comes_from_the_environment_and_holds_the_settings_file(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("database = 'postgresql://db/x'\n")

    settings = load_settings({"PILOTFISH_HOME": str(tmp_path)})

    assert settings.home == tmp_path
    assert settings.database == "postgresql://db/x"


def test_the_caller_decides_on_home_before_anybody_else(tmp_path: Path) -> None:
    assert load_settings({"PILOTFISH_HOME": "/elsewhere"}, home=tmp_path).home == tmp_path


def test_lists_in_the_environment_are_json(file: Path) -> None:
    assert load_settings({"PILOTFISH_SEARCH__PROVIDERS": '["local"]'}, file).search.providers == ("local",)
    with pytest.raises(SettingsError) as caught:
        load_settings({"PILOTFISH_SEARCH__PROVIDERS": "brave,local"}, file)
    assert "search" in caught.value.message
    assert "JSON" in caught.value.fix


def test_a_file_that_is_not_toml_is_named_with_its_line(file: Path) -> None:
    file.write_text("[agent]\nsteps = = 3\n")

    with pytest.raises(SettingsError, match=r"settings\.toml is not TOML.*line 2"):
        load_settings({}, file)


def test_a_file_in_another_encoding_is_named(file: Path) -> None:
    file.write_bytes("title = 'ü'".encode("latin-1"))

    with pytest.raises(SettingsError, match="is not TOML"):
        load_settings({}, file)


def test_a_file_that_cannot_be_read_is_named_with_the_way_out(file: Path) -> None:
    file.mkdir()

    with pytest.raises(SettingsError, match="cannot be read") as caught:
        load_settings({}, file)
    assert caught.value.fix


@pytest.mark.parametrize(
    "text, line",
    [
        ("\n[agent]\nstpes = 3\n", 3),
        ("agent.stpes = 3\n", 1),
        ("[models]\nmain = 'x'\n[agent]\n\nstpes = 3\n", 5),
    ],
)
def test_an_unknown_name_in_the_file_is_found_by_line_with_a_suggestion(file: Path, text: str, line: int) -> None:
    file.write_text(text)

    with pytest.raises(SettingsError, match=rf"agent\.stpes .*line {line}\)") as caught:
        load_settings({}, file)
    assert "agent.steps" in caught.value.fix


@pytest.mark.parametrize("name", ["PILOTFISH_AGENT__STPES", "PILOTFISH_MODEL__MAIN", "PILOTFISH_DATABSE"])
def test_a_misspelt_variable_is_refused(file: Path, name: str) -> None:
    with pytest.raises(SettingsError, match=name):
        load_settings({name: "1"}, file)


def test_variables_that_are_no_settings_are_left_alone(file: Path) -> None:
    assert load_settings({"PILOTFISH_MODELS_DIR": "/x", "PATH": "/bin", "OTHER__THING": "1"}, file)


@pytest.mark.parametrize(
    "environ, stored, origin",
    [
        ({}, None, "line 2"),
        ({"PILOTFISH_AGENT__STEPS": "many"}, None, "environment, PILOTFISH_AGENT__STEPS"),
        ({}, {"agent.steps": 0}, "database"),
    ],
)
def test_a_wrong_value_is_found_where_it_was_set(
    file: Path, environ: dict[str, str], stored: dict[str, object] | None, origin: str
) -> None:
    file.write_text("[agent]\nsteps = 100000\n")

    with pytest.raises(SettingsError, match=rf"agent\.steps is wrong \(.*{origin}\)"):
        load_settings(environ, file, stored=stored)


def test_a_group_given_as_a_value_is_refused(file: Path) -> None:
    file.write_text("agent = 3\n")

    with pytest.raises(SettingsError, match="agent"):
        load_settings({}, file)


def test_a_setting_that_a_later_version_dropped_does_not_stop_the_program(file: Path) -> None:
    assert load_settings({}, file, stored={"agent.gone": 1}).agent.horizon == 8


def test_description_says_where_each_value_came_from_and_hides_secrets(file: Path) -> None:
    file.write_text("[models]\nmain = 'ollama:x'\n")
    environ = {"PILOTFISH_MODELS__API_KEY": "hunter2"}

    lines = {line.path: line for line in describe_settings(read_settings(environ, file, stored={"agent.steps": 5}))}

    assert lines.keys() == list_paths().keys()
    assert lines["models.main"].origin == f"{file}, line 2"
    assert lines["models.api_key"].origin == "environment, PILOTFISH_MODELS__API_KEY"
    assert lines["agent.steps"].origin == "database"
    assert lines["agent.loop"].origin == "default"
    assert lines["models.api_key"].value == MASK
    assert lines["search.brave_key"].value == ""
    assert "hunter2" not in repr(lines)


def test_a_wrong_secret_is_not_printed(file: Path) -> None:
    file.write_text("[models]\napi_key = 12345678\n")

    with pytest.raises(SettingsError) as caught:
        load_settings({}, file)
    assert "12345678" not in str(caught.value)


@pytest.mark.parametrize(("former", "present"), FORMER_PATHS.items())
def test_the_paths_of_renamed_settings_exist_and_the_former_ones_do_not(former: str, present: str) -> None:
    paths = list_paths()
    assert any(path == present or path.startswith(f"{present}.") for path in paths)
    assert not any(path == former or path.startswith(f"{former}.") for path in paths)


def test_a_renamed_setting_is_read_under_its_former_name_and_one_line_says_so(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file.write_text("[policy]\npatience = 7\n[keep]\ndays = 3\n[tell]\nmail_to = 'a@b.example'\n")
    environ = {"PILOTFISH_TELL__NTFY_URL": "https://ntfy.example/t", "PILOTFISH_KEEP__DAYS": "4"}

    settings = load_settings(environ, file)
    load_settings(environ, file)

    assert (settings.policy.approval_timeout, settings.retention.days) == (7, 4)
    assert (settings.notices.mail_to, settings.notices.ntfy_url) == ("a@b.example", "https://ntfy.example/t")
    lines = [record.getMessage() for record in caplog.records if "policy.patience" in record.getMessage()]
    assert len(lines) == 1 and "is now called policy.approval_timeout" in lines[0] and "line 2" in lines[0]


def test_a_present_name_counts_more_than_a_former_one(file: Path) -> None:
    file.write_text("[retention]\ndays = 3\n[keep]\ndays = 2\n")
    environ = {"PILOTFISH_NOTICES__MAIL_TO": "new@b.example", "PILOTFISH_TELL__MAIL_TO": "old@b.example"}

    settings = load_settings(environ, file)

    assert (settings.retention.days, settings.notices.mail_to) == (3, "new@b.example")
