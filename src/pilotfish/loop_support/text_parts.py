"""Finds the parts of texts that are built alike: what stands between the same signs or words in every row."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pilotfish.loop_support.value_kinds import kinds_of_name, kinds_of_values

SEPARATORS = (" · ", " | ", " • ", " – ", " — ", " - ", " / ", " → ", "\u2003", "; ", ", ")
"""What stands between the parts of one text, such as “Full-time · Leith · £26,000”."""
MOST_PARTS = 6
FEWEST_TEXTS = 3
TOKEN = re.compile(r"[^\W\d_]+:?|[^\w\s]|\d[\d.,]*|\S")
SIGN = re.compile(r"[()/\[\]|·•–—→]|(?<![A-Z])[.](?=\s|$)|[,:;](?=\s|$)|(?<=\s)-(?=\s)")
MEASURE = re.compile(r"[-+−]?\d[\d.,]*\s?[^\W\d]{0,3}[°%]?[CF]?")
COPYRIGHT_SIGN = "©"
EDGE_SIGNS = " .,:;·|()[]–—/-"
LETTERS = re.compile(r"[^\W\d_]")


@dataclass(frozen=True)
class TextPart:
    """One of several parts of a text: by the sign between them, or by the words around them.

    `label` is what the words before or after it call it.
    """

    separator: str = ""
    at: int = 0
    count: int = 0
    words: tuple[str, ...] = ()
    label: str = ""

    def cut(self, text: str) -> str:
        """The part; empty if the text is built otherwise."""
        parts = cut_at_words(text, self.words) if self.words else text.split(self.separator)
        part = parts[self.at].strip() if len(parts) == self.count else ""
        return part if part.count("(") == part.count(")") else part.strip("()")


def find_parts(texts: Sequence[str]) -> list[TextPart]:
    """The parts that every text has, if all are built alike."""
    for separator in SEPARATORS:
        counts = {len(text.split(separator)) for text in texts}
        if len(counts) == 1 and 1 < (count := counts.pop()) <= MOST_PARTS:
            found = [TextPart(separator, at, count) for at in range(count)]
            weak = separator in (", ", "; ")
            if not weak or any(kinds_of_values([part.cut(text) for text in texts]) for part in found):
                return found
    return _after_label(texts) or _between_words(texts) or _between_signs(texts)


def _after_label(texts: Sequence[str]) -> list[TextPart]:
    """What follows a label that every text begins with: a word with a colon, or one that says what the values are."""
    first = TOKEN.match(texts[0]) if texts else None
    if first is None or len(set(texts)) == 1 or not all(text.startswith(first[0]) for text in texts):
        return []
    part = TextPart("", 1, 2, (first[0],), first[0].strip(" :"))
    values = [part.cut(text) for text in texts]
    telling = kinds_of_name(first[0]) & (kinds_of_values(values) | {"author"})
    return [part] if all(values) and (first[0].endswith(":") or telling) else []


def _between_words(texts: Sequence[str]) -> list[TextPart]:
    """The parts between words that all texts share, where these words or the way a part is written say what it is."""
    different = list(dict.fromkeys(texts))
    if len(different) < FEWEST_TEXTS or kinds_of_values(different) - {"long"}:
        return []
    words = tuple(TOKEN.findall(different[0]))
    for text in different[1:20]:
        words = common_words(words, TOKEN.findall(text))
    words = tuple(word for word in words if LETTERS.search(word) or word == COPYRIGHT_SIGN)
    if not words or len(words) > MOST_PARTS:
        return []
    found: list[TextPart] = []
    labelled = False
    for at in range(len(words) + 1):
        before, after = (words[at - 1] if at else ""), (words[at] if at < len(words) else "")
        said = before.endswith(":") or before == COPYRIGHT_SIGN or bool(kinds_of_name(before) & {"author", "place"})
        part = TextPart("", at, len(words) + 1, words, (before if said else after or before).strip(" :"))
        values = [part.cut(text) for text in different]
        if all(values) and (said or kinds_of_values(values) - {"long"}):
            found.append(part)
            labelled = labelled or said
    return found if labelled or len(found) > 1 else []


def _between_signs(texts: Sequence[str]) -> list[TextPart]:
    """The parts between signs that all texts have in one order, where the way some part is written says what it is."""
    different = list(dict.fromkeys(texts))
    if len(different) < FEWEST_TEXTS or kinds_of_values(different) - {"long"}:
        return []
    signs = tuple(SIGN.findall(different[0]))
    for text in different[1:20]:
        signs = common_words(signs, SIGN.findall(text))
    if not signs or len(signs) > MOST_PARTS:
        return []
    parts = [TextPart("", at, len(signs) + 1, signs) for at in range(len(signs) + 1)]
    kept = [part for part in parts if all(part.cut(text) for text in different)]
    values = [[part.cut(text) for text in different] for part in kept]
    kinds = [kinds_of_values(each) - {"long"} or all(map(MEASURE.fullmatch, each)) for each in values]
    return kept if len(kept) > 1 and any(kinds) else []


def common_words(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    """The longest sequence of words that both have in this order."""
    best: list[list[tuple[str, ...]]] = [[()] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, word in enumerate(one):
        for j, twin in enumerate(other):
            same = word == twin
            best[i + 1][j + 1] = (*best[i][j], word) if same else max(best[i][j + 1], best[i + 1][j], key=len)
    return best[-1][-1]


def cut_at_words(text: str, words: Sequence[str]) -> list[str]:
    """The text cut at these words in their order; one part if one of them is missing."""
    parts: list[str] = []
    begin = 0
    for word in words:
        found = _find_word(word).search(text, begin)
        if found is None:
            return [text]
        parts.append(text[begin : found.start()].strip(EDGE_SIGNS))
        begin = found.end()
    return [*parts, text[begin:].strip(EDGE_SIGNS)]


def _find_word(word: str) -> re.Pattern[str]:
    """A pattern for a whole word, or for a sign as it stands."""
    if not LETTERS.search(word) and word != COPYRIGHT_SIGN:
        return re.compile(
            ("(?<![A-Z])" if word == "." else "") + re.escape(word) + (r"(?=\s|$)" if word in ".,:;" else "")
        )
    return re.compile(rf"(?<!\w){re.escape(word)}" + ("" if word == COPYRIGHT_SIGN else r"(?!\w)"))
