"""Ways over several sections: names that do not tell what a section has, sections below another one, and looking into
one after the other before giving up."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from gym.oracle import Step, click
from gym.site import HUB, Site
from gym.surroundings import end_at_end

if TYPE_CHECKING:
    from gym.markup import Ui

VAGUE, NESTED, LOOKING, FURTHER = 0.35, 0.25, 0.8, 0.6
"""How many sites name the wanted section vaguely, and how many put it below another; how often the oracle then looks
into other sections first, and how often it looks into further ones where one has nothing."""
MOST_LOOKS = 4
ASIDE = ("/", "/help", "/new", "/write", "/contact", "/about", "/news", HUB)
"""Where nothing is kept that a task could be about."""


def hide_section(site: Site, family: str, seed: int) -> Site:
    """Let the name of the section that the task needs say little, or let another section lead there."""
    drawn = Random(f"hide {family} {seed}")
    path = find_wanted(site)
    if path is None:
        return site
    if drawn.random() < VAGUE and (name := draw_vague(site, drawn)):
        rename_section(site, path, name)
    if drawn.random() < NESTED and (name := draw_vague(site, drawn)):
        nest_sections(site, path, name, drawn)
    return site


def explore_sections(site: Site, family: str, seed: int) -> Site:
    """Let the oracle look into sections that may have the thing before it opens the right one or gives up."""
    drawn = Random(f"explore {family} {seed}")
    first, looks = site.steps, list_sections(site)
    drawn.shuffle(looks)
    before = drawn.randint(1, MOST_LOOKS) if site.vague and drawn.random() < LOOKING else 0
    after = drawn.randint(1, MOST_LOOKS) if not site.twist and drawn.random() < FURTHER else 0
    if before or after:
        site.steps = lambda: look_around(site, first(), looks, before, after)
    return site


def look_around(site: Site, steps: Iterator[Step], looks: Sequence[str], before: int, after: int) -> Iterator[Step]:
    """The steps, with looks before the first section and before giving up because nothing was found."""
    opened: list[str] = []
    for step in steps:
        if opens_section(site, step):
            if not opened:
                yield from look_into([each for each in looks if each != step.name][:before], opened)
            yield replace(step, why=f"not in {opened[-1]}, try {step.name}") if opened and before else step
            opened.append(step.name)
        elif gives_up_seeking(site, step) and after:
            yield from look_into([each for each in looks if each not in opened][:after], opened)
            yield replace(step, see="")
        else:
            yield step


def gives_up_seeking(site: Site, step: Step) -> bool:
    """Whether a step gives up because a list does not have the thing."""
    listed = bool(site.described) and not step.see
    return step.verb == "give_up" and (listed or step.see == site.draw.word("nothing_found"))


def look_into(names: Sequence[str], opened: list[str]) -> Iterator[Step]:
    """Open sections one after the other."""
    for each in names:
        yield click(each, why=f"not in {opened[-1]}, try {each}" if opened else f"{each} may have it")
        opened.append(each)


def opens_section(site: Site, step: Step) -> bool:
    return step.verb == "click" and not step.row and step.name in site.sections.values()


def list_sections(site: Site) -> list[str]:
    """The sections in which a thing may be: not those that tell something, nor the one that only leads to others."""
    return [
        label
        for path, label in site.sections.items()
        if path not in (*ASIDE, site.contact) and not path.startswith("/also/")
    ]


def find_wanted(site: Site) -> str | None:
    """The path of the section that the task opens first, where neither the goal nor another step says its name."""
    steps = list(end_at_end(site.steps()))
    first = next((step for step in steps if opens_section(site, step)), None)
    if first is None or first.name.casefold() in site.goal.casefold():
        return None
    path = next(path for path, label in site.sections.items() if label == first.name)
    said = any(first.name in (*step.names, step.row, step.value) for step in steps if not opens_section(site, step))
    return None if said or path in ("/", site.contact) else path


def rename_section(site: Site, path: str, name: str) -> None:
    """Give a section another name in the navigation; its page may still have the old one."""
    old, first = site.sections[path], site.steps
    site.sections[path] = name
    site.vague = True

    def renamed(step: Step) -> Step:
        opened = step.verb == "click" and not step.row and step.name == old
        return replace(step, names=(name,), why=step.why.replace(old, name)) if opened else step

    site.steps = lambda: map(renamed, first())


def draw_vague(site: Site, drawn: Random) -> str:
    """A name that says little and that the site does not have yet."""
    taken = {label.casefold() for label in site.sections.values()}
    return next((name for name in shuffled(site.draw.all("vague"), drawn) if name.casefold() not in taken), "")


def nest_sections(site: Site, wanted: str, name: str, drawn: Random) -> None:
    """Take some sections out of the navigation and put them on a page of their own."""
    others = [path for path in site.sections if path not in ("/", site.contact, wanted)]
    below = [path for path in site.sections if path in (wanted, *drawn.sample(others, min(len(others), 2)))]
    site.nested = dict.fromkeys(below, name)
    listed = list(site.sections.items())
    listed.insert(drawn.randint(1, len(listed)), (HUB, name))
    site.sections = dict(listed)
    site.put_first(HUB, list_below(site, name))


def list_below(site: Site, name: str) -> "Callable[[Ui], Sequence[str]]":
    """The page that leads to the sections below it."""

    def make(ui: "Ui") -> Sequence[str]:
        return [ui.heading(name), *(f"<p>{ui.link(site.sections[path], path)}</p>" for path in site.nested)]

    return make


def shuffled(options: Sequence[str], drawn: Random) -> list[str]:
    return drawn.sample(list(options), len(options))
