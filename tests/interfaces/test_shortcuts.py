"""Shortcuts from the command line: saved, used with other words, listed, renamed, exported, imported and deleted."""

import json
import re
from pathlib import Path

import pytest

from browser.stage import serve_site
from pilotfish.app import loop
from pilotfish.core.messages import ToolCall
from pilotfish.runtime.run import Run

from .conftest import Command

PAGE = """<label>Note <input id=note></label><button onclick="fetch('/put?note=' + note.value)">Put it in</button>"""


@loop("cli-note")
async def note(run: Run) -> None:
    """Write the first note and press the button."""
    page = (await run.observe()).text
    field, button = (re.search(rf"\[(\d+)\] {role}", page) for role in ("textbox", "button"))
    assert field and button
    await run.act(ToolCall(id="1", tool="type", args={"id": int(field[1]), "text": "first"}))
    await run.act(ToolCall(id="2", tool="click", args={"id": int(button[1])}))
    await run.finish("It is in.")


@pytest.mark.slow
def test_a_run_is_saved_and_done_again_with_other_words(pilotfish: Command, tmp_path: Path) -> None:
    with serve_site() as site:
        done = pilotfish("do", "Put first in", "--url", site.html(PAGE), "--loop", "cli-note", "--json")
        assert done.returncode == 0, done.stderr
        run = json.loads(done.stdout.splitlines()[0])["run"]
        saved = pilotfish("save", run[:10], "put", "--param", "text=first")
        assert saved.stdout == 'Saved: pilotfish do put text="first"\n', saved.stderr
        again = pilotfish("do", "put", "text=second", "--json")
        assert again.returncode == 0, again.stderr
        assert "GET /put?note=second" in site.hits
    file = tmp_path / "put.json"
    assert pilotfish("shortcuts", "export", "put", str(file)).returncode == 0
    assert json.loads(file.read_text())["parameters"] == {"text": "first"}
    assert pilotfish("shortcuts", "rename", "put", "place").stdout == "It is place now.\n"
    shown = pilotfish("shortcuts", "import", str(file)).stdout
    assert f"Begins at: {site.url}/page" in shown and '2. Clicked button "Put it in"' in shown, shown
    assert pilotfish("shortcuts", "list").stdout.splitlines() == [
        'place text="first"  Put {text} in',
        'put text="first"  Put {text} in',
    ]
    assert "There is a shortcut put already" in pilotfish("shortcuts", "import", str(file)).stderr
    assert pilotfish("shortcuts", "delete", "put").stdout == "put is gone.\n"
    assert "There are: place." in pilotfish("shortcuts", "show", "put").stderr


def test_what_is_wrong_is_said_with_what_to_do(pilotfish: Command, tmp_path: Path) -> None:
    assert "No shortcuts yet: pilotfish save RUN NAME" in pilotfish("shortcuts", "list").stdout
    assert "There is no shortcut 'kettle'" in pilotfish("do", "kettle", "name=Oat bowl").stderr
    assert "'Oat' is no value" in pilotfish("do", "kettle", "Oat").stderr
    assert "There is no run 'none'" in pilotfish("save", "none", "kettle").stderr
    (tmp_path / "odd.json").write_text("[]")
    assert "That is no shortcut" in pilotfish("shortcuts", "import", str(tmp_path / "odd.json")).stderr
    assert "cannot be read" in pilotfish("shortcuts", "import", str(tmp_path / "gone.json")).stderr
