import pytest

from pilotfish.core.usage import Usage
from pilotfish.llm.model_facts import UNKNOWN_MODEL, find_facts
from pilotfish.llm.prices import add_price
from pilotfish.llm.tokens import count_tokens, estimate_tokens


@pytest.mark.parametrize(
    ("name", "window", "vision", "shapes", "small"),
    [
        ("openai:gpt-4o-mini", 128_000, True, True, False),
        ("openai:gpt-4", 8192, False, False, False),
        ("openai:gpt-4.1", 1_000_000, True, True, False),
        ("openai:gpt-5.4-mini", 272_000, True, True, False),
        ("openai:o3-mini", 200_000, True, True, False),
        ("anthropic:claude-3-haiku", 200_000, True, False, False),
        ("anthropic:claude-sonnet-5-5", 200_000, True, True, False),
        ("google:gemini-flash-latest", 1_000_000, True, True, False),
        ("openrouter:deepseek/deepseek-chat", 128_000, False, False, False),
        ("ollama:qwen3:8b", 8192, False, True, True),
        ("ollama:qwen3:14b", 8192, False, True, True),
        ("ollama:gemma3:12b", 8192, True, True, True),
        ("ollama:gemma3:27b", 8192, True, True, False),
        ("ollama:llama3.3:70b", 8192, False, True, False),
        ("ollama:llava:7b", 8192, True, True, True),
        ("embedded:qwen2.5-coder-1.5b", 8192, False, True, True),
    ],
)
def test_a_model_is_known_by_its_facts(name: str, window: int, vision: bool, shapes: bool, small: bool) -> None:
    known = find_facts(name)
    assert (known.window, known.vision, known.shapes, known.small) == (window, vision, shapes, small)


def test_an_unknown_model_is_trusted_with_little() -> None:
    assert find_facts("openai-compatible:homemade") == UNKNOWN_MODEL
    assert not UNKNOWN_MODEL.shapes
    assert not UNKNOWN_MODEL.vision


def test_a_known_price_is_charged() -> None:
    used = add_price("openai:gpt-4o", Usage(input=1_000_000, output=0))
    assert used.priced
    assert used.cost == pytest.approx(2.5)


def test_cached_tokens_are_cheaper() -> None:
    whole = add_price("openai:gpt-4o", Usage(input=1_000_000))
    half = add_price("openai:gpt-4o", Usage(input=1_000_000, cached=500_000))
    assert half.cost < whole.cost


def test_an_unknown_price_is_unknown_and_not_zero() -> None:
    used = add_price("openai:never-heard-of-it", Usage(input=10, output=10))
    assert not used.priced


@pytest.mark.parametrize("name", ["embedded:x", "ollama:llama3", "scripted"])
def test_what_runs_at_home_costs_nothing(name: str) -> None:
    used = add_price(name, Usage(input=10, output=10))
    assert used.priced
    assert used.cost == 0


def test_tokens_are_counted_where_the_tokenizer_is_here() -> None:
    assert count_tokens("Hello, world!", "openai:gpt-4o") == 4
    assert count_tokens("hello world", "embedded:qwen2.5-coder-1.5b") == 2


def test_tokens_are_estimated_elsewhere() -> None:
    assert count_tokens("a" * 400, "anthropic:claude-sonnet-5-5") == 100
    assert estimate_tokens("你好世界") == 2
    assert estimate_tokens("") == 0
    assert estimate_tokens("a") == 1


def test_a_text_that_looks_like_a_control_token_is_only_text() -> None:
    assert count_tokens("<|endoftext|>", "openai:gpt-4o") > 1
