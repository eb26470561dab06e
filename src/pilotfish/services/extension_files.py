"""Puts the browser extension into a folder from which Chrome can load it, and packs it for a store."""

import json
import shutil
import zipfile
from importlib.metadata import version
from pathlib import Path

from pilotfish.browser.perception.isolated_world import bundle_scripts
from pilotfish.core.errors import Missing

BUILT = Path(__file__).parent.parent / "interfaces" / "extension"


def install_extension(folder: Path, built: Path = BUILT) -> Path:
    """Write the extension into a folder; what is there of an earlier version is replaced.

    The script that reads pages is the server's own, so that both read alike.
    """
    if not (built / "manifest.json").is_file():
        raise Missing("The extension is not built.", "Run `make run` once in the checkout, or install a release.")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(built, folder)
    (folder / "perception.js").write_text(bundle_scripts(), "utf-8")
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    manifest["version"] = version("pilotfish")
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2), "utf-8")
    return folder


def install_at_home() -> Path:
    """Write the extension into the home folder of this machine's Pilotfish."""
    from pilotfish.store.settings_reader import load_settings

    return install_extension(load_settings().home / "extension")


def pack_extension(folder: Path, file: Path) -> Path:
    """Pack an installed extension as the zip that a store takes."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                packed.write(path, path.relative_to(folder).as_posix())
    return file
