"""Parcel lockers: times to fetch parcels, tracking with facts pages away, names, notices."""

from gym.choices import Consent
from gym.chores import make_chores
from gym.entries import Names
from gym.places import Slots
from gym.readings import Documents
from gym.site import Site
from gym.words import Draw


def make(draw: Draw) -> Site:
    return make_chores(draw, Documents("tracking", 6, 10), Slots("collect"), Names("boxes"), Consent("notices"))
