"""Finds sites that a person calls by their name without an address, as in "play it on YouTube"."""

import re

NAMED_SITE = re.compile(
    r"(?:\b(?:on|at|via|from|auf|bei|über|von|sur|chez|depuis|en|desde|por)\s{1,3}|[在从])"
    r"([a-z0-9][a-z0-9-]{3,40})(?![a-z0-9_-]|\.\w)",
    re.IGNORECASE,
)
"""A name after a word that says where; of four letters or more, so that articles do not count."""
ENDINGS = ("com", "org")
"""The endings under which a name stands for itself; under any other, somebody else may have registered it."""


def find_named_sites(text: str) -> set[str]:
    """The sites whose names stand in a text after a word that says where something is done."""
    return {f"{name.lower()}.{ending}" for name in NAMED_SITE.findall(text) for ending in ENDINGS}
