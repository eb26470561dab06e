"""Text from outside cannot make a regular expression slow: work grows with the length of the text, not faster."""

import json
import os
import re
import subprocess
import sys

import pytest

from .patterns import Found, slow
from .script_patterns import TOKEN, script_patterns
from .tree import ROOT

LIMIT = 600
KNOWN = {
    "pilotfish.browser.sessions.tab: re.compile": "an origin, taken literally",
    "pilotfish.llm.model_facts: re.search": "sees names of models",
    "pilotfish.llm.tokens: re.search": "sees names of models",
    "pilotfish.loop_support.text_parts: re.compile": "a word, taken literally",
    "pilotfish.loop_support.value_kinds: re.compile": "tried as the constant KINDS",
    "pilotfish.loop_support.recorded_actions: re.compile": "a role and a name, taken literally",
    "pilotfish.safety.untrusted_text: re.compile": "a mark, taken literally",
    "pilotfish.safety.control_words: re.compile": "phrases, taken literally",
    "pilotfish.store.settings_reader: re.match": "sees the settings",
    "pilotfish.tools.clock: re.fullmatch": "nothing in it repeats",
    "pilotfish.web.extract.page_kinds: re.search": "sees 2000 signs at most",
}
"""Patterns that are only known when they run, and why they are harmless."""


@pytest.mark.slow
@pytest.mark.timeout(LIMIT)
def test_every_pattern_takes_time_in_proportion_to_the_text() -> None:
    script = ROOT / "tests" / "house" / "patterns.py"
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        (sys.executable, script), capture_output=True, text=True, timeout=LIMIT - 20, check=False, env=env
    )
    assert done.returncode == 0, f"it ended at: {done.stderr[-2000:]}"
    told = json.loads(done.stdout)
    assert told["slow"] == {}, "by place, the text (begin, what is repeated) over which the work grows too fast"
    unknown = {place.partition("(")[0] for place in told["unknown"]}
    assert unknown <= KNOWN.keys(), "a pattern that is made when it runs cannot be tried: make it a constant"
    assert told["count"] > 200


@pytest.mark.parametrize(
    "text",
    [
        r"\d[\d.,]*\s?(?:€|EUR)\b",
        r"__(?=[\w-]*[A-Z0-9])[\w-]{5} ",
        r"\s+[|–]\s+",
        r"<(think|thought)>.*?</\1>",
        r"(?:\A|\n)\s*(?:[*_>-]\s*)*LOOK",
        r"\bscroll\b.*\btop\b",
    ],
)
def test_a_pattern_that_is_slow_is_found(text: str) -> None:
    assert slow(Found("here", re.compile(text, re.DOTALL), frozenset({"search"})))


def test_every_pattern_of_a_page_script_and_of_the_web_page_takes_time_in_proportion_to_the_text() -> None:
    found = list(script_patterns())
    assert len(found) > 60
    assert {one.place: text for one in found if (text := slow(one))} == {}


def test_the_patterns_of_scripts_are_told_from_comments_strings_and_markup() -> None:
    written = "// a /b/\nconst x = 'a/b/c', y = /[/]a+b/gi.test(`/no/`) ? 4 / 2 / 1 : <p a={1} />; /* /c/ */ z(/d\\/e/)"
    assert [found["text"] for found in TOKEN.finditer(written) if found["text"]] == ["[/]a+b", "d\\/e"]
