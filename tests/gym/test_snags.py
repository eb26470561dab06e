"""What lies in the way of a task: it can be taken away, and what only looks right is found at the end."""

from form_site import SENT, make_form_site
from gym.site import Site, TaskEnd
from gym.snags import LEAVE, OTHER, TAKE


def make_site(**style: str) -> Site:
    plain = {"hurdle": "none", "front": "none", "locked": "no", "beside": "no", "actions": "inline"}
    site = make_form_site(**{**plain, **style})
    site.task("add Ada", lambda: iter(()), want=lambda data: data["names"].append("Ada"))
    return site


def test_a_dialog_stands_in_front_until_it_is_left() -> None:
    site = make_site(front="tour", fronted="all", banner="wall")
    asked, leave = site.draw.word("front_tour"), site.draw.word("leave_it")
    shown = site.get("/") or ""
    assert asked in shown and leave in shown and site.draw.word("cookies") not in shown
    site.post(TAKE, {"_from": "/"})
    assert site.draw.word("front_more") in (site.get("/") or "")
    assert site.post(LEAVE, {"_from": "/"}) == "/"
    assert leave not in (site.get("/") or "")


def test_what_stands_beside_the_right_control_changes_nothing_and_spoils_the_task() -> None:
    site = make_site(beside="yes")
    other = site.snags.name_other("Add", "add")
    assert other.startswith("Add ") and f">{other}<" in (site.get("/") or "")
    site.post("add", SENT)
    assert not site.check(TaskEnd("done", "Added Ada"))
    site.post(OTHER, {"_from": "/", "_label": other})
    assert other in site.check(TaskEnd("done", "Added Ada"))


def test_no_control_for_all_stands_beside_one_where_the_goal_says_all() -> None:
    site = make_site(beside="yes")
    site.goal = "delete all of them"
    whole = site.draw.all("near_controls")[0]
    assert not any(site.snags.name_other(f"Delete {at}", "drop").endswith(f" {whole}") for at in range(40))


def test_pages_that_are_locked_have_a_button_that_allows_changes() -> None:
    locked, free = make_site(locked="yes"), make_site()
    shown = locked.get("/") or ""
    assert f"data-allow hidden>{locked.draw.word('allow_changes')}<" in shown
    assert "data-allow" not in (free.get("/") or "")


def test_a_form_without_its_box_is_refused_without_a_word_on_silent_sites() -> None:
    site = make_site(strict="yes", silent="yes")
    site.post("add", SENT)
    shown = site.get("/") or ""
    assert site.data == {"names": []} and site.draw.word("agree_first") not in shown and 'value="Ada"' in shown
    site.post("add", {**SENT, "_agree": "1"})
    assert site.data == {"names": ["Ada"]}
