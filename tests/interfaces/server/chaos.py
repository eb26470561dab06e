"""Random values, the same in every run of the tests: what a careless or hostile client might send."""

import random
from typing import Any

TEXTS = (
    "", "a", "0", "-1", "null", "../../token", "%00", "\x00", "\ud800", "\u202e", "🐟" * 50, "x" * 3000, "1e999",
    "<script>", "${7*7}", "\r\nX: y", "local", "test-echo", "test-question", "2026-01-01T00:00:00Z", "NaN",
)  # fmt: skip
NUMBERS = (0, -1, 1, 2**31, 2**63, -(2**70), 0.5, 1e308)


def draw_value(chance: random.Random, depth: int = 2) -> Any:
    kind = chance.randrange(8 if depth else 5)
    if kind <= 1:
        return chance.choice(TEXTS)
    if kind <= 4:
        return (chance.choice(NUMBERS), chance.random() < 0.5, None)[kind - 2]
    if kind == 5:
        return [draw_value(chance, depth - 1) for _ in range(chance.randrange(4))]
    return {chance.choice(TEXTS): draw_value(chance, depth - 1) for _ in range(chance.randrange(4))}


def draw_input(chance: random.Random, schema: dict[str, Any], parts: dict[str, Any]) -> Any:
    """Mostly what the schema asks for, sometimes not."""
    if chance.random() < 0.15:
        return draw_value(chance)
    if "$ref" in schema:
        return draw_input(chance, parts[schema["$ref"].rpartition("/")[2]], parts)
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return draw_input(chance, chance.choice(choices), parts)
    if "enum" in schema:
        return chance.choice(schema["enum"])
    match schema.get("type"):
        case "object":
            wanted = schema.get("properties", {})
            kept = [n for n in wanted if n in schema.get("required", ()) or chance.random() < 0.5]
            return {name: draw_input(chance, wanted[name], parts) for name in kept}
        case "array":
            return [draw_input(chance, schema.get("items", {}), parts) for _ in range(chance.randrange(3))]
        case "integer" | "number":
            return chance.choice(NUMBERS)
        case "boolean":
            return chance.random() < 0.5
        case "string":
            return chance.choice(TEXTS)
        case _:
            return draw_value(chance)
