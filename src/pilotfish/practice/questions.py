"""Questions about the practice site's pages, with known answers."""

import re
import tomllib
from functools import cache
from pathlib import Path

from pilotfish.core.values import Value

_FILE = Path(__file__).parent / "data" / "questions.toml"
_GROUPS = re.compile(r"(?<=\d)(?:[,\u00a0\u2009\u202f](?=\d{3}(?!\d))| (?=000(?!\d)))")


def normalize_answer(text: str) -> str:
    """A text as answers are compared: no thousands separators, single blanks, straight quotes, no Markdown stars."""
    text = text.replace("’", "'").replace("**", "").replace("`", "")
    return " ".join(_GROUPS.sub("", text).split())


class PracticeQuestion(Value):
    """A question that one page answers. Any one of `answers` in a reply makes it right.

    An answer is a phrase that must stand by itself (`9` is not in `9.2` or `19`); with `re:` it is a pattern.
    """

    name: str
    page: str
    question: str
    answers: tuple[str, ...]

    def check(self, reply: str) -> bool:
        text = normalize_answer(reply)
        return any(_pattern(answer).search(text) for answer in self.answers)


@cache
def _pattern(answer: str) -> re.Pattern[str]:
    core = answer[3:] if answer.startswith("re:") else re.escape(normalize_answer(answer))
    return re.compile(rf"(?<!\w)(?<!\d[.,:])(?:{core})(?!\w)(?![.,:]\d)", re.IGNORECASE | re.ASCII)


@cache
def questions() -> tuple[PracticeQuestion, ...]:
    """The suite, page by page."""
    return tuple(PracticeQuestion.model_validate(q) for q in tomllib.loads(_FILE.read_text("utf-8"))["question"])
