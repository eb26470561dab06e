"""Makes shortcuts of runs that went well."""

from collections.abc import Iterable, Mapping

from pilotfish.core.errors import PersonError
from pilotfish.core.events import Event
from pilotfish.core.recipe import ActionRecipe, build_recipe
from pilotfish.core.records import RunRecord
from pilotfish.core.shortcut import Shortcut, describe_steps, list_words, make_shortcut
from pilotfish.core.values import Value
from pilotfish.services.attribution import require_top_run

MOST_LETTERS = 200


class ShortcutPreview(Value):
    """What a shortcut of a run would do, a line each, and the words in it that could become parameters."""

    steps: tuple[str, ...]
    words: tuple[str, ...]


def preview_run(record: RunRecord, events: Iterable[Event]) -> ShortcutPreview:
    """What a run did that a shortcut could do again."""
    recipe = read_run(record, events)
    words = tuple(dict.fromkeys(word for word in list_words(recipe) if len(word) <= MOST_LETTERS))
    return ShortcutPreview(steps=tuple(describe_steps(recipe)), words=words)


def make_from_run(record: RunRecord, events: Iterable[Event], name: str, parameters: Mapping[str, str]) -> Shortcut:
    """A shortcut of what a run did in the browser; the words of `parameters` become parameters."""
    return make_shortcut(name, read_run(record, events), parameters)


def read_run(record: RunRecord, events: Iterable[Event]) -> ActionRecipe:
    """What a run did in the browser. One that did not end well, or did nothing there, is refused."""
    require_top_run(record)
    if record.outcome != "completed":
        raise PersonError("That run did not end well.", "Choose one that is done; `pilotfish runs` lists them.")
    recipe = build_recipe(events)
    if not recipe.actions:
        raise PersonError("That run did nothing in the browser.", "Choose one that did; `pilotfish runs` lists them.")
    return recipe
