"""A chat app: messages with reactions, conversations to put away, groups with names, an order of what is pinned."""

from gym.chores import make_chores
from gym.entries import Names, Several
from gym.opinions import Reactions
from gym.orders import Ranking
from gym.site import Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    return make_chores(draw, Reactions("channel"), Several("talks"), Names("groups"), Ranking("pinned"))
