"""What people install and run: the wheel holds the page, and the files in deploy/ name what exists."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import httpx2
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
PATIENCE = 60


def test_every_setting_in_the_deploy_files_sets_something() -> None:
    from pilotfish.core.settings import Settings

    found = {name for path in DEPLOY.iterdir() for name in re.findall(r"PILOTFISH_([A-Z_]+)\b", path.read_text())}
    for name in found - {"HOME"}:
        group: object = Settings()
        for part in name.lower().split("__"):
            assert hasattr(group, part), f"PILOTFISH_{name}"
            group = getattr(group, part)


def test_every_number_on_the_dashboard_is_told_by_the_server() -> None:
    told = (ROOT / "src/pilotfish/interfaces/http/health.py").read_text()
    told += (ROOT / "src/pilotfish/runtime/run_metrics.py").read_text()
    for panel in json.loads((DEPLOY / "grafana.json").read_text())["panels"]:
        for target in panel["targets"]:
            for name in re.findall(r"\b(?:pilotfish|process)_\w+", target["expr"]):
                bare = name.removeprefix("pilotfish_").removesuffix("_total")
                assert f'"{name}"' in told or f'"{bare}"' in told, name


LOADED = """
import json, sys
from importlib.metadata import packages_distributions
from fastapi import FastAPI
from pilotfish.interfaces.web_server.app import PARTS
app = FastAPI()
for part in PARTS:
    app.include_router(part.router)
assert app.openapi()["paths"]
known = packages_distributions()
print(json.dumps(sorted({name for module in sys.modules for name in known.get(module.partition(".")[0], ())})))
"""


def test_the_build_hook_names_the_packages_that_describe_the_server() -> None:
    hook = (ROOT / "scripts/build_hook.py").read_text()
    described = re.findall(r'"([\w-]+)",', hook.split("DESCRIBING = (")[1].split(")")[0])
    needed, seen = list(described), set[str]()
    while needed:
        name = needed.pop()
        if canonicalize_name(name) not in seen:
            seen.add(canonicalize_name(name))
            requires = map(Requirement, distribution(name).requires or ())
            needed += [one.name for one in requires if one.marker is None or one.marker.evaluate({"extra": ""})]
    loaded = json.loads(subprocess.check_output([sys.executable, "-I", "-c", LOADED]))
    where_there = {"pilotfish", "setuptools", "backports-tarfile", "sniffio"}
    assert {canonicalize_name(name) for name in loaded} - seen - where_there == set()


@pytest.mark.slow
def test_a_wheel_in_a_bare_environment_outside_the_checkout_serves_the_page(tmp_path: Path) -> None:
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, env=clean, check=True, capture_output=True, timeout=PATIENCE)
    [wheel] = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"pilotfish/interfaces/static/index.html", "pilotfish/interfaces/extension/manifest.json"} <= names

    venv, python = tmp_path / "venv", tmp_path / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True, timeout=PATIENCE)
    install = [
        Path(sys.executable).with_name("uv"),
        "pip",
        "install",
        "--offline",
        "--no-deps",
        "--python",
        str(python),
        str(wheel),
    ]
    subprocess.run(install, env=clean, check=True, capture_output=True, timeout=PATIENCE)
    [site] = venv.glob("lib/python*/site-packages")
    # The libraries of this environment, without what is installed there from the checkout.
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    where = subprocess.check_output([python, "-c", "import pilotfish; print(pilotfish.__file__)"], cwd=tmp_path)
    assert str(tmp_path).encode() in where, "it is the installed one"

    home = {**clean, "PILOTFISH_HOME": str(tmp_path / "home"), "PILOTFISH_MODELS__MAIN": "scripted"}
    command = [str(venv / "bin" / "pilotfish"), "serve", "--no-open", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, env=home, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        try:
            assert server.stdout is not None and server.stderr is not None
            address = server.stdout.readline().decode().split()[0]
            with httpx2.Client(follow_redirects=True, timeout=PATIENCE) as client:
                page = client.get(address)
                assert page.status_code == 200 and "<script" in page.text, page.text[:200]
                script = re.findall(r'src="(/assets/[^"]+)"', page.text)[0]
                assert client.get(f"http://{page.url.host}:{page.url.port}{script}").status_code == 200
        finally:
            server.terminate()
            said = server.communicate(timeout=PATIENCE)[1].decode()
    assert server.returncode == 0
    assert "SIGTERM: stopping" in said and "stopped" in said
