"""Tasks on the practice site. Each is checked on the site's state and log, never on the agent's claim."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import Field

from pilotfish.core.values import Value
from pilotfish.practice.worlds import SiteEffect

_FILE = Path(__file__).parent / "data" / "tasks.toml"


def fits(want: Any, have: Any) -> bool:
    """Whether a value is what was wanted.

    A mapping fits if all its keys do; a list if it is as long and each wanted entry has one of its own, in any
    order. Text is compared without regard to case and blanks; text that begins with `re:` is a pattern for the whole.
    """
    if isinstance(want, Mapping):
        return isinstance(have, Mapping) and all(name in have and fits(want[name], have[name]) for name in want)
    if isinstance(want, list | tuple):
        return isinstance(have, list | tuple) and len(want) == len(have) and _pairs(want, list(have))
    if not isinstance(want, str):
        return want == have
    text = " ".join(str(have).split()).casefold()
    if want.startswith("re:"):
        return re.fullmatch(want[3:], text, re.IGNORECASE) is not None
    return text == " ".join(want.split()).casefold()


def _pairs(wanted: Sequence[Any], left: list[Any]) -> bool:
    for want in wanted:
        match = next((have for have in left if fits(want, have)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def value_at(state: Any, path: str) -> Any:
    """The value at a dotted path: names in mappings, numbers in lists, `#` for a length; None where there is none."""
    for step in path.split("."):
        if step == "#":
            state = len(state)
        elif isinstance(state, Mapping):
            state = state.get(step)
        elif isinstance(state, list) and step.lstrip("-").isdecimal() and -len(state) <= int(step) < len(state):
            state = state[int(step)]
        else:
            return None
    return state


class PracticeTask(Value):
    """Something a person might ask for, and how to see on the site that it was done."""

    name: str
    start: str
    goal: str
    said: str = Field(default="", description="the goal as somebody says it on the home page")
    steps: int = Field(ge=1, description="actions that a person would need")
    log: tuple[Mapping[str, Any], ...] = Field(default=(), description="effects, each the last of its kind")
    state: Mapping[str, Any] = Field(default_factory=dict, description="what must stand at which path")
    once: tuple[str, ...] = Field(default=(), description="kinds that may happen only as often as `log` names them")
    never: tuple[str, ...] = Field(default=(), description="kinds that must not happen")

    def check(self, log: Sequence[SiteEffect], state: Mapping[str, Any]) -> bool:
        """Whether the task was done. A corrected mistake is forgiven, unless its kind may happen only `once`."""
        last = {effect.kind: {"kind": effect.kind, **effect.details} for effect in log}
        kinds = [effect.kind for effect in log]
        named = [want["kind"] for want in self.log]
        return (
            all(fits(want, last.get(want["kind"])) for want in self.log)
            and all(fits(want, value_at(state, path)) for path, want in self.state.items())
            and all(kinds.count(kind) == named.count(kind) for kind in self.once)
            and not any(kind in kinds for kind in self.never)
        )


@cache
def tasks() -> tuple[PracticeTask, ...]:
    """The suite, in order of length."""
    found = [PracticeTask.model_validate(task) for task in tomllib.loads(_FILE.read_text("utf-8"))["task"]]
    return tuple(sorted(found, key=lambda task: task.steps))
