"""Estimates before a run: how many rounds, what cost, and which disabled tool would help."""

import re
from typing import TYPE_CHECKING, Literal

from pilotfish.core.usage import Usage

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

COMPLEX_WORDS = re.compile(
    r"\b(compare|versus|vs\.?|difference|pros and cons|analy[sz]e|explain why|step by step|research|report|in detail"
    r"|each of|all of|trade-?offs?)\b|比较|对比|分析|详细|区别",
    re.IGNORECASE,
)
SEPARATORS = re.compile(r"\band\b|\bor\b|[,;、,]|\?", re.IGNORECASE)
TOOL_WORDS = {
    "web_search": re.compile(
        r"\b(latest|today|current|news|price|weather|score|20\d\d)\b|最新|今天|新闻|价格", re.IGNORECASE
    ),
    "memory_retrieve": re.compile(r"\b(my|remember|last time|as I said)\b|我的|记得", re.IGNORECASE),
    "image_generate": re.compile(r"\b(draw|picture|image|illustration|logo)\b|画|图片", re.IGNORECASE),
}
TOKENS_PER_ROUND = 2500


def rate_complexity(task: str) -> Literal["simple", "moderate", "complex"]:
    score = 2 * len(COMPLEX_WORDS.findall(task)) + len(SEPARATORS.findall(task)) + len(task) // 200
    return "simple" if score <= 1 else "moderate" if score <= 4 else "complex"


def allowed_rounds(task: str, limit: int) -> int:
    """How many rounds to allow: at most `limit`; easy questions get fewer."""
    return min(limit, max(2, round(limit * 0.6))) if rate_complexity(task) == "simple" else limit


async def predict_cost(run: "Run", rounds: int) -> str:
    """The expected cost as a sentence."""
    from pilotfish.llm.prices import add_price

    name = (await run.context.models.of("main", run.options.get("model", ""))).name
    expected = {"simple": 2, "moderate": 3, "complex": rounds}[rate_complexity(run.task)]
    usage = add_price(name, Usage(input=TOKENS_PER_ROUND * expected, output=300 * expected))
    cost = f"about {usage.cost * 100:.2f} cents" if usage.priced else "an unknown amount"
    return f"Expecting about {expected} rounds and {TOKENS_PER_ROUND * expected:,} tokens: {cost}."


def needs_lookup(task: str) -> bool:
    """Whether a task asks for something that changes, such as news, prices or the weather."""
    return bool(TOOL_WORDS["web_search"].search(task))


def is_small_talk(task: str) -> bool:
    """Whether a task is a greeting or a few words that ask for nothing."""
    return len(task.split()) <= 3 and not task.rstrip().endswith(("?", "？"))


def find_missing_tools(task: str, tools: list[str], off: tuple[str, ...]) -> str:
    """A line that names disabled tools that would have helped."""
    wanted = [name for name, words in TOOL_WORDS.items() if name in off and name not in tools and words.search(task)]
    return f"\n\n(Switched on, {', '.join(wanted)} could have helped here.)" if wanted else ""
