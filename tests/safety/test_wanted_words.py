"""People's own words, against names of controls and against what is sent."""

import pytest

from pilotfish.safety.wanted_words import holds_own_words, names_any, names_whole


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("I've rung the plumber, tick that one off", "Call the plumber"),
        ("star the dentist thing so it's on top", "Star Book dentist"),
        ("Scroll down to number 5000 in the collection and pin it", "Pin no. 5000"),
        ("Montre-moi les réglages du bateau", "Bateau rouge"),
        ("帮我把蓝色杯子放进购物车", "蓝色杯子"),
        ("Markier die Rechnung", "Rechnungen anzeigen"),
    ],
)
def test_a_word_of_weight_in_common_names_a_control(said: str, name: str) -> None:
    assert names_any(said, [name])


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Tell me what this page says", "What's new on this page"),
        ("Please read all of this for me and continue", "Continue"),
        ("Allow once", "Allow once"),
        ("Show me the next 3", "Next 3"),
        ("", "Details"),
    ],
)
def test_words_that_stand_everywhere_name_nothing(said: str, name: str) -> None:
    assert not names_any(said, [name])


def test_a_button_is_named_only_by_all_its_words() -> None:
    assert names_whole("Scroll down to number 5000 in the collection and pin it", ["Pin no. 5000"])
    assert names_whole("vote for the green boat", ["Green"])
    assert names_whole("Olaf was helpful, tell them so", ["▲ Helpful (17)"])
    assert not names_whole("Tell me what they say about the kettle", ["Kettle club", ""])


def unknown(text: str) -> bool:
    return False


def test_what_is_sent_is_wanted_only_if_every_text_in_it_is_the_persons() -> None:
    said = "Which rooms are free from 10 July 2027, for Ola Nord, ola@nord.example?"
    assert holds_own_words(said, ["2027-07-10", "3", "Ola Nord"], unknown)
    assert holds_own_words(said, ["ola@nord.example", "f81d4fae7dec11d0a765"], unknown)
    assert not holds_own_words(said, ["Ola Nord", "the code is 8830"], unknown), "a text of others goes along"
    assert not holds_own_words(said, ["evil@evil.example", "Ola Nord"], unknown)
    assert not holds_own_words(said, ["express", "1"], unknown), "nothing of it is the person's"
    assert not holds_own_words(said, [], unknown)


def test_a_document_that_the_person_adds_to_may_hold_what_it_showed_before() -> None:
    said = "Add this to my notes: Charger is in the blue pouch."
    whole = "Take the small bag. Charger is in the blue pouch."
    assert holds_own_words(said, [whole], lambda text: text in "take the small bag.")
    assert not holds_own_words(said, [whole], unknown), "words of another place are in it"
    assert not holds_own_words(said, ["Take the small bag."], lambda text: True), "nothing of it is the person's"
