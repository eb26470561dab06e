"""Guessing before the start: how hard a question is, what it may cost, and which switched-off tool would help."""

import re
from typing import TYPE_CHECKING, Literal

from pilotfish.core.usage import Usage

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

HARD = re.compile(
    r"\b(compare|versus|vs\.?|difference|pros and cons|analy[sz]e|explain why|step by step|research|report|in detail"
    r"|each of|all of|trade-?offs?)\b|比较|对比|分析|详细|区别",
    re.IGNORECASE,
)
JOINED = re.compile(r"\band\b|\bor\b|[,;、,]|\?", re.IGNORECASE)
NEEDS = {
    "web_search": re.compile(
        r"\b(latest|today|current|news|price|weather|score|20\d\d)\b|最新|今天|新闻|价格", re.IGNORECASE
    ),
    "memory_retrieve": re.compile(r"\b(my|remember|last time|as I said)\b|我的|记得", re.IGNORECASE),
    "image_generate": re.compile(r"\b(draw|picture|image|illustration|logo)\b|画|图片", re.IGNORECASE),
}
PER_ROUND = 2500


def complexity(task: str) -> Literal["simple", "moderate", "complex"]:
    score = 2 * len(HARD.findall(task)) + len(JOINED.findall(task)) + len(task) // 200
    return "simple" if score <= 1 else "moderate" if score <= 4 else "complex"


def iterations(task: str, limit: int) -> int:
    """How many rounds to allow: easy questions need fewer."""
    return {"simple": max(2, round(limit * 0.6)), "moderate": limit, "complex": min(10, limit + 2)}[complexity(task)]


async def predict(run: "Run", rounds: int) -> str:
    """What it may cost, in words."""
    from pilotfish.llm.prices import price

    name = (await run.kit.minds.of("main", run.options.get("model", ""))).name
    expected = {"simple": 2, "moderate": 3, "complex": rounds}[complexity(run.task)]
    usage = price(name, Usage(input=PER_ROUND * expected, output=300 * expected))
    cost = f"about {usage.cost * 100:.2f} cents" if usage.priced else "an unknown amount"
    return f"Expecting about {expected} rounds and {PER_ROUND * expected:,} tokens: {cost}."


def missing(task: str, tools: list[str], off: tuple[str, ...]) -> str:
    """A line that names switched-off tools which would have helped."""
    wanted = [name for name, words in NEEDS.items() if name in off and name not in tools and words.search(task)]
    return f"\n\n(Switched on, {', '.join(wanted)} could have helped here.)" if wanted else ""
