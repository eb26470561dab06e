"""A music service: an order of songs, albums with stars, levels of sound, songs to add."""

from gym.choices import Picker
from gym.chores import make_chores
from gym.opinions import Levels, Stars
from gym.orders import Ranking
from gym.site import Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    return make_chores(draw, Ranking("queue"), Stars("albums"), Levels("sound"), Picker("party", 7, 8))
