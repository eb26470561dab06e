"""Finds what a text may stand for that is spelled in another way: as codes, escapes, other digits, or backwards."""

import base64
import binascii
import codecs
import re
import unicodedata
import zlib
from collections.abc import Callable, Iterator

from pilotfish.safety.control_words import LOOKALIKES
from pilotfish.safety.spelled_text import read_spelled
from pilotfish.safety.text_pieces import NUMBER_WORDS

LONGEST_TEXT, MOST_TOKENS, MOST_FORMS, ROUNDS = 4000, 40, 60, 2
"""Characters that are read, words that are decoded one by one, forms that are told, decodings one after the other."""
LEAST_LETTERS, LEAST_CODES = 6, 4
SEPARATORS = re.compile(r"[\s,:;|/_-]+")
SOLID_WORD = re.compile(r"[\w+/=!-~]{10,}")
QUOTED_LETTER = re.compile(r"=([0-9A-Fa-f]{2})")
TAG_LETTERS = {0xE0000 + code: code for code in range(32, 127)}
BASES = ((16, re.compile(r"(?:0x|\\x|%)?[0-9a-fA-F]{2}")), (10, re.compile(r"\d{2,3}")), (8, re.compile(r"[0-7]{2,3}")),
         (2, re.compile(r"[01]{7,8}")))  # fmt: skip


def spelled_forms(text: str) -> Iterator[str]:
    """What a text may stand for besides itself, each form once."""
    known, left = {text}, [text[:LONGEST_TEXT]]
    for _ in range(ROUNDS):
        found = [form for one in left for form in _decodings(one)]
        left = [form for form in dict.fromkeys(found) if form not in known][:MOST_FORMS]
        known.update(left)
        yield from left


def _decodings(text: str) -> Iterator[str]:
    *_, escaped = read_spelled(text)
    yield escaped.text
    yield QUOTED_LETTER.sub(lambda found: chr(int(found[1], 16)), text)
    yield _plain_digits(text)
    yield show_tags(text)
    yield text.translate(LOOKALIKES)
    yield codecs.encode(text, "rot13")
    yield text[::-1]
    yield _numbers_of_words(text)
    yield from _codes(text)
    solid = "".join(text.split())
    for token in dict.fromkeys((solid, *SOLID_WORD.findall(text)[:MOST_TOKENS])):
        yield from _unpacked(token)


def show_tags(text: str) -> str:
    """The text with Unicode tags, which nobody sees, as the letters that they stand for."""
    return text if text.isascii() else text.translate(TAG_LETTERS)


def _plain_digits(text: str) -> str:
    """The text with the digits of all scripts, also circled and raised ones, as plain ones."""
    return (
        text
        if text.isascii()
        else "".join(str(int(unicodedata.digit(sign, -1))) if _is_digit(sign) else sign for sign in text)
    )


def _is_digit(sign: str) -> bool:
    return not sign.isascii() and unicodedata.digit(sign, -1) >= 0


def _numbers_of_words(text: str) -> str:
    """The digits that are written as words one after the other."""
    said = [NUMBER_WORDS.get(word, "") for word in SEPARATORS.split(text.casefold())[:1000]]
    return "".join(said) if sum(map(bool, said)) >= LEAST_LETTERS else text


def _codes(text: str) -> Iterator[str]:
    """The text that a list of the numbers of signs stands for, in the bases in which it may be one."""
    parts = [part for part in SEPARATORS.split(text.strip("[](){} \n")) if part]
    for base, pattern in BASES if len(parts) >= LEAST_CODES else ():
        if all(map(pattern.fullmatch, parts)):
            numbers = [int(part[-2:] if base == 16 else part, base) for part in parts]
            if all(31 < number < 127 for number in numbers):
                yield "".join(map(chr, numbers))


def _unpacked(token: str) -> Iterator[str]:
    """The text that a word without blanks is an encoding of."""
    padded = token + "=" * (-len(token) % 4)
    decoders: tuple[Callable[[], bytes], ...] = (
        lambda: base64.b64decode(padded.translate(str.maketrans("-_", "+/")), validate=True),
        lambda: base64.b32decode(token.upper() + "=" * (-len(token) % 8)),
        lambda: bytes.fromhex(re.sub(r"[:_-]", "", token)),
        lambda: base64.b85decode(token),
        lambda: base64.a85decode(token),
    )
    for decode in decoders:
        try:
            data = decode()
            data = zlib.decompressobj(wbits=47).decompress(data, LONGEST_TEXT) if data[:1] in b"\x78\x1f" else data
            shown = data.decode()
        except (ValueError, binascii.Error, zlib.error):
            continue
        if len(shown) >= LEAST_LETTERS and shown.isprintable():
            yield shown
