"""Ranks passages of pages by how well they answer a question, by words and word embeddings, without a model."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy
    from wordllama import WordLlamaInference

Detail = Literal["brief", "detailed", "full"]
ANSWER_WORDS: dict[Detail, int] = {"brief": 150, "detailed": 500, "full": 4000}
"""How many words an answer of each level has."""
READ_WORDS: dict[Detail, int] = {"brief": 700, "detailed": 1800, "full": 4000}
"""How many words of passages it is made from."""

PASSAGE_WORDS = 120
TERM = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[a-z0-9\u00c0-\u024f\u0370-\u052f\u0590-\u06ff\u0900-\u0dff]+")
STOP_WORDS = frozenset(
    TERM.findall(
        "a an the of to in on for and or is are was were be been do does did what when where who which how why that"
        " this it its he she they with at by from as about i you we not no but if than then so can will has have had"
    )
)
ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ied", "edly", "ed", "es", "ly", "s")


@dataclass(frozen=True)
class TextPassage:
    """A piece of a page: `page` is the page's place among those given, `at` the piece's place in it."""

    page: int
    at: int
    text: str
    heading: str = ""
    score: float = 0.0


def list_terms(text: str) -> list[str]:
    """Words as they are compared: lower case, common ones left out, endings cut."""
    return [stem_word(word) for word in TERM.findall(text.lower()) if word not in STOP_WORDS]


def stem_word(word: str) -> str:
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def split_passages(text: str, page: int = 0) -> list[TextPassage]:
    """Markdown cut at its blocks into pieces of about a hundred words, each under its heading."""
    found: list[TextPassage] = []
    heading = ""
    held: list[str] = []
    count = 0

    def flush() -> None:
        if held:
            found.append(TextPassage(page, len(found), "\n\n".join(held), heading))
            held.clear()

    for piece in (piece for block in re.split(r"\n{2,}", text) for piece in split_block(block)):
        more = word_length(piece)
        if piece.startswith("#") or count + more > PASSAGE_WORDS:
            flush()
            count = 0
        if piece.startswith("#"):
            heading = piece.lstrip("# ").strip()
        held.append(piece)
        count += more
    flush()
    return found


def split_block(block: str) -> list[str]:
    """A block, cut at its sentences or lines where it is too long for one passage."""
    if word_length(block) <= PASSAGE_WORDS:
        return [block] if block.strip() else []
    found: list[list[str]] = [[]]
    count = 0
    for part in re.split(r"(?<=[.!?])(?=\s)|(?<=[。！？])|(?<=\n)", block):
        more = word_length(part)
        if found[-1] and count + more > PASSAGE_WORDS:
            found.append([])
            count = 0
        found[-1].append(part)
        count += more
    return [piece for parts in found if (piece := "".join(parts).strip())]


def word_length(text: str) -> int:
    """Words, with Chinese and Japanese counted two characters to one."""
    return len(re.findall(r"[^\s\u3040-\u9fff]+", text)) + len(re.findall(r"[\u3040-\u9fff]", text)) // 2


def rank_passages(query: str, given: Sequence[TextPassage]) -> list[TextPassage]:
    """The passages, best first. Words and meaning are weighed alike, each against its own best."""
    if not given:
        return []
    by_word = bm25_scores(list_terms(query), [list_terms(f"{each.heading} {each.text}") for each in given])
    by_meaning = meaning_scores(query, [f"{each.heading} {each.text}" for each in given])
    top = max(by_word) or 1.0
    scores = [word / top + sense for word, sense in zip(by_word, by_meaning, strict=True)]
    ranked = sorted(zip(scores, given, strict=True), key=lambda pair: -pair[0])
    return [TextPassage(each.page, each.at, each.text, each.heading, round(score, 4)) for score, each in ranked]


def bm25_scores(query: list[str], texts: list[list[str]]) -> list[float]:
    bags = [Counter(text) for text in texts]
    mean = sum(len(text) for text in texts) / len(texts) or 1.0
    wanted = set(query)
    spread = {term: sum(term in bag for bag in bags) for term in wanted}
    weight = {term: math.log(1 + (len(bags) - count + 0.5) / (count + 0.5)) for term, count in spread.items()}

    def points(bag: Counter[str], size: int) -> float:
        lean = 1.2 * (0.25 + 0.75 * size / mean)
        return sum(weight[term] * bag[term] * 2.2 / (bag[term] + lean) for term in wanted if bag[term])

    return [points(bag, len(text)) for bag, text in zip(bags, texts, strict=True)]


def meaning_scores(query: str, texts: list[str]) -> list[float]:
    """How near each text is to the query, from 0 to 1; all 0 where no embeddings are installed."""
    model = load_embedder()
    if model is None:
        return [0.0] * len(texts)
    vectors: numpy.ndarray = model.embed([query, *texts], norm=True)  # pyright: ignore[reportAssignmentType]
    return [max(0.0, float(score)) for score in vectors[1:] @ vectors[0]]


@cache
def load_embedder() -> "WordLlamaInference | None":
    """Word embeddings from the package itself, nothing is downloaded; None where it is not installed."""
    import logging
    from pathlib import Path

    # The package configures the root logger when it is imported; this undoes it.
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        import wordllama

        return wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
    except ImportError:
        return None
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)


def select_passages(query: str, texts: Sequence[str], detail: Detail) -> list[TextPassage]:
    """The passages of several pages that fit a level of detail, in the order of the pages.

    Every page gets its best passage in before any page gets its second.
    """
    given = [piece for page, text in enumerate(texts) for piece in split_passages(text, page)]
    room = READ_WORDS[detail]
    if sum(word_length(piece.text) for piece in given) <= room:
        return given
    ranked = rank_passages(query, given)
    firsts = {piece.page: piece for piece in reversed(ranked)}
    order = [*firsts.values(), *(piece for piece in ranked if firsts[piece.page] is not piece)]
    chosen: list[TextPassage] = []
    for piece in order:
        room -= word_length(piece.text)
        if room < 0 and chosen:
            break
        chosen.append(piece)
    return sorted(chosen, key=lambda piece: (piece.page, piece.at))


def pick_excerpt(query: str, text: str, room: int) -> str:
    """The passages of one text that fit a query best, about so many words of them, in their order."""
    given = split_passages(text)
    if sum(word_length(piece.text) for piece in given) <= room:
        return text
    chosen: list[TextPassage] = []
    for piece in rank_passages(query, given):
        room -= word_length(piece.text)
        if room < 0 and chosen:
            break
        chosen.append(piece)
    return "\n\n[…]\n\n".join(join_passages(sorted(chosen, key=lambda piece: piece.at)))


def join_passages(chosen: Sequence[TextPassage]) -> list[str]:
    """Neighbouring passages put together again."""
    runs: list[list[TextPassage]] = []
    for piece in chosen:
        if runs and runs[-1][-1].at + 1 == piece.at:
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return ["\n\n".join(piece.text for piece in run) for run in runs]
