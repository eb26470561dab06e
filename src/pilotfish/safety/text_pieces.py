"""Splits texts and addresses for comparison: named sites, distinct tokens, values of an address.

All of it takes linear time: sequences of one class of characters are found first and judged afterwards.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote_plus

from pilotfish.safety.address import parse_address
from pilotfish.safety.control_words import normalize_text
from pilotfish.safety.public_suffixes import is_top_level

DIGIT_RUN = re.compile(r"\d{6,}")
EDGES = ".,;:!?()[]{}<>\"'“”‘’«»*_~…"
NAME = re.compile(r"[\w.-]+")
ASCII_NAME = re.compile(r"[a-z0-9.-]+", re.IGNORECASE)
TOKEN = re.compile(r"[\w./:+@-]+")
WEB_ADDRESS = re.compile(r"https?://[^\s<>\"')\]]+", re.IGNORECASE)
BREAKS = re.compile(r"[\t\n\r]")
SIGNS = re.compile(r"[\W_]+")
FILE_ENDINGS = frozenset({"app", "bat", "cc", "md", "ml", "mm", "mov", "pl", "pm", "ps", "py", "rs", "sh", "so", "zip"})
"""Ends of file names that are also top-level domains: a bare name with one of them is taken for a file."""
LOCAL = frozenset({"corp", "example", "home", "internal", "intranet", "invalid", "lan", "local", "localhost", "test"})
LONG_TOKEN, SHORT_TOKEN = 20, 6
"""Letters of a token that is distinct by its length, and of one with digits."""
SHINGLE_WORDS = 4
TEXT_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "type": ("text",),
    "select": ("option",),
    "click": ("answer",),
    "page_tool": ("answer",),
}
"""Arguments of tools that reach the page as text."""
NUMBER_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "click": ("x", "y"),
    "drag": ("dx", "dy"),
    "scroll": ("amount",),
    "resize": ("width", "height"),
}
"""Arguments of tools that reach the page as numbers."""
JOINED_LENGTH, MOST_JOINED, LONGEST_JOINED = 16, 20, 400
"""Letters in a row that are no coincidence where they stand elsewhere as several words, words and letters compared."""
SIGNS_OF_A_KEY, LONGEST_KEY_NAME = 4, 20
"""Letters and digits in the name of an element by which a text may be put together, and those that are read of it."""
NUMBER_WORDS = {word: str(number) for number, word in enumerate(
    ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
)}  # fmt: skip
CODE_PIECE, CODE_LENGTH = 4, 8
"""A code is also recognized by eight characters of it in pieces of at most four."""


def named_addresses(text: str) -> Iterator[str]:
    """The addresses and host names that a text names; names of files and e-mail addresses are none."""
    for found in WEB_ADDRESS.finditer(text):
        yield found[0]
    rest = WEB_ADDRESS.sub(" ", text)
    for found in NAME.finditer(rest):
        around = rest[max(0, found.start() - 1) : found.start()] + rest[found.end() : found.end() + 1]
        if "." not in found[0] or "@" in around:
            continue
        path = rest[found.end() : found.end() + 1] in ("/", ":")
        parts = [found[0]] if found[0].isascii() else [found[0], *ASCII_NAME.findall(found[0])]
        for name in (part.strip(".-_") for part in parts):
            if is_site_name(name, path):
                yield f"https://{name}"


def is_site_name(name: str, has_path: bool = False) -> bool:
    """Whether a bare name is the name of a site. Numbers need a scheme, and so do names that look like files."""
    labels = name.lower().split(".")
    if len(labels) < 2 or len(name) > 253 or not all(labels):
        return False
    if labels[-1] in FILE_ENDINGS and not has_path and labels[0] != "www":
        return False
    return labels[-1] in LOCAL or is_top_level(labels[-1])


def distinct_tokens(text: str) -> Iterator[str]:
    """Addresses, numbers and long words of a normalized text: unlikely to be in two places by chance."""
    for word in text.split():
        whole = word.strip(".,;:")
        if len(whole) >= LONG_TOKEN:
            yield whole
        for found in TOKEN.finditer(word):
            token = found[0].strip(".,;:")
            if len(token) >= LONG_TOKEN and token == whole:
                continue
            numbered = len(token) >= SHORT_TOKEN and any(sign.isdigit() for sign in token)
            yield from (run for run in DIGIT_RUN.findall(token) if numbered and run != token)
            if numbered or ("." in token.rpartition("@")[2] and "@" in token) or token.startswith(("http:", "https:")):
                yield token


def spaced_codes(text: str) -> Iterator[str]:
    """Eight letters and digits in a row from codes written with blanks or signs between, as `4 7 1 1`."""
    run = ""
    for bit in (*SIGNS.split(text), ""):
        if 0 < len(bit) <= CODE_PIECE and any(map(str.isdigit, bit)):
            run += bit
            continue
        yield from (run[at : at + CODE_LENGTH] for at in range(len(run) - CODE_LENGTH + 1))
        run = ""


def list_shingles(text: str) -> Iterator[str]:
    """All sequences of four words, without the punctuation around each."""
    words = [bare for word in text.split() if (bare := word.strip(EDGES))]
    for start in range(len(words) - SHINGLE_WORDS + 1):
        yield " ".join(words[start : start + SHINGLE_WORDS])


def joined_windows(text: str) -> Iterator[str]:
    """Letters in a row, forwards and backwards, of words that are written as one or letter by letter."""
    words = text.split()
    long = [packed for word in words if len(packed := pack_text(word)) >= JOINED_LENGTH][:MOST_JOINED]
    run = "".join(pack_text(word) if len(word) <= 2 else " " for word in words)
    for packed in (*long, *(part for part in run.split() if len(part) >= JOINED_LENGTH)):
        for at in range(0, min(len(packed), LONGEST_JOINED) - JOINED_LENGTH + 1, JOINED_LENGTH // 2):
            yield packed[at : at + JOINED_LENGTH]
            yield packed[at : at + JOINED_LENGTH][::-1]


def pack_text(text: str) -> str:
    """Only the letters and digits of a normalized text, to compare it with joined pieces."""
    return SIGNS.sub("", text)


def argument_texts(args: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The texts within arguments, however deep, each with the name of its argument."""
    for name, value in args.items():
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, Mapping):
            yield from argument_texts(value)
        elif isinstance(value, list | tuple):
            yield from argument_texts({f"{name}.{n}": each for n, each in enumerate(value)})


def tool_texts(args: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The texts that a call of a page's tool would give to the page: names, texts and numbers, however deep."""
    given = args.get("arguments", {})
    return list(_plain_texts("arguments", given))


def given_texts(tool: str, args: Mapping[str, Any]) -> dict[str, str]:
    """The texts that a call gives to a page, by names of their own: typed, chosen in a list that takes any text,
    answered to a dialog, or given to the page's tool."""
    named = [(name, str(args.get(name) or "")) for name in TEXT_ARGUMENTS.get(tool, ())]
    found = [*named, *(tool_texts(args) if tool == "page_tool" else ())]
    return {f"{name} {number}" if number else name: text for number, (name, text) in enumerate(found) if text}


def given_numbers(tool: str, args: Mapping[str, Any]) -> dict[str, str]:
    """The numbers that a call gives to a page: places, ways and sizes in pixels."""
    found = {name: str(args.get(name) or "").lstrip("-").removesuffix(".0") for name in NUMBER_ARGUMENTS.get(tool, ())}
    return {name: text for name, text in found.items() if text}


def _plain_texts(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield str(key), str(key)
            yield from _plain_texts(str(key), each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _plain_texts(name, each)
    elif not isinstance(value, bool) and value is not None:
        yield name, str(value)


def address_values(url: str) -> list[str]:
    """The readable parts of an address: names before the site, path, query."""
    return [text for kind in address_parts(url) for text in kind]


def address_parts(url: str) -> tuple[list[str], list[str]]:
    """The values in an address in order (user, labels before the site, path, query values); and the query names."""
    address = parse_address(url)
    if address is None:
        return [], []
    rest = BREAKS.sub("", url.strip()).partition(":")[2].replace("\\", "/").lstrip("/")
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    path, _, query = rest[len(authority) :].partition("?")
    own = address.host.removesuffix(address.site).rstrip(".") if address.host.endswith(address.site) else ""
    pairs = [pair.partition("=") for pair in re.split(r"[&?;#/]", query)]
    values = [value if sign else name for name, sign, value in pairs]
    user = authority.rpartition("@")[0].split(":")
    said = (*user, *own.split("."), *re.split(r"[/;=#&]", path), *values)
    names = (name for name, sign, _ in pairs if sign)
    return list(filter(None, map(unquote_plus, said))), list(filter(None, map(unquote_plus, names)))


def short_name(name: str) -> str:
    """What the name of an element stands for that means a sign or two, such as a key of a keypad; else empty."""
    packed = pack_text(normalize_text(name[:LONGEST_KEY_NAME]))
    digits = NUMBER_WORDS.get(packed) or "".join(filter(str.isdigit, packed))
    return digits[:SIGNS_OF_A_KEY] or (name if len(packed) <= SIGNS_OF_A_KEY else "")


def typed_key(key: str) -> str:
    """The character that a key writes; empty for keys that write none."""
    last = key if len(key) == 1 else key.rpartition("+")[2] or "+"
    if last.casefold() in ("space", "spacebar"):
        return " "
    held = key[: -len(last)].casefold().strip("+ ")
    return last if len(last) == 1 and held in ("", "shift", "numpad") else ""
