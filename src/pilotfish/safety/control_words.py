"""Lists of words that say what a control does, in several languages, and the comparison with them."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path

LOOKALIKES = str.maketrans("аеорсухіјѕһԁԛԝκνορτυαειАВЕКМНОРСТУХ", "aeopcyxijshdqwkvoptuaeiABEKMHOPCTYX")
CJK_SIGN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
LONGEST_NAME = 80


def normalize_text(text: str) -> str:
    """The text without invisible characters, in one case and one width, with single blanks."""
    if text.isascii():
        return " ".join(text.casefold().split())
    shown = "".join(sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")
    return " ".join(shown.casefold().split())


class WordList:
    """A list of phrases, compiled once."""

    def __init__(self, text: str) -> None:
        phrases = [phrase for part in re.split(r"[|\n]", text) if (phrase := normalize_text(part))]
        wide = [re.escape(phrase) for phrase in phrases if CJK_SIGN.search(phrase)]
        narrow = [re.escape(phrase) for phrase in phrases if not CJK_SIGN.search(phrase)]
        narrow.sort(key=len, reverse=True)
        choices = ([rf"(?<!\w)(?:{'|'.join(narrow)})(?!\w)"] if narrow else []) + wide
        self.exact = frozenset(phrases)
        self._pattern = re.compile("|".join(choices))

    def find_phrase(self, text: str) -> str:
        """The phrase that a text holds, also if spelled with look-alike letters; empty if none."""
        shown = normalize_text(text)
        hit = self._pattern.search(shown) or self._pattern.search(normalize_text(text.translate(LOOKALIKES)))
        return hit[0] if hit else ""

    def find_in_name(self, text: str) -> str:
        """Like `find_phrase`, for the name of a control; a sentence or the text of a whole card is no name."""
        return self.find_phrase(text) if len(text) <= LONGEST_NAME else ""


@cache
def load_words() -> Mapping[str, WordList]:
    """All lists by name, such as `strong.buy`."""
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return {f"{table}.{name}": WordList(text) for table, lists in tables.items() for name, text in lists.items()}
