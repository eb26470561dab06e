"""Which links the search through sections follows, and which lines it tells."""

import pytest

from pilotfish.core.policy import ActionTarget, FormInfo
from pilotfish.small_model.section_search import leads_on, rate_lines, weigh_terms

HERE = "https://shop.example/start"


@pytest.mark.parametrize(
    ("target", "leads"),
    [
        (ActionTarget(role="link", name="Orders", href="https://shop.example/orders"), True),
        (ActionTarget(role="clickable", name="Orders", handlers=("click",)), True),
        (ActionTarget(role="link", name="Partner", href="https://other.example/orders"), False),
        (ActionTarget(role="link", name="Out", href="https://shop.example/logout"), False),
        (ActionTarget(role="link", name="Old one", href="https://shop.example/orders/delete?id=3"), False),
        (ActionTarget(role="clickable", name="Delete account", handlers=("click",)), False),
        (ActionTarget(role="button", name="Go", submits=True, form=FormInfo(method="post", action="/buy")), False),
    ],
)
def test_only_what_shows_another_part_of_the_site_is_opened(target: ActionTarget, leads: bool) -> None:
    assert leads_on(target, HERE) is leads


@pytest.mark.parametrize(
    ("goal", "nearest"),
    [
        ("throw away the mail about the broken lift", "Broken lift, mail of Monday"),
        ("tick off that the garden gate is fixed", "Gate hinge loose"),
        ("what does the message on bad weather say", "Storm warning for the coast"),
    ],
)
def test_the_line_that_is_meant_comes_first_by_words_or_by_meaning(goal: str, nearest: str) -> None:
    lines = ["Opening hours", nearest, "Pick up the parcel", "Choir on Thursday", "Invoice for May"]
    rated = rate_lines(goal, lines, weigh_terms(goal))
    assert lines[rated.index(max(rated))] == nearest


def test_words_of_everyday_life_count_little() -> None:
    weights = weigh_terms("please find the heron")
    assert weights["heron"] > 2 * max(weight for term, weight in weights.items() if term != "heron")
