"""Removes terminal control sequences from untrusted text."""

import re

STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]")


def printable(text: str) -> str:
    """The text without control characters and without marks that change the writing direction."""
    return STEERING.sub("", text)
