"""A gym: classes with times, a training log, the order of a plan, and results."""

from gym.chores import make_chores
from gym.entries import Log
from gym.opinions import Stars
from gym.orders import Ranking
from gym.places import Slots
from gym.site import Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    return make_chores(draw, Slots("classes"), Log("training"), Ranking("plan"), Stars("coaches"))
