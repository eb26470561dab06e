"""Asking from the command line, with a real browser and a model that says what a file tells it to."""

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from .conftest import Command

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]

PAGE = "<title>Ferry</title><h1>Ferry</h1><p>A return ticket costs 14 crowns.</p>"
LIMIT = 60.0
MAIN = "from pilotfish.interfaces.cli import main; main()"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "ferry.html"
    path.write_text(PAGE)
    return path


def script(folder: Path, **cue: object) -> str:
    path = folder / "script.json"
    path.write_text(json.dumps([cue]))
    return f"scripted:{path}"


def test_a_question_about_a_file_is_answered_and_can_be_shown_again(
    pilotfish: Command, page: Path, tmp_path: Path
) -> None:
    model = script(tmp_path, when="ticket", text="It costs **14 crowns**.")
    said = pilotfish("ask", "--model", model, str(page), "What is the ticket?")
    assert (said.returncode, said.stdout) == (0, "It costs **14 crowns**.\n"), said.stderr
    assert "read Ferry" in said.stderr
    [run] = [json.loads(line) for line in pilotfish("runs", "--json").stdout.splitlines()]
    assert run["outcome"] == "completed"
    shown = pilotfish("show", run["id"][:6]).stdout
    assert "What is the ticket?" in shown
    assert "14 crowns" in shown


def test_a_question_is_asked_anew_where_that_is_wanted(pilotfish: Command, page: Path, tmp_path: Path) -> None:
    asked = ("ask", "--model", script(tmp_path, text="It costs 14 crowns."), str(page), "What is the ticket?")
    assert pilotfish(*asked).returncode == 0
    script(tmp_path, text="Fourteen.")
    known = pilotfish(*asked)
    assert known.stdout == "It costs 14 crowns.\n" and "Asked before" in known.stderr
    assert pilotfish(*asked, "--again").stdout == "Fourteen.\n"


def test_a_file_that_is_not_there_is_not_taken_for_a_site(pilotfish: Command, tmp_path: Path) -> None:
    said = pilotfish("ask", "--model", script(tmp_path, text="?"), "nowhere.html", "What is it?")
    assert said.returncode == 2
    assert "There is no file nowhere.html." in said.stderr


def test_the_page_can_come_from_standard_input(pilotfish: Command, tmp_path: Path) -> None:
    said = pilotfish("ask", "--model", script(tmp_path, text="14."), "--json", "-", "How much?", stdin=PAGE)
    kinds = [json.loads(line) for line in said.stdout.splitlines()]
    assert said.returncode == 0, said.stderr
    assert next(event["title"] for event in kinds if event["type"] == "page_seen") == "Ferry"
    assert [event["outcome"] for event in kinds if event["type"] == "run_finished"] == ["completed"]


def test_a_page_that_cannot_be_reached_is_said_with_a_way_out(pilotfish: Command, tmp_path: Path) -> None:
    said = pilotfish("ask", "--model", script(tmp_path, text="?"), "http://127.0.0.1:9/", "What is it?")
    assert said.returncode == 2
    assert "127.0.0.1:9" in said.stderr
    assert "→ " in said.stderr
    assert "Traceback" not in said.stderr


def test_a_model_with_a_wrong_name_is_said_with_a_way_out(pilotfish: Command, page: Path) -> None:
    said = pilotfish("ask", "--model", "opnai:gpt-5", str(page), "What is it?")
    assert said.returncode != 0
    assert "opnai" in said.stderr
    assert "→ " in said.stderr
    assert "Traceback" not in said.stderr


def test_interrupting_once_stops_the_run_and_says_so(home: Path, page: Path, tmp_path: Path) -> None:
    model = script(tmp_path, text="too late", delay=LIMIT)
    words = (sys.executable, "-c", MAIN, "ask", "--json", "--model", model, str(page), "What is it?")
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    watchdog = threading.Timer(LIMIT, process.kill)
    watchdog.start()
    try:
        assert process.stdout is not None
        events: list[dict[str, object]] = []
        for line in process.stdout:
            events.append(json.loads(line))
            if events[-1]["type"] == "model_asked":
                process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    finally:
        watchdog.cancel()
    assert process.returncode == 130, errors
    assert events[-1]["outcome"] == "stopped"
    assert "Stopping" in errors


def test_a_conversation_goes_on_with_its_pages_and_what_was_said(
    pilotfish: Command, page: Path, tmp_path: Path
) -> None:
    model = script(tmp_path, when="And a single", text="Eight crowns.")
    (tmp_path / "script.json").write_text(
        json.dumps([{"when": "What does a return", "text": "Fourteen."}, {"when": "And a single", "text": "Eight."}])
    )
    refused = pilotfish("ask", "--model", model, "--continue", "What?")
    assert refused.returncode == 2 and "no conversation to go on with" in refused.stderr
    assert pilotfish("ask", "--model", model, str(page), "What does a return cost?").stdout == "Fourteen.\n"
    gone_on = pilotfish("ask", "--model", model, "--continue", "And a single?")
    assert gone_on.stdout == "Eight.\n", gone_on.stderr
    runs = [json.loads(line) for line in pilotfish("runs", "--json").stdout.splitlines()]
    assert len({run["conversation"] for run in runs}) == 1
    named = pilotfish("ask", "--model", model, "--conversation", runs[-1]["id"][:6], "And a single one?")
    assert named.stdout == "Eight.\n", named.stderr
    assert "read Ferry" in named.stderr, "the page of the conversation is read again"
    assert pilotfish("ask", "--model", model, "--conversation", "nowhere", "What?").returncode == 2


def test_research_reads_a_file_and_what_is_known_about_the_person_and_show_tells_it(
    pilotfish: Command, page: Path, tmp_path: Path
) -> None:
    assert pilotfish("memory", "add", "I always travel with my bicycle").returncode == 0
    model = script(tmp_path, when="me?", text="With your bicycle it is 17 crowns.")
    said = pilotfish("research", "--model", model, "--page", str(page), "What does the ferry cost me?")
    assert (said.returncode, said.stdout) == (0, "With your bicycle it is 17 crowns.\n"), said.stderr
    [run] = [json.loads(line) for line in pilotfish("runs", "--json").stdout.splitlines()]
    shown = pilotfish("show", run["id"]).stdout
    for fact in ("What does the ferry cost me?", "read Ferry", "I always travel with my bicycle", "17 crowns"):
        assert fact in shown, shown
