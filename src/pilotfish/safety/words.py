"""Words that tell what a control does, in several languages, and text made ready to be compared with them."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path

LOOKALIKES = str.maketrans("аеорсухіјѕһԁԛԝκνορτυαειАВЕКМНОРСТУХ", "aeopcyxijshdqwkvoptuaeiABEKMHOPCTYX")
WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
LONG = 80


def plain(text: str) -> str:
    """Without invisible signs, in one case and one width, blanks made single."""
    if text.isascii():
        return " ".join(text.casefold().split())
    shown = "".join(sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) != "Cf")
    return " ".join(shown.casefold().split())


class Words:
    """A list of phrases, compiled once."""

    def __init__(self, text: str) -> None:
        phrases = [phrase for part in re.split(r"[|\n]", text) if (phrase := plain(part))]
        wide = [re.escape(phrase) for phrase in phrases if WIDE.search(phrase)]
        narrow = [re.escape(phrase) for phrase in phrases if not WIDE.search(phrase)]
        narrow.sort(key=len, reverse=True)
        choices = ([rf"(?<!\w)(?:{'|'.join(narrow)})(?!\w)"] if narrow else []) + wide
        self.exact = frozenset(phrases)
        self._pattern = re.compile("|".join(choices))

    def found(self, text: str) -> str:
        """The phrase that a text holds, spelled honestly or with letters that look alike; empty where none."""
        shown = plain(text)
        hit = self._pattern.search(shown) or self._pattern.search(plain(text.translate(LOOKALIKES)))
        return hit[0] if hit else ""

    def named(self, text: str) -> str:
        """As `found`, for the name of a control: a sentence or a whole card is no name."""
        return self.found(text) if len(text) <= LONG else ""


@cache
def words() -> Mapping[str, Words]:
    """All lists by name, such as `strong.buy`."""
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return {f"{table}.{name}": Words(text) for table, lists in tables.items() for name, text in lists.items()}
