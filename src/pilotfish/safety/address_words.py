"""Finds the words in an address that say what opening it does; links, navigation, fetches and requests all use it."""

import re
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import unquote

from pilotfish.safety.control_words import load_words

ARTICLES = frozenset({"wiki", "help", "docs", "blog", "article", "articles", "news", "tag", "tags", "dictionary"})
SEARCH_FIELDS = frozenset(
    {"q", "query", "search", "s", "text", "term", "keyword", "keywords", "title", "name", "utm-campaign"}
)
PROGRAM_ENDING = re.compile(r"\.(?:php|html?|aspx?|do|action|cgi|jsp)$", re.IGNORECASE)
FILE_ENDING = re.compile(
    r"[^.]\.(?:m?js|css|map|wasm|sql|txt|md|csv|vtt|srt|pdf|zip|gz|br|bin|dat|woff2?|ttf|otf|eot|ico|cur|bmp|gif|png|apng"
    r"|jpe?g|jfif|webp|avif|heic|tiff?|svgz?|mp[34]|m4[av]|webm|og[agv]|opus|wav|flac|aac|mov|m3u8|mpd|ts|webmanifest)$",
    re.IGNORECASE,
)
"""Endings of what is only read. Any other, such as .asp or .pl, may be a program."""
DATA_ENDING = re.compile(r"\.(?:jsonp?|xml)$", re.IGNORECASE)
WORD = re.compile(r"[^\W_]+")
CAMEL_CASE = re.compile(r"([a-z0-9])([A-Z])")
NAME = re.compile(r"[\w.-]+")
JOINED_WORD = re.compile(r"delete(?![dr]\b)|unsubscribe(?!d)|deactivate(?!d)|logout|signout")
"""Words that are found also without a separator, as in `deleteitem`."""
MOST_DECODINGS = 3
ADDRESS_START = re.compile(r"^[a-z][a-z0-9+.-]*:[/\\]*[^/\\]*", re.IGNORECASE)
LONGEST_PART, LONGEST_ADDRESS = 200, 4000
TITLE_WORDS = 3
"""Segments with more words than this are titles of articles, not actions."""


def split_words(text: str) -> tuple[str, ...]:
    """The words of a path segment or of a name, in lower case; also the whole, where words are joined by a dash."""
    words = WORD.findall(CAMEL_CASE.sub(r"\1 \2", text[:LONGEST_PART]).casefold())
    return (*words, "-".join(words)) if len(words) > 1 else tuple(words)


def split_address(url: str) -> tuple[str, str]:
    """Path and query of an address, also of one that cannot be opened."""
    before, _, query = url[:LONGEST_ADDRESS].partition("#")[0].partition("?")
    return ADDRESS_START.sub("", before, count=1), query


def path_segments(url: str) -> list[str]:
    """The parts of an address's path, percent-decoded as often as servers may decode them."""
    return [PROGRAM_ENDING.sub("", part) for part in re.split(r"[/;=\\]", _decode(split_address(url)[0])) if part]


def is_file(url: str) -> bool:
    """Whether the last part of an address's path has an ending of files that are only read, such as .png."""
    return bool(FILE_ENDING.search(split_address(url)[0].rpartition("/")[2]))


def is_answer(url: str) -> bool:
    """Whether the ending is one of data, which files and programs have, such as manifest.json and delete.json."""
    return bool(DATA_ENDING.search(split_address(url)[0]))


def path_words(url: str) -> tuple[str, ...]:
    """The words of all parts of an address's path."""
    return tuple(word for part in path_segments(url) for word in split_words(part))


def action_word(url: str) -> str:
    """The word in the path or query of an address that names an action; empty where there is none."""
    return next(_action_words(url), "")


def _action_words(url: str) -> Iterator[str]:
    segments = path_segments(url)
    numbered = any(part.isdecimal() for part in re.split(r"[^\w]", _decode("/".join(split_address(url)))))
    if not any(part.casefold() in ARTICLES for part in segments):
        for segment in segments:
            yield from _named_actions(segment, numbered)
    for pair in split_address(url)[1].split("&"):
        name, _, value = map(_decode, pair.partition("="))
        if name.lower().replace("_", "-") not in SEARCH_FIELDS and not name.lower().startswith("utm_"):
            for part in (name, value):
                yield from _named_actions(part, numbered=True)


def _named_actions(part: str, numbered: bool) -> Iterator[str]:
    """The actions that a segment, a field's name or its value names: as a whole, or by one or two of its words.

    `numbered` says that the address names one of several things by a number, as titles of articles do not.
    """
    if not NAME.fullmatch(part):
        return
    words, known = (
        WORD.findall(CAMEL_CASE.sub(r"\1 \2", part[:LONGEST_PART]).casefold()),
        load_words()["path.words"].exact,
    )
    whole, small = "-".join(words), WORD.findall(part[:LONGEST_PART].casefold())
    if whole in known:
        yield whole
    if len(small) < len(words):
        # Capitals within a word, as in DeLeTe, which servers may take for the same.
        yield from (word for word in small if word in known)
    if "-" not in part.strip("-"):
        verbs = load_words()["path.verbs"].exact
        yield from (word for word in words if word in verbs)
        yield from (found[0] for found in JOINED_WORD.finditer(" ".join(words)))
    elif len(words) <= TITLE_WORDS:
        named = numbered or load_words()["path.things"].exact & set(words)
        doing = load_words()["path.removals"].exact | (load_words()["path.chores"].exact if named else frozenset())
        yield from (word for word in (words[:1] + words[-1:]) if word in doing)
    if "-" not in part or len(words) <= TITLE_WORDS:
        yield from (pair for pair in map("-".join, pairwise(words)) if pair in known)


def _decode(text: str) -> str:
    for _ in range(MOST_DECODINGS):
        text = unquote(text)
    return text
