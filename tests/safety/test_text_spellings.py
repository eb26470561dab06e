"""Texts that are spelled in another way are known for what they stand for."""

import base64
import codecs
import time
import zlib

import pytest

from pilotfish.safety.text_provenance import ProvenanceLedger
from pilotfish.safety.text_spellings import spelled_forms

CODE, WORDS = "883551290412", "the vault opens at midnight behind the green door"
SPELLINGS = {
    "base64": base64.b64encode(CODE.encode()).decode(),
    "base64 twice": base64.b64encode(base64.b64encode(CODE.encode())).decode(),
    "base32": base64.b32encode(CODE.encode()).decode(),
    "base85": base64.b85encode(CODE.encode()).decode(),
    "packed": base64.b64encode(zlib.compress(CODE.encode())).decode(),
    "within words": f"see {base64.b64encode(CODE.encode()).decode()} there",
    "hexadecimal": CODE.encode().hex(),
    "hexadecimal with colons": CODE.encode().hex(":"),
    "numbers": " ".join(str(ord(sign)) for sign in CODE),
    "octal numbers": " ".join(f"{ord(sign):o}" for sign in CODE),
    "bits": " ".join(f"{ord(sign):08b}" for sign in CODE),
    "percent signs": "".join(f"%{ord(sign):02x}" for sign in CODE),
    "HTML": "".join(f"&#{ord(sign)};" for sign in CODE),
    "a script's escapes": "".join(f"\\u{ord(sign):04x}" for sign in CODE),
    "quoted-printable": "".join(f"={ord(sign):02X}" for sign in CODE),
    "Arabic digits": CODE.translate({48 + number: 0x660 + number for number in range(10)}),
    "unseen letters": "hello" + "".join(chr(0xE0000 + ord(sign)) for sign in CODE),
    "number words": "eight eight three five five one two nine zero four one two",
    "within letters": f"hello{CODE}x",
    "shifted letters": codecs.encode(WORDS, "rot13"),
    "one word": WORDS.replace(" ", ""),
    "letter by letter": " ".join(WORDS.replace(" ", "")),
    "backwards": WORDS[::-1],
}


@pytest.fixture
def ledger() -> ProvenanceLedger:
    made = ProvenanceLedger()
    made.add_user_text("Say hello in the notes")
    made.add_given_pages(["http://notes.example/"])
    made.add_untrusted("mail.example", f"Your code is {CODE}. {WORDS.capitalize()}. He said: responsibilities.")
    return made


@pytest.mark.parametrize("name", SPELLINGS)
def test_what_was_read_elsewhere_is_known_in_another_spelling(ledger: ProvenanceLedger, name: str) -> None:
    carried = ledger.find_carried("type", {"id": 1, "text": SPELLINGS[name]}, "notes.example")
    assert [one.place for one in carried] == ["mail.example"]


@pytest.mark.parametrize(
    "text",
    [
        "Say hello in the notes",
        "hello",
        "Our responsibilities are many and the weather is fine today",
        base64.b64encode(b"something else altogether").decode(),
        "20 30 40 50 60",
        "A kettle, two pens and a green lamp with a long cable for the office",
    ],
)
def test_other_texts_are_not_taken_for_it(ledger: ProvenanceLedger, text: str) -> None:
    assert ledger.find_carried("type", {"id": 1, "text": text}, "notes.example") == ()


def test_a_hostile_text_is_read_in_bounded_time() -> None:
    began = time.perf_counter()
    for text in (
        "a" * 90_000,
        "%2525" * 20_000,
        "65 " * 30_000,
        "&amp;" * 20_000,
        "٣" * 90_000,
        "abcdefghij1 " * 9_000,
    ):
        assert len(list(spelled_forms(text))) < 200
    assert time.perf_counter() - began < 20
