"""Starting the command line is cheap: what is heavy is imported by the command that needs it."""

import subprocess
import sys

import pytest

HEAVY = {
    "alembic",
    "anthropic",
    "dbos",
    "fastapi",
    "google.genai",
    "httpx2",
    "mcp",
    "numpy",
    "openai",
    "playwright",
    "psycopg",
    "pydantic_ai",
    "sqlalchemy",
    "starlette",
    "trafilatura",
    "uvicorn",
    "wordllama",
    "xllamacpp",
}
PROBE = """
import sys
sys.argv = ["pilotfish", *sys.argv[1:]]
from pilotfish.interfaces.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print("MODULES", *sys.modules)
"""


def list_loaded(*words: str) -> set[str]:
    """The modules that are in memory after a command."""
    done = subprocess.run((sys.executable, "-c", PROBE, *words), capture_output=True, text=True, check=True, timeout=60)
    return set(done.stdout.rpartition("MODULES ")[2].split())


@pytest.mark.parametrize(
    "words", [("--help",), ("--version",), ("do", "--help"), ("ask", "--help"), ("models", "--help")]
)
def test_help_and_version_import_no_provider_server_browser_or_database(words: tuple[str, ...]) -> None:
    assert list_loaded(*words) & HEAVY == set()


def test_listing_models_imports_no_server_and_no_browser() -> None:
    assert list_loaded("models") & (HEAVY - {"numpy"}) == set()


def test_the_package_itself_imports_nothing_of_the_app() -> None:
    probe = "import sys, pilotfish; print(*[name for name in sys.modules if name.startswith('pilotfish.')])"
    done = subprocess.run((sys.executable, "-c", probe), capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == []
