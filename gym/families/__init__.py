"""The families: one file each, with `make(draw)`, which draws a site with its task."""

from functools import cache
from importlib import import_module
from pathlib import Path

from gym.describing import say_goal
from gym.errands import run_errand
from gym.exploring import explore_sections, hide_section
from gym.site import Site
from gym.surroundings import surround_site
from gym.twists import twist_site
from gym.words import Draw

HELD_OUT = frozenset(
    {"albums", "booking", "chats", "clinic", "club", "community", "garden", "gifts", "insurance", "library", "mobile"}
    | {"polls", "theatre", "tickets", "wiki"}
)
"""Families that are never recorded for training: measured sites are of kinds that the model has not seen."""


@cache
def list_families() -> tuple[str, ...]:
    """The names of all families."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py")))


def make_site(family: str, seed: int, language: str = "", twist: str | None = None) -> Site:
    """The site of a family that belongs to a seed. `twist`: the name of one, or "" for none; else one may be drawn."""
    make = import_module(f"gym.families.{family}").make
    site: Site = make(Draw(seed, family, language))
    site.again = lambda: make(Draw(seed, family, language))
    around = surround_site(site, family, seed)
    sent = run_errand(around, family, seed) if twist is None else around
    hidden = hide_section(say_goal(sent, family, seed), family, seed)
    return explore_sections(twist_site(hidden, family in HELD_OUT, twist), family, seed)
