"""Puts the browser extension into a folder from which Chrome can load it, and packs it for a store."""

import json
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

from pilotfish.browser.perception.isolated_world import bundle_scripts
from pilotfish.core.errors import NotFoundError
from pilotfish.services.extension_icon import SIZES, draw_icon

PAGE = "chrome://extensions"
BROWSERS = ("google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "msedge", "brave-browser", "chromium")
APPS = ("Google Chrome", "Microsoft Edge", "Brave Browser", "Chromium")
BUILT_FOLDER = Path(__file__).parent.parent / "interfaces" / "extension"


def install_extension(folder: Path, built: Path = BUILT_FOLDER) -> Path:
    """Write the extension into a folder; what is there of an earlier version is replaced.

    The script that reads pages is the server's own, so that both read alike.
    """
    if not (built / "manifest.json").is_file():
        raise NotFoundError("The extension is not built.", "Run `make run` once in the checkout, or install a release.")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(built, folder)
    (folder / "perception.js").write_text(bundle_scripts(), "utf-8")
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    manifest["version"] = version("pilotfish")
    manifest["icons"] = manifest["action"]["default_icon"] = {str(size): f"icon-{size}.png" for size in SIZES}
    for size in SIZES:
        (folder / f"icon-{size}.png").write_bytes(draw_icon(size))
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2), "utf-8")
    return folder


def install_at_home() -> Path:
    """Write the extension into the home folder of this machine's Pilotfish."""
    from pilotfish.store.settings_reader import load_settings

    return install_extension(load_settings().home / "extension")


def find_page_command(apps: Path = Path("/Applications")) -> list[str]:
    """The command that opens Chrome's page of extensions in a browser of this machine; empty if none is found."""
    if sys.platform == "darwin":
        found = [name for name in APPS if (apps / f"{name}.app").exists()]
        return ["open", "-a", found[0], PAGE] if found else []
    paths = [path for name in BROWSERS if (path := shutil.which(name))]
    return [paths[0], PAGE] if paths else []


def open_extensions_page() -> bool:
    """Open Chrome's page of extensions; whether a browser was there to open it."""
    command = find_page_command()
    if command:
        subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    return bool(command)


def pack_extension(folder: Path, file: Path) -> Path:
    """Pack an installed extension as the zip that a store takes."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                packed.write(path, path.relative_to(folder).as_posix())
    return file
