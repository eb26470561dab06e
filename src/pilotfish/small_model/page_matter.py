"""The matter of a page: its lines without menus, notices and links, to tell whether an action had an effect on it."""

from pilotfish.context.page_cut import ancestors, count_head, read_lines, unnumbered_line

ASIDE_PARTS = (
    *("navigation", "menubar", "banner", "complementary", "contentinfo"),
    *("status", "alert", "log", "alertdialog", "tooltip"),
)
"""The parts of a page that tell of it, and those that tell what happened."""
MOST_NOTICE_LINES = 2
"""So many lines that only came may be no more than a notice."""


def read_matter(page: str) -> frozenset[str]:
    """The lines of a page that are no part of a menu or notice, and no links, without the numbers of elements."""
    lines = read_lines(page)
    aside = [line.text.lstrip().startswith(ASIDE_PARTS) and ":" in line.text for line in lines]
    matter = [
        unnumbered_line(line.text)
        for at, line in enumerate(lines)
        if at >= count_head(lines) and not any(aside[each] for each in (at, *ancestors(lines, at)))
    ]
    return frozenset(line for line in matter if not line.startswith('link "'))


def shows_effect(before: frozenset[str], now: frozenset[str]) -> bool:
    """Whether something of the matter is gone or altered, or more came than a notice has."""
    return bool(before - now) or len(now - before) > MOST_NOTICE_LINES
