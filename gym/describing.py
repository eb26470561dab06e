"""Goals that describe a thing in people's words instead of naming it, and the oracle's way then: it looks through the
list for what fits."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from gym.composing import compose_text
from gym.lexicon import ROLES, SECTIONS, Described, list_ways, load_described, share_word
from gym.oracle import Step, survey
from gym.site import Site
from gym.surroundings import TYPED, end_at_end, list_rows, shorten_names
from gym.words import Draw, name_near, vocabulary

DESCRIBED, CALLED, SHORTENED, COMPOSED = 0.85, 0.6, 0.5, 0.4
"""How many goals that can describe what they name, or a person by what they do, name it in part, or leave the words of
a text to the model."""
SEEKS = ("search", "look_up")
ONE = "the one "
MOST_WORDS = 9
"""Words of a description that fit into a reason."""
ARTICLES: Mapping[str, str] = {
    "en": r"(?:\b(?:[tT]he|[aA]n?|[mM]y|[oO]ur|[tT]his|[tT]hat)\s+(?:(?P<noun>[a-z]+)\s+(?:(?:called|named)\s+)?)?)?",
    "de": r"(?:\b(?:[dD](?:er|ie|as|en|em)|[ehmEHM]?(?:ine|inen|inem|in)|[Dd]iese[rsnm]?)\s+(?:[A-ZÄÖÜ]\w+\s+)?)?",
    "fr": r"(?:\b(?:les?|la|une?|mon|ma|cet?|cette)\s+)?(?:\bl’)?",
    "es": r"(?:\b(?:el|la|los|las|una?|mi|este|esta)\s+)?",
    "zh": "",
}
CONTRACTED = re.compile(r"\b(?:zum|zur|im|am|vom|beim|du|des|aux?|del|al)\s+$|d’$|[\w-]$", re.IGNORECASE)
"""What stands before a name where no description can stand."""
NOUNS = re.compile(r"\b(?:message|mail|note|card|file|text)\s$")
"""After which "the one about it" is said as "about it"."""
ABOUT = re.compile(r"\babout\s$")
OPENING, CLOSING = '(?:["“„«「《]\\s?)?', '(?:\\s?["”“»」》])?'

ENDS = ("(?![\\w’'-])", "")
"""What does not follow a name; in Chinese anything may."""


@dataclass
class Describer:
    """Describes what the goal of a site names, where nothing else on the site fits the description."""

    site: Site
    random: Random
    described: dict[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        self.draw: Draw = self.site.draw
        self.language = self.draw.language
        self.steps = list(end_at_end(self.site.steps()))
        self.rows = list_rows(self.site)
        self.known = load_described(self.language)

    def describe(self) -> bool:
        """Describe all that can be in the goal. Whether there is something."""
        if self.site.person or self.draw.spoken != self.language:
            return False
        for name in dict.fromkeys((*self.rows, *self._pressed(), *self._absent())):
            if self.site.goal.count(name) == 1 and self._can_be_sought(name):
                self._describe_one(name)
        return bool(self.described)

    def _pressed(self) -> Iterator[str]:
        """What steps press, switch and choose."""
        for step in self.steps:
            if step.verb in ("click", "switch", "tick", "choose"):
                yield from (step.row, step.value) if step.verb == "choose" else (step.row, *step.names)

    def _absent(self) -> Iterator[str]:
        """What is searched for in vain."""
        if self.site.ending == "give_up":
            yield from (step.value for step in self.steps if step.verb in SEEKS)

    def _can_be_sought(self, name: str) -> bool:
        """Whether it is long enough, is nowhere typed, and is in a list or on a page rather than behind a search."""
        said = [step for step in self.steps if name in step.value]
        typed = any(step.verb in TYPED and (step.verb, step.value) != ("choose", name) for step in said)
        hidden = name not in self.rows and self.site.ending != "give_up" and any(step.verb in SEEKS for step in said)
        return len(name) > 1 and not typed and not hidden

    def _describe_one(self, name: str) -> None:
        way = self._call_by_role(name) if self._is_person(name) else self._draw_way(name, self._find(name))
        said = put_in(self.site.goal, name, way, self.language) if way else ""
        if said and name.casefold() not in said.casefold():
            self.site.goal, self.described[name] = said, way
        elif name in self.site.roles:
            self.site.roles = {}

    def _find(self, name: str) -> Described | None:
        """How a name is described; what it is called on some sites besides, such as by its maker, left out."""
        return self.known.get(without_maker(name, self.draw)) or find_section(self.draw, name)

    def _draw_way(self, name: str, one: Described | None) -> str:
        others = [row for row in self.rows if row != name]
        if one is None or any(self._fits_too(one, row) for row in others) or self._is_near(name):
            return ""
        ways = list_ways(one, name, others, self.language)
        return self.random.choice(ways) if ways else ""

    def _is_near(self, name: str) -> bool:
        """Whether the goal means what has a near name, of which this one is the beginning."""
        return any(name_near(name, variant, self.language) in self.site.goal for variant in self.draw.all("variants"))

    def _fits_too(self, one: Described, row: str) -> bool:
        """Whether another row is of the same group, or is the same thing of another maker or colour."""
        other = self.known.get(without_maker(row, self.draw))
        return other is one or bool(other and one.group and other.group == one.group)

    # People

    def _is_person(self, name: str) -> bool:
        return name in self.draw.persons and name in self.rows

    def _call_by_role(self, name: str) -> str:
        """Show what people do in the rows of lists, and say that of the one that is meant."""
        roles = [role for role, one in self.known.items() if one.key == ROLES]
        shown = [page for path in self.site.sections if name in (page := self.site.get(f"{path}?_bare=1") or "")]
        told = any(each in page for page in shown for each in (*self.draw.all("departments"), *roles))
        if not roles or told or self.site.roles or self.random.random() >= CALLED:
            return ""
        others = [row for row in self.rows if row in self.draw.persons and row != name]
        drawn = self.random.sample(roles, min(len(roles), 1 + len(others)))
        self.site.roles = dict(zip([name, *others], drawn, strict=False))
        return self.random.choice(list_ways(self.known[drawn[0]], name, drawn, self.language) or [""])


def say_goal(site: Site, family: str, seed: int) -> Site:
    """Let the goal say less than it could; from a seed always the same."""
    drawn = Random(f"say {family} {seed}")
    if not (drawn.random() < DESCRIBED and describe_names(site, drawn)) and drawn.random() < SHORTENED:
        shorten_names(site, drawn)
    if drawn.random() < COMPOSED:
        compose_text(site, family, drawn)
    return site


def describe_names(site: Site, drawn: Random) -> bool:
    """Let the goal describe what it names, and the oracle look for it. Whether something could be described."""
    describer = Describer(site, drawn)
    if not describer.describe():
        return False
    site.described, first, rows = describer.described, site.steps, frozenset(describer.rows)
    site.steps = lambda: look_through(site, first(), rows)
    return True


def look_through(site: Site, steps: Iterator[Step], rows: frozenset[str]) -> Iterator[Step]:
    """The steps, with looks through the list instead of searches, and with reasons that say what fits."""
    told: set[str] = set()
    for step in steps:
        name = next((each for each in site.described if each in (step.row, step.value, *step.names)), "")
        if step.verb in SEEKS and name:
            if name not in rows:
                yield survey(name)
        elif step.verb == "give_up":
            yield give_up_described(step, site, rows)
        else:
            meant = name or next((each for each in site.described if each in step.value and each not in told), "")
            new = bool(meant) and meant not in told
            yield replace(step, why=say_why(site, meant) if new else unname(step.why, site, told))
            told.add(meant)


def give_up_described(step: Step, site: Site, rows: frozenset[str]) -> Step:
    """What no list has is only known by its description."""
    for name, way in site.described.items():
        if name not in rows:
            nothing = f"nothing listed is {shorten_way(way)}"
            step = replace(step, value=step.value.replace(name, way), see="", why=nothing)
    return step


def unname(why: str, site: Site, told: set[str]) -> str:
    """A reason without the names that no page showed yet."""
    for name, way in site.described.items():
        why = why if name in told else why.replace(name, shorten_way(way))
    return why


def say_why(site: Site, name: str) -> str:
    """That a thing fits its description."""
    way = shorten_way(site.described[name])
    role = f" ({site.roles[name]})" if name in site.roles else ""
    return f"{name}{role} is {way}" if site.draw.language == "en" else f"{name}{role}: {way}"


def shorten_way(way: str) -> str:
    return " ".join(way.split()[:MOST_WORDS])


def put_in(goal: str, name: str, way: str, language: str) -> str:
    """The goal with a description in place of a name, its article and its quotation marks; empty where none fits."""
    found = re.search(f"{ARTICLES[language]}{OPENING}{re.escape(name)}{CLOSING}{ENDS[language == 'zh']}", goal)
    if not found or (language != "zh" and CONTRACTED.search(goal[: found.start()])):
        return ""
    before, after = goal[: found.start()], goal[found.end() :]
    if before.endswith("de ") and way.startswith(("le ", "les ", "el ")):
        return ""
    noun = found.groupdict().get("noun")
    said = way
    if way.startswith(ONE) and (noun or NOUNS.search(before)):
        said = f"the {noun} {way.removeprefix(ONE)}" if noun else way.removeprefix(ONE)
    if ABOUT.search(before):
        said = re.sub(r"^the one (?:about|on) ", "", said)
    begins = not before.strip() or before.rstrip()[-1] in ".!?。"
    gap = " " if found[0][:1].isspace() else ""
    tail = " " if found[0][-1:].isspace() else ""
    return f"{before}{gap}{said[0].upper() + said[1:] if begins else said}{tail}{after}"


def without_maker(name: str, draw: Draw) -> str:
    """A name without that of its maker."""
    if draw.language != "zh":
        for maker in draw.all("brands"):
            name = name.removeprefix(f"{maker} ").removesuffix(f" {maker}")
    return name.partition(" (")[0]


def find_section(draw: Draw, label: str) -> Described | None:
    """What people want in a section."""
    for key, one in load_described(draw.language).items():
        if one.key == SECTIONS and key in vocabulary() and label in draw.all(key):
            return one
    return None


def tell_section(draw: Draw, label: str) -> str:
    """What is in a section, in words other than its name; empty where that is not known."""
    one = find_section(draw, label)
    ways: Sequence[str] = one.ways if one else ()
    return next((way for way in ways if not share_word(way, label, draw.language)), "")
