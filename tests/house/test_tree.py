"""What may be in the repository: sources, and nothing of the machine they were written on."""

import re
import tomllib
from pathlib import Path

import pytest

from .tree import ROOT, list_files, texts

LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-ui.lock")
REGISTRIES = re.compile(
    r"pypi\.org|pythonhosted\.org|registry\.npmjs\.|registry\.yarnpkg\.|deb\.debian\.|archive\.ubuntu\."
)
PROMISES = re.compile(r"\bTOD[O]\b|\bFIXM[E]\b|raise NotImplemented[E]rror|mark\.ski[p]|mark\.xfai[l]|assert Tru[e]")
PIN = re.compile(r"[a-z0-9][a-z0-9.-]*==\S+( ; .+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?")


def test_no_file_names_the_host_of_a_package_registry() -> None:
    assert [str(path) for path, text in texts() if REGISTRIES.search(text)] == []


def test_no_file_names_a_path_of_this_machine() -> None:
    here = [f"{place}/" for place in (ROOT, Path.home()) if place != Path("/")]
    assert [str(path) for path, text in texts() if any(place in text for place in here)] == []


def test_nothing_built_is_kept() -> None:
    built = re.compile(
        r"(^|/)(interfaces/static|dist|build|node_modules|__pycache__)/|\.(pyc|whl|gguf|so|log|min\.js)$"
    )
    kept = [path for path in list_files() if not is_adapter(path)]
    assert [str(path) for path in kept if built.search(str(path.relative_to(ROOT)))] == []


def is_adapter(path: Path) -> bool:
    """Whether it is a trained adapter, which comes with the package and cannot be built here."""
    return path.parent == ROOT / "src/pilotfish/llm/adapters" and path.suffix == ".gguf"


def test_no_file_is_over_a_megabyte_except_trained_adapters() -> None:
    assert [str(path) for path in list_files() if path.stat().st_size > (20e6 if is_adapter(path) else 1e6)] == []


def test_the_code_makes_no_promises() -> None:
    code = (".py", ".ts", ".tsx", ".js")
    assert [str(path) for path, text in texts(*code) if PROMISES.search(text)] == []


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_file_holds_pins_and_hashes_only(name: str) -> None:
    lines = (ROOT / name).read_text().splitlines()
    assert lines
    assert [line for line in lines if not PIN.fullmatch(line)] == []


@pytest.mark.parametrize("name", LOCKS[:2])
def test_a_lock_file_pins_every_dependency(name: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = list(project["project"]["dependencies"])
    if "dev" in name:
        wanted += project["dependency-groups"]["dev"]
    pinned = {line.split("==")[0] for line in (ROOT / name).read_text().splitlines() if "==" in line}
    assert {re.split(r"[\[<>=!~ ]", line)[0].lower() for line in wanted} - pinned == set()


def test_the_check_that_ci_runs_can_be_run() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    assert "make test" in script.read_text()


def test_no_two_page_scripts_share_a_name() -> None:
    """They run as one, so of two functions of one name only the last is there."""
    declared = re.compile(r"^(?:async )?(?:function\*? |const |let )(\w+)", re.MULTILINE)
    scripts = sorted((ROOT / "src/pilotfish/browser/js").glob("*.js"))
    names = [name for script in scripts for name in declared.findall(script.read_text("utf-8"))]
    assert len(names) > 100
    assert sorted(set(names)) == sorted(names)
