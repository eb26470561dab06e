"""A survey of residents: wishes in an order, stars for places, counts, and results to read."""

from gym.chores import make_chores
from gym.entries import Log
from gym.opinions import Stars
from gym.orders import Ranking
from gym.readings import Documents
from gym.site import Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    return make_chores(draw, Ranking("wishes"), Stars("places"), Log("counts"), Documents("findings", 6, 9))
