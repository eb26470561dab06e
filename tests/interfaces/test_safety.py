"""Secrets, the policy's tester and audits from the command line."""

import json
import sys
from pathlib import Path

import pytest

from .conftest import Command

VALUE = "correct horse battery"


def test_a_secret_comes_from_standard_input_and_is_never_shown_again(pilotfish: Command, home: Path) -> None:
    assert "pilotfish secret add" in pilotfish("secret", "list").stdout
    said = pilotfish("secret", "add", "shop", "--site", "shop.example", stdin=f"{VALUE}\n")
    assert said.returncode == 0 and "<secret:shop>" in said.stdout, said.stderr
    assert "shop  password  https://shop.example" in pilotfish("secret", "list").stdout
    assert VALUE.encode() not in b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert pilotfish("secret", "remove", "shop").stdout == "Forgotten.\n"
    assert pilotfish("secret", "remove", "shop").returncode == 2


def test_without_logins_the_commands_say_how_to_get_one(pilotfish: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "pilotfish login SITE" in pilotfish("logins").stdout
    assert "Nothing is remembered of shop.example" in pilotfish("logins", "--forget", "www.shop.example").stderr
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    said = pilotfish("login", "shop.example")
    assert said.returncode == 2 and "no screen" in said.stderr and "--server" in said.stderr
    assert "no profile 'old'" in pilotfish("do", "Look", "--profile", "old").stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("two words", "--site", "shop.example"), "cannot be kept"),
        (("shop", "--site", "https://[shop"), "not an origin"),
        (("shop", "--site", "shop.example", "--totp"), "not the seed"),
    ],
)
def test_a_secret_that_cannot_be_kept_is_refused_in_two_lines(
    pilotfish: Command, words: tuple[str, ...], told: str
) -> None:
    said = pilotfish("secret", "add", *words, stdin=f"{VALUE}\n")
    assert said.returncode == 2 and told in said.stderr and len(said.stderr.splitlines()) == 2
    assert VALUE not in said.stderr + said.stdout


def test_the_policy_can_be_asked_what_would_happen(pilotfish: Command) -> None:
    page = "https://shop.example/kettle"
    said = pilotfish("policy", "test", "click", page, "--name", "Buy now")
    assert said.stdout.startswith("The person would be asked first: it would buy or pay"), said.stderr
    allowed = pilotfish("policy", "test", "click", page, "--name", "Add to cart", "--method", "post")
    assert allowed.stdout.startswith("It would be done without asking")
    rules = json.dumps([{"site": "shop.example", "effect": "buy", "then": "deny"}])
    assert pilotfish("settings", "policy.rules", rules).returncode == 0
    denied = pilotfish("policy", "test", "click", page, "--name", "Buy now", "--json")
    assert json.loads(denied.stdout)["decision"]["rule"] == "rule 1"
    assert "preset" in pilotfish("policy", "test", "click", page, "--preset", "lax").stderr
    assert "use a tool that may change something" in pilotfish("policy", "test", "calendar_add", page).stdout


def test_the_tester_knows_our_tools_from_those_of_other_servers() -> None:
    from pilotfish.core.registry import discover
    from pilotfish.services.safety_service import OWN_TOOLS
    from pilotfish.tools.base import TOOLS

    discover("pilotfish.tools")
    assert {name for name in TOOLS if TOOLS.get(name).body.__module__.startswith("pilotfish.tools")} <= OWN_TOOLS


def test_an_audit_needs_a_run_and_an_export_that_is_there(pilotfish: Command, tmp_path: Path) -> None:
    assert "Of which run?" in pilotfish("audit").stderr
    assert pilotfish("audit", "nothing").returncode == 2
    assert "There is no file" in pilotfish("audit", "--verify", str(tmp_path / "none")).stderr
    (tmp_path / "forged").write_text("{}\n")
    said = pilotfish("audit", "--verify", str(tmp_path / "forged"))
    assert said.returncode == 1 and "line 1" in said.stdout
