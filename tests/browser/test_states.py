"""What the view tells of switches, boxes, tabs, chips, stars and folded rows, in the manner of many design systems."""

import pytest

from browser.stage import Site, visit
from browser.state_choices import PLAIN, WIDGETS
from browser.state_modern import MODERN, PLAIN_MODERN
from browser.state_systems import PLAIN_SYSTEMS, SYSTEMS
from browser.state_widgets import StateWidget, choose, in_batches, page
from pilotfish.browser.perception.snapshot import Snapshot
from pilotfish.browser.sessions.session import BrowserSession

pytestmark = pytest.mark.slow
ON = frozenset({"on", "checked", "selected", "pressed", "current", "expanded"})
OFF = frozenset({"off", "unchecked", "collapsed"})
RIGHT_AT_LEAST = 0.95
LATER_RIGHT = 0.6


def states_told(view: Snapshot, widget: StateWidget, state: bool) -> frozenset[str] | None:
    """The states of the widget's element; None where the view has no such element."""
    probe = choose(widget.probe, state)
    found = [element for element in view.elements if element.name == probe]
    return frozenset(found[0].states) & (ON | OFF) if found else None


def rate_look(widget: StateWidget, state: bool, told: frozenset[str] | None) -> str:
    wanted = widget.on if state else widget.off
    if told is None:
        return "missing"
    if told == ({wanted} if wanted else frozenset()):
        return "right"
    return "wrong" if told & (OFF if state else ON) or (told and not wanted) else "untold"


async def read_states(session: BrowserSession, site: Site, widgets: tuple[StateWidget, ...]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for batch in in_batches(widgets, 40):
        views = {state: await visit(session, site, page(batch, state)) for state in (True, False)}
        for widget in batch:
            told = [states_told(views[state], widget, state) for state in (True, False)]
            rated = [rate_look(widget, state, one) for state, one in zip((True, False), told, strict=True)]
            said = ("-" if one is None else " ".join(sorted(one)) or "nothing" for one in told)
            worst = max(rated, key=("right", "untold", "missing", "wrong").index)
            rows.append((widget.style, *said, worst))
    return rows


async def test_the_state_of_nearly_every_widget_is_told_and_of_none_wrongly(
    session: BrowserSession, site: Site
) -> None:
    rows = await read_states(session, site, WIDGETS)
    table = "\n".join(f"{style:24} {on:20} {off:20} {rated}" for style, on, off, rated in rows)
    print(f"\n{table}\n{sum(row[-1] == 'right' for row in rows)} of {len(rows)} told right")
    assert len(rows) >= 60
    assert [row for row in rows if row[-1] == "wrong"] == []
    assert sum(row[-1] == "right" for row in rows) >= RIGHT_AT_LEAST * len(rows), table


async def test_of_widgets_that_came_later_none_is_told_wrongly_or_left_out(session: BrowserSession, site: Site) -> None:
    """Their authors had not seen how states are read. What nothing tells may stay open, such as a bold tab."""
    rows = await read_states(session, site, (*SYSTEMS, *MODERN))
    table = "\n".join(f"{style:28} {on:20} {off:20} {rated}" for style, on, off, rated in rows)
    print(f"\n{table}\n{sum(row[-1] == 'right' for row in rows)} of {len(rows)} told right")
    assert len(rows) >= 40
    assert [row for row in rows if row[-1] in ("wrong", "missing")] == []
    assert sum(row[-1] == "right" for row in rows) >= LATER_RIGHT * len(rows), table


async def test_what_only_sounds_or_looks_like_a_state_tells_none(session: BrowserSession, site: Site) -> None:
    rows = await read_states(session, site, (*PLAIN, *PLAIN_SYSTEMS, *PLAIN_MODERN))
    assert [row for row in rows if row[-1] != "right"] == []
