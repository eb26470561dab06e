"""A session and a small site for each test."""

import datetime
import ipaddress
import logging
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from browser.stage import Site, serve_site
from pilotfish.browser.sessions.session import BrowserSession


@pytest.fixture
def session(browser_session: BrowserSession, caplog: pytest.LogCaptureFixture) -> Iterator[BrowserSession]:
    """A look that had to leave something out says so in the log: then the script has a fault."""
    yield browser_session
    assert not [told for told in map(logging.LogRecord.getMessage, caplog.records) if "could not be read" in told]


@pytest.fixture
def site() -> Iterator[Site]:
    with serve_site() as site:
        yield site


@pytest.fixture
def stranger(tmp_path: Path) -> Iterator[Site]:
    """A site with a certificate that it signed itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "stranger")])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .sign(key, hashes.SHA256())
    )
    pem = tmp_path / "stranger.pem"
    pem.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + signed.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    with serve_site(context) as site:
        yield site
