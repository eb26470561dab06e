"""The extension's files: put in place, and packed for a store."""

import json
import re
import sys
import zipfile
from pathlib import Path

import pytest

from pilotfish import __version__
from pilotfish.core.errors import NotFoundError
from pilotfish.services import extension_files

DOCS = Path(__file__).parents[2] / "docs" / "extension.md"


def test_the_extension_is_put_in_place_whole_and_packed_for_a_store(tmp_path: Path) -> None:
    folder = extension_files.install_extension(tmp_path / "extension")
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["version"] == __version__
    named = [
        manifest["background"]["service_worker"],
        manifest["side_panel"]["default_path"],
        "perception.js",
        "touch.js",
    ]
    named += manifest["icons"].values()
    assert all((folder / name).is_file() for name in named)
    packed = zipfile.ZipFile(extension_files.pack_extension(folder, tmp_path / "store.zip"))
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert set(packed.namelist()) == files


def test_an_earlier_version_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "extension").mkdir()
    (tmp_path / "extension" / "old.js").write_text("old")
    assert not (extension_files.install_extension(tmp_path / "extension") / "old.js").exists()


def test_every_permission_is_explained_in_the_docs(tmp_path: Path) -> None:
    manifest = json.loads((extension_files.install_extension(tmp_path / "extension") / "manifest.json").read_text())
    table = DOCS.read_text().split("## Permissions", 1)[1]
    explained = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (.+?) \|", table, re.MULTILINE))))
    assert explained == set(manifest["permissions"])


def test_an_extension_that_is_not_built_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="not built"):
        extension_files.install_extension(tmp_path / "extension", built=tmp_path)


def test_the_page_of_extensions_opens_in_the_first_browser_that_is_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert extension_files.find_page_command() == []
    for name in ("brave-browser", "microsoft-edge"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert extension_files.find_page_command() == [str(tmp_path / "microsoft-edge"), "chrome://extensions"]
    monkeypatch.setattr(sys, "platform", "darwin")
    (tmp_path / "Chromium.app").mkdir()
    assert extension_files.find_page_command(tmp_path) == ["open", "-a", "Chromium", "chrome://extensions"]
