"""What a site asks robots not to read (RFC 9309): the longest matching rule wins, `*` and `$` mean what they say."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote, urlsplit


@dataclass(frozen=True)
class Rule:
    allow: bool
    path: str


@dataclass(frozen=True)
class Robots:
    """The rules that hold for us on one site."""

    rules: tuple[Rule, ...] = ()

    def allows(self, url: str) -> bool:
        parts = urlsplit(url)
        path = unquote(parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        if path == "/robots.txt":
            return True
        hits = [rule for rule in self.rules if pattern(rule.path).match(path)]
        best = max(hits, key=lambda rule: (len(rule.path), rule.allow), default=None)
        return best is None or best.allow


@lru_cache(maxsize=2048)
def pattern(path: str) -> re.Pattern[str]:
    end = path.endswith("$")
    body = ".*".join(re.escape(part) for part in re.split(r"\*+", unquote(path.removesuffix("$"))))
    return re.compile(body + ("$" if end else ""))


def parse(text: str, agent: str) -> Robots:
    """The rules for `agent`, or those for everybody where it is not named."""
    named: list[Rule] = []
    others: list[Rule] = []
    mentioned = False
    for agents, rules in groups(text.splitlines()[:20_000]):
        if any(name != "*" and name in agent.lower() for name in agents):
            mentioned = True
            named += rules
        elif "*" in agents:
            others += rules
    return Robots(tuple(named if mentioned else others))


def groups(lines: Iterable[str]) -> list[tuple[list[str], list[Rule]]]:
    """Agents with the rules that follow them."""
    found: list[tuple[list[str], list[Rule]]] = []
    for line in lines:
        field, _, value = line.split("#", 1)[0].partition(":")
        field, value = field.strip().lower(), value.strip()
        if field == "user-agent":
            if not found or found[-1][1]:
                found.append(([], []))
            found[-1][0].append(value.lower())
        elif field in ("allow", "disallow") and found:
            # An empty Disallow allows all; kept as a rule, so that the group counts as closed.
            found[-1][1].append(Rule(field == "allow" or not value, value))
    return found
