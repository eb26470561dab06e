"""Decodes bytes to text. It does not trust headers and meta tags, which are often wrong."""

import codecs
import re

META = re.compile(
    rb"""<meta[^<>]+charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]+)|<\?xml[^<>]+encoding\s{0,9}=\s{0,9}["']([\w.:-]+)""",
    re.I,
)
MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What browsers do: pages that claim these are read as their larger neighbours.
WIDER_CODECS = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932"}


def find_codec(name: str) -> str:
    """The codec for a charset's name, or nothing where there is none."""
    try:
        b"".decode(name)
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return ""
    return WIDER_CODECS.get(found, found)


def decode_body(body: bytes, charset: str = "") -> str:
    """Text of a body that may be cut in the middle of a character.

    UTF-8 comes before what was declared: text that is no UTF-8 is almost never readable as such by chance.
    """
    for mark, name in MARKS:
        if body.startswith(mark):
            return body.decode(name, "replace")
    match = META.search(body[:4096])
    declared = (match.group(1) or match.group(2)).decode("ascii", "replace") if match else ""
    names = [find_codec(name) for name in (charset, declared) if name]
    stateful = [name for name in names if name.startswith("iso2022") or name in ("hz", "utf-7")]
    for name in [*stateful, "utf-8", *names]:
        text = decode_whole(body, name) if name else None
        if text is not None:
            return text
    return guess_text(body)


def decode_whole(body: bytes, name: str) -> str | None:
    try:
        return codecs.getincrementaldecoder(name)("strict").decode(body, False)
    except (UnicodeError, LookupError):
        return None


def guess_text(body: bytes) -> str:
    """The likeliest text of bytes in an unknown encoding."""
    high = sum(byte > 127 for byte in body[:100_000])
    if high < min(len(body), 100_000) * 0.1:
        # Few letters beyond ASCII: a western language, which the detector would confuse with similar ones.
        return body.decode("cp1252", "replace")
    from charset_normalizer import from_bytes

    best = from_bytes(body[:100_000]).best()
    return body.decode(best.encoding if best else "cp1252", "replace")
