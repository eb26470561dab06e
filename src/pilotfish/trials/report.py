"""A table of trials while they run, and a report that can be kept."""

from collections.abc import Sequence
from statistics import mean, median

from pilotfish.core.values import Value
from pilotfish.trials.case import TrialOutcome


class TrialReport(Value):
    """All outcomes and their totals."""

    suite: str
    model: str
    outcomes: tuple[TrialOutcome, ...]

    @property
    def success(self) -> float:
        return mean(o.success for o in self.outcomes) if self.outcomes else 0.0

    @property
    def claimed(self) -> float:
        return mean(o.claimed for o in self.outcomes) if self.outcomes else 0.0

    def summary(self) -> str:
        if not self.outcomes:
            return f"{self.suite}: nothing was tried."
        done = sum(o.success for o in self.outcomes)
        middle = {name: median(getattr(o, name) for o in self.outcomes) for name in ("steps", "seconds", "tokens")}
        cents = [o.cents for o in self.outcomes]
        money = "unknown" if None in cents else f"{sum(c or 0 for c in cents):.2f} cents"
        return (
            f"{self.suite} with {self.model}: {done} of {len(self.outcomes)} right ({self.success:.0%}), "
            f"claimed {self.claimed:.0%}; median {middle['steps']:g} steps, {middle['seconds']:.1f} s, "
            f"{middle['tokens']:,.0f} tokens; {money}"
        )


def outcome_row(outcome: TrialOutcome) -> tuple[str, ...]:
    """One row for people."""
    mark = "✓" if outcome.success else "✗"
    said = outcome.answer or outcome.error
    return (
        mark,
        outcome.name,
        str(outcome.seed),
        "yes" if outcome.claimed else "no",
        str(outcome.steps),
        f"{outcome.seconds:.1f}",
        f"{outcome.tokens:,}",
        "unknown" if outcome.cents is None else f"{outcome.cents:.2f}",
        " ".join(said.split())[:60],
    )


HEAD: Sequence[str] = ("", "trial", "seed", "claims", "steps", "s", "tokens", "cents", "said")
