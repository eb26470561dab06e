"""The second run of `scripts/run_tests.py`: what it saves, what it does not, and what it says."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

from .tree import ROOT

SCRIPT = ROOT / "scripts" / "run_tests.py"
SOUND = "def test_sound():\n    pass\n"
BROKEN = "def test_broken():\n    assert False\n"
BUSY = """
import pathlib, pytest
@pytest.mark.parametrize("word", ["a b::c · [d]"])
def test_busy(word):
    seen = pathlib.Path(__file__).with_suffix(".seen")
    first = not seen.exists()
    seen.touch()
    assert not first
"""


def run_suite(folder: Path, *words: str, **files: str) -> tuple[int, str]:
    """Run a suite of these files; `safety_attacks` is tests/safety/test_attacks.py. Its exit status and words."""
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -q\n")
    for name, text in files.items():
        path = folder / "tests" / name.replace("_", "/test_", 1)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".py").write_text(text)
    command = (sys.executable, SCRIPT, "-p", "no:cacheprovider", *words)
    # Plugins of other packages take longer to import than such a suite to run.
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=100, check=False)
    return done.returncode, done.stdout


def test_what_passes_alone_is_named_and_the_run_is_green(tmp_path: Path) -> None:
    status, said = run_suite(tmp_path, "-p", "xdist", "-n", "1", core_busy=BUSY, core_sound=SOUND)
    assert status == 0, said
    told, last = said.rstrip().splitlines()[-3:-1], said.rstrip().splitlines()[-1]
    assert told[0] == "passed only when run alone:"
    assert told[1].startswith("  tests/core/test_busy.py::test_busy[a b::c ")
    assert last.startswith("2 passed in ")


def test_what_fails_twice_is_red_also_beside_what_passes_alone(tmp_path: Path) -> None:
    status, said = run_suite(tmp_path, core_busy=BUSY, core_broken=BROKEN)
    assert status == 1
    assert "failed twice:\n  tests/core/test_broken.py::test_broken\n1 failed, 1 passed in " in said


def test_an_attack_that_fails_is_red_at_once(tmp_path: Path) -> None:
    status, said = run_suite(tmp_path, safety_attacks=BUSY, core_broken=BROKEN)
    assert status == 1
    assert "Red at once: Attacks are not tried again: tests/safety/test_attacks.py::" in said


def test_what_else_fails_in_safety_is_tried_again(tmp_path: Path) -> None:
    status, said = run_suite(tmp_path, safety_busy=BUSY)
    assert status == 0, said


def test_where_nothing_is_collected_the_run_is_red(tmp_path: Path) -> None:
    status, said = run_suite(tmp_path, core_case="")
    assert (status, said.rstrip().splitlines()[-1]) == (5, "Red at once: pytest ended with 5.")


def test_many_failures_and_what_is_no_failure_of_a_test_are_red_at_once() -> None:
    spec = importlib.util.spec_from_file_location("run_tests_script", SCRIPT)
    assert spec and spec.loader
    script = importlib.util.module_from_spec(spec)
    # A dataclass looks its module up.
    with patch.dict(sys.modules, {spec.name: script}):
        spec.loader.exec_module(script)
    few, many = ({f"tests/core/test_a.py::test_{n}" for n in range(count)} for count in (12, 13))
    assert script.find_reason(script.Results(failed=few, status=1)) == ""
    assert script.find_reason(script.Results(failed=many, status=1)) == "13 tests failed, more than 12."
    unread = script.Results(failed=few, unread={"tests/core/test_b.py"}, status=1)
    assert script.find_reason(unread) == "What pytest could not read: tests/core/test_b.py."
    assert script.find_reason(script.Results(status=1)) == "What pytest could not read: nothing named."
