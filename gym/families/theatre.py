"""A theatre: plays to read about, seats, and stars for what was seen."""

from gym.chores import make_chores
from gym.opinions import Stars
from gym.places import Seats
from gym.readings import Documents
from gym.site import Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    return make_chores(draw, Seats("hall"), Documents("plays", 6, 10), Stars("seen"))
