"""Values of the live view: tabs, where the agent points, and the person's mouse, keys and pasted text."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from pilotfish.core.values import Value

Coordinate = Annotated[float, Field(ge=0, le=20_000)]


def require_web_address(url: str) -> str:
    """Accept only web addresses. Files of this machine must not be opened from outside."""
    if re.match(r"(file|view-source|chrome|javascript|devtools)[^a-z]", "".join(url.split()).lower()):
        raise ValueError("pages are opened by their address on the web; a file has to be attached")
    return url


WebAddress = Annotated[str, AfterValidator(require_web_address)]


class PageToolInfo(Value):
    """A tool that a page offers to agents, as a person is told of it. All but the kind are the page's words."""

    name: str
    description: str = ""
    kind: Literal["reads", "changes", "fills", "sends"]
    origin: str = ""


class TabInfo(Value):
    """A tab as it is listed; the active one with the tools that its page offers."""

    id: int
    url: str
    title: str = ""
    active: bool = False
    tools: tuple[PageToolInfo, ...] = ()


class PointerTarget(Value):
    """What the agent is about to touch: the point and the element's box, in CSS pixels of the window."""

    type: Literal["aim"] = "aim"
    tab: int
    point: tuple[float, float]
    box: tuple[float, float, float, float]


class MouseGesture(Value):
    """The mouse at a place of the page, in CSS pixels of the window."""

    type: Literal["mouse"]
    action: Literal["move", "down", "up", "click", "double"]
    x: Coordinate
    y: Coordinate
    button: Literal["left", "middle", "right"] = "left"


class WheelGesture(Value):
    """Scrolling at a place."""

    type: Literal["wheel"]
    x: Coordinate
    y: Coordinate
    dx: float = Field(default=0, ge=-20_000, le=20_000)
    dy: float = Field(default=0, ge=-20_000, le=20_000)


class KeyGesture(Value):
    """A key by its name, such as `a`, `Enter` or `ArrowDown`."""

    type: Literal["key"]
    action: Literal["down", "up", "press"]
    key: str = Field(min_length=1, max_length=30)


class PasteGesture(Value):
    """Text that is inserted at once."""

    type: Literal["paste"]
    text: str = Field(max_length=100_000)


Gesture = Annotated[MouseGesture | WheelGesture | KeyGesture | PasteGesture, Field(discriminator="type")]
