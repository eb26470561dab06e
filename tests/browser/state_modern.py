"""Widgets of today's apps in two states, and things that only look as if they had a state, read from two pages."""

import html
import re
from pathlib import Path

from browser.state_widgets import StateWidget

SECTION = re.compile(
    r'<section title="([^"]*)" data-probe="([^"]*)"(?: data-on="([^"]*)" data-off="([^"]*)")?>\n(.*?)\n</section>', re.S
)


def read_widgets(page: str) -> tuple[StateWidget, ...]:
    """One for each section; where a section tells no states, none may be told of it."""
    text = (Path(__file__).parent / "pages" / f"{page}.html").read_text("utf-8")
    return tuple(
        StateWidget(style, html.unescape(probe), on, off, markup)
        for style, probe, on, off, markup in SECTION.findall(text)
    )


MODERN = read_widgets("states_today")
PLAIN_MODERN = read_widgets("states_none")
