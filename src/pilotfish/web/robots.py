"""Reads robots.txt (RFC 9309): the longest matching rule wins; `*` and `$` are supported."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

MOST_LINES = 5000


@dataclass(frozen=True)
class RobotsRule:
    allow: bool
    path: str


@dataclass(frozen=True)
class Robots:
    """The rules that hold for us on one site."""

    rules: tuple[RobotsRule, ...] = ()

    def allows(self, url: str) -> bool:
        parts = urlsplit(url)
        path = unquote(parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        if path == "/robots.txt":
            return True
        hits = [rule for rule in self.rules if fits(rule.path, path)]
        best = max(hits, key=lambda rule: (len(rule.path), rule.allow), default=None)
        return best is None or best.allow


def fits(rule: str, path: str) -> bool:
    """Whether a rule's path is a beginning of `path`, where `*` stands for anything and a last `$` for the end.

    Each piece is searched once, from the end of the one before, so matching takes linear time.
    """
    end = rule.endswith("$")
    first, *rest = re.split(r"\*+", unquote(rule.removesuffix("$")))
    if not path.startswith(first):
        return False
    place = len(first)
    for number, piece in enumerate(rest, 1):
        if end and number == len(rest):
            return path.endswith(piece) and len(path) - len(piece) >= place
        found = path.find(piece, place)
        if found < 0:
            return False
        place = found + len(piece)
    return not end or place == len(path)


def parse_robots(text: str, agent: str) -> Robots:
    """The rules for `agent`, or those for everybody where it is not named."""
    named: list[RobotsRule] = []
    others: list[RobotsRule] = []
    mentioned = False
    for agents, rules in agent_groups(text.splitlines()[:MOST_LINES]):
        if any(name != "*" and name in agent.lower() for name in agents):
            mentioned = True
            named += rules
        elif "*" in agents:
            others += rules
    return Robots(tuple(named if mentioned else others))


def agent_groups(lines: Iterable[str]) -> list[tuple[list[str], list[RobotsRule]]]:
    """Agents with the rules that follow them."""
    found: list[tuple[list[str], list[RobotsRule]]] = []
    for line in lines:
        field, _, value = line.split("#", 1)[0].partition(":")
        field, value = field.strip().lower(), value.strip()
        if field == "user-agent":
            if not found or found[-1][1]:
                found.append(([], []))
            found[-1][0].append(value.lower())
        elif field in ("allow", "disallow") and found:
            # An empty Disallow allows all; kept as a rule, so that the group counts as closed.
            found[-1][1].append(RobotsRule(field == "allow" or not value, value))
    return found
