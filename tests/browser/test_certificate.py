"""Sites whose certificate nobody vouches for."""

import datetime
import ipaddress
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from browser.stage import Site, serve_site
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.errors import ToolError
from pilotfish.core.settings import BrowserSettings

pytestmark = pytest.mark.slow


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


async def test_a_certificate_that_nobody_vouches_for_is_refused_with_the_way_out(
    session: BrowserSession, stranger: Site
) -> None:
    with pytest.raises(ToolError, match=r"certificate cannot be trusted \(setting browser\.any_certificate\)"):
        await session.open(stranger.html("secret"))
    assert not stranger.hits


async def test_any_certificate_will_do_where_the_settings_say_so(tmp_path: Path, stranger: Site) -> None:
    pool = BrowserPool(BrowserSettings(any_certificate=True))
    try:
        tab = await (await pool.lease("trusting", tmp_path)).open(stranger.html("<h1>Come in</h1>"))
        assert "Come in" in (await tab.look()).text
    finally:
        await pool.close()
