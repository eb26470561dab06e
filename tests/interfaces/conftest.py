"""A command line with a home of its own and no key of anybody's."""

import io
import logging
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from pilotfish.interfaces.cli import main


@dataclass(frozen=True)
class Said:
    """How a command ended and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


Command = Callable[..., Said]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of a person who has set nothing."""
    for name in os.environ:
        if name.endswith("_KEY") or name.startswith("PILOTFISH_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PILOTFISH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path / "home"


@pytest.fixture
def pilotfish(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Types a command and waits for its end."""

    def typed(*words: str, stdin: str = "") -> Said:
        monkeypatch.setattr(sys, "argv", ["pilotfish", *words])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        capsys.readouterr()
        # DBOS keeps the stream that it first logged to, which was the last test's.
        logging.getLogger("dbos").handlers.clear()
        with pytest.raises(SystemExit) as end:
            main()
        written = capsys.readouterr()
        code = end.value.code
        return Said(code if isinstance(code, int) else int(code is not None), written.out, written.err)

    return typed
