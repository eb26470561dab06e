"""What a call used: tokens and money."""

from pilotfish.core.values import Value


class Usage(Value):
    """Tokens and dollars. `priced` is false where any part has no known price: then `cost` is a lower bound."""

    input: int = 0
    output: int = 0
    cached: int = 0
    cost: float = 0.0
    priced: bool = True
    estimated: bool = False

    @property
    def tokens(self) -> int:
        return self.input + self.output

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            input=self.input + other.input,
            output=self.output + other.output,
            cached=self.cached + other.cached,
            cost=self.cost + other.cost,
            priced=self.priced and other.priced,
            estimated=self.estimated or other.estimated,
        )
