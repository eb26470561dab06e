"""Push messages are encrypted and signed as the standards say."""

import json
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from pilotfish.safety.push_encryption import (
    LARGEST_MESSAGE,
    VALID_SECONDS,
    check_receiver,
    decode,
    encode,
    encrypt_push,
    make_push_key,
    read_point,
    sign_push,
)

# The example of RFC 8291, appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
RECEIVER = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_standard_comes_out_byte_for_byte() -> None:
    key = ec.derive_private_key(int.from_bytes(decode(SENDER), "big"), ec.SECP256R1())
    assert encode(encrypt_push(PLAIN, decode(RECEIVER), decode(AUTH), key, decode(SALT))) == SEALED


def test_each_message_has_its_own_key_and_a_record_bounds_its_length() -> None:
    first, second = (encrypt_push(b"x" * LARGEST_MESSAGE, decode(RECEIVER), decode(AUTH)) for _ in "12")
    assert first[:16] != second[:16] and first[21:86] != second[21:86]
    assert len(first) == 86 + 4096 - 86
    with pytest.raises(ValueError, match="too long"):
        encrypt_push(b"x" * (LARGEST_MESSAGE + 1), decode(RECEIVER), decode(AUTH))


def test_a_request_says_who_sends_it_and_can_be_checked_with_the_key_beside_it(tmp_path: Path) -> None:
    key = make_push_key(tmp_path)
    kind, stated, public = sign_push(key, "https://push.example/send/1?a=b", "mailto:me@example.com", 1000.0).split()
    head, claims, signature = stated.removeprefix("t=").removesuffix(",").split(".")
    assert kind == "vapid" and json.loads(decode(head)) == {"typ": "JWT", "alg": "ES256"}
    said = json.loads(decode(claims))
    assert said == {"aud": "https://push.example", "exp": 1000 + VALID_SECONDS, "sub": "mailto:me@example.com"}
    checker = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(public.removeprefix("k=")))
    first, second = (int.from_bytes(part, "big") for part in (decode(signature)[:32], decode(signature)[32:]))
    signed = encode_dss_signature(first, second)
    checker.verify(signed, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    with pytest.raises(InvalidSignature):
        checker.verify(signed, f"{head}.{claims}x".encode(), ec.ECDSA(hashes.SHA256()))


def test_the_key_of_an_installation_stays_and_those_of_two_differ(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert read_point(make_push_key(first)) == read_point(make_push_key(first))
    assert read_point(make_push_key(first)) != read_point(make_push_key(second))


@pytest.mark.parametrize(
    ("receiver", "auth", "good"),
    [
        (RECEIVER, AUTH, True),
        (RECEIVER, AUTH[:-4], False),
        (SENDER, AUTH, False),
        ("B" * 87, AUTH, False),
        ("é", AUTH, False),
    ],
)
def test_only_a_point_of_the_curve_and_sixteen_bytes_are_taken(receiver: str, auth: str, good: bool) -> None:
    assert check_receiver(decode(receiver), decode(auth)) == good
