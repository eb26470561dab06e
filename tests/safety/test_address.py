"""Addresses are read as the browser reads them, or not at all."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.safety.address import WebPlace, blocks, is_within, parse_address, site_of
from pilotfish.safety.network_limits import NetworkLimits

PARTS = [
    "http", "HTTP", "https", "ws", "wss", "file", "ftp", "javascript", ":", "://", ":/", ":\\", "//", "/", "\\",
    "@", "user:pw@", "a", "b.example", "shop.example", "evil.example", "www.", ".", "..", "%2e", "%41", "%00",
    "\u3002", "\uff0e", "\uff45\uff58\uff41\uff4d\uff50\uff4c\uff45", "\u00e9", "\u00df", "xn--bcher-kva",
    "b\u00fccher", "127.0.0.1", "0x7f.1", "2130706433", "0177.0.0.1", "127.1", "256.1.1.1", "1.2.3.4.5", "[::1]",
    "[::ffff:127.0.0.1]", "[fe80::1%25eth0]", "[", "]", ":80", ":443", ":8417", ":99999", ":", ":0", "?", "#",
    "?q=http://x.example", " ", "\t", "\n", "\r", "\u0000", "\u0001", "\u200b", "\u00ad", "\u202e", "\u0130",
    "\ufb01", "\u2460", "_", "-", "~", "|", "<", ">", "^", "*", "0x", "0",
]  # fmt: skip
ASK = """(urls) => JSON.stringify(urls.map((text) => {
  try {
    const url = new URL(text);
    return [url.protocol.slice(0, -1), url.hostname, url.port];
  } catch { return null; }
}))"""
PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


def cases(count: int) -> list[str]:
    chance = random.Random(8)
    made = ["".join(chance.choice(PARTS) for _ in range(chance.randint(1, 6))) for _ in range(count)]
    return made + [f"{chance.choice(['http', 'https'])}://{''.join(chance.sample(PARTS, 3))}" for _ in range(count)]


@pytest.mark.slow
async def test_every_address_that_we_read_is_read_the_same_by_chromium(pool: BrowserPool, tmp_path: Path) -> None:
    tab = await (await pool.lease("addresses", tmp_path)).tab()
    texts = cases(1500)
    answers = json.loads(await tab.page.evaluate(ASK, texts))
    await pool.end("addresses")
    read, wrong = 0, list[object]()
    for text, answer in zip(texts, answers, strict=True):
        if (ours := parse_address(text)) is None:
            continue
        read += 1
        theirs = answer and (answer[0], answer[1], int(answer[2] or PORTS.get(answer[0], 0)))
        if theirs != tuple(ours):
            wrong.append((text, ours, theirs))
    assert wrong == []
    assert read > 300, "most plain addresses must be understood"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.shop.example/x", "shop.example"),
        ("https://a.b.shop.co.uk", "shop.co.uk"),
        ("https://ada.github.io/x", "ada.github.io"),
        ("https://x.ada.pages.dev/", "ada.pages.dev"),
        ("https://ada.s3.amazonaws.com/", "ada.s3.amazonaws.com"),
        ("https://ada.shop.uk.com/", "shop.uk.com"),
        ("https://github.io/", "github.io"),
        ("http://127.0.0.1:8080/", "127.0.0.1:8080"),
        ("http://localhost:3000", "localhost:3000"),
        ("http://0x7f.1:1/", "127.0.0.1:1"),
        ("https:\\\\evil.example\\@shop.example", "evil.example"),
        ("https://shop.example@evil.example", "evil.example"),
        ("https://www.shop.example./", "shop.example"),
        ("https://bücher.example/", "xn--bcher-kva.example"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example"),
        ("file:///etc/passwd", ""),
    ],
)
def test_the_site_is_who_answers(url: str, expected: str) -> None:
    assert site_of(url) == expected


def test_a_named_site_holds_its_subdomains_and_nothing_that_only_looks_like_it() -> None:
    def named(place: str, url: str) -> bool:
        address = parse_address(url)
        return address is not None and is_within(place, address)

    assert named("shop.example", "https://www.shop.example")
    assert named("*.shop.example", "https://shop.example")
    assert named("https://shop.example/start", "http://www.shop.example")
    assert not named("shop.example", "https://notshop.example")
    assert not named("www.shop.example", "https://shop.example")
    assert named("127.0.0.1:1", "http://127.0.0.1:1/") and not named("127.0.0.1:1", "http://127.0.0.1:2/")
    assert named("*", "https://anything.example")


@given(st.text())
def test_any_text_can_be_looked_at(text: str) -> None:
    parse_address(text)
    parse_address(f"https://{text}")


strange = st.lists(st.sampled_from(PARTS), min_size=1, max_size=5).map("".join)


@given(strange, st.sampled_from(["http://", "https://", "ws://", "https:\\\\", "https:"]))
def test_no_spelling_passes_a_fence_that_its_host_does_not(rest: str, scheme: str) -> None:
    limits = NetworkLimits(allowed=("shop.example",), blocked=("www.shop.example",), private=False)
    url = f"{scheme}{rest}"
    where = parse_address(url)
    if limits.refuse_url(url) is None:
        assert where is not None and is_within("shop.example", where) and not is_within("www.shop.example", where)


def test_the_sites_of_one_run_narrow_what_the_settings_allow_and_never_widen_it() -> None:
    limits = NetworkLimits(allowed=("shop.example", "mail.example"), sites=("shop.example", "evil.example"))
    told = [
        limits.refuse_name(WebPlace("https", host, 443)) for host in ("shop.example", "mail.example", "evil.example")
    ]
    assert [bool(why) for why in told] == [False, True, True]


@pytest.mark.parametrize("place", ["127.0.0.1", "localhost", "[::1]", "::1", "http://127.0.0.1"])
@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8080/",
        "http://LOCALHOST.:8080/",
        "http://a.localhost/",
        "http://127.0.0.2/",
        "http://0x7f.1/",
        "http://2130706433/",
        "http://0.0.0.0/",
        "http://[::1]/",
        "http://[::]/",
        "http://[::ffff:7f00:1]/",
        "http://[::7f00:1]/",
    ],
)
def test_who_blocks_this_machine_blocks_all_its_names_and_numbers(place: str, url: str) -> None:
    address = parse_address(url)
    assert address is not None and blocks(place, address)
    assert NetworkLimits(blocked=(place,)).refuse_name(address) and NetworkLimits(blocked=(place,)).refuse_url(url)


def test_what_a_name_leads_to_is_blocked_by_its_number() -> None:
    limits = NetworkLimits(blocked=("localhost", "10.0.0.7", "192.168.1.9:8080"))
    assert (
        limits.refuse_address("127.0.0.1", 80)
        and limits.refuse_address("::1", 80)
        and limits.refuse_address("::ffff:10.0.0.7", 443)
    )
    assert limits.refuse_address("192.168.1.9", 8080) and not limits.refuse_address("192.168.1.9", 80)
    assert not limits.refuse_address("10.0.0.8", 80) and not limits.refuse_address("203.0.113.5", 80)


def test_what_is_allowed_is_not_read_so_widely() -> None:
    near = parse_address("http://[::1]:3000/")
    assert (
        near is not None and NetworkLimits(sites=("127.0.0.1",)).refuse_name(near) and not is_within("localhost", near)
    )


def test_two_limits_together_refuse_what_either_refuses() -> None:
    first, second = NetworkLimits(sites=("shop.example",)), NetworkLimits(private=False)
    both = second.within(first)
    assert both.refuse_name(WebPlace("https", "mail.example", 443)) and both.refuse_address("10.0.0.7", 80)
    assert not both.refuse_name(WebPlace("https", "shop.example", 443))
    assert first.within(both) == both and second.within(both) == both, "no limit is added twice"
