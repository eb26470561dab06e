"""How a player chooses an option on the page that it sees, whatever the field looks like."""

from collections.abc import Sequence
from typing import Any

from gym.oracle import Step, shorten
from gym.shown import PlacedElement, ShownPage

Act = list[int | str]
CHOSEN = ("checked", "pressed", "on", "selected")


def choose_option(step: Step, page: ShownPage) -> tuple[list[Act], bool]:
    """The acts, and whether the option is chosen then.

    A native select takes the option; options that are shown are clicked; else their list is opened first.
    """
    box = page.find(step.names, "select")
    if box and " options: " in box.shown.rest:
        return [["select", box.id, step.value]], True
    options = [each for each in page.elements if each.shown.role in ("option", "radio", "button", "clickable")]
    fitting = [each for each in options if each.name == step.value and "click" in each.shown.takes]
    opener = page.find(step.names, "click")
    opener = None if opener and opener.name == step.value else opener
    shown = [each for each in fitting if not opener or each.id != opener.id]
    begin = min(page.find_rows(step.name), default=0)
    shown = [each for each in shown if each.line >= begin] or shown
    if shown:
        return [["click", shown[0].id]], True
    return ([["click", opener.id]] if opener else []), False


def find_chosen(step: Step, page: ShownPage) -> PlacedElement | None:
    """The option of a field that is chosen, where each option is shown."""
    begin = min(page.find_rows(step.name), default=0)
    options = [each for each in page.elements if each.line >= begin and each.name == step.value]
    marked = [each for each in options if any(f"({sign}" in each.shown.rest for sign in CHOSEN)]
    return marked[0] if marked else None


def write_acts(why: str, acts: Sequence[Act]) -> dict[str, Any]:
    """A reply with acts."""
    return {"why": shorten(why), "acts": list(acts)}
