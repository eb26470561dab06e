"""Rental cars: cars with facts, times to fetch them, extras, and how long."""

from gym.chores import make_chores
from gym.opinions import Levels, Stars
from gym.places import Slots
from gym.readings import Documents
from gym.site import Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    return make_chores(draw, Documents("cars", 7, 10), Slots("pickup"), Levels("extras"), Stars("trips"))
