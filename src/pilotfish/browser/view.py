"""What was seen: the elements of a page as frozen values, and the text and JSON forms that models read."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from pilotfish.browser.render import Outline, estimate, render

Kind = Literal["control", "box", "item", "heading", "image", "text"]
Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Element:
    """One thing on the page. `id` is 0 where there is nothing to act on. `parent` is a position in the view."""

    kind: Kind
    id: int
    role: str
    name: str
    parent: int = -1
    box: Box = (0, 0, 0, 0)
    new: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)

    @property
    def description(self) -> str:
        return self.facts.get("ds", "")

    @property
    def value(self) -> str:
        return self.facts.get("v", "")

    @property
    def states(self) -> tuple[str, ...]:
        """Of: checked unchecked mixed expanded collapsed selected pressed current disabled required invalid readonly
        menu ascending descending focused."""
        return tuple(self.facts.get("s", "").split())

    @property
    def placeholder(self) -> str:
        return self.facts.get("p", "")

    @property
    def options(self) -> tuple[str, ...]:
        """The first options of a select; `option_count` says how many there are."""
        return tuple(self.facts.get("o", ()))

    @property
    def option_count(self) -> int:
        return self.facts.get("on", 0)

    @property
    def format(self) -> str:
        """How a date, time, colour, number or file field wants its value."""
        return self.facts.get("f", "")

    @property
    def level(self) -> int:
        return self.facts.get("l", 0)

    @property
    def tag(self) -> str:
        return self.facts.get("g", "")

    @property
    def type(self) -> str:
        """The type of an input, "" for others."""
        return self.facts.get("y", "")

    @property
    def href(self) -> str:
        return self.facts.get("u", "")

    @property
    def frame(self) -> str:
        """Which frame it is in: "" for the page itself, "0.2" for the third frame of the first."""
        return self.facts.get("fr", "")

    @property
    def submits(self) -> bool:
        return bool(self.facts.get("sub"))

    @property
    def form_method(self) -> str:
        return self.facts.get("fm", "")

    @property
    def form_action(self) -> str:
        return self.facts.get("fa", "")

    @property
    def autocomplete(self) -> str:
        return self.facts.get("ac", "")

    @property
    def scroll(self) -> tuple[int, int, int] | None:
        """Of a box that scrolls: how far, its height, and the height of what is in it."""
        found = self.facts.get("sc")
        return (found[0], found[1], found[2]) if found else None


@dataclass(frozen=True)
class View:
    """A page as one look saw it. `nodes` holds everything in reading order, `elements` what can be acted on."""

    url: str
    title: str
    nodes: tuple[Element, ...]
    outline: Outline
    budget: int = 2000

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        return tuple(node for node in self.nodes if node.id)

    @property
    def position(self) -> str:
        return self.outline.position

    @cached_property
    def text(self) -> str:
        return render(self, self.budget)

    @cached_property
    def tokens(self) -> int:
        return estimate(self.text)

    @cached_property
    def links(self) -> Mapping[int, str]:
        """Where links lead, by id."""
        return {node.id: node.href for node in self.elements if node.href}

    @cached_property
    def hash(self) -> str:
        """The same for two looks that show the same."""
        digest = hashlib.blake2b(self.url.encode(), digest_size=8)
        for node in self.nodes:
            states = node.facts.get("s", "").replace("focused", "").strip()
            digest.update(f"{node.id}|{node.role}|{node.name}|{node.value}|{states}\n".encode())
        return digest.hexdigest()

    def render(self, budget: int | None = None) -> str:
        return self.text if budget is None else render(self, budget)

    def unmarked(self) -> "View":
        """The same, without saying what is new."""
        return replace(self, nodes=tuple(replace(node, new=False) for node in self.nodes))

    def get(self, id: int) -> Element | None:
        return next((node for node in self.elements if node.id == id), None)

    def schema(self) -> list[dict[str, Any]]:
        """The elements as plain JSON."""
        return [
            {
                "id": node.id,
                "type": node.type or node.tag,
                "role": node.role,
                "label": node.name,
                "placeholder": node.placeholder,
                "text": node.value,
                "location": {"x": node.box[0], "y": node.box[1], "width": node.box[2], "height": node.box[3]},
            }
            for node in self.elements
        ]
