"""Goals that leave the words of a text to the model: the oracle writes a short one, the check takes any that fits."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from gym.oracle import Step
from gym.site import Site
from gym.surroundings import end_at_end

FILE = Path(__file__).parent / "goals" / "composed.txt"
KINDS: Mapping[str, str] = {
    **dict.fromkeys(("mail", "messenger", "forum", "community", "board", "school"), "note"),
    "gifts": "card",
}
"""The families whose texts are for somebody, and the texts that fit there."""
MOST_LETTERS = 300
OPENING, CLOSING = '(?:["“„«「]\\s?)?', '(?:\\s?["”“»」])?[.。]?'
WITH = re.compile(r"\b(?:with|words|mit|avec|con)\b:?\s*$", re.IGNORECASE)
CLAUSES = ("that ", "asking", "whether ", "dass ", "ob ", "que ")


@dataclass(frozen=True)
class FreeText:
    """Equals every text that has one of the keys of each group, and is short."""

    groups: tuple[tuple[str, ...], ...]

    def __eq__(self, other: object) -> bool:
        said = other.casefold().replace("’", "'") if isinstance(other, str) else ""
        return 0 < len(said) <= MOST_LETTERS and all(any(key in said for key in group) for group in self.groups)

    def __hash__(self) -> int:
        return hash(self.groups)


@dataclass(frozen=True)
class Wish:
    """What a person wants to have written: ways to ask for it, texts that say it, and the keys of such texts."""

    requests: tuple[str, ...]
    texts: tuple[str, ...]
    fits: FreeText


@cache
def load_wishes() -> Mapping[tuple[str, str], Sequence[Wish]]:
    """The wishes by kind and language."""
    found: dict[tuple[str, str], list[Wish]] = {}
    kind = ""
    for line in FILE.read_text("utf-8").splitlines():
        if line.startswith("["):
            kind = line.strip("[] ")
        elif line.strip() and not line.startswith("#"):
            language, _, rest = line.partition(": ")
            requests, texts, keys = rest.split(" = ")
            groups = tuple(tuple(key.strip() for key in group.split("|")) for group in keys.split(","))
            wish = Wish(split_words(requests), split_words(texts), FreeText(groups))
            found.setdefault((kind, language), []).append(wish)
    return found


def split_words(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(";"))


def compose_text(site: Site, family: str, drawn: Random) -> bool:
    """Let the goal ask for a text without giving its words. Whether there is one."""
    wishes = load_wishes().get((KINDS.get(family, ""), site.draw.language))
    typed = [step.value for step in end_at_end(site.steps()) if step.verb == "fill"]
    given = [text for text in typed if text in site.draw.all("sentences")]
    if not wishes or len(given) != 1 or site.goal.count(given[0]) != 1 or site.draw.spoken != site.draw.language:
        return False
    wish, text = drawn.choice(wishes), given[0]
    wanted, written = free_text(site.wanted, text, wish.fits), drawn.choice(wish.texts)
    if wanted == site.wanted or text in str(wanted) or site.person:
        return False
    site.goal = ask_for(site.goal, text, wish, drawn)
    site.wanted, first = wanted, site.steps
    site.answers = tuple(answer for answer in site.answers if answer != text)
    site.steps = lambda: (write_instead(step, text, written) for step in first())
    return True


def free_text(data: Any, text: str, fits: FreeText) -> Any:
    """The data with what stands for every fitting text in place of one."""
    if isinstance(data, dict):
        return {key: free_text(value, text, fits) for key, value in data.items()}
    if isinstance(data, list):
        return [free_text(each, text, fits) for each in data]
    return fits if data == text else data


def ask_for(goal: str, text: str, wish: Wish, drawn: Random) -> str:
    """The goal with a request in place of the text and of the quotation marks around it."""
    found = re.search(f"{OPENING}{re.escape(text)}{CLOSING}", goal)
    assert found
    before, after = goal[: found.start()], goal[found.end() :]
    apart = [each for each in wish.requests if not each.startswith(CLAUSES)]
    said = drawn.choice(apart if WITH.search(before) and apart else wish.requests)
    begins = not before.strip() or before.rstrip()[-1] in ".!?。"
    stop = "." if after.strip()[:1].isupper() else ""
    gap = " " if found[0][:1].isspace() else ""
    return f"{before}{gap}{said[0].upper() + said[1:] if begins else said}{stop}{after}"


def write_instead(step: Step, text: str, written: str) -> Step:
    """A step with the composed text in place of the given one."""
    why = "say it in own words" if step.verb == "fill" and step.value == text else step.why
    return replace(step, value=step.value.replace(text, written), see=step.see.replace(text, written), why=why)
