"""Habits: what was done each day, aims, and what the months were like."""

from gym.chores import make_chores
from gym.entries import Log
from gym.opinions import Levels
from gym.orders import Ranking
from gym.readings import Documents
from gym.site import Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    return make_chores(draw, Log("today"), Levels("aims"), Documents("months", 6, 9), Ranking("mornings"))
