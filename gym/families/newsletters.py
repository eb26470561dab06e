"""Newsletters: what one agrees to, letters to leave at once, how often, back numbers to read."""

from gym.choices import Consent
from gym.chores import make_chores
from gym.entries import Several
from gym.opinions import Levels
from gym.readings import Documents
from gym.site import Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    return make_chores(draw, Consent("topics"), Several("letters"), Levels("often"), Documents("issues", 6, 10))
