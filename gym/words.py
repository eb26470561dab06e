"""Words of five languages, and everything that is drawn at random for a site: from one seed always the same."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import TypeVar

from gym.lexicon import described_names

LANGUAGES = ("en", "de", "fr", "es", "zh")
WEIGHTS = (10, 4, 3, 3, 3)
AMBIGUOUS = ("which", "ask")
UNCLEAR = 0.15
"""How many sites can have an ambiguous goal."""
FOREIGN = 0.12
"""How often a person says the goal in English on a site of another language."""
MANNERS = "manners"
"""The file in `goals/` with what people say around a goal, and words for other words."""
NEAR, LEAST_NEAR = 0.3, 4
"""How often two of a list of things have near names, and of how many at least."""
NEAR_KEYS = ("goods", "tasks", "topics", "files", "devices", "dishes", "events")
"""Besides those that end with `things`."""
PARTS = re.compile(r"(\{[^}]*\})")
"""Cuts a wording at what is filled in, which stays as it is."""
ENDS = ".!?。?!"
Thing = TypeVar("Thing")


Wordings = Mapping[str, tuple[tuple[str, ...], ...]]
"""The wordings of each key, by language in the order of LANGUAGES."""


@cache
def vocabulary() -> Wordings:
    """The words that all families share."""
    return read_words(Path(__file__).with_name("words.txt"))


@cache
def family_words(family: str) -> Wordings:
    """The words that only one family has."""
    path = Path(__file__).parent / "labels" / f"{family}.txt"
    return read_words(path) if path.exists() else {}


def read_words(path: Path) -> Wordings:
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for line in path.read_text("utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            key, *columns = (part.strip() for part in line.split("|"))
            if len(columns) != len(LANGUAGES) or key in found:
                raise ValueError(f"{path.name}: {key} has {len(columns)} languages, or is there twice")
            found[key] = tuple(tuple(word.strip() for word in column.split(";")) for column in columns)
    return found


@cache
def load_goals(family: str) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """The goals of a family: wordings by kind and language.

    A file has "[kind]" lines, and below each lines such as "en: Do {this} | I want {this}".
    """
    kinds: dict[str, dict[str, list[str]]] = {}
    for line in (Path(__file__).parent / "goals" / f"{family}.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            kinds[line.strip("[] ")] = {}
        elif line.strip():
            language, _, wordings = line.partition(":")
            said = next(reversed(kinds.values())).setdefault(language, [])
            said += [each.strip() for each in wordings.split("|")]
    return kinds


class Draw:
    """Draws from a seed. A key of the vocabulary keeps its wording within one site."""

    def __init__(self, seed: int, family: str, language: str = "") -> None:
        self.seed = seed
        self.family = family
        self.random = Random(f"{family} {seed}")
        drawn = self.random.choices(LANGUAGES, WEIGHTS)[0]
        self.language = language or drawn
        self.spoken = self.language
        """The language of the last goal that was drawn."""
        self.persons: set[str] = set()
        """The names of people that were drawn."""
        self._words: dict[str, str] = {}
        self._dollar = self.pick(("$", "£"))

    # Chance

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, options: Sequence[Thing]) -> Thing:
        return self.random.choice(options)

    def sample(self, options: Sequence[Thing], count: int) -> list[Thing]:
        return self.random.sample(options, min(count, len(options)))

    def number(self, least: int, most: int) -> int:
        return self.random.randint(least, most)

    # Words

    def all(self, key: str) -> tuple[str, ...]:
        """All wordings of a key in the site's language: for lists of things and names."""
        own = family_words(self.family)
        known = (own if key in own else vocabulary())[key][LANGUAGES.index(self.language)]
        return known if key in own else (*known, *(x for x in described_names(key, self.language) if x not in known))

    def word(self, key: str) -> str:
        """The site's wording of a key."""
        if key not in self._words:
            self._words[key] = self.pick(self.all(key))
        return self._words[key]

    def words(self, *columns: str) -> str:
        """A wording of a label that only one family has: one text per language, with wordings parted by ";"."""
        wordings = columns[LANGUAGES.index(self.language)].split(";")
        key = columns[0]
        if key not in self._words:
            self._words[key] = self.pick(wordings).strip()
        return self._words[key]

    def some(self, key: str, count: int) -> list[str]:
        """So many wordings of a key. On some sites goods bear the names of their makers, or one has a near name."""
        drawn = self._take_near(key, self.sample(self.all(key), count))
        if key != "goods" or self.language == "zh" or not self.chance(0.5):
            return drawn
        before = self.language in ("en", "de")
        makers = self.sample(self.all("brands"), 6)
        named = zip(drawn, (self.pick(makers) for _ in drawn), strict=True)
        return [f"{maker} {good}" if before else f"{good} {maker}" for good, maker in named]

    def _take_near(self, key: str, drawn: list[str]) -> list[str]:
        """Now and then two things whose names differ by a word at the end; drawn apart, so that all else stays."""
        apart = Random(f"near {self.family} {self.seed} {key}")
        if len(drawn) < LEAST_NEAR or not key.endswith(("things", *NEAR_KEYS)) or apart.random() >= NEAR:
            return drawn
        one, other = apart.sample(range(len(drawn)), 2)
        named = name_near(drawn[one], apart.choice(self.all("variants")), self.language)
        return [named if at == other and named not in drawn else each for at, each in enumerate(drawn)]

    def person(self) -> str:
        first, last = self.pick(self.all("first_names")), self.pick(self.all("last_names"))
        name = f"{last}{first}" if self.language == "zh" else f"{first} {last}"
        self.persons.add(name)
        return name

    def people(self, count: int) -> list[str]:
        """Different people; often two of them share a name."""
        found = list(dict.fromkeys(self.person() for _ in range(3 * count)))[:count]
        if len(found) > 3 and self.language != "zh" and self.chance(0.5):
            last = found[0].split(" ", 1)[1]
            near = f"{self.pick(self.all('first_names'))} {last}"
            found[1] = near if near not in found else found[1]
        return self.sample(found, len(found))

    def money(self, least: int = 2, most: int = 200) -> str:
        amount = f"{self.number(least, most)}.{self.pick(('00', '50', '90', '25', '99'))}"
        if self.language in ("de", "fr", "es"):
            return f"{amount.replace('.', ',')} €"
        return f"¥{amount}" if self.language == "zh" else f"{self._dollar}{amount}"

    def day(self, least: int = 3, most: int = 80) -> str:
        """A day after 1 March 2027, as YYYY-MM-DD."""
        return (date(2027, 3, 1) + timedelta(days=self.number(least, most))).isoformat()

    def days(self, count: int) -> list[str]:
        start = date(2027, 3, 1)
        return [(start + timedelta(days=day)).isoformat() for day in sorted(self.sample(range(3, 90), count))]

    def say_day(self, day: str) -> str:
        """A day YYYY-MM-DD as people say it in the site's language, or as it is."""
        if self.chance(0.3):
            return day
        year, month, number = day.split("-")
        named = self.all("months")[int(month) - 1]
        match self.language:
            case "zh":
                return f"{int(month)}月{int(number)}日"
            case "de":
                return self.pick((f"{int(number)}. {named}", f"{int(number)}.{int(month)}.{year}"))
            case "fr":
                return f"{int(number)} {named}"
            case "es":
                return f"{int(number)} de {named}"
            case _:
                return self.pick((f"{int(number)} {named}", f"{named} {int(number)}"))

    def email(self, name: str) -> str:
        plain = "".join(char for char in name.casefold().replace(" ", ".") if char.isascii())
        return f"{plain or f'user{self.number(10, 99)}'}@{self.pick(('mail', 'post', 'office'))}.example"

    def digits(self, count: int) -> str:
        return "".join(self.pick("123456789") for _ in range(count))

    # Goals

    def kinds(self) -> list[str]:
        """The kinds of goals that the family has; mostly without ambiguous ones, since people's wishes seldom are."""
        unclear = self.chance(UNCLEAR)
        return [each for each in load_goals(self.family) if unclear or each not in AMBIGUOUS]

    def goal(self, kind: str, /, **values: object) -> str:
        """One wording of a goal, from the family's file in `goals/`."""
        return self.speak(load_goals(self.family)[kind], **values)

    def speak(self, wordings: Mapping[str, Sequence[str]], /, **values: object) -> str:
        """One of the wordings, as somebody would say it: with other words for the same, in haste, with manners."""
        foreign = self.language not in wordings or self.chance(FOREIGN)
        spoken = "en" if foreign and "en" in wordings else self.language
        self.spoken = spoken
        said = self.vary(self.pick(wordings[spoken]), spoken)
        manners, gap = load_goals(MANNERS), "" if spoken == "zh" else " "
        if self.chance(0.25):
            said = f"{self.pick(manners['opening'][spoken])}{gap}{said}"
        closed = not said.endswith("}") and self.chance(0.2)
        said = said.format(**values)
        if closed:
            said += ("" if said[-1] in ENDS else ".") + gap + self.pick(manners["closing"][spoken])
        return said

    def vary(self, said: str, spoken: str) -> str:
        """Other words for the same and, now and then, haste: no stop, small letters, a slip, no accents."""
        if self.chance(0.6):
            said = self._reword(said, spoken)
        if self.chance(0.3):
            said = said.rstrip(".。")
        if spoken != "zh" and self.chance(0.12):
            said = change_words(said, str.lower)
        if spoken != "zh" and self.chance(0.08):
            said = change_words(said, self._slip)
        if spoken in ("de", "fr", "es") and self.chance(0.08):
            said = change_words(said, drop_accents)
        return said

    def _reword(self, said: str, spoken: str) -> str:
        for line in load_goals(MANNERS)["synonyms"][spoken]:
            word, _, others = line.partition(" = ")
            edge = "" if spoken == "zh" else r"\b"
            found = re.search(rf"(?<![{{\w]){re.escape(word)}{edge}" if edge else re.escape(word), said, re.IGNORECASE)
            if found and self.chance(0.5):
                other = self.pick(others.split(";")).strip()
                large = found[0][0].isupper() and spoken != "zh"
                other = other[0].upper() + other[1:] if large else other
                said = said[: found.start()] + other + said[found.end() :]
        return said

    def _slip(self, part: str) -> str:
        """Two letters of one longer word change places."""
        words = part.split(" ")
        long = [at for at, word in enumerate(words) if len(word) > 4 and word.isalpha()]
        if long and self.chance(0.6):
            at = self.pick(long)
            word, place = words[at], self.number(1, len(words[at]) - 3)
            words[at] = f"{word[:place]}{word[place + 1]}{word[place]}{word[place + 2 :]}"
        return " ".join(words)


def change_words(said: str, change: Callable[[str], str]) -> str:
    """Change what stands between the values of a wording."""
    return "".join(part if part.startswith("{") else change(part) for part in PARTS.split(said))


def drop_accents(text: str) -> str:
    """The text as somebody types it without accents."""
    apart = unicodedata.normalize("NFD", text.replace("ß", "ss").replace("’", "'"))
    return "".join(char for char in apart if not unicodedata.combining(char)).lstrip("¿¡")


def name_near(name: str, variant: str, language: str) -> str:
    """A name that differs from another one by a word at the end."""
    return f"{name}{variant}" if language == "zh" else f"{name} {variant}"
