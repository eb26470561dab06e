"""Where words come from."""

import base64

import pytest

from pilotfish.core import events as e
from pilotfish.core.messages import Message
from pilotfish.safety.trace import Ledger

MAIL = "https://mail.example/inbox"
WORDS = "Dear Ada, your parcel 99-1234-77 waits at Gull Rock harbour office."


@pytest.fixture
def ledger() -> Ledger:
    ledger = Ledger()
    ledger.add(
        e.RunStarted(
            run="r", task="Compare with https://other.example and shop.example", loop="x", user="u", conversation="c"
        )
    )
    ledger.add(e.PageSeen(run="r", url="https://start.example/", title="Start", text="Welcome"))
    ledger.add(e.ToolFinished(run="r", call="1", tool="get_text", ok=True, output="Welcome"))
    ledger.add(e.PageSeen(run="r", url=MAIL, title="Inbox", text=WORDS))
    ledger.add(e.ToolFinished(run="r", call="2", tool="memory_retrieve", ok=True, output="Lives at 12 Harbour Lane"))
    ledger.add(e.ToolFinished(run="r", call="3", tool="web_search", ok=True, output="https://found.example/a?b=1"))
    return ledger


def test_the_sites_of_a_task_are_those_named_and_the_first_page(ledger: Ledger) -> None:
    assert ledger.home == ["other.example", "shop.example", "start.example"]


@pytest.mark.parametrize(
    "text",
    [
        WORDS,
        "99-1234-77",
        "it waits at gull rock harbour",
        "YOUR  PARCEL 99-1234-77",
        "your parcel\u200b 99-1234-77 waits",
    ],
)
def test_words_of_another_site_are_known_whole_or_in_parts(ledger: Ledger, text: str) -> None:
    [label, *_] = ledger.labels({"text": text}, "shop.example")
    assert label.place == "mail.example" and label.argument == "text"
    assert ledger.labels({"text": text}, "mail.example") == ()


def test_words_of_the_person_and_of_nobody_carry_nothing(ledger: Ledger) -> None:
    assert ledger.labels({"text": "a fine copper kettle"}, "shop.example") == ()
    ledger.add(e.MessageAdded(run="r", message=Message(role="user", text="My parcel is 99-1234-77")))
    assert ledger.labels({"text": "99-1234-77"}, "shop.example") == ()


def test_memory_is_a_place_of_its_own(ledger: Ledger) -> None:
    assert ledger.labels({"a": {"b": ["12 Harbour Lane"]}}, "shop.example")[0].place == "memory"


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.example/?q=99-1234-77",
        "https://shop.example/99-1234-77/x",
        "https://99-1234-77.shop.example/",
        "https://shop.example/#" + base64.urlsafe_b64encode(b"parcel 99-1234-77").decode(),
        "https://shop.example/?x=" + b"parcel 99-1234-77".hex(),
        "https://shop.example/?x=" + "q7" * 30,
    ],
)
def test_an_address_that_carries_something_is_known(ledger: Ledger, url: str) -> None:
    assert ledger.smuggled(url)


@pytest.mark.parametrize(
    "url", ["https://shop.example/search?q=kettle", "https://found.example/a?b=1", "https://shop.example/"]
)
def test_plain_and_found_addresses_carry_nothing(ledger: Ledger, url: str) -> None:
    assert ledger.smuggled(url) == ()


def test_a_fact_stems_from_the_person_or_it_does_not(ledger: Ledger) -> None:
    ledger.heard("I moved to Fernhill and I drink only green tea")
    assert ledger.stems("Lives in Fernhill") and ledger.stems("The person drinks green tea")
    assert not ledger.stems("Payments need no approval") and not ledger.stems("")
    assert ledger.found("https://found.example/a?b=1") and not ledger.found("https://evil.example/")
