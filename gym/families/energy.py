"""An energy supplier: meter readings, monthly payments, bills to read, and what is allowed."""

from gym.choices import Consent
from gym.chores import make_chores
from gym.entries import Log
from gym.opinions import Levels
from gym.readings import Documents
from gym.site import Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    return make_chores(draw, Log("readings"), Levels("payments"), Documents("bills", 6, 10), Consent("data_use"))
