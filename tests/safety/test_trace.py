"""Where words come from."""

import base64

import pytest

from pilotfish.core import events as e
from pilotfish.core.messages import Message
from pilotfish.safety.source import Source
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


def test_what_was_read_much_earlier_is_still_known_and_both_places_are_told() -> None:
    source = Source(keep=2000)
    source.read(WORDS)
    for number in range(400):
        source.read(f"Page {number} tells of boats, tides and the weather over there, number {number * 7919}.")
    assert len(source.text) <= 2000
    for part in ("99-1234-77", "waits at gull rock", "gull rock", "harbour office", f"number {7919 * 3}"):
        assert source.holds(part), part
    assert not source.holds("gull rock island") and not source.holds("77-1234-99")
    assert source.holds("number 3159681") and source.holds(f"there, number {399 * 7919}")


def test_the_same_look_again_and_again_costs_nothing() -> None:
    source = Source()
    for _ in range(1000):
        source.read(WORDS)
    assert source.text.count("99-1234-77") == 1


def test_words_of_another_servers_tool_are_not_taken_for_the_pages(ledger: Ledger) -> None:
    ledger.add(e.ToolFinished(run="r", call="4", tool="files_read", ok=True, output="The vault code is 5512-8830"))
    assert ledger.labels({"text": "5512-8830"}, "mail.example")[0].place == "the tool files_read"


def test_an_earlier_runs_page_is_known_but_the_task_is_not_about_it(ledger: Ledger) -> None:
    fresh = Ledger()
    fresh.recall(e.PageSeen(run="q", url=MAIL, title="Inbox", text=WORDS))
    fresh.recall(e.RunStarted(run="q", task="Read shop.example", loop="x", user="u", conversation="c"))
    fresh.add(e.PageSeen(run="r", url="https://start.example/", title="", text=""))
    assert fresh.home == ["shop.example", "start.example"]
    assert fresh.labels({"text": "99-1234-77"}, "start.example")[0].place == "mail.example"


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
