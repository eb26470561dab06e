"""Which links the search through sections follows, and which page it takes."""

import pytest

from pilotfish.core.policy import ActionTarget, FormInfo
from pilotfish.small_model.section_search import leads_on, rank_lines, weigh_terms

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


def test_words_that_stand_together_count_more_than_the_same_words_apart() -> None:
    rarity = dict.fromkeys(weigh_terms("the mail about the broken lift"), 1.0)
    together, apart = ["- Broken lift, mail of Monday"], ["A lift", "broken things", "mail"]
    assert rank_lines(together, rarity)[0] > rank_lines(apart, rarity)[0]
    assert rank_lines(together, rarity)[2] == "Broken lift, mail of Monday"


def test_words_of_everyday_life_count_little() -> None:
    weights = weigh_terms("please find the heron")
    assert weights["heron"] > 2 * max(weight for term, weight in weights.items() if term != "heron")
