"""What a browser does with a push message: it opens it with the keys that only it has (RFC 8291)."""

import json

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from pilotfish.safety.push_encryption import encode, read_point
from pilotfish.services.web_push import PushTarget


class PushReceiver:
    """The keys of a browser."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = bytes(range(16))

    def target(self, endpoint: str, name: str = "") -> PushTarget:
        return PushTarget(endpoint=endpoint, p256dh=encode(read_point(self.key)), auth=encode(self.auth), name=name)

    def open(self, sealed: bytes) -> dict[str, str]:
        salt, length = sealed[:16], sealed[20]
        sender, text = sealed[21 : 21 + length], sealed[21 + length :]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        about = b"WebPush: info\0" + read_point(self.key) + sender
        drawn = HKDF(hashes.SHA256(), 32, self.auth, about).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(drawn)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(drawn)
        return json.loads(AESGCM(key).decrypt(nonce, text, None).removesuffix(b"\x02"))
