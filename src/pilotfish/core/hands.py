"""A browser watched from afar: where the agent's hand is, and what the person does with mouse, keys and paste."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, TypeAdapter

from pilotfish.core.values import Value

Place = Annotated[float, Field(ge=0, le=20_000)]


def outside(url: str) -> str:
    """An address that others may give. What lies on this machine is not for them to open."""
    if re.match(r"(file|view-source|chrome|javascript|devtools)[^a-z]", "".join(url.split()).lower()):
        raise ValueError("pages are opened by their address on the web; a file has to be attached")
    return url


Outside = Annotated[str, AfterValidator(outside)]


class TabInfo(Value):
    """A tab as it is listed."""

    id: int
    url: str
    title: str = ""
    active: bool = False


class Aim(Value):
    """What the agent is about to touch: the point and the element's box, in CSS pixels of the window."""

    type: Literal["aim"] = "aim"
    tab: int
    point: tuple[float, float]
    box: tuple[float, float, float, float]


class Mouse(Value):
    """The mouse at a place of the page, in CSS pixels of the window."""

    type: Literal["mouse"]
    action: Literal["move", "down", "up", "click", "double"]
    x: Place
    y: Place
    button: Literal["left", "middle", "right"] = "left"


class Wheel(Value):
    """Scrolling at a place."""

    type: Literal["wheel"]
    x: Place
    y: Place
    dx: float = Field(default=0, ge=-20_000, le=20_000)
    dy: float = Field(default=0, ge=-20_000, le=20_000)


class Key(Value):
    """A key by its name, such as `a`, `Enter` or `ArrowDown`."""

    type: Literal["key"]
    action: Literal["down", "up", "press"]
    key: str = Field(min_length=1, max_length=30)


class Paste(Value):
    """Text that comes in at once."""

    type: Literal["paste"]
    text: str = Field(max_length=100_000)


Gesture = Annotated[Mouse | Wheel | Key | Paste, Field(discriminator="type")]
GESTURE: TypeAdapter[Gesture] = TypeAdapter(Gesture)
