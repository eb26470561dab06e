"""Each example runs and says something sensible, with a model that says what it is told to."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TIDE = {"tool": "high_tide", "args": {"place": "Gull Island"}}
VERDICT = json.dumps({"mood": "complaint", "summary": "The ferry left early."})
SCRIPTS: dict[str, tuple[list[dict[str, object]], str]] = {
    "01_ask.py": ([{"text": "It costs 14 crowns."}], "It costs 14 crowns.\ncompleted"),
    "02_own_tool.py": (
        [{"turn": 0, "calls": [TIDE]}, {"text": "At 05:20 and 17:46."}],
        "high_tide: High tide at Gull Island: 05:20 and 17:46.\nAt 05:20 and 17:46.",
    ),
    "03_own_loop.py": ([{"text": VERDICT}], "reading the letter\ncomplaint: The ferry left early."),
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
    words = (sys.executable, EXAMPLES / name)
    said = subprocess.run(words, capture_output=True, text=True, env=env, timeout=90, check=False)
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith(expected), said.stderr
