"""Every setting and tool has words for people, in both languages."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel

from pilotfish.core.errors import ToolError
from pilotfish.core.policy import EffectKind
from pilotfish.core.registry import discover
from pilotfish.core.settings import Settings
from pilotfish.interfaces.web_server.problems import KINDS
from pilotfish.tools.base import TOOLS

WORDS = Path(__file__).parents[2] / "ui" / "src" / "words"
# These are no lines of the settings page: where all is kept, and what the page of tools is for.
ELSEWHERE = {"home", "database", "agent.disabled_tools"}


def paths(part: type[BaseModel], before: str = "") -> Iterator[str]:
    for name, field in part.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from paths(field.annotation, f"{before}{name}.")
        else:
            yield before + name


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_setting_has_a_name_in_plain_words(language: str) -> None:
    said = set(re.findall(r'^  "?([\w.]+)"?: \[', (WORDS / f"settings.{language}.ts").read_text(), re.MULTILINE))
    assert said == set(paths(Settings)) - ELSEWHERE


def test_every_tool_is_told_in_chinese() -> None:
    discover("pilotfish.tools")
    text = (WORDS / "settings.zh.ts").read_text()
    said = set(re.findall(r"^  (\w+): ", text[text.index("const tools") :], re.MULTILINE))
    assert said >= {name for name in TOOLS if TOOLS.get(name).group in re.findall(r"^  (\w+): ", text, re.MULTILINE)}


def test_every_effect_and_failure_has_a_name_in_chinese() -> None:
    text = (WORDS / "sentences.zh.ts").read_text()
    said = set(re.findall(r"^  (\w+): ", text, re.MULTILINE))
    codes = {code for _, _, code in KINDS}
    kinds = {kind.__name__ for kind, _, _ in KINDS if kind is not ToolError}
    assert said >= {*get_args(EffectKind), *codes, *kinds, "out_of_budget", "internal", "invalid"}


def test_every_tool_that_did_something_is_told_in_chinese() -> None:
    discover("pilotfish.tools")
    text = (WORDS / "sentences.zh.ts").read_text()
    said = set(re.findall(r"^  (\w+): ", text[: text.index("const effects")], re.MULTILINE))
    ours = {name for name in TOOLS if TOOLS.get(name).body.__module__.startswith("pilotfish.")}
    assert ours and said >= ours


@pytest.mark.parametrize("language", ["en", "zh"])
def test_whatever_a_model_is_asked_for_has_words_done_and_under_way(language: str) -> None:
    source = Path(__file__).parents[2] / "src" / "pilotfish"
    asked = {
        purpose
        for folder in ("agents", "context", "loop_support", "small_model")
        for file in (source / folder).rglob("*.py")
        for purpose in re.findall(r'purpose="(\w+)"', file.read_text("utf-8"))
    }
    text = (WORDS / f"{language}.ts").read_text("utf-8")
    assert asked >= {"turn", "answer"}
    assert not {purpose for purpose in asked if text.count(f'"model.{purpose}":') != 2}
