"""Each example runs and says something sensible, with a model that says what it is told to."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest


def free() -> int:
    """A port that nobody uses now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TIDE = {"tool": "high_tide", "args": {"place": "Gull Island"}}
VERDICT = json.dumps({"mood": "complaint", "summary": "The ferry left early."})
PORT = free()
SEARCHED = [
    {"tool": "memory_retrieve", "args": {"search_terms": ["ferry", "travel"]}},
    {"tool": "web_search", "args": {"query": "ferry return ticket Gull Island bicycle price"}},
]
PAGES = [f"http://127.0.0.1:{PORT}/{name}" for name in ("lantern", "heron")]
FETCHED = [{"tool": "web_fetch", "args": {"urls": PAGES, "query": "price with a bicycle"}}]
FOUND = "Lantern Line is cheaper: 14 crowns with the bicycle free [1], against 23 crowns with Heron Ferries [2]."
SCRIPTS: dict[str, tuple[list[dict[str, object]], str]] = {
    "01_ask.py": ([{"text": "It costs 14 crowns."}], "It costs 14 crowns.\ncompleted"),
    "02_own_tool.py": (
        [{"turn": 0, "calls": [TIDE]}, {"text": "At 05:20 and 17:46."}],
        "high_tide: High tide at Gull Island: 05:20 and 17:46.\nAt 05:20 and 17:46.",
    ),
    "03_own_loop.py": ([{"text": VERDICT}], "reading the letter\ncomplaint: The ferry left early."),
    "04_research.py": (
        [{"turn": 0, "calls": SEARCHED}, {"turn": 1, "calls": FETCHED}, {"text": FOUND}],
        f"""memory_retrieve: recalled 1 fact: The user always travels with a bicycle
Expecting about 3 rounds and 7,500 tokens: about 0.00 cents.
memory_retrieve: recalled 1 fact: The user always travels with a bicycle
web_search: 3 results for “ferry return ticket Gull Island bicycle price” from searxng
web_fetch: Read 2 pages

{FOUND}

Sources:
1. [Lantern Line: prices]({PAGES[0]})
2. [Heron Ferries: prices]({PAGES[1]})
""",
    ),
    "05_hundred_days.py": ([], " day  core important context  what happened\n   0     2         1       1  saved: "),
}


def test_every_example_is_run() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(SCRIPTS)


@pytest.mark.slow
@pytest.mark.parametrize("name", SCRIPTS)
def test_an_example_runs(name: str, tmp_path: Path) -> None:
    lines, expected = SCRIPTS[name]
    script = tmp_path / "script.json"
    script.write_text(json.dumps(lines))
    env = {**os.environ, "PILOTFISH_HOME": str(tmp_path / "home"), "PILOTFISH_MODELS__MAIN": f"scripted:{script}"}
    words = (sys.executable, EXAMPLES / name, *([str(PORT)] if name == "04_research.py" else []))
    said = subprocess.run(words, capture_output=True, text=True, env=env, timeout=90, check=False)
    assert said.returncode == 0, said.stderr
    # Tools that were called together end in any order.
    told = said.stdout[: len(expected)]
    assert sorted(told.splitlines()) == sorted(expected.splitlines()), said.stderr
