"""A garden planner: beds by what is to do, a harvest book, plants with words, a guide to read."""

from gym.chores import make_chores
from gym.entries import Log, Tags
from gym.orders import Columns
from gym.readings import Documents
from gym.site import Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    return make_chores(draw, Columns("beds"), Log("harvest"), Tags("plants"), Documents("guide", 6, 9))
