"""Makes shortcuts of runs that went well."""

from collections.abc import Iterable, Mapping

from pilotfish.core.errors import PersonError
from pilotfish.core.events import Event
from pilotfish.core.recipe import build_recipe
from pilotfish.core.records import RunRecord
from pilotfish.core.shortcut import Shortcut, make_shortcut
from pilotfish.services.attribution import require_top_run


def make_from_run(record: RunRecord, events: Iterable[Event], name: str, parameters: Mapping[str, str]) -> Shortcut:
    """A shortcut of what a run did in the browser; the words of `parameters` become parameters."""
    require_top_run(record)
    if record.outcome != "completed":
        raise PersonError("That run did not end well.", "Choose one that is done; `pilotfish runs` lists them.")
    recipe = build_recipe(events)
    if not recipe.actions:
        raise PersonError("That run did nothing in the browser.", "Choose one that did; `pilotfish runs` lists them.")
    return make_shortcut(name, recipe, parameters)
