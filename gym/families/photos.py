"""Photo sharing: pictures that people react to, several at once, words on them, and their names."""

from gym.chores import make_chores
from gym.entries import Names, Several, Tags
from gym.opinions import Reactions
from gym.site import Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    return make_chores(draw, Reactions("stream"), Several("roll"), Tags("marked_"), Names("books"))
