"""Finds the regular expressions of page scripts and of the web page, for the same trial as the package's own."""

import re
from collections.abc import Iterator

from .patterns import Found
from .tree import texts

PLACES = ("src/pilotfish/browser/js/", "ui/src/")
TOKEN = re.compile(
    r"(?<!:)//[^\n]*|/\*.*?\*/|`(?:\\.|[^`\\])*`|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|"
    r"(?P<before>[(,=:\[!&|?{};+~]|\breturn|\bcase|=>|^)\s*/(?P<text>(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n*>])"
    r"(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])*)/(?P<flags>[dgimsuvy]*)",
    re.DOTALL | re.MULTILINE,
)
FLAGS = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL}
SPELLINGS = ((r"\\p\{[^}]*\}", r"\\w"), (r"\(\?<(?=[A-Za-z])", "(?P<"), (r"\\u\{?([0-9a-fA-F]{4})\}?", r"\\u\1"))
"""What scripts write otherwise than Python, which tries them: both go back and try again in the same way."""


def script_patterns() -> Iterator[Found]:
    """Each with its file and line."""
    for path, text in texts(".js", ".ts", ".tsx"):
        if not str(path).startswith(PLACES):
            continue
        for found in TOKEN.finditer(text):
            if found["text"] is not None:
                yield Found(
                    f"{path}:{text.count(chr(10), 0, found.start('text')) + 1}",
                    in_python(found["text"], found["flags"]),
                    frozenset({"search"}),
                )


def in_python(text: str, flags: str) -> "re.Pattern[str]":
    for spelled, otherwise in SPELLINGS:
        text = re.sub(spelled, otherwise, text)
    # In a class of a script a bracket needs no sign before it.
    text = re.sub(r"\[\[(?!:)", r"[\\[", text)
    return re.compile(text, sum(FLAGS.get(flag, 0) for flag in set(flags)))
