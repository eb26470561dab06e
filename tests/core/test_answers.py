"""What a person's answer means."""

import pytest

from pilotfish.core.answers import read_answer
from pilotfish.core.events import InputRequested

CHOICES = ("Allow once", "Allow for this run on this site", "Deny")
MAY_I = InputRequested(run="r", request="r:1", kind="approval", question="May I pay?", choices=CHOICES)
WHICH = InputRequested(run="r", request="r:2", question="How many?", choices=("Two", "4"))


@pytest.mark.parametrize(
    "said",
    [
        "yes",
        "Yes!",
        " y ",
        "ja",
        "Oui.",
        "sí",
        "да",
        "好的",
        "はい",
        "vâng",
        "بله",
        "1",
        "1.",
        "(1)",
        "١",
        "allow",
        "allow once",
    ],
)
def test_a_yes_in_any_language_allows_once(said: str) -> None:
    assert read_answer(MAY_I, said) == "Allow once"


@pytest.mark.parametrize("said", ["no", "nein", "NON", "不", "いいえ", "не", "3", "#3", "deny", "Deny."])
def test_a_no_in_any_language_denies(said: str) -> None:
    assert read_answer(MAY_I, said) == "Deny"


@pytest.mark.parametrize(
    "said", ["yes, but only the blue one", "is that safe?", "not yet, ok?", "9", "jo", "-1", "1.5"]
)
def test_anything_else_stays_the_persons_own_words_and_so_allows_nothing(said: str) -> None:
    assert read_answer(MAY_I, said) == said


def test_a_number_is_a_choice_unless_a_choice_is_that_number() -> None:
    assert read_answer(WHICH, "1") == "Two" and read_answer(WHICH, "4") == "4" and read_answer(WHICH, "tw") == "Two"
    assert read_answer(WHICH, "yes") == "yes"


def test_what_a_program_sends_is_only_read_as_a_choice_where_it_is_one() -> None:
    assert read_answer(WHICH, "1", typed=False) == "1" and read_answer(WHICH, "tw", typed=False) == "tw"
    assert read_answer(MAY_I, "yes", typed=False) == "Allow once"
