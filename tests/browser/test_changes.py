"""What is told of a change, and when the whole page is."""

from dataclasses import replace
from typing import Any

from pilotfish.browser.perception.changes import ChangeReport
from pilotfish.browser.perception.element import ElementView, PageOutline
from pilotfish.browser.perception.page_diff import (
    TargetDiff,
    compare_documents,
    compare_snapshots,
    find_refocused,
    mark_dragged,
)
from pilotfish.browser.perception.snapshot import Snapshot
from pilotfish.browser.sessions.tab import SessionNotice
from pilotfish.core.recipe import ElementRef


def node(id: int, role: str, name: str, at: tuple[int, int] = (0, 0), **facts: Any) -> ElementView:
    return ElementView("control", id, role, name, box=(*at, 80, 20), facts={"g": role, **facts})


def words(text: str) -> ElementView:
    return ElementView("text", 0, "", text)


def view(*nodes: ElementView, url: str = "http://x/") -> Snapshot:
    return Snapshot(url, "Shop", nodes, PageOutline())


def report(before: Snapshot, after: Snapshot, *notices: SessionNotice) -> str:
    return ChangeReport("Clicked it", 1, "", notices, compare_snapshots(before, after), after).text()


def test_a_value_and_a_state_that_changed_are_told_with_what_was() -> None:
    before = view(node(1, "textbox", "Name", v="Bob"), node(2, "checkbox", "Agree", s="unchecked"))
    after = view(node(1, "textbox", "Name", v="Ada"), node(2, "checkbox", "Agree", s="checked focused"))
    assert report(before, after) == (
        "Clicked it.\n"
        'Changed: [1] textbox "Name" = "Ada" (value was "Bob"); [2] checkbox "Agree" (unchecked → checked).'
    )


def test_an_element_with_another_name_in_the_same_place_is_the_same_thing() -> None:
    before = view(node(1, "link", "Cart (0)", (900, 10)), node(2, "link", "Help", (10, 10)))
    after = view(node(3, "link", "Cart (1)", (902, 10)), node(2, "link", "Help", (10, 10)))
    assert report(before, after) == 'Clicked it.\nChanged: [3] link "Cart (1)" (was "Cart (0)").'


def test_elements_made_anew_are_told_by_their_new_numbers() -> None:
    before = view(node(1, "button", "Save"), node(2, "button", "Save"))
    after = view(node(1, "button", "Save"), node(5, "button", "Save"))
    assert (
        report(before, after)
        == 'Clicked it.\nNothing changed on the page.\nNumbered anew: [2] is now [5] button "Save".'
    )


def test_plain_text_that_came_is_told_once() -> None:
    before, after = view(words("Total 3")), view(words("Total 4"), words("Added"))
    assert report(before, after) == 'Clicked it.\nNew text: "Added".\nChanged text: "Total 3" → "Total 4".'


def test_other_places_with_other_names_are_not_taken_for_changes() -> None:
    before = view(*(node(n, "button", f"Old {'abcde'[n]}{n}", (0, 20 * n)) for n in range(1, 5)))
    after = view(*(node(n + 10, "button", f"New{n}", (0, 20 * n)) for n in range(1, 5)))
    delta = compare_snapshots(before, after)
    assert (len(delta.added), len(delta.removed), delta.changed) == (4, 4, [])


def test_the_focus_alone_is_no_change() -> None:
    before, after = view(node(1, "button", "Go")), view(node(1, "button", "Go", s="focused"))
    assert report(before, after) == "Clicked it.\nNothing changed on the page."
    focused = find_refocused(before, after)
    delta = replace(compare_snapshots(before, after), target=TargetDiff(focused=focused))
    pressed = ChangeReport("Pressed Tab", 1, "", (), delta, after)
    assert pressed.headline == 'focus on button "Go"'
    assert find_refocused(after, after) is None


def test_what_was_dragged_has_moved_where_the_page_draws_it_anew() -> None:
    crane, rope = node(1, "draggable", "Crane"), node(2, "draggable", "Rope")
    after = view(rope, node(3, "draggable", "Crane", (300, 0)))
    delta = compare_snapshots(view(crane, rope), after)
    change = ChangeReport("Dragged it", 1, "", (), mark_dragged(delta, 1), after)
    assert change.text() == 'Dragged it.\nMoved: [3] draggable "Crane".'
    assert mark_dragged(delta, 2) == delta, "only what was dragged has moved"


def test_another_document_at_the_same_address_tells_its_new_texts() -> None:
    before = view(words("Query"), url="http://x/q?a=1")
    after = view(words("Query"), words("Rows modified: 8"), url="http://x/q")
    change = ChangeReport("Clicked it", 1, "document", (), compare_documents(before, after), after)
    assert change.headline == 'now at http://x/q, "Shop"; "Rows modified: 8"'
    elsewhere = compare_documents(before, view(words("Bye"), url="http://x/bye"))
    assert not elsewhere.texts.came


def test_what_happened_beside_is_told_even_when_the_page_stayed() -> None:
    page = view(node(1, "button", "Go"))
    text = report(page, page, SessionNotice(kind="download", text="Downloaded a.csv (8 bytes)."))
    assert text == "Clicked it.\nDownloaded a.csv (8 bytes)."


def test_many_are_counted_not_listed() -> None:
    before = view(*(node(n, "link", f"Row {n}", (0, n)) for n in range(1, 60)))
    text = report(before, view(node(1, "link", "Row 1", (0, 1))))
    assert text.count("link") == 12 and "; and 46 more." in text


def test_a_page_that_is_as_good_as_new_is_told_whole() -> None:
    before, after = view(node(1, "link", "Home")), view(*(node(n, "link", f"Row {n}", (0, 9)) for n in range(2, 40)))
    change = ChangeReport("Clicked it", 1, "", (), compare_snapshots(before, after), after)
    assert change.is_large and '[20] link "Row 20"' in change.text()


def test_another_document_is_told_whole_and_another_route_by_its_address() -> None:
    page = view(node(1, "button", "Go"), url="http://x/next")
    moved = ChangeReport("Clicked it", 1, "document", (), compare_snapshots(page, page), page).text()
    assert 'The page is now "Shop" at http://x/next.' in moved and '[1] button "Go"' in moved
    routed = ChangeReport("Clicked it", 1, "route", (), compare_snapshots(page, page), page).text()
    assert routed == "Clicked it.\nThe address is now http://x/next."


def test_what_was_sorted_or_dragged_is_told_though_nothing_else_changed() -> None:
    before = view(node(1, "draggable", "Ada", (0, 0)), node(2, "draggable", "Bo", (0, 20)), node(3, "button", "Go"))
    after = view(node(2, "draggable", "Bo", (0, 0)), node(1, "draggable", "Ada", (0, 20)), node(3, "button", "Go"))
    assert report(before, after) == 'Clicked it.\nMoved: [2] draggable "Bo"; [1] draggable "Ada".'
    rolled = view(node(1, "draggable", "Ada", (0, 50)), node(2, "draggable", "Bo", (0, 70)))
    assert report(view(*before.nodes[:2]), rolled) == "Clicked it.\nNothing changed on the page."


def test_what_only_went_out_of_sight_is_neither_gone_nor_numbered_anew() -> None:
    before = view(node(1, "button", "Like"), node(2, "button", "Like"), node(3, "button", "Hide", (0, 400)))
    after = view(node(4, "button", "Like"), node(5, "button", "Like"))
    change = ChangeReport("Scrolled", 1, "", (), compare_snapshots(before, after, {1, 2}), after)
    assert change.text() == (
        'Scrolled.\nNew: [4] button "Like"; [5] button "Like".\nGone: [3] button "Hide".\n'
        'Out of sight: [1] button "Like"; [2] button "Like".'
    )


def row(at: int) -> ElementView:
    return ElementView("item", 0, "", "", parent=at)


def in_row(id: int, role: str, name: str, parent: int, at: tuple[int, int] = (0, 0)) -> ElementView:
    return ElementView("control", id, role, name, parent, (*at, 80, 20), facts={"g": role})


def change_of(before: Snapshot, after: Snapshot) -> ChangeReport:
    return ChangeReport("Clicked it", 1, "", (), compare_snapshots(before, after), after)


def test_buttons_of_different_rows_are_never_taken_for_one_another() -> None:
    def rows(*names: tuple[str, int]) -> Snapshot:
        nodes = list[ElementView]()
        for name, id in names:
            at = len(nodes)
            nodes += [row(-1), ElementView("text", 0, "", name, at), in_row(id, "button", "delete", at, (0, 20 * at))]
        return view(*nodes)

    change = change_of(rows(("Ada", 1), ("Bob", 2)), rows(("Bob", 8), ("Cyd", 9)))
    assert "Numbered anew: [2] is now [8] button" in change.text()
    assert 'New: [9] button "delete".' in change.text() and 'Rows gone: "Ada delete".' in change.text()


def test_the_headline_is_the_message_then_the_dialog_then_the_touched_element() -> None:
    switch, on = node(1, "switch", "Mail", s="unchecked"), node(1, "switch", "Mail", s="checked")
    status = ElementView("box", 0, "status", "")
    said = ElementView("text", 0, "", "Saved", parent=1)
    told = change_of(view(switch), view(on, status, said))
    assert told.headline == '"Saved"; switch "Mail": unchecked → checked'
    dialog = ElementView("box", 0, "dialog", "Delete Ada?")
    opened = change_of(view(switch), view(switch, dialog, words("For ever")))
    assert opened.headline == 'dialog "Delete Ada?" opened; "For ever"'
    assert change_of(view(switch, dialog), view(switch)).headline.startswith('dialog "Delete Ada?" closed')


def test_the_headline_tells_the_state_of_a_touched_element_that_was_out_of_sight() -> None:
    box = node(4, "checkbox", "Omar", s="checked focused")
    change = change_of(view(node(1, "link", "Home")), view(node(1, "link", "Home"), node(3, "link", "Nora"), box))
    touched = replace(change, touched={4: ElementRef(role="checkbox", name="Omar")})
    assert touched.headline.startswith('checkbox "Omar": now checked')


def test_the_headline_tells_counters_and_rows() -> None:
    def mail(count: int, *names: str) -> Snapshot:
        rows = [part for at, name in enumerate(names) for part in (row(-1), in_row(9 + at, "link", name, 1 + 2 * at))]
        return view(words(f"Inbox {count}"), *rows)

    change = change_of(mail(56, "Ada", "Bob"), mail(55, "Ada"))
    assert change.headline == '"Inbox 56" → "Inbox 55"; 1 row fewer: "Bob"'
    assert change_of(mail(1, "Ada"), mail(1, "Ada")).headline == "nothing changed"
    filled = change_of(mail(1, "Ada"), mail(22, "Ada", "Bob", "Cyd", "Dan"))
    assert filled.headline == '3 rows more: "Bob"; "Inbox 1" → "Inbox 22"'


def test_a_large_change_that_stays_on_the_page_begins_with_its_headline() -> None:
    after = view(words("3 results"), *(node(n, "link", f"Row {n}", (0, 9)) for n in range(2, 40)))
    assert 'In short: "3 results"; new: link "Row 2" and 37 more.' in change_of(view(), after).text()


def test_opening_a_menu_or_another_route_only_shows_another_part_of_the_page() -> None:
    folded, unfolded = node(1, "button", "More", s="collapsed"), node(1, "button", "More", s="expanded")
    off, on = node(2, "switch", "News", s="off"), node(2, "switch", "News", s="on")
    assert change_of(view(folded, off), view(unfolded, off, node(3, "menuitem", "Delete"))).only_shows
    assert not change_of(view(folded, off), view(unfolded, on)).only_shows
    assert not change_of(view(off), view(on)).only_shows
    assert not change_of(view(off), view(off, node(3, "button", "Undo"))).only_shows
    elsewhere = compare_snapshots(view(off), view(on, url="http://x/#b"))
    assert ChangeReport("Clicked", 1, "route", (), elsewhere, view(on, url="http://x/#b")).only_shows


def test_what_a_change_says_twice_or_what_follows_from_it_is_left_out() -> None:
    off, on = (node(1, "switch", "Updates", s=state) for state in ("off", "on"))
    change = ChangeReport('Clicked [1] switch "Updates"', 1, "", (), compare_snapshots(view(off), view(on)), view(on))
    assert change.text() == 'Clicked [1] switch "Updates".\nChanged: [1] (off → on).'
    panel = ElementView("box", 0, "panel", "Card")
    inside = (panel, replace(words("Due on Monday"), parent=0), replace(node(2, "button", "Close"), parent=0))
    assert report(view(*inside), view()) == 'Clicked it.\nClosed: panel "Card".'
    parts = (("clickable", "Ann", 0), ("clickable", "× (Ann)", 90), ("link", "Bo", 0), ("link", "Cy", 0))
    rows = [node(at + 3, role, name, (x, 20 * max(at - 1, 0))) for at, (role, name, x) in enumerate(parts)]
    moved = view(*rows[2:], *(replace(row, box=(row.box[0], 60, 80, 20)) for row in rows[:2]))
    assert report(view(*rows), moved) == 'Clicked it.\nMoved: [3] clickable "Ann".'
