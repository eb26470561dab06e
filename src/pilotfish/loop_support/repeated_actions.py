"""Actions that a model writes once for several things: each thing gets the same actions with its own words in them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

PLACE = re.compile(r"\{([1-9])\}")
MOST_THINGS = 40


def expand_actions(actions: Any) -> Any:
    """The actions in order, with those under `each` written out for each thing.

    `written` is the number of actions that the model wrote before, so that a repeated one counts once. Actions that
    have it were expanded before and stay as they are.
    """
    if not isinstance(actions, list):
        return actions
    expanded, written = list[Any](), 0
    for entry in cast(list[Any], actions):
        if isinstance(entry, Mapping) and "each" in entry:
            group = _expand_group(cast(Mapping[str, Any], entry))
            written += len(cast(list[Any], entry["actions"]))
            expanded += [{**action, "written": written - 1} for action in group]
        else:
            written += 1
            plain = isinstance(entry, Mapping) and "written" not in entry
            expanded.append({**cast(Mapping[str, Any], entry), "written": written - 1} if plain else entry)
    return expanded


def _expand_group(group: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The actions of a group for each of its things."""
    templates, things = _read_templates(group), _read_things(group["each"])
    return [_fill(one, thing) for thing in things for one in templates]


def _read_templates(group: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = group.get("actions")
    listed = cast(list[Any], found) if isinstance(found, list) else []
    if not listed or any(not isinstance(one, Mapping) or "each" in one for one in listed):
        raise ValueError('each needs "actions": a list of actions, none of them with each')
    return listed


def _read_things(each: Any) -> list[list[str]]:
    """The values of each thing, as texts."""
    if not isinstance(each, list) or not 0 < len(cast(list[Any], each)) <= MOST_THINGS:
        raise ValueError(f"each is a list of 1 to {MOST_THINGS} things")
    listed = [cast(list[Any], one) if isinstance(one, list) else [one] for one in cast(list[Any], each)]
    if any(not isinstance(value, str | int) for values in listed for value in values):
        raise ValueError("a thing under each is a text, a number, or a list of these")
    return [[str(value) for value in values] for values in listed]


def _fill(value: Any, thing: Sequence[str]) -> Any:
    """A value with {1}, {2}, … replaced by what the thing has in these places."""
    if isinstance(value, str):
        if missing := [place for place in PLACE.findall(value) if int(place) > len(thing)]:
            raise ValueError(f"{{{missing[0]}}} stands for nothing: a thing has {len(thing)} values")
        return PLACE.sub(lambda found: thing[int(found[1]) - 1], value)
    if isinstance(value, list):
        return [_fill(one, thing) for one in cast(list[Any], value)]
    if isinstance(value, Mapping):
        return {name: _fill(one, thing) for name, one in cast(Mapping[str, Any], value).items()}
    return value
