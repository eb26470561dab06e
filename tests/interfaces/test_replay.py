"""Doing again from the command line what a run did, and printing it as a program."""

import json
import re

import pytest

from browser.stage import serve_site
from pilotfish.app import loop
from pilotfish.core.messages import ToolCall
from pilotfish.runtime.run import Run

from .conftest import Command

PAGE = "<button onclick=\"fetch('/put')\">Put it in</button>"


@loop("cli-errand")
async def errand(run: Run) -> None:
    """Press the one button that there is."""
    number = re.search(r'\[(\d+)\] button "Put it in"', (await run.observe()).text)
    assert number
    await run.act(ToolCall(id="1", tool="click", args={"id": int(number[1])}))
    await run.finish("It is in.")


@pytest.mark.slow
def test_a_run_is_done_again_without_a_model_and_printed_as_a_program(pilotfish: Command) -> None:
    with serve_site() as site:
        first = pilotfish("do", "Put it in", "--url", site.html(PAGE), "--loop", "cli-errand", "--json")
        assert first.returncode == 0, first.stderr
        run = json.loads(first.stdout.splitlines()[0])["run"]
        again = pilotfish("replay", run[:10])
        assert (again.returncode, again.stdout) == (0, "Done again: 1 step.\n"), again.stderr
        assert site.hits.count("GET /put") == 2
    program = pilotfish("replay", run, "--script")
    assert program.returncode == 0, program.stderr
    compile(program.stdout, "script.py", "exec")
    assert f'page.goto("{site.url}/page")' in program.stdout
    assert 'page.get_by_role("button", name="Put it in"' in program.stdout


def test_what_did_nothing_in_the_browser_or_is_not_there_cannot_be_done_again(pilotfish: Command) -> None:
    assert pilotfish("ask", "--model", "scripted", "What is it?").returncode == 0
    run = json.loads(pilotfish("runs", "--json").stdout.splitlines()[0])["id"]
    said = pilotfish("replay", run)
    assert said.returncode == 2 and "did nothing in the browser" in said.stderr
    assert "did nothing in the browser" in pilotfish("replay", run, "--script").stderr
    assert "That run is over" in pilotfish("pause", run).stderr
    assert "There is no run 'nowhere'" in pilotfish("replay", "nowhere").stderr
