"""Reads how long ago something was, as people write it: 30d, 12h, 90m."""

import re
from datetime import timedelta

from pilotfish.core.errors import PersonError

UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
AGE = re.compile(r"(\d{1,6})\s?([mhdw])")


def read_age(text: str) -> timedelta:
    found = AGE.fullmatch(text.strip().lower())
    if not found:
        raise PersonError(f"{text!r} is no length of time.", "Write a number with m, h, d or w, such as 30d.")
    return timedelta(**{UNITS[found[2]]: int(found[1])})
