"""The set-up names what is missing, and the server finds what the set-up builds."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from .tree import ROOT

pytestmark = pytest.mark.whole_browser
SETUP = ROOT / "scripts" / "setup.py"


def make(*words: str) -> subprocess.CompletedProcess[str]:
    # Within `make test` the outer make would pass its own options on.
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}
    return subprocess.run(("make", *words), cwd=ROOT, capture_output=True, text=True, env=env, timeout=60, check=False)


def test_make_alone_lists_the_targets() -> None:
    listed = make().stdout
    targets = re.search(r"^\.PHONY: (help .*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert targets
    assert [name for name in targets[1].split() if not re.search(rf"^{name} ", listed, re.MULTILINE)] == []


def test_without_a_python_that_is_new_enough_it_says_what_to_do() -> None:
    said = make("run", "PYTHON=")
    assert said.returncode != 0
    assert "Python 3.11 or newer was not found." in said.stdout
    assert "→ Install it" in said.stdout


def test_an_unknown_job_is_answered_with_the_jobs_there_are() -> None:
    said = subprocess.run((sys.executable, SETUP, "swim"), capture_output=True, text=True, timeout=60, check=False)
    assert said.returncode == 2
    assert "setup.py run" in said.stdout


def test_the_server_serves_the_folder_that_the_ui_is_built_into() -> None:
    from pilotfish.interfaces.web_server.static_files import STATIC_FOLDER

    [built] = re.findall(r'outDir: "([^"]+)"', (ROOT / "ui" / "vite.config.ts").read_text())
    assert (ROOT / "ui" / built).resolve() == STATIC_FOLDER


def load_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("setup_script", SETUP)
    assert spec
    assert spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_the_set_up_finds_the_browser_that_the_product_finds() -> None:
    from pilotfish.browser.sessions.chromium import find_executable

    assert load_script().found() == find_executable(os.environ.get("PILOTFISH_BROWSER__EXECUTABLE", ""))


def test_the_set_up_tries_once_to_get_the_light_browser_and_goes_on_without_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    script, tried = load_script(), list[str]()

    def fail(*words: str | Path, **_: object) -> bool:
        tried.append(" ".join(map(str, words)))
        return False

    monkeypatch.setattr(script, "call", fail)
    monkeypatch.setattr(script, "STAMPS", tmp_path)
    monkeypatch.setattr(script.shutil, "which", lambda name: None)
    script.light_browser()
    assert [words for words in tried if words.endswith("playwright install chromium-headless-shell")]
    tried.clear()
    script.light_browser()
    assert tried == []
