"""A recipe book: dishes to read about, stars, words, and a shopping list with suggestions."""

from gym.choices import Picker
from gym.chores import make_chores
from gym.entries import Log
from gym.opinions import Stars
from gym.readings import Documents
from gym.site import Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    return make_chores(draw, Documents("book", 6, 10), Stars("cooked"), Picker("shopping", 7, 8), Log("pantry"))
