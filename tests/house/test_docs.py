"""What the documents say exists: links, make targets, commands, settings, numbering."""

import ast
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.exceptions import TyperException

from pilotfish.core.settings import Settings, SettingsGroup
from pilotfish.interfaces.cli import cli, register_commands
from pilotfish.interfaces.web_server.app import PARTS

from .tree import ROOT, texts

DOCUMENTS = [path for path, _ in texts(".md") if not str(path).startswith(("src/", "tests/", "ui/"))]
PLACEHOLDER = re.compile(r"NAME|NNNN|^utils\.py$")
CODE = re.compile(r"```.*?\n(.*?)```|`([^`\n]+)`", re.DOTALL)


def code(document: Path) -> str:
    """The document's code blocks and code words, a line each."""
    found = CODE.findall((ROOT / document).read_text())
    return "\n".join(block or word for block, word in found)


@cache
def commands() -> set[str]:
    """What the command line offers, as it says itself."""
    width = {**os.environ, "COLUMNS": "200"}
    words = (sys.executable, "-c", "from pilotfish.interfaces.cli import main; main()", "--help")
    said = subprocess.run(words, capture_output=True, text=True, check=True, env=width, timeout=60).stdout
    return set(re.findall(r"^  ([a-z]+) ", said.partition("Commands:")[2], re.MULTILINE))


def variables(part: type[SettingsGroup] = Settings, above: str = "PILOTFISH_") -> Iterator[str]:
    """Every environment variable that sets something."""
    for name, field in part.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, SettingsGroup):
            yield from variables(kind, f"{above}{name.upper()}__")
        else:
            yield f"{above}{name.upper()}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_link_within_the_repository_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", (ROOT / document).read_text())
    local = [link for link in links if "://" not in link and not link.startswith("mailto:")]
    assert [link for link in local if not (ROOT / document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_make_target_that_is_named_exists(document: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"^make ([a-z]+)", code(document), re.MULTILINE)) - targets == set()


def test_every_command_that_is_named_exists() -> None:
    known = commands()
    assert known
    named = {(str(doc), word) for doc in DOCUMENTS for word in re.findall(r"^pilotfish ([a-z]+)", code(doc), re.M)}
    assert {pair for pair in named if pair[1] not in known} == set()


def command_lines(document: Path) -> Iterator[list[str]]:
    """The words of each command line of Pilotfish in a document's code, without what a shell does with it."""
    for line in code(document).splitlines():
        for part in re.split(r"[|;&]|\s#", line):
            if part.strip().removeprefix("$ ").startswith("pilotfish "):
                yield shlex.split(part.strip().removeprefix("$ "))[1:]


@cache
def build_command() -> Any:
    """The whole command line."""
    register_commands()
    return typer.main.get_command(cli)


def find_misuse(words: list[str]) -> str:
    """What the command line would refuse of a command; nothing is run."""
    command = build_command()
    while words and words[0] in getattr(command, "commands", ()):
        command, words = command.commands[words[0]], words[1:]
    try:
        _, left, _ = command.make_parser(type(command).context_class(command)).parse_args(list(words))
    except TyperException as error:
        return str(error)
    return f"{left} too many" if left and left != ["…"] else ""


def test_every_command_line_in_the_documents_is_accepted() -> None:
    lines = [(str(doc), words) for doc in DOCUMENTS for words in command_lines(doc)]
    assert len(lines) > 50
    assert {f"{doc}: {' '.join(words)}": why for doc, words in lines if (why := find_misuse(words))} == {}


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_every_source_file_that_is_named_exists(document: Path) -> None:
    tree = {f"/{path}" for path, _ in (*texts(".py"), *texts(".js"), *texts(".md"), *texts(".toml"), *texts(".tsx"))}
    named = set(re.findall(r"(?<![\w/.*-])[\w-]+(?:/[\w-]+)*\.(?:py|js|md|toml|tsx)\b", code(document)))
    missing = {name for name in named if not any(path.endswith(f"/{name}") for path in tree)}
    assert {name for name in missing if not PLACEHOLDER.search(name)} == set()


def test_every_test_that_is_named_exists() -> None:
    named = {(str(doc), *pair) for doc in DOCUMENTS for pair in re.findall(r"([\w/]+\.py)::(\w+)", code(doc))}
    assert len(named) > 20
    assert {each for each in named if f"def {each[2]}(" not in (ROOT / "tests" / each[1]).read_text()} == set()


def test_each_question_of_a_newcomer_is_answered_in_at_most_two_files() -> None:
    asked = (ROOT / "docs" / "tour.md").read_text().partition("## Three questions")[2].partition("\n## ")[0]
    answers = re.findall(r"^\*\*[^*]+\?\*\*(.+?)(?=\n\n|\Z)", asked, re.MULTILINE | re.DOTALL)
    assert len(answers) == 3
    for answer in answers:
        words = re.findall(r"`([\w./]+)`", answer)
        files = [word for word in words if word.endswith(".py")]
        text = "".join((ROOT / "src" / "pilotfish" / file).read_text() for file in files)
        names = {part for word in words if word not in files for part in word.split(".")}
        assert 1 <= len(set(files)) <= 2 and names
        assert {name for name in names if not re.search(rf"\b{name}\b", text)} == set(), answer


def test_the_readme_names_every_command() -> None:
    assert {name for name in commands() if f"pilotfish {name}" not in code(Path("README.md"))} == set()


def test_every_variable_that_is_named_sets_something() -> None:
    known = {*variables(), "PILOTFISH_SCREENS", "PILOTFISH_MODELS_DIR", "PILOTFISH_SERVER", "PILOTFISH_TOKEN"}
    named = {(str(doc), word) for doc in DOCUMENTS for word in re.findall(r"\bPILOTFISH_[A-Z_]+", code(doc))}
    assert {pair for pair in named if pair[1] not in known} == set()


def test_every_setting_that_is_named_exists() -> None:
    known = {name.removeprefix("PILOTFISH_").lower().replace("__", ".") for name in variables()}
    groups = {name.partition(".")[0] for name in known if "." in name}
    pattern = re.compile(rf"^(?:pilotfish settings )?((?:{'|'.join(sorted(groups))})\.[a-z_]+)(?: .*)?$", re.M)
    named = {(str(doc), path) for doc in DOCUMENTS for path in pattern.findall(code(doc))}
    assert len(named) > 40
    assert {pair for pair in named if pair[1] not in known and not pair[1].endswith((".py", ".js", ".md"))} == set()


def test_every_address_of_the_api_that_is_named_exists() -> None:
    known = {re.sub(r"\{\w+(:\w+)?\}", "*", route.path) for part in PARTS for route in part.router.routes}
    named = {
        (str(doc), re.sub(r"\b[A-Z]+\b", "*", path))
        for doc in DOCUMENTS
        for path in re.findall(r"(?<![\w/.])/api/[\w/*.-]+", code(doc))
    }
    assert len(named) > 20
    assert {pair for pair in named if pair[1] not in {*known, "/api/openapi.json"}} == set()


def test_the_python_in_the_readme_is_python() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        compile(block, "README.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_choices_are_numbered_without_gaps_and_kept_to_a_page() -> None:
    pages = sorted((ROOT / "docs" / "why").glob("*.md"))
    assert [page.name[:5] for page in pages] == [f"{number:04}-" for number in range(1, len(pages) + 1)]
    assert [page.name for page in pages if not page.read_text().startswith("# ")] == []
    assert [page.name for page in pages if page.read_text().count("\n") > 60] == []
