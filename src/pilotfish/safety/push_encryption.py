"""Encrypts push messages for one browser (RFC 8291), and signs requests to push services (RFC 8292)."""

import base64
import binascii
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pilotfish.safety.secrets import installation_key

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

CURVE_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""How many points the curve P-256 has."""
RECORD_SIZE = 4096
LARGEST_MESSAGE = RECORD_SIZE - 103
"""The most bytes of a message: a record, without the salt, the key, the tag and the sign of the end."""
VALID_SECONDS = 12 * 3600


def make_push_key(home: Path) -> "EllipticCurvePrivateKey":
    """The key pair by which push services know this installation; it follows from the key of the secrets."""
    from cryptography.hazmat.primitives.asymmetric import ec

    drawn = int.from_bytes(_derive(installation_key(home), b"", b"web push", 48), "big")
    return ec.derive_private_key(drawn % (CURVE_ORDER - 1) + 1, ec.SECP256R1())


def encrypt_push(
    message: bytes,
    receiver: bytes,
    auth: bytes,
    key: "EllipticCurvePrivateKey | None" = None,
    salt: bytes = b"",
) -> bytes:
    """A message that only the browser with this public key and secret can read. Key and salt are new each time."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if len(message) > LARGEST_MESSAGE:
        raise ValueError("The message is too long for a push service.")
    key = key or ec.generate_private_key(ec.SECP256R1())
    salt = salt or os.urandom(16)
    public = read_point(key)
    shared = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), receiver))
    drawn = _derive(shared, auth, b"WebPush: info\0" + receiver + public, 32)
    content = _derive(drawn, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(drawn, salt, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(content).encrypt(nonce, message + b"\x02", None)
    return salt + RECORD_SIZE.to_bytes(4, "big") + bytes([len(public)]) + public + sealed


def sign_push(key: "EllipticCurvePrivateKey", endpoint: str, contact: str, now: float) -> str:
    """The `Authorization` of a request to a push service: who sends it, and whom to ask about it."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(now) + VALID_SECONDS, "sub": contact}
    stated = ".".join(encode(json.dumps(each).encode()) for each in ({"typ": "JWT", "alg": "ES256"}, claims))
    first, second = decode_dss_signature(key.sign(stated.encode(), ec.ECDSA(hashes.SHA256())))
    signature = encode(first.to_bytes(32, "big") + second.to_bytes(32, "big"))
    return f"vapid t={stated}.{signature}, k={encode(read_point(key))}"


def read_point(key: "EllipticCurvePrivateKey") -> bytes:
    """The public key of a pair as 65 bytes."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def check_receiver(receiver: bytes, auth: bytes) -> bool:
    """Whether these are a public key and a secret that messages can be encrypted for."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), receiver)
    except ValueError:
        return False
    return len(receiver) == 65 and len(auth) == 16


def encode(data: bytes) -> str:
    """Bytes as URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """The bytes of URL-safe base64, with or without padding; empty if it is none."""
    try:
        return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""


def _derive(secret: bytes, salt: bytes, about: bytes, length: int) -> bytes:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(hashes.SHA256(), length, salt or None, about).derive(secret)
