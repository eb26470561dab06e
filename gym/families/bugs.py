"""Code hosting: issues in columns and with labels, branches with names, releases to read and get."""

from gym.chores import make_chores
from gym.entries import Names, Tags
from gym.orders import Columns
from gym.readings import Documents
from gym.site import Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    return make_chores(draw, Columns("issues"), Tags("labelled"), Names("branches"), Documents("releases", 6, 10))
