"""What a site asks robots not to read."""

import time

import pytest

from pilotfish.web.robots import parse_robots

RULES = """
# house rules
User-agent: *
Disallow: /private
Allow: /private/open
Disallow: /*.pdf$
Disallow: /search?*q=

User-agent: otherbot
User-agent: thirdbot
Disallow: /
"""


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", True),
        ("/private", False),
        ("/private/x", False),
        ("/private/open/x", True),
        ("/paper.pdf", False),
        ("/paper.pdf?x=1", True),
        ("/search?lang=en&q=tide", False),
        ("/robots.txt", True),
    ],
)
def test_the_longest_rule_wins(path: str, allowed: bool) -> None:
    assert parse_robots(RULES, "pilotfish").allows(f"https://example.org{path}") is allowed


def test_rules_that_name_us_replace_those_for_everybody() -> None:
    rules = parse_robots("User-agent: *\nDisallow: /\n\nUser-agent: Pilotfish\nDisallow: /a", "Pilotfish/1.0")
    assert rules.allows("https://example.org/b")
    assert not rules.allows("https://example.org/a")


def test_an_empty_rule_allows_everything() -> None:
    assert parse_robots("User-agent: *\nDisallow:", "pilotfish").allows("https://example.org/x")


@pytest.mark.parametrize("text", ["", "<html>404</html>", "Disallow: /", "\x00\x01: :", "User-agent: *"])
def test_rules_that_are_none_forbid_nothing(text: str) -> None:
    assert parse_robots(text, "pilotfish").allows("https://example.org/x")


def test_a_hostile_rule_is_read_in_no_time() -> None:
    rules = parse_robots("user-agent: *\n" + f"disallow: {'*a' * 2000}b$\n" * 20, "Pilotfish")
    began = time.perf_counter()
    assert rules.allows("https://x.example/" + "a" * 20_000)
    assert time.perf_counter() - began < 2
