"""What is told of a change, and when the whole page is."""

from typing import Any

from pilotfish.browser.changes import Change, compare
from pilotfish.browser.render import Outline
from pilotfish.browser.tab import Notice
from pilotfish.browser.view import Element, View


def thing(id: int, role: str, name: str, at: tuple[int, int] = (0, 0), **facts: Any) -> Element:
    return Element("control", id, role, name, box=(*at, 80, 20), facts={"g": role, **facts})


def words(text: str) -> Element:
    return Element("text", 0, "", text)


def view(*nodes: Element, url: str = "http://x/") -> View:
    return View(url, "Shop", nodes, Outline())


def told(before: View, after: View, *notices: Notice) -> str:
    return Change("Clicked it", 1, "", notices, compare(before, after), after).text()


def test_a_value_and_a_state_that_changed_are_told_with_what_was() -> None:
    before = view(thing(1, "textbox", "Name", v="Bob"), thing(2, "checkbox", "Agree", s="unchecked"))
    after = view(thing(1, "textbox", "Name", v="Ada"), thing(2, "checkbox", "Agree", s="checked focused"))
    assert told(before, after) == (
        "Clicked it.\n"
        'Changed: [1] textbox "Name" = "Ada" (value was "Bob"); [2] checkbox "Agree" (checked) (no longer unchecked).'
    )


def test_an_element_with_another_name_in_the_same_place_is_the_same_thing() -> None:
    before = view(thing(1, "link", "Cart (0)", (900, 10)), thing(2, "link", "Help", (10, 10)))
    after = view(thing(3, "link", "Cart (1)", (902, 10)), thing(2, "link", "Help", (10, 10)))
    assert told(before, after) == 'Clicked it.\nChanged: [3] link "Cart (1)" (was "Cart (0)").'


def test_elements_made_anew_are_told_by_their_new_numbers() -> None:
    before = view(thing(1, "button", "Save"), thing(2, "button", "Save"))
    after = view(thing(1, "button", "Save"), thing(5, "button", "Save"))
    assert told(before, after) == 'Clicked it.\nNumbered anew: [2] is now [5] button "Save".'


def test_plain_text_that_came_is_told_once() -> None:
    before, after = view(words("Total 3")), view(words("Total 4"), words("Added"))
    assert told(before, after) == 'Clicked it.\nNew text: "Total 4"; "Added".'


def test_other_places_with_other_names_are_not_taken_for_changes() -> None:
    before = view(*(thing(n, "button", f"Old {'abcde'[n]}{n}", (0, 20 * n)) for n in range(1, 5)))
    after = view(*(thing(n + 10, "button", f"New{n}", (0, 20 * n)) for n in range(1, 5)))
    delta = compare(before, after)
    assert (len(delta.added), len(delta.removed), delta.changed) == (4, 4, [])


def test_the_focus_alone_is_no_change() -> None:
    before, after = view(thing(1, "button", "Go")), view(thing(1, "button", "Go", s="focused"))
    assert told(before, after) == "Clicked it.\nNothing changed on the page."
    change = Change("Clicked it", 1, "", (), compare(before, after), after)
    assert change.focus is not None and change.focus.id == 1


def test_what_happened_beside_is_told_even_when_the_page_stayed() -> None:
    page = view(thing(1, "button", "Go"))
    text = told(page, page, Notice(kind="download", text="Downloaded a.csv (8 bytes)."))
    assert text == "Clicked it.\nDownloaded a.csv (8 bytes)."


def test_many_are_counted_not_listed() -> None:
    before = view(*(thing(n, "link", f"Row {n}", (0, n)) for n in range(1, 60)))
    text = told(before, view(thing(1, "link", "Row 1", (0, 1))))
    assert text.count("link") == 12 and "; and 46 more." in text


def test_a_page_that_is_as_good_as_new_is_told_whole() -> None:
    before, after = view(thing(1, "link", "Home")), view(*(thing(n, "link", f"Row {n}", (0, 9)) for n in range(2, 40)))
    change = Change("Clicked it", 1, "", (), compare(before, after), after)
    assert change.large and '[20] link "Row 20"' in change.text()


def test_another_document_is_told_whole_and_another_route_by_its_address() -> None:
    page = view(thing(1, "button", "Go"), url="http://x/next")
    moved = Change("Clicked it", 1, "document", (), compare(page, page), page).text()
    assert 'The page is now "Shop" at http://x/next.' in moved and '[1] button "Go"' in moved
    routed = Change("Clicked it", 1, "route", (), compare(page, page), page).text()
    assert routed == "Clicked it.\nThe address is now http://x/next."


def test_what_was_sorted_or_dragged_is_told_though_nothing_else_changed() -> None:
    before = view(thing(1, "draggable", "Ada", (0, 0)), thing(2, "draggable", "Bo", (0, 20)), thing(3, "button", "Go"))
    after = view(thing(2, "draggable", "Bo", (0, 0)), thing(1, "draggable", "Ada", (0, 20)), thing(3, "button", "Go"))
    assert told(before, after) == 'Clicked it.\nMoved: [2] draggable "Bo"; [1] draggable "Ada".'
    rolled = view(thing(1, "draggable", "Ada", (0, 50)), thing(2, "draggable", "Bo", (0, 70)))
    assert told(view(*before.nodes[:2]), rolled) == "Clicked it.\nNothing changed on the page."


def test_what_only_went_out_of_sight_is_neither_gone_nor_numbered_anew() -> None:
    before = view(thing(1, "button", "Like"), thing(2, "button", "Like"), thing(3, "button", "Hide", (0, 400)))
    after = view(thing(4, "button", "Like"), thing(5, "button", "Like"))
    change = Change("Scrolled", 1, "", (), compare(before, after, {1, 2}), after)
    assert change.text() == (
        'Scrolled.\nNew: [4] button "Like"; [5] button "Like".\nGone: [3] button "Hide".\n'
        'Out of sight: [1] button "Like"; [2] button "Like".'
    )
