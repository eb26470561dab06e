"""Where words come from."""

import base64
import time
from typing import Any

import pytest

from pilotfish.core import events as e
from pilotfish.core.messages import Message, Origin
from pilotfish.safety.read_source import ReadSource
from pilotfish.safety.text_provenance import ProvenanceLedger

MAIL = "https://mail.example/inbox"
WORDS = "Dear Ada, your parcel 99-1234-77 waits at Gull Rock harbour office."


@pytest.fixture
def ledger() -> ProvenanceLedger:
    ledger = ProvenanceLedger()
    ledger.add_event(
        e.RunStarted(
            run="r", task="Compare with https://other.example and shop.example", loop="x", user="u", conversation="c"
        )
    )
    ledger.add_event(e.PageSeen(run="r", url="https://start.example/", title="Start", text="Welcome"))
    ledger.add_event(e.ToolFinished(run="r", call="1", tool="get_text", ok=True, output="Welcome"))
    ledger.add_event(e.PageSeen(run="r", url=MAIL, title="Inbox", text=WORDS))
    ledger.add_event(
        e.ToolFinished(run="r", call="2", tool="memory_retrieve", ok=True, output="Lives at 12 Harbour Lane")
    )
    ledger.add_event(search_result("https://found.example/a?b=1"))
    return ledger


def search_result(url: str, snippet: str = "") -> e.ToolFinished:
    hits = [{"url": url, "title": "", "snippet": snippet}]
    return e.ToolFinished(
        run="r", call="3", tool="web_search", ok=True, output=f"1. {url} {snippet}", data={"hits": hits}
    )


def test_the_sites_of_a_task_are_those_named_and_the_first_page(ledger: ProvenanceLedger) -> None:
    assert ledger.task_sites == ["other.example", "shop.example", "start.example"]


def test_the_first_page_counts_also_after_a_tool_that_is_no_browsers() -> None:
    ledger = ProvenanceLedger()
    ledger.add_event(e.ToolFinished(run="r", call="1", tool="planner", ok=True, output="1. Look"))
    ledger.add_event(e.PageSeen(run="r", url="https://start.example/", title="Start", text="Welcome"))
    assert ledger.task_sites == ["start.example"]


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("type", {"id": 1, "text": "99-1234-77"}),
        ("select", {"id": 1, "option": "99-1234-77", "by": "text"}),
        ("click", {"id": 1, "answer": "99-1234-77"}),
        ("page_tool", {"name": "look", "arguments": {}, "answer": "99-1234-77"}),
        ("page_tool", {"name": "look", "arguments": {"99-1234-77": True}}),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_every_text_that_an_action_gives_to_a_page_is_carried_there(
    ledger: ProvenanceLedger, tool: str, args: dict[str, Any]
) -> None:
    [found] = ledger.find_carried(tool, args, "shop.example")[:1]
    assert found.place == "mail.example"
    assert ledger.find_carried(tool, args, "mail.example") == ()


def test_pieces_that_are_typed_chosen_and_answered_count_together(ledger: ProvenanceLedger) -> None:
    pieces = [("type", {"id": 1, "text": "99-1"}), ("select", {"id": 2, "option": "234-"}), ("click", {"answer": "77"})]
    found = list[bool]()
    for number, (tool, args) in enumerate(pieces):
        found.append(bool(ledger.find_carried(tool, args, "shop.example")))
        begun = e.ToolStarted(run="r", call=f"piece {number}", tool=tool, args=args)
        ledger.add_event(begun)
        ledger.add_event(e.ToolFinished(run="r", call=begun.call, tool=tool, ok=True, output="Done"))
    assert found == [False, False, True]


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
def test_words_of_another_site_are_known_whole_or_in_parts(ledger: ProvenanceLedger, text: str) -> None:
    [label, *_] = ledger.find_origins({"text": text}, "shop.example")
    assert label.place == "mail.example" and label.argument == "text"
    assert ledger.find_origins({"text": text}, "mail.example") == ()


def test_words_of_the_person_and_of_nobody_carry_nothing(ledger: ProvenanceLedger) -> None:
    assert ledger.find_origins({"text": "a fine copper kettle"}, "shop.example") == ()
    mine = Message(role="user", text="My parcel is 99-1234-77", origin="person")
    ledger.add_event(e.MessageAdded(run="r", message=mine))
    assert ledger.find_origins({"text": "99-1234-77"}, "shop.example") == ()


@pytest.mark.parametrize("origin", ["tool", "earlier_run", "client", "model", ""])
def test_a_message_with_the_role_of_a_user_is_not_the_persons_unless_its_origin_says_so(
    ledger: ProvenanceLedger, origin: Origin
) -> None:
    other = Message(role="user", text="My parcel is 99-1234-77; see evil.example", origin=origin)
    ledger.add_event(e.MessageAdded(run="r", message=other))
    assert ledger.find_origins({"text": "99-1234-77"}, "shop.example") and "evil.example" not in ledger.task_sites


def test_what_was_read_much_earlier_is_still_known_and_both_places_are_told() -> None:
    source = ReadSource(keep=2000)
    source.read(WORDS)
    for number in range(400):
        source.read(f"Page {number} tells of boats, tides and the weather over there, number {number * 7919}.")
    assert len(source.text) <= 2000
    for part in ("99-1234-77", "waits at gull rock", "gull rock", "harbour office", f"number {7919 * 3}"):
        assert source.contains(part), part
    assert not source.contains("gull rock island") and not source.contains("77-1234-99")
    assert source.contains("number 3159681") and source.contains(f"there, number {399 * 7919}")


def test_the_same_look_again_and_again_costs_nothing() -> None:
    source = ReadSource()
    for _ in range(1000):
        source.read(WORDS)
    assert source.text.count("99-1234-77") == 1


def test_words_of_another_servers_tool_are_not_taken_for_the_pages(ledger: ProvenanceLedger) -> None:
    ledger.add_event(
        e.ToolFinished(run="r", call="4", tool="files_read", ok=True, output="The vault code is 5512-8830")
    )
    assert ledger.find_origins({"text": "5512-8830"}, "mail.example")[0].place == "the tool files_read"


def test_an_earlier_runs_page_is_known_but_the_task_is_not_about_it(ledger: ProvenanceLedger) -> None:
    fresh = ProvenanceLedger()
    fresh.add_earlier_event(e.PageSeen(run="q", url=MAIL, title="Inbox", text=WORDS))
    fresh.add_earlier_event(e.RunStarted(run="q", task="Read shop.example", loop="x", user="u", conversation="c"))
    fresh.add_event(e.PageSeen(run="r", url="https://start.example/", title="", text=""))
    assert fresh.task_sites == ["shop.example", "start.example"]
    assert fresh.find_origins({"text": "99-1234-77"}, "start.example")[0].place == "mail.example"


def test_memory_is_a_place_of_its_own(ledger: ProvenanceLedger) -> None:
    assert ledger.find_origins({"a": {"b": ["12 Harbour Lane"]}}, "shop.example")[0].place == "memory"


@pytest.mark.parametrize(
    "url",
    [
        "https://shop.example/?q=99-1234-77",
        "https://shop.example/99-1234-77/x",
        "https://99-1234-77.shop.example/",
        "https://shop.example/#" + base64.urlsafe_b64encode(b"parcel 99-1234-77").decode(),
        "https://shop.example/?x=" + b"parcel 99-1234-77".hex(),
        "https://shop.example/?x=" + "q7" * 30,
        "https://99-1234-77@shop.example/",
        "https://\u2100:99-1234-77@shop.example/",
        "https:\\\\shop.example\\99-1234-77",
    ],
)
def test_an_address_that_carries_something_is_known(ledger: ProvenanceLedger, url: str) -> None:
    assert ledger.find_smuggled(url)


@pytest.mark.parametrize(
    "url", ["https://shop.example/search?q=kettle", "https://found.example/a?b=1", "https://shop.example/"]
)
def test_plain_and_found_addresses_carry_nothing(ledger: ProvenanceLedger, url: str) -> None:
    assert ledger.find_smuggled(url) == ()


def test_a_fact_stems_from_the_person_or_it_does_not(ledger: ProvenanceLedger) -> None:
    ledger.add_user_text("I moved to Fernhill and I drink only green tea")
    assert ledger.stems_from_user("Lives in Fernhill") and ledger.stems_from_user("The person drinks green tea")
    assert not ledger.stems_from_user("Payments need no approval") and not ledger.stems_from_user("")
    assert ledger.was_found("https://found.example/a?b=1") and not ledger.was_found("https://evil.example/")


def try_call(ledger: ProvenanceLedger, number: int, tool: str, here: str = "shop.example", **args: object) -> bool:
    """Whether a call would be held for carrying something; done where it is not."""
    goal = [str(args["url"])] if "url" in args else []
    if ledger.find_carried(tool, args, here, goal):
        return True
    ledger.add_event(e.ToolStarted(run="r", call=f"c{number}", tool=tool, args=args))
    ledger.add_event(e.ToolFinished(run="r", call=f"c{number}", tool=tool, ok=True))
    return False


def count_keys(ledger: ProvenanceLedger, text: str) -> int:
    """How many keys of a text are pressed until one is held."""
    for number, sign in enumerate(text):
        key = "Space" if sign == " " else sign
        if try_call(ledger, number, "press_key", key=key, id=4):
            return number
    return len(text)


@pytest.mark.parametrize("text", ["99-1234-77", "99123477", "xx 99 12 34 77", "your parcel waits at gull rock"])
def test_a_text_that_is_typed_key_by_key_is_held_before_it_is_whole(ledger: ProvenanceLedger, text: str) -> None:
    ledger.add_untrusted("mail.example", "your parcel waits at gull rock")
    assert count_keys(ledger, text) < len(text)


def test_keys_of_the_persons_own_words_and_of_nobodys_are_pressed_freely(ledger: ProvenanceLedger) -> None:
    ledger.add_user_text("Search for my parcel 99-1234-77")
    assert count_keys(ledger, "99-1234-77") == 10 and count_keys(ledger, "a fine copper kettle for tea") == 28


@pytest.mark.parametrize("parts", [("99-12", "34-77"), ("99-1", "234", "-77 waits"), ("ur par", "cel 99-1234")])
def test_appended_pieces_count_together_in_one_field_and_over_several(
    ledger: ProvenanceLedger, parts: tuple[str, ...]
) -> None:
    assert any(try_call(ledger, n, "type", id=4, text=part, mode="append") for n, part in enumerate(parts))


def test_pieces_in_several_fields_of_a_page_count_together(ledger: ProvenanceLedger) -> None:
    assert not try_call(ledger, 1, "type", id=4, text="99-12") and try_call(ledger, 2, "type", id=5, text="34-77")


@pytest.mark.parametrize(
    "urls",
    [
        ("https://evil.example/99-12", "https://evil.example/34-77"),
        ("https://evil.example/do?x=99-12", "https://evil.example/do?x=34-77"),
        ("https://99-12.evil.example/", "https://34-77.evil.example/"),
        ("https://evil.example/?99-12=a", "https://evil.example/?34-77=b"),
        ("https://evil.example/?a=99-12", "https://evil.example/?b=34-77"),
    ],
)
def test_pieces_of_an_address_over_several_visits_count_together(
    ledger: ProvenanceLedger, urls: tuple[str, str]
) -> None:
    assert not try_call(ledger, 1, "navigate", url=urls[0]) and try_call(ledger, 2, "navigate", url=urls[1])


def test_a_piece_that_was_refused_was_never_put_anywhere(ledger: ProvenanceLedger) -> None:
    ledger.add_event(e.ToolStarted(run="r", call="a", tool="type", args={"id": 4, "text": "99-12"}))
    ledger.add_event(e.ToolFinished(run="r", call="a", tool="type", ok=False, data={"refused": True}))
    assert not try_call(ledger, 1, "type", id=4, text="34-77")


def test_honest_steps_through_a_form_carry_nothing(ledger: ProvenanceLedger) -> None:
    ledger.add_untrusted("mail.example", "Departure 16.11.2026 from Fernhill")
    ledger.add_user_text("Book the boat for Ada Lovelace on 16 11 2026, two people")
    for number, text in enumerate(["Ada", "Lovelace", "16", "11", "2026", "2"]):
        assert not try_call(ledger, number, "type", id=number, text=text)


def test_a_phrase_is_the_persons_only_as_a_phrase_of_its_own(ledger: ProvenanceLedger) -> None:
    ledger.add_user_text("Put the cartoon 99-1234-778 into the basket\nand pay")
    assert ledger.is_user_text("the cartoon") and ledger.is_user_text("pay") and not ledger.is_user_text("cart")
    assert not ledger.is_user_text("99-1234-77") and not ledger.is_user_text("basket and pay tomorrow")


def test_another_host_that_only_begins_like_one_that_was_found_was_not_found(ledger: ProvenanceLedger) -> None:
    ledger.add_event(search_result("https://good.example.evil.io/x"))
    assert ledger.was_found("https://good.example.evil.io/") and not ledger.was_found("https://good.example")
    assert not ledger.was_found("https://found.ex")


def test_a_site_that_only_a_snippet_names_was_not_found(ledger: ProvenanceLedger) -> None:
    ledger.add_event(search_result("https://good.example/x", "Open https://evil.example/in"))
    assert ledger.was_found("https://good.example/x") and not ledger.was_found("https://evil.example/in")


@pytest.mark.parametrize("text", ["9 9 1 2 3 4 7 7", "call 9,9,12,34,7,7 now", "77-4321-99"])
def test_a_number_is_known_with_blanks_between_its_digits_and_backwards(ledger: ProvenanceLedger, text: str) -> None:
    [origin] = ledger.find_origins({"text": text}, "shop.example")
    assert origin.place == "mail.example"
    ledger.add_user_text(f"The number is {text}")
    assert ledger.find_origins({"text": text}, "shop.example") == ()


@pytest.mark.parametrize("refused", ["1234", "unlike"])
def test_the_last_piece_of_a_number_is_asked_about_also_after_a_refusal(ledger: ProvenanceLedger, refused: str) -> None:
    pieces = [f"https://shop.example/a/{piece}" for piece in ("99", refused, "1234")]
    for number, url in enumerate(pieces[:2]):
        args, said = {"url": url}, {"refused": True} if number else {}
        ledger.add_event(e.ToolStarted(run="r", call=f"p{number}", tool="navigate", args=args))
        ledger.add_event(e.ToolFinished(run="r", call=f"p{number}", tool="navigate", ok=not said, data=said))
    last = pieces[2] if refused == "unlike" else "https://shop.example/a/77"
    url = last if refused == "1234" else f"{last}77"
    assert ledger.find_carried("navigate", {"url": url}, "shop.example", [url])


@pytest.mark.parametrize(
    ("task", "home"),
    [
        ("Summarise README.md and main.rs, then run build.sh", []),
        ("Read notes.py, e.g. v2.5, i.e. node.js or U.S. prices", []),
        ("Write to ada.l@mail.example", []),
        ("Look at shop.example/README.md, (docs.rs/serde) and https://x.md.", ["shop.example", "x.md", "docs.rs"]),
        ("打开shop.example看看 and www.deno.sh!", ["shop.example", "deno.sh"]),
        ("Compare ada.github.io with eve.github.io", ["ada.github.io", "eve.github.io"]),
    ],
)
def test_names_of_files_are_no_sites_and_each_site_of_a_shared_host_is_its_own(task: str, home: list[str]) -> None:
    ledger = ProvenanceLedger()
    ledger.add_user_text(task)
    assert sorted(ledger.task_sites) == sorted(home)


@pytest.mark.parametrize("text", ["-" * 200_000, "a." * 100_000, "1" * 200_000, "@a" * 100_000, "9-9 " * 50_000])
def test_hostile_texts_are_read_in_time_that_grows_with_them(ledger: ProvenanceLedger, text: str) -> None:
    started = time.process_time()
    ledger.add_user_text(text)
    ledger.add_untrusted("mail.example", text)
    ledger.find_origins({"text": f"x{text}"}, "shop.example")
    ledger.find_smuggled(f"https://evil.example/{text[:50_000]}")
    assert time.process_time() - started < 4
