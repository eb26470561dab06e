"""Prices a call from a maintained table. An unknown price is unknown, never zero."""

from pilotfish.core.usage import Usage

_FREE_PROVIDERS = ("embedded", "ollama", "scripted")


def add_price(name: str, usage: Usage) -> Usage:
    """The same usage with its cost; `priced` is false where the price is unknown."""
    provider, _, model = name.partition(":")
    if provider in _FREE_PROVIDERS:
        return usage.model_copy(update={"cost": 0.0, "priced": True})
    cost = _cost(provider, model, usage)
    return usage.model_copy(update={"cost": cost or 0.0, "priced": cost is not None})


def _cost(provider: str, model: str, usage: Usage) -> float | None:
    from genai_prices import Usage as Counts
    from genai_prices import calc_price

    counts = Counts(input_tokens=usage.input, output_tokens=usage.output, cache_read_tokens=usage.cached)
    place = None if provider == "openai-compatible" else provider
    try:
        return float(calc_price(counts, model_ref=model, provider_id=place).total_price)
    except LookupError:
        return None
