"""Money: what a run has spent and may spend."""

from pilotfish.core.errors import OutOfBudget
from pilotfish.core.usage import Usage


class Budget:
    """Counts what is spent against a limit in cents; None means no limit."""

    def __init__(self, cents: float | None) -> None:
        self.limit = cents
        self.spent = Usage()

    @property
    def cents(self) -> float:
        return self.spent.cost * 100

    def charge(self, usage: Usage) -> None:
        self.spent += usage

    @property
    def reached(self) -> bool:
        return self.limit is not None and self.cents >= self.limit and self.spent.cost > 0

    def extend(self) -> None:
        """Allow as much again as there was."""
        if self.limit is not None:
            self.limit += max(self.limit, self.cents)

    def check(self) -> None:
        if self.reached:
            raise OutOfBudget(
                f"The run spent {self.cents:.2f} of its {self.limit:g} cents.",
                "Raise the budget with --budget or in the settings and run it again.",
            )
