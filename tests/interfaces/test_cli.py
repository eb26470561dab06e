"""Commands that need neither browser nor model."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pilotfish import __version__
from pilotfish.interfaces.cli import cli

from .conftest import Command, Said


def rows(said: Said) -> list[dict[str, object]]:
    assert said.returncode == 0, said.stderr
    return [json.loads(line) for line in said.stdout.splitlines()]


def read_error(said: Said, code: int) -> list[str]:
    """The lines of an error that a person can mend: what happened, and what to do."""
    assert said.returncode == code, said.stderr
    lines = said.stderr.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("→ ")
    return lines


def test_the_version_is_said(pilotfish: Command) -> None:
    assert pilotfish("--version").stdout == f"pilotfish {__version__}\n"


def test_a_command_that_does_not_exist_is_refused(pilotfish: Command) -> None:
    said = pilotfish("swim")
    assert said.returncode == 2
    assert "swim" in said.stderr


def test_a_setting_is_set_shown_and_taken_back(pilotfish: Command) -> None:
    assert rows(pilotfish("settings", "agent.steps", "33", "--json"))[0]["value"] == 33
    assert rows(pilotfish("settings", "agent.steps", "--json"))[0]["origin"] == "database"
    assert rows(pilotfish("settings", "agent.steps", "--unset", "--json"))[0]["origin"] == "default"


def test_a_setting_can_be_words(pilotfish: Command) -> None:
    [line] = rows(pilotfish("settings", "models.main", "openai:gpt-5-mini", "--json"))
    assert line["value"] == "openai:gpt-5-mini"


def test_a_setting_that_does_not_exist_is_refused_with_a_way_out(pilotfish: Command) -> None:
    assert "agent.stepz" in read_error(pilotfish("settings", "agent.stepz"), 4)[0]


def test_a_settings_file_that_is_not_toml_is_named(pilotfish: Command, home: Path) -> None:
    home.mkdir()
    (home / "settings.toml").write_text("steps = = 3\n")
    assert "settings.toml" in read_error(pilotfish("runs"), 4)[0]


def test_the_models_are_listed(pilotfish: Command) -> None:
    listed = rows(pilotfish("models", "--json"))
    assert {"qwen2.5-coder-1.5b", "smollm2-135m"} <= {line["name"] for line in listed}
    assert {line["path"] for line in listed} == {""}


def test_a_model_that_does_not_exist_is_refused_with_near_names(pilotfish: Command) -> None:
    assert "smollm2-135m" in read_error(pilotfish("models", "pull", "smolm2"), 3)[1]


def test_no_model_is_fetched_where_a_key_is_set(pilotfish: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    said = pilotfish("models", "pull", "--needed")
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")


def test_with_no_runs_it_says_how_to_begin(pilotfish: Command) -> None:
    assert "pilotfish ask" in pilotfish("runs").stdout


def test_a_run_that_does_not_exist_is_refused(pilotfish: Command) -> None:
    read_error(pilotfish("show", "abc"), 2)


def test_asking_about_a_file_that_is_not_there_is_refused(pilotfish: Command) -> None:
    assert "./nothing.html" in read_error(pilotfish("ask", "./nothing.html", "What is it?"), 2)[0]


def test_asking_about_nothing_on_standard_input_is_refused(pilotfish: Command) -> None:
    assert "standard input" in read_error(pilotfish("ask", "-", "What is it?"), 2)[0]


def test_an_empty_question_is_refused(pilotfish: Command) -> None:
    read_error(pilotfish("ask", " "), 2)


def test_with_no_page_the_answer_says_so_kindly(pilotfish: Command) -> None:
    said = pilotfish("ask", "--model", "scripted", "What is it?")
    assert said.returncode == 0, said.stderr
    assert "no open page" in said.stdout


def test_a_replaced_fact_is_told_and_brought_back(pilotfish: Command) -> None:
    assert pilotfish("memory", "add", "I live in Lisbon").stdout == "Remembered.\n"
    said = pilotfish("memory", "add", "I live in Porto").stdout
    assert "Replaced: I live in Lisbon" in said
    assert pilotfish("memory", "add", "My wife lives in Porto", "--tier", "context").stdout == "Remembered.\n"
    id = said.partition("memory undo ")[2].partition("`")[0]
    assert pilotfish("memory", "undo", id).stdout == "Holds again: I live in Lisbon\n"
    assert len(rows(pilotfish("memory", "list", "--json"))) == 3


@pytest.mark.parametrize(
    ("words", "port"),
    [
        (["--port", "4711", "serve"], 4711),
        (["serve", "--port", "4712"], 4712),
        (["--port", "1", "serve", "--port", "4713"], 4713),
    ],
)
def test_where_to_serve_may_be_said_before_the_command_too(
    words: list[str], port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[dict[str, int]] = []

    async def serve(*, where: dict[str, int], **_: object) -> None:
        served.append(where)

    monkeypatch.setattr("pilotfish.interfaces.web_server.app.serve", serve)
    assert CliRunner().invoke(cli, words).exit_code == 0
    assert served == [{"port": port}]
