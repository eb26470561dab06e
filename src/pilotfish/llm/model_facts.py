"""The known facts of each model. Other code decides by these facts, never by a model's name."""

import re
from functools import cache

from pilotfish.core.messages import ModelFacts

UNKNOWN_MODEL = ModelFacts(window=16_384, answer=4096)
EMBEDDED_MODEL = ModelFacts(window=8192, answer=1024, tools=False, shapes=True, small=True, local=True, caches=True)
OLLAMA_MODEL = ModelFacts(window=8192, answer=2048, tools=True, shapes=True, small=True, local=True, caches=True)


def _make_hosted(window: int, answer: int, *, vision: bool = True, shapes: bool = True) -> ModelFacts:
    return ModelFacts(window=window, answer=answer, vision=vision, tools=True, shapes=shapes, caches=True)


_VISION_NAMES, _LARGE_NAMES = r"(vl\b|vision|llava|gemma3|minicpm-v)", r"(:|-)(1[5-9]|[2-9]\d|\d{3})b"
# The first pattern found in the name decides, so specific patterns come first.
_TABLE: tuple[tuple[str, ModelFacts], ...] = (
    (r"^embedded:", EMBEDDED_MODEL),
    (rf"^ollama:.*{_VISION_NAMES}.*{_LARGE_NAMES}", OLLAMA_MODEL.model_copy(update={"vision": True, "small": False})),
    (rf"^ollama:.*{_VISION_NAMES}", OLLAMA_MODEL.model_copy(update={"vision": True})),
    (rf"^ollama:.*{_LARGE_NAMES}", OLLAMA_MODEL.model_copy(update={"small": False})),
    (r"^ollama:", OLLAMA_MODEL),
    (r"gpt-3\.5", _make_hosted(16_385, 4096, vision=False, shapes=False)),
    (r"gpt-4\.1", _make_hosted(1_000_000, 32_768)),
    (r"gpt-4o", _make_hosted(128_000, 16_384)),
    (r"gpt-4-turbo", _make_hosted(128_000, 4096, shapes=False)),
    (r"gpt-4\b", _make_hosted(8192, 4096, vision=False, shapes=False)),
    (r"gpt-5[^/]*chat", _make_hosted(128_000, 16_384)),
    (r"gpt-[5-9]", _make_hosted(272_000, 64_000)),
    (r"\bo[134]-mini|\bo[13]\b", _make_hosted(200_000, 64_000)),
    (r"claude-3", _make_hosted(200_000, 8192, shapes=False)),
    (r"claude-(opus|sonnet)-4(-0|-1|-2025\d+)?$", _make_hosted(200_000, 16_384, shapes=False)),
    (r"claude", _make_hosted(200_000, 32_000)),
    (r"gemini-2\.0", _make_hosted(1_000_000, 8192)),
    (r"gemini", _make_hosted(1_000_000, 65_536)),
    (r"(llama-?4|llama-?3\.2.*vision|pixtral|qwen.*vl|gemma-?3)", _make_hosted(128_000, 8192, shapes=False)),
    (
        r"(deepseek|kimi|glm-|qwen3|grok|mistral-large|llama-?3\.[123])",
        _make_hosted(128_000, 8192, vision=False, shapes=False),
    ),
)


@cache
def find_facts(name: str) -> ModelFacts:
    """Facts of a model by its full name, such as `openai:gpt-4o`; cautious defaults for an unknown one."""
    low = name.lower()
    return next((facts for pattern, facts in _TABLE if re.search(pattern, low)), UNKNOWN_MODEL)
