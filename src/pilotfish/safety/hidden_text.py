"""Removes characters that people cannot see but models read, with a mark where they spelled something."""

import re

TAGS = re.compile("[\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]+")
VARIATIONS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}|[\U000e0100-\U000e01ef]")
DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
BLANKS = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a]"
)
JOINERS = re.compile("(?<=[\x00-\u024f])[\u200c\u200d]|[\u200c\u200d](?=[\x00-\u024f])|[\u200c\u200d]{2,}")
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufff9-\ufffb]")
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Any single invisible character, even one that joins others legitimately."""
HIDDEN_CHARACTERS = re.compile(
    "|".join(part.pattern for part in (TAGS, VARIATIONS, DIRECTIONS, BLANKS, JOINERS, CONTROLS))
)
MARK = "[hidden text was removed here]"
LEAST_SIGNS = 8


def strip_hidden(text: str) -> str:
    """The text as a person sees it. Characters that join emoji or letters of other scripts stay."""
    if not HIDDEN_CHARACTERS.search(text):
        return text
    text = TAGS.sub(_mark_tags, text)
    text = VARIATIONS.sub(_mark_tags, text)
    for pattern in (DIRECTIONS, BLANKS, JOINERS, CONTROLS):
        text = pattern.sub("", text)
    return text


def _mark_tags(found: re.Match[str]) -> str:
    """Nothing for the few tags of a flag emoji; a mark for a sentence in tags."""
    return MARK if len(found[0]) >= LEAST_SIGNS else ""
