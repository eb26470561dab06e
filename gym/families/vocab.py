"""Language cards: decks in columns, words a day, cards with names, units to read about."""

from gym.chores import make_chores
from gym.entries import Names
from gym.opinions import Levels
from gym.orders import Columns
from gym.readings import Documents
from gym.site import Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    return make_chores(draw, Columns("decks"), Levels("pace"), Names("cards"), Documents("units", 6, 10))
