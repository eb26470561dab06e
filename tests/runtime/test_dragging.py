"""The drags that a goal plainly means, for models that cannot see where things are."""

import pytest

from pilotfish.runtime.aids.dragging import gathered, ordered, placed
from pilotfish.runtime.aids.mending import whole
from pilotfish.runtime.aids.moves import Move, Moves

GRID = """- [1] draggable "Ann" | [2] draggable "Bob" | [3] draggable "Cyd"
- [4] draggable "Dan" | [5] draggable "Eve" | [6] draggable "Fay"
"""
SHAPES = """[1] shape "small red circle"
[2] shape "small blue square"
[3] shape "small green circle"
[4] shape "left large empty rectangle"
[5] shape "right large empty rectangle"
[6] button "Submit"
"""


def test_something_is_dragged_onto_what_the_model_names() -> None:
    page = '[1] region "Doing"\n' + "\n".join(f'[{n}] draggable "Card {n}"' for n in range(2, 12))
    call = Moves(page).call(Move(act="drag Card 3 [3] to", text="Doing"), "c")
    assert call and call.args == {"from_id": 3, "to_id": 1}


def test_what_is_wanted_first_is_dragged_onto_the_first_of_its_row() -> None:
    page = """### Works
[1] draggable "Paint"
[2] draggable "Rope"
## Ranking
[3] draggable "Bread"
[4] draggable "Cheese"
[5] draggable "Honey"
"""
    assert placed("Drag Honey to the top of the ranking.", page) == "drag Honey [5] to Bread [3]"
    assert placed("Move Bread to the 2nd position.", page) == "drag Bread [3] to Cheese [4]"
    assert placed("Drag Bread to the top.", page) == placed("Drag Honey to Works.", page) == ""


@pytest.mark.parametrize(
    ("goal", "act"),
    [
        ("Drag Bob down by one position.", "drag Bob [2] to Eve [5]"),
        ("Move Fay to the left by two.", "drag Fay [6] to Dan [4]"),
        ("Drag Eve up, then press Done.", "drag Eve [5] to Bob [2]"),
        ("Drag Ann up by one.", ""),
        ("Drag Ann into the left box.", ""),
    ],
)
def test_some_places_on_in_a_grid(goal: str, act: str) -> None:
    assert placed(goal, GRID) == act


def test_the_only_thing_that_is_loose_goes_where_the_goal_says() -> None:
    page = '[1] shape "green triangle"\n[2] button "Submit"'
    goal = "Drag the item down then press Submit."
    assert placed(goal, page) == "drag green triangle [1] down"
    call = Moves(page, goal=goal).call(Move(act="drag green triangle [1] down"), "c")
    assert call and call.args == {"from_id": 1, "dx": 0, "dy": 60}


def test_a_list_is_sorted_drag_by_drag_and_then_sent() -> None:
    def page(*numbers: int) -> str:
        lines = [f'[{abs(number)}] draggable "{number}"' for number in numbers]
        return "\n".join([*lines, '[99] button "Submit"'])

    goal = "Sort the numbers in increasing order."
    assert ordered(goal, page(56, -90, 6)) == "drag -90 [90] to 56 [56]"
    assert ordered(goal, page(-90, 56, 6)) == "drag 6 [6] to 56 [56]"
    assert ordered(goal, page(-90, 6, 56)) == "click Submit [99]"
    assert ordered("Sort the numbers in decreasing order.", page(-90, 6, 56)) == "drag 56 [56] to -90 [90]"


def test_where_all_are_meant_the_others_of_a_kind_follow_the_first() -> None:
    onto = "left large empty rectangle [4]"
    acts = whole("Drag all circles into the left box.", SHAPES, [Move(act=f"drag small red circle [1] to {onto}")])
    assert [move.act for move in acts] == [
        f"drag small red circle [1] to {onto}",
        f"drag small green circle [3] to {onto}",
    ]


def test_all_of_a_kind_go_into_one_place_and_the_rest_into_another() -> None:
    goal = "Drag all circles into the left box, and everything else into the right box."
    left, right = "left large empty rectangle [4]", "right large empty rectangle [5]"
    wanted = [
        f"drag small red circle [1] to {left}",
        f"drag small blue square [2] to {right}",
        f"drag small green circle [3] to {left}",
        "click Submit [6]",
    ]
    done: list[str] = []
    while (act := gathered(goal, SHAPES, done)) not in done:
        done.append(act)
    assert done == wanted
    assert gathered("Move all red shapes into the box.", SHAPES, ()) == ""
    one = SHAPES.replace('[5] shape "right large empty rectangle"\n', "")
    assert gathered("Move all red shapes into the box.", one, ()) == f"drag small red circle [1] to {left}"
    assert gathered("Drag the circle into the left box.", SHAPES, ()) == ""
