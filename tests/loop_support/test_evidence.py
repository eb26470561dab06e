"""Which answers a page shows."""

import pytest

from pilotfish.loop_support.evidence import shows_answer

CUPS = (
    'Bowls — http://x/\n(screen 1 of 1)\n# All\n- Tin mug | €4 | [3] button "Take"\n- Oak jug | €9 | [4] button "Take"'
)


@pytest.mark.parametrize(
    ("goal", "answer"),
    [
        ("Which is the cheapest?", "The cheapest is the Tin mug for €4."),
        ("¿Cuál es el más barato?", "El más barato es Tin mug (€4)."),
        ("Which jug is there?", "The Oak jug."),
    ],
)
def test_a_thing_of_the_list_is_shown_though_no_line_says_that_it_is_the_cheapest(goal: str, answer: str) -> None:
    assert shows_answer(answer, goal, [CUPS])


@pytest.mark.parametrize(
    ("goal", "answer"),
    [
        ("Which is the cheapest?", "The cheapest is the Tin mug for €9."),
        ("Which is the cheapest?", "The cheapest is the glass bottle."),
        ("Bring the heron to the vet", "The Tin mug."),
    ],
)
def test_what_no_line_shows_or_nobody_asked_for_is_no_answer(goal: str, answer: str) -> None:
    assert not shows_answer(answer, goal, [CUPS])


def test_the_line_before_a_value_says_what_it_is_about() -> None:
    page = "Ferry — http://x/\n(screen 1 of 1)\nDeposit\n€35\nLuggage\n€7"
    assert shows_answer("€35", "How much is the deposit?", [page])
