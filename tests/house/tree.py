"""What the house tests read: the tracked files, and the modules with their syntax trees."""

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"


@dataclass(frozen=True)
class Module:
    """A source file, its dotted name and its tree."""

    path: Path
    name: str
    text: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        return self.text.count("\n")


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the product."""
    return tuple(_module(path) for path in sorted(SOURCE.rglob("*.py")))


def _module(path: Path) -> Module:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    text = path.read_text()
    return Module(path, ".".join(parts).removesuffix(".__init__"), text, ast.parse(text))


@cache
def list_files() -> tuple[Path, ...]:
    """Every file that git keeps."""
    listed = subprocess.run(("git", "ls-files", "-z"), cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return tuple(path for name in listed.split("\0") if name and (path := ROOT / name).is_file())


def texts(*suffixes: str) -> Iterator[tuple[Path, str]]:
    """The tracked text files, with any of these endings if some are given."""
    for path in list_files():
        if suffixes and path.suffix not in suffixes:
            continue
        data = path.read_bytes()
        if b"\0" not in data:
            yield path.relative_to(ROOT), data.decode(errors="replace")


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def classes(tree: ast.AST) -> Iterator[ast.ClassDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield node
