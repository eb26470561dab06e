"""Makes the token and the certificate of a worker's channel, and the address at which others reach it.

Each process makes both anew and keeps them in the store, encrypted with the installation's key: who can only read the
database can neither use a channel nor pose as one.
"""

import os
import secrets
import socket
import ssl
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pilotfish.core.errors import BrowserError
from pilotfish.core.events import current_time
from pilotfish.core.sockets import LOOPBACK, own_address
from pilotfish.core.values import Value
from pilotfish.safety.secrets import make_cipher

if TYPE_CHECKING:
    from pilotfish.core.workers import WorkerRecord

NAME = "pilotfish-worker"
LIFE = timedelta(days=3650)


class ChannelKeys(Value):
    """What a process must show to use a channel, and the certificate by which it knows the channel."""

    token: str
    certificate: str

    def seal(self, home: Path) -> str:
        """The keys as they are stored."""
        return make_cipher(home).encrypt(self.model_dump_json().encode()).decode()

    def trust(self) -> ssl.SSLContext:
        """Trusts this certificate and no other."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cadata=self.certificate)
        return context


class ChannelPlace(NamedTuple):
    """Where a channel listens, and the host that others are told."""

    bind: str
    port: int
    host: str


def open_keys(worker: "WorkerRecord", home: Path) -> ChannelKeys:
    """The keys of a worker's channel."""
    from cryptography.fernet import InvalidToken

    try:
        return ChannelKeys.model_validate_json(make_cipher(home).decrypt(worker.sealed.encode()))
    except InvalidToken:
        raise BrowserError(
            f"The browser is at {worker.host}, whose installation has another key.",
            "Give all machines the same secret.key, and start them again.",
        ) from None


def make_keys() -> tuple[ChannelKeys, ssl.SSLContext]:
    """A new token and certificate, and the context that serves them."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(current_time() - timedelta(days=1)).not_valid_after(current_time() + LIFE)
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    certificate = builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    form, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, form, plain)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # Only files can be loaded; this one is readable by its owner only, and is gone at once.
    handle, path = tempfile.mkstemp()
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(private + certificate)
        context.load_cert_chain(path)
    finally:
        Path(path).unlink()
    return ChannelKeys(token=secrets.token_urlsafe(32), certificate=certificate.decode()), context


def find_place(address: str, database: str) -> ChannelPlace:
    """Where to listen: at the address that is set, else where this machine's way to the database begins."""
    if address:
        host, _, port = address.rpartition(":") if not address.endswith("]") and ":" in address else (address, "", "0")
        host = host.strip("[]")
        return ChannelPlace(host if _is_own(host) else "", int(port or 0), host)
    host = own_address(database_host(database)) if database else LOOPBACK
    return ChannelPlace(host, 0, host)


def database_host(database: str) -> str:
    """The machine of a PostgreSQL; this one if it is reached by a socket file."""
    from psycopg.conninfo import conninfo_to_dict

    parts = conninfo_to_dict(database)
    host = str(parts.get("hostaddr") or parts.get("host") or LOOPBACK).split(",")[0]
    return LOOPBACK if host.startswith(("/", "@")) else host


def _is_own(host: str) -> bool:
    """Whether this machine can listen at an address; behind a gateway it cannot."""
    try:
        kind, _, _, _, place = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(kind, socket.SOCK_STREAM) as trial:
            trial.bind(place)
    except OSError:
        return False
    return True
