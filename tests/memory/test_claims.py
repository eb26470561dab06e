import pytest

from pilotfish.memory.claims import compare

CONFLICTS = [
    ("The user lives in Lisbon", "The user moved to Porto"),
    ("The user's favorite color is blue", "User's favourite colour is green"),
    ("The user is vegetarian", "The user is no longer vegetarian"),
    ("The user's daughter is called Marta", "User's daughter is named Ana"),
    ("The user's laptop is a ThinkPad X1", "The user's laptop is a ThinkPad X2"),
    ("User prefers window seats on flights", "User prefers aisle seats"),
    ("User works for Acme", "The user now works at Globex"),
    ("The user is 34 years old", "The user is 35 years old"),
    ("Team standup is at 9:30", "Team standup is at 10:00"),
    ("The lease ends in 2027", "The lease ends in 2028"),
    ("User's email is a@b.test", "User's email is c@b.test"),
    ("User dislikes phone calls", "User likes phone calls"),
]
SAME = [
    ("User lives in Lisbon", "The user currently lives in Lisbon."),
    ("User plays tennis", "The user plays tennis on Tuesdays"),
    ("The user is allergic to peanuts", "User has a peanut allergy"),
    ("My boss is Helena Costa", "The user's boss is Helena Costa"),
]
OTHERS = [
    ("The user's daughter is called Marta", "The user's daughter is a doctor"),
    ("User has a dog named Bolt", "User has a dog named Colt"),
    ("User likes tea", "User likes coffee"),
    ("User prefers window seats", "User prefers dark mode"),
    ("The user works at Acme", "The user works as a nurse"),
    ("The user is a nurse", "The user is a father"),
    ("The user speaks German", "The user speaks Portuguese"),
]


@pytest.mark.parametrize("one, other", CONFLICTS)
def test_two_values_of_one_thing_contradict_each_other(one: str, other: str) -> None:
    assert compare(one, other) == compare(other, one) == "conflict"


@pytest.mark.parametrize("one, other", SAME)
def test_another_wording_says_the_same(one: str, other: str) -> None:
    assert compare(one, other) == compare(other, one) == "same"


@pytest.mark.parametrize("one, other", OTHERS)
def test_things_that_can_both_hold_are_left_beside_each_other(one: str, other: str) -> None:
    assert compare(one, other) == compare(other, one) == "other"
