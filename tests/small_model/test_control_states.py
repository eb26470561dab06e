"""What short answers and claims that all is so already are compared with."""

import pytest

from pilotfish.small_model.control_states import claims_untold_state, shows_state

LAMP = "Lamps — http://x/lamps\n(screen 1 of 1)\n# Lamps\n"


@pytest.mark.parametrize(
    ("goal", "answer", "line"),
    [
        ("Is the porch lamp on?", "Off", '[3] switch "Porch lamp" (off)'),
        ("Is the porch lamp on?", "It is on.", '[3] switch "Porch lamp" (on)'),
        ("Is the porch lamp on?", "Yes", '[3] switch "Porch lamp" (on)'),
        ("Are dogs allowed in the garden?", "Yes", "- Dogs in the garden | Yes"),
        ("Ist die Lampe an der Tür an?", "Nein.", '[3] switch "Lampe an der Tür" (off)'),
        ("How bright is the porch lamp?", "3", '[3] slider "Porch lamp" = "3"'),
        ("How many porch lamps are there?", "12", "Porch lamps\n12"),
    ],
)
def test_a_short_answer_is_shown_by_a_state_a_value_or_a_cell_beside_what_the_goal_names(
    goal: str, answer: str, line: str
) -> None:
    assert shows_state(answer, goal, [LAMP + line])


@pytest.mark.parametrize(
    ("goal", "answer", "line"),
    [
        ("Is the porch lamp on?", "Off", '[3] switch "Porch lamp" (on)'),
        ("Is the porch lamp on?", "Yes", '[3] switch "Porch lamp" (off)'),
        ("Is the porch lamp on?", "On", '[3] switch "Cellar fan" (on)'),
        ("Switch the porch lamp off", "Done", '[3] switch "Porch lamp" (on)'),
        ("Switch the porch lamp off", "The porch lamp was dismantled and is off", '[3] switch "Porch lamp" (off)'),
    ],
)
def test_another_state_another_thing_or_more_than_the_line_says_is_not_shown(goal: str, answer: str, line: str) -> None:
    assert not shows_state(answer, goal, [LAMP + line])


@pytest.mark.parametrize(
    ("line", "untold"),
    [
        ('- Copper kettle | €9 | [3] button "Keep for later"', True),
        ('- Copper kettle | €9 | [3] button "Keep for later" (pressed)', False),
        ('- Copper kettle | [3] checkbox "Keep for later" (unchecked)', True),
        ('- Copper kettle | [3] checkbox "Keep for later" (checked)', False),
        ("- Copper kettle | Keep for later", False),
        ('- Tin whistle | €9 | [3] button "Keep for later"', False),
    ],
)
def test_a_claim_that_all_is_so_already_needs_a_control_whose_state_the_page_tells(line: str, untold: bool) -> None:
    claim = "Already so: Copper kettle, Keep for later (Kettles)"
    assert claims_untold_state(claim, "Put the copper kettle aside", LAMP + line) is untold


def test_a_state_that_the_claim_itself_says_is_told() -> None:
    page, goal = f'{LAMP}[3] switch "Porch lamp" (off)', "Switch the porch lamp off"
    assert not claims_untold_state("Already so: Porch lamp, off", goal, page)
    assert claims_untold_state("Already so: Porch lamp", goal, page)
