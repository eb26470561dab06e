"""How a research run divides a model's window: more for harder questions, scaled to what the model holds."""

from typing import Literal

from pilotfish.core.values import Value

Complexity = Literal["simple", "moderate", "complex"]
SYSTEM, MESSAGE = 500, 500
ROOMY, MOST = 64_000, 4.0
"""From which window on the shares grow with it, and how far."""


class Shares(Value):
    """Tokens for each part of a request. The answer is what the model may write."""

    system: int
    history: int
    message: int
    scratchpad: int
    answer: int

    @property
    def total(self) -> int:
        return self.system + self.history + self.message + self.scratchpad + self.answer


USUAL: dict[Complexity, Shares] = {
    "simple": Shares(system=SYSTEM, history=3_000, message=MESSAGE, scratchpad=12_000, answer=4_000),
    "moderate": Shares(system=SYSTEM, history=5_000, message=MESSAGE, scratchpad=18_000, answer=6_000),
    "complex": Shares(system=SYSTEM, history=4_000, message=MESSAGE, scratchpad=28_000, answer=7_000),
}


def shares(complexity: Complexity, window: int) -> Shares:
    """The usual shares, smaller where the window is, larger where it is roomy."""
    usual = USUAL[complexity]
    scale = min(1.0, window / usual.total) if window < ROOMY else min(MOST, window / ROOMY)
    return Shares(**{name: int(getattr(usual, name) * scale) for name in Shares.model_fields})
