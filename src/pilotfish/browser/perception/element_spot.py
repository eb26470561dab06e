"""Where an element is at the moment of acting, and the errors that say why it cannot be used."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pilotfish.core.errors import ToolError


class ElementGone(ToolError):
    """The element is no longer in the document, or it has become another one."""


class ElementHidden(ToolError):
    """It is there but cannot be seen."""


class ElementCovered(ToolError):
    """Another element lies on top of it."""


class ElementDisabled(ToolError):
    """It does not react now."""


@dataclass(frozen=True, slots=True)
class TouchChecks:
    """What is checked before an element is used: enabled, not covered, scrolled into view."""

    enabled: bool = True
    open: bool = True
    scroll: bool = True

    def to_json(self) -> dict[str, bool]:
        return {"enabled": self.enabled, "open": self.open, "scroll": self.scroll}


@dataclass(frozen=True, slots=True)
class ElementSpot:
    """Where to touch an element, in the page's viewport, and what it is."""

    id: int
    point: tuple[float, float]
    box: tuple[int, ...]
    role: str
    name: str
    facts: Mapping[str, Any] = field(repr=False)

    @property
    def tag(self) -> str:
        return self.facts["g"]

    @property
    def type(self) -> str:
        """The type of an input, "" for others."""
        return self.facts["y"]

    @property
    def editable(self) -> bool:
        return self.facts["ed"]

    @property
    def contenteditable(self) -> bool:
        return self.facts["ce"]

    @property
    def value(self) -> str:
        return self.facts.get("v", "")

    @property
    def states(self) -> tuple[str, ...]:
        return tuple(self.facts.get("s", "").split())

    @property
    def select(self) -> bool:
        return self.tag == "select"

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(self.facts.get("o", ()))

    @property
    def file(self) -> bool:
        return self.type == "file"

    @property
    def href(self) -> str:
        return self.facts.get("u", "")


def explain_refusal(id: int, role: str, name: str, found: Mapping[str, Any], similar: str) -> ToolError:
    """The error that says what happened to an element and what there is instead."""
    what = f'[{id}] {role} "{name}"'
    instead = f"; nearest now: {similar}" if similar else ""
    match found["e"]:
        case "renamed":
            return ElementGone(f'{what} has become {found["r"]} "{found["n"]}"{instead}.')
        case "moved":
            return ElementGone(
                f'{what} now stands in another row: it was "{found["was"]}", it is "{found["now"]}"{instead}.'
            )
        case "hidden":
            return ElementHidden(f"{what} is hidden now.")
        case "disabled":
            return ElementDisabled(f"{what} is disabled.")
        case "covered":
            return ElementCovered(f"{what} is covered by {found['by']}{' ' + similar if similar else ''}.")
        case _:
            return ElementGone(f"{what} is no longer on the page{instead}.")
