"""A page as one look saw it: its elements as frozen values, and the text and JSON for models."""

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pilotfish.browser.perception.element import ElementView, PageOutline
from pilotfish.browser.perception.render import estimate_tokens, render_snapshot

SPLASH_LENGTH = 200
"""A page that says less, in characters, and has nothing to act on may be a splash."""


@dataclass(frozen=True)
class Snapshot:
    """A page as one look saw it. `nodes` holds everything in reading order, `elements` what can be acted on."""

    url: str
    title: str
    nodes: tuple[ElementView, ...]
    outline: PageOutline
    budget: int = 2000

    @cached_property
    def elements(self) -> tuple[ElementView, ...]:
        return tuple(node for node in self.nodes if node.id)

    @cached_property
    def is_covered(self) -> bool:
        """Whether something lies in front that covers the rest of the page."""
        return any(node.layer == "covers" for node in self.nodes)

    @cached_property
    def is_empty(self) -> bool:
        """Whether nothing can be read or acted on."""
        return not any(node.id or node.name or node.value for node in self.nodes)

    @cached_property
    def is_sparse(self) -> bool:
        """Whether nothing can be acted on and little is said, as where an app shows its splash."""
        said = (node for node in self.nodes if node.kind != "control")
        return (
            all(node.role == "shape" for node in self.elements) and sum(len(node.name) for node in said) < SPLASH_LENGTH
        )

    def with_note(self, note: str) -> "Snapshot":
        """The same snapshot, with one more sentence at its head."""
        whole = " ".join(filter(None, (self.outline.note, note)))
        return replace(self, outline=replace(self.outline, note=whole)) if note else self

    @property
    def position(self) -> str:
        return self.outline.position

    @cached_property
    def text(self) -> str:
        return render_snapshot(self, self.budget)

    @cached_property
    def tokens(self) -> int:
        return estimate_tokens(self.text)

    @cached_property
    def hash(self) -> str:
        """The same for two looks that show the same."""
        digest = hashlib.blake2b(self.url.encode(), digest_size=8)
        for node in self.nodes:
            states = node.facts.get("s", "").replace("focused", "").strip()
            digest.update(f"{node.id}|{node.role}|{node.name}|{node.value}|{states}\n".encode())
        return digest.hexdigest()

    def render(self, budget: int | None = None) -> str:
        return self.text if budget is None else render_snapshot(self, budget)

    def without_new_marks(self) -> "Snapshot":
        """The same snapshot without marks for new elements."""
        return replace(self, nodes=tuple(replace(node, new=False) for node in self.nodes))

    def join(self, other: "Snapshot") -> "Snapshot":
        """This snapshot, followed by the nodes of another one that it does not have."""
        known, base = {node.id for node in self.elements}, len(self.nodes)
        rest = (replace(node, parent=node.parent + base if node.parent >= 0 else -1) for node in other.nodes)
        kept = (replace(node, id=0, name="") if node.id in known else node for node in rest)
        return replace(self, nodes=(*self.nodes, *kept))

    def get(self, id: int) -> ElementView | None:
        return next((node for node in self.elements if node.id == id), None)

    def to_json(self) -> list[dict[str, Any]]:
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
