"""Which addresses may be reached."""

import pytest

from pilotfish.core.errors import ToolError
from pilotfish.core.settings import FetchSettings
from pilotfish.web.address_guard import AddressGuard, is_public, literal_address
from pilotfish.web.downloader import Downloader

from .loopback import Site

PRIVATE = [
    "127.0.0.1",
    "127.1",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "2130706433",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[fe80::1]",
    "[fc00::1]",
    "[ff02::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:10.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "localhost",
    "LOCALHOST",
    "sub.localhost",
    "metadata.google.internal",
    "router.lan",
    "intranet",
]


@pytest.mark.parametrize("host", PRIVATE)
def test_a_private_host_is_refused_in_any_spelling(host: str) -> None:
    with pytest.raises(ToolError, match="private address"):
        AddressGuard().check(f"http://{host}/")


@pytest.mark.parametrize("host", ["example.org", "93.184.216.34", "[2606:2800:220:1::1]", "[::ffff:93.184.216.34]"])
def test_a_public_host_is_let_through(host: str) -> None:
    AddressGuard().check(f"https://{host}/path?x=1")


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://example.org/", "gopher://x.org", "http://", "http://[bad", "http://a.b:port/"]
)
def test_only_whole_http_addresses_are_let_through(url: str) -> None:
    with pytest.raises(ToolError) as caught:
        AddressGuard(private=True).check(url)
    assert "https://" in caught.value.fix


@pytest.mark.parametrize("host", PRIVATE)
def test_private_hosts_pass_where_the_settings_allow_them(host: str) -> None:
    AddressGuard(private=True).check(f"http://{host}/")


def test_names_are_not_taken_for_addresses() -> None:
    assert literal_address("example.org") is None
    assert literal_address("1e100.net") is None
    assert not is_public(literal_address("127.0.0.1"))  # pyright: ignore[reportArgumentType]


async def test_a_name_that_resolves_to_a_private_address_is_refused(web: Site) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return ["93.184.216.34", "127.0.0.1"]

    downloader = Downloader(FetchSettings(timeout=2), resolve)
    with pytest.raises(ToolError, match="leads to a private address"):
        await downloader.get(f"http://innocent.example.org:{web.port}/")
    await downloader.close()
    assert web.asked == []


async def test_a_name_that_changes_its_answer_after_the_check_gains_nothing(web: Site) -> None:
    answers = [["93.184.216.34"], ["127.0.0.1"], ["127.0.0.1"], ["127.0.0.1"], ["127.0.0.1"]]
    given: list[str] = []

    async def rebinding(host: str, port: int) -> list[str]:
        given.extend(answers[0])
        return answers.pop(0)

    guard = AddressGuard(resolve=rebinding)
    assert await guard.addresses("evil.example.org", web.port) == ["93.184.216.34"]
    downloader = Downloader(FetchSettings(timeout=2), rebinding)
    with pytest.raises(ToolError, match="private address"):
        await downloader.get(f"http://evil.example.org:{web.port}/")
    await downloader.close()
    assert given == ["93.184.216.34", "127.0.0.1"]
    assert web.asked == []


async def test_the_connection_goes_to_the_address_that_was_checked(web: Site) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        assert host == "no-such-name.example"
        return ["127.0.0.1"]

    web.page("/", "<html><body>hello</body></html>")
    downloader = Downloader(FetchSettings(timeout=2, allow_private=True), resolve)
    answer = await downloader.get(f"http://no-such-name.example:{web.port}/")
    await downloader.close()
    assert b"hello" in answer.body
    assert web.asked[0].headers["host"] == f"no-such-name.example:{web.port}"


async def test_a_name_that_nobody_knows_is_a_clear_error() -> None:
    async def resolve(host: str, port: int) -> list[str]:
        raise OSError("not known")

    with pytest.raises(ToolError, match="cannot be found"):
        await AddressGuard(resolve=resolve).addresses("nowhere.example", 80)
