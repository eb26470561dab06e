"""Elements are found by role, name and row, and an element that is not surely meant is not found."""

from pilotfish.browser.perception.element import ElementView, PageOutline
from pilotfish.browser.perception.element_search import ElementSearch
from pilotfish.browser.perception.snapshot import Snapshot
from pilotfish.core.pages import ElementQuery


def text(words: str, parent: int) -> ElementView:
    return ElementView("text", 0, "", words, parent)


def control(id: int, role: str, name: str, parent: int = -1) -> ElementView:
    return ElementView("control", id, role, name, parent)


def search(*nodes: ElementView) -> ElementSearch:
    return ElementSearch(Snapshot("http://x", "x", nodes, PageOutline()))


def item(parent: int) -> ElementView:
    return ElementView("item", 0, "listitem", "", parent)


ROWS = (
    ElementView("box", 0, "list", "", -1),
    item(0), text("Anna", 1), control(1, "button", "Delete", 1),
    item(0), text("Bob", 4), control(2, "button", "Delete", 4),
    item(0), text("Carla", 7),
    control(3, "searchbox", "Search"), control(4, "button", "Search"), control(5, "link", "A long name of a thing"),
)  # fmt: skip


def find_ids(role: str, name: str = "", row: str = "") -> list[int]:
    return [element.id for element in search(*ROWS).find(ElementQuery(role=role, name=name, row=row))]


def test_the_row_tells_elements_of_one_name_apart() -> None:
    assert find_ids(role="button", name="delete") == [1, 2]
    assert find_ids(role="button", name="Delete", row="bob") == [2]
    assert find_ids(role="button", row="Anna") == [1]
    assert find_ids(role="button", name="Delete", row="Bob | Delete") == [2]
    assert find_ids(role="button", name="Delete", row="Bob · Anna") == []


def test_a_row_without_the_element_gives_no_element_of_another_row() -> None:
    assert find_ids(role="button", name="Delete", row="Carla") == []


def test_a_like_role_or_the_name_alone_is_enough_where_nothing_else_fits() -> None:
    assert find_ids(role="textbox", name="Search") == [3]
    assert find_ids(role="link", name="Search") == [4]
    assert find_ids(role="slider", name="Search") == [3, 4]
    assert find_ids(role="textbox") == [3] and find_ids(role="slider") == []


def test_the_first_of_several_possible_names_that_fits_is_taken() -> None:
    def named(*names: str, row: str = "") -> list[int]:
        query = ElementQuery.model_validate({"role": "button", "name": list(names), "row": row})
        return [element.id for element in search(*ROWS).find(query)]

    assert named("Remove", "Delete", row="Bob") == [2] and named("Remove", "Bin") == []
    assert named("Search", "Delete") == [4] and named("Delete", "Search") == [1, 2]
    assert str(ElementQuery.model_validate({"role": "button", "name": ["Bin", "Delete"]})) == 'button "Bin" or "Delete"'


def test_what_has_the_focus_is_found_without_a_name() -> None:
    field = ElementView("control", 7, "textbox", "", facts={"s": "focused"})
    query = ElementQuery(role="textbox", focused=True)
    assert [one.id for one in search(control(6, "textbox", ""), field).find(query)] == [7]
    assert search(*ROWS).find(ElementQuery(focused=True)) == [] and str(query) == "focused textbox"


def test_a_part_of_a_name_is_not_the_name_unless_it_was_cut() -> None:
    assert find_ids(role="link", name="A long name") == [] and find_ids(role="link", name="A long name…") == [5]


def test_a_page_without_rows_is_searched_by_small_groups() -> None:
    group = ElementView("box", 0, "", "", -1)
    nodes = (
        group,
        text("Anna", 0),
        control(1, "button", "Edit", 0),
        group,
        text("Bob", 3),
        control(2, "button", "Edit", 3),
    )
    query = ElementQuery(role="button", name="Edit", row="Bob")
    assert [element.id for element in search(*nodes).find(query)] == [2]
    alone = (
        ElementView("box", 0, "", "", -1),
        text("Anna", 0),
        *(control(n, "button", f"b{n}", 0) for n in range(1, 20)),
    )
    assert search(*alone).find(ElementQuery(role="button", name="b3", row="Anna")) == []


def test_an_element_is_described_with_what_tells_its_row() -> None:
    assert str(search(*ROWS).describe(2)) == 'button "Delete" in "Bob"'
    assert search(*ROWS).describe(99) is None


def test_a_row_that_is_named_so_goes_before_one_that_holds_the_words() -> None:
    notes = search(
        ElementView("box", 0, "article", "Welcome", -1),
        control(1, "button", "Edit", 0), control(2, "link", "Trip to Rome", 0),
        ElementView("box", 0, "article", "Trip to Rome", -1),
        control(3, "button", "Edit", 3), text("We fly on Monday", 3),
    )  # fmt: skip
    assert [each.id for each in notes.find(ElementQuery(role="button", name="Edit", row="Trip to Rome"))] == [3]
    staff = search(
        ElementView("box", 0, "list", "", -1),
        item(0), text("Anna Berg", 1), control(1, "button", "Edit", 1),
        item(0), text("Anna", 4), control(2, "button", "Edit", 4),
    )  # fmt: skip
    assert [each.id for each in staff.find(ElementQuery(role="button", name="Edit", row="Anna"))] == [2]
    assert [each.id for each in staff.find(ElementQuery(role="button", name="Edit", row="ann"))] == [1, 2]
