"""Writes the most important part of a change as one line."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pilotfish.browser.perception.page_diff import differ_in_numbers, visible_states

if TYPE_CHECKING:
    from pilotfish.browser.perception.changes import ChangeReport
    from pilotfish.browser.perception.element import ElementView

MOST_PARTS, LONGEST_HEADLINE = 2, 200
"""Parts of a change that are told, and characters of all of them."""
NOTHING_CHANGED = "nothing changed"
MANY_ROWS = 3
"""Where so many rows come or go, they are told before a counter: texts of different rows may look like one."""


def write_headline(change: "ChangeReport") -> str:
    """The two most important parts of a change, in this order: what the browser or the page said, a dialog, another
    address, the touched element, a new text, many rows, a counter, rows, anything else; then where the focus went."""
    parts = list(dict.fromkeys(_parts(change)))[:MOST_PARTS]
    parts += [f'focus on {each.role} "{each.name[:60]}"' for each in filter(None, [change.delta.target.focused])]
    return "; ".join(parts)[:LONGEST_HEADLINE] or NOTHING_CHANGED


def _parts(change: "ChangeReport") -> Iterator[str]:
    delta, texts, groups = change.delta, change.delta.texts, change.delta.groups
    yield from (notice.text for notice in change.notices)
    yield from map(_quote, texts.messages[:1])
    yield from (f"{each} opened" for each in groups.opened[:1])
    yield from (f"{each} closed" for each in groups.closed[:1])
    if change.moved:
        yield f"now at {change.url[:100]}" + (f', "{change.title[:60]}"' if change.moved == "document" else "")
    touched = [pair for pair in delta.changed if pair[0].id in change.touched or pair[1].id in change.touched]
    yield from (describe_step(*pair) for pair in touched[:1])
    yield from _states_now(element for element in delta.added if element.id in change.touched)
    yield from map(_quote, texts.loose[:1])
    names = [(before.name, after.name) for before, after in delta.changed]
    counters = [pair for pair in (*names, *texts.edited) if differ_in_numbers(*pair)]
    rows = [] if groups.opened or groups.closed else list(_rows(groups.rows_came, groups.rows_gone))
    many = abs(len(groups.rows_came) - len(groups.rows_gone)) >= MANY_ROWS
    yield from rows if many else ()
    yield from (f"{_quote(before)} → {_quote(after)}" for before, after in counters[:1])
    yield from rows
    yield from (describe_step(*pair) for pair in delta.changed[:1])
    yield from map(_quote, texts.came[:1])
    yield from _count_items("new", [f'{e.role} "{e.name[:60]}"' for e in delta.added])
    yield from _count_items("gone", [f'{e.role} "{e.name[:60]}"' for e in delta.removed])
    yield from (f"{_quote(text)} is gone" for text in texts.gone[:1])
    yield from _count_items("moved", [f'{e.role} "{e.name[:60]}"' for e in delta.shifted])
    if delta.target.altered:
        yield "it looks different"


def _states_now(elements: "Iterable[ElementView]") -> Iterator[str]:
    """The states of touched elements that the look before did not show, as those further down."""
    for element in elements:
        if states := sorted(visible_states(element) - {"focused"}):
            yield f'{element.role} "{element.name[:60]}": now {", ".join(states)}'


def _rows(came: tuple[str, ...], gone: tuple[str, ...]) -> Iterator[str]:
    many = len(came) - len(gone)
    if many:
        which = _quote(came[0] if many > 0 else gone[0])
        yield f"{abs(many)} row{'s' if abs(many) > 1 else ''} {'more' if many > 0 else 'fewer'}: {which}"
    elif len(came) == 1:
        yield f"row {_quote(gone[0])} → {_quote(came[0])}"


def _count_items(word: str, items: list[str]) -> Iterable[str]:
    if items:
        yield f"{word}: {items[0]}" + (f" and {len(items) - 1} more" if len(items) > 1 else "")


def _quote(text: str) -> str:
    return f'"{text[:80]}"'


def describe_step(before: "ElementView", after: "ElementView") -> str:
    """What an element was and is: its name, value or states."""
    what = f'{after.role} "{after.name[:60]}"'
    if before.name != after.name:
        return f"{before.role} {_quote(before.name)} → {_quote(after.name)}"
    if before.value != after.value:
        return f"{what}: {_quote(before.value)} → {_quote(after.value)}"
    return f"{what}: {describe_states(before, after)}"


def describe_states(before: "ElementView", after: "ElementView") -> str:
    """How the states changed: `unchecked → checked`, `now disabled`, `no longer expanded`."""
    gone = sorted(visible_states(before) - visible_states(after) - {"focused"})
    come = sorted(visible_states(after) - visible_states(before) - {"focused"})
    if gone and come:
        return f"{', '.join(gone)} → {', '.join(come)}"
    return f"now {', '.join(come)}" if come else f"no longer {', '.join(gone)}" if gone else ""
