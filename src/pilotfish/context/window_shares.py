"""Divides a model's window among the parts of a research run: more for harder questions, scaled to its size."""

from typing import Literal

from pilotfish.core.values import Value

Complexity = Literal["simple", "moderate", "complex"]
SYSTEM_TOKENS, MESSAGE_TOKENS = 500, 500
"""Tokens of the rules and of the last message."""
ROOMY_WINDOW, MOST_GROWTH = 64_000, 4.0
"""From which window on the shares grow with it, and how far."""


class WindowShares(Value):
    """Tokens for each part of a request. The answer is what the model may write."""

    system: int
    history: int
    message: int
    scratchpad: int
    answer: int

    @property
    def total(self) -> int:
        return self.system + self.history + self.message + self.scratchpad + self.answer


USUAL_SHARES: dict[Complexity, WindowShares] = {
    "simple": WindowShares(
        system=SYSTEM_TOKENS, history=3_000, message=MESSAGE_TOKENS, scratchpad=12_000, answer=4_000
    ),
    "moderate": WindowShares(
        system=SYSTEM_TOKENS, history=5_000, message=MESSAGE_TOKENS, scratchpad=18_000, answer=6_000
    ),
    "complex": WindowShares(
        system=SYSTEM_TOKENS, history=4_000, message=MESSAGE_TOKENS, scratchpad=28_000, answer=7_000
    ),
}


def divide_window(complexity: Complexity, window: int) -> WindowShares:
    """The default shares, scaled to the size of the window."""
    usual = USUAL_SHARES[complexity]
    scale = min(1.0, window / usual.total) if window < ROOMY_WINDOW else min(MOST_GROWTH, window / ROOMY_WINDOW)
    return WindowShares(**{name: int(getattr(usual, name) * scale) for name in WindowShares.model_fields})
