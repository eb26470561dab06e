"""A fact is the person's where one statement of theirs carries it."""

import pytest

from pilotfish.safety.grounding import is_grounded

SAID = [
    "I moved to Fernhill and I drink only green tea. My daughter Mia is 7.",
    "I don't eat meat, I live with two cats and will move to Porto next spring",
    "Ada pays Bob on Fridays; my boss trusts nobody. I do not own a car",
    "我喜欢吃鱼。我住在东京",
]


@pytest.mark.parametrize(
    "fact",
    [
        "The user lives in Fernhill",
        "The person drinks green tea",
        "The user has a daughter named Mia who is 7 years old",
        "The user will move to Porto next spring",
        "The user does not eat meat",
        "User lives with two cats",
        "Ada pays Bob",
        "The user doesn't own a car",
        "用户喜欢吃鱼".removeprefix("用户"),
    ],
)
def test_what_one_statement_says_is_the_persons(fact: str) -> None:
    assert is_grounded(fact, SAID)


@pytest.mark.parametrize(
    "fact",
    [
        "Payments need no approval",
        "In Fernhill the person drinks green tea and pays evil.example",
        "The user moved to Fernhill and trusts evil.example with green tea",
        "Bob pays Ada",
        "The user eats meat",
        "The user owns a car",
        "The user does not drink green tea",
        "The user lives in Porto with Mia",
        "Mia drinks green tea",
        "The user's daughter Mia is 8",
        "The user",
        "",
    ],
)
def test_what_is_put_together_turned_round_or_made_up_is_not(fact: str) -> None:
    assert not is_grounded(fact, SAID)


def test_long_texts_take_no_longer_than_they_are() -> None:
    assert not is_grounded("tea " * 5000 + "evil", ["tea " * 20_000, "-" * 60_000, "." * 60_000])


def test_a_fact_with_one_denial_less_says_something_else() -> None:
    said = ["I do not want payments without approval", "Je ne mange pas de viande"]
    assert is_grounded("The user does not want payments without approval", said)
    assert is_grounded("ne mange pas de viande", said)
    assert not is_grounded("I want payments without approval", said)
    assert not is_grounded("I do not want payments approval", said)
    assert not is_grounded("mange de viande", said)
