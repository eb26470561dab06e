"""What stands between a form and its effect: nothing is stored before the right button was pressed."""

from form_site import SENT, make_form_site
from gym.hurdles import GO_ON, PREVIEW, REVIEW
from gym.site import Site


def make_site(hurdle: str) -> Site:
    return make_form_site(hurdle=hurdle, finder="yes")


def test_entries_count_only_once_they_are_affirmed() -> None:
    site = make_site("review")
    assert site.post("add", SENT) == REVIEW
    assert site.data == {"names": []}
    assert "Ada" in (site.get(REVIEW) or "")
    assert site.post(GO_ON, {"_from": REVIEW}) == "/"
    assert site.data == {"names": ["Ada"]}


def test_a_preview_stores_nothing_says_so_and_keeps_what_was_typed() -> None:
    site = make_site("draft")
    assert site.draw.word("preview") in (site.get("/") or "")
    site.post(PREVIEW, SENT)
    shown = site.get("/") or ""
    assert site.data == {"names": []}
    assert site.draw.word("preview_only") in shown
    assert 'value="Ada"' in shown
    site.post("add", SENT)
    assert site.data == {"names": ["Ada"]}


def test_the_search_of_the_whole_site_finds_sections_only() -> None:
    site = make_site("none")
    assert site.draw.word("nothing_found") in (site.get("/find-all?q=Ada") or "")
    home = site.sections["/"]
    assert site.draw.word("nothing_found") not in (site.get(f"/find-all?q={home.split()[0]}") or "")


def test_entries_that_are_kept_count_only_once_they_are_sent() -> None:
    site = make_site("kept")
    assert site.post("add", SENT) == "/"
    assert site.data == {"names": []}
    shown = site.get("/") or ""
    assert site.draw.word("kept_not_sent") in shown and site.draw.word("send_now") in shown
    site.post(GO_ON, {"_from": "/"})
    assert site.data == {"names": ["Ada"]}
    assert site.draw.word("kept_not_sent") not in (site.get("/") or "")


def test_a_refused_change_stores_nothing_and_is_told_in_small_words() -> None:
    site = make_site("none")
    site.refusal = "This account may only look."
    assert site.refusal not in (site.get("/") or "")
    site.post("add", SENT)
    assert site.data == {"names": []}
    assert f"<small>{site.refusal}</small>" in (site.get("/") or "")
