"""One of many results, wherever its page is."""

from pilotfish.runtime.aids.paging import Paging
from pilotfish.runtime.aids.things import Thing

GOAL = 'Search for "tea" and click the 7th search result.'
MENU = 'navigation "Main":\n [1] link "Home"\nmain:\n'
FIELD = ' [2] searchbox "Words" = "tea"\n [3] button "Search"\n'


def page(*links: str, start: int = 10) -> str:
    return MENU + FIELD + "\n".join(f' [{start + n}] link "{name}"' for n, name in enumerate(links))


def name(found: Thing | None) -> str:
    return found.name if found else ""


def test_the_page_that_must_hold_it_is_turned_to() -> None:
    paging = Paging(GOAL)
    assert name(paging.result(page("one", "two", "three", "1", "2", "3", ">"), ["Search"])) == "3"
    assert name(paging.result(page("seven", "<", "1", "2", "3", start=20), ["Search", "3"])) == "seven"


def test_where_pages_have_no_numbers_they_are_turned_one_by_one() -> None:
    paging = Paging(GOAL)
    assert name(paging.result(page("one", "two", "three", "Next page"), [])) == "Next page"
    assert name(paging.result(page("four", "five", "six", "Previous", "Next page"), ["Next page"])) == "Next page"
    assert name(paging.result(page("seven", "eight", "Previous"), ["Next page", "Next page"])) == "seven"


def test_a_page_too_far_is_turned_back() -> None:
    paging = Paging("Open the second hit")
    assert name(paging.result(page("three", "four", "‹", "›"), ["›"])) == "‹"


def test_what_is_on_the_page_is_taken_at_once_and_then_all_is_done() -> None:
    paging = Paging("Open the first result.")
    assert name(paging.result(page("one", "two", "1", "2"), [])) == "one"
    assert not paging.reached([])
    assert paging.reached(["one"]) == "one"


def test_a_goal_that_goes_on_after_the_result_is_not_done_with_it() -> None:
    paging = Paging("Open the first result and like it.")
    assert name(paging.result(page("one", "two"), [])) == "one"
    assert not paging.reached(["one"])


def test_nothing_is_counted_before_something_was_searched_for() -> None:
    empty = page("Advice").replace(' = "tea"', "")
    assert Paging(GOAL).result(empty, []) is None
    assert Paging(GOAL).result(MENU + FIELD, []) is None


def test_goals_that_count_nothing_are_left_alone() -> None:
    assert Paging("Show all results").result(page("one", "two"), []) is None
    assert Paging("Tick the 3rd checkbox").result(page("one", "two"), []) is None


def test_a_result_that_is_not_there_is_not_guessed() -> None:
    assert Paging("Open the 9th result").result(page("one", "two"), []) is None
