"""Finds the elements of a page that a question names, so that the person can choose by one click."""

import re

NAMED_ELEMENT = re.compile(r'\[\d{1,9}\] \w{1,40} "([^"\n]{2,200})"')
MOST_CHOICES = 8


def find_choices(question: str, page: str) -> tuple[str, ...]:
    """The names of elements on the page that a question contains, in the order of the page."""
    asked = question.casefold()
    names = dict.fromkeys(NAMED_ELEMENT.findall(page))
    return tuple(name for name in names if name.casefold() in asked)[:MOST_CHOICES]
