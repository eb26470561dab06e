"""How a view reads: short, ids first, within its budget."""

from pilotfish.browser.perception.element import ElementView, PageOutline
from pilotfish.browser.perception.render import estimate_tokens
from pilotfish.browser.perception.snapshot import Snapshot


def control(id: int, role: str, name: str, parent: int = -1, **facts: object) -> ElementView:
    return ElementView("control", id, role, name, parent, (10, 20, 30, 40), facts=facts)


def view(*nodes: ElementView, outline: PageOutline | None = None, budget: int = 2000) -> Snapshot:
    return Snapshot("http://sea.test/page", "The sea", nodes, outline or PageOutline(), budget)


def table(rows: int) -> Snapshot:
    nodes = [ElementView("box", 0, "table", "People")]
    for at in range(rows):
        nodes.append(ElementView("box", 0, "row", "", 0))
        nodes.append(ElementView("text", 0, "", f"Person {at} of the long list of people", len(nodes) - 1))
        nodes.append(control(at + 1, "button", "Delete", len(nodes) - 2))
    return view(*nodes)


def test_a_control_shows_its_id_role_name_and_state() -> None:
    assert '[12] button "Save" (disabled)' in view(control(12, "button", "Save", s="disabled")).text


def test_a_field_shows_value_format_and_placeholder_only_where_they_help() -> None:
    text = view(
        control(1, "textbox", "Day", v="2026-11-20", y="date", f="YYYY-MM-DD", p="day"),
        control(2, "textbox", "Search", p="Search"),
        control(3, "textbox", "Town", p="where you live"),
    ).text
    assert '[1] textbox "Day" = "2026-11-20" (date YYYY-MM-DD)' in text
    assert '[2] textbox "Search"\n' in text
    assert '[3] textbox "Town" placeholder "where you live"' in text


def test_a_select_tells_its_options_and_how_many_more_there_are() -> None:
    text = view(control(1, "combobox", "Size", v="M", o=["S", "M"], on=9)).text
    assert '[1] combobox "Size" = "M" options: S, M, … 7 more' in text


def test_what_is_wrong_with_a_field_is_told() -> None:
    text = view(control(1, "textbox", "Age", s="invalid", ds="Must be a number")).text
    assert '[1] textbox "Age" (invalid) — Must be a number' in text


def test_a_row_is_one_line() -> None:
    assert ' - Person 0 of the long list of people | [1] button "Delete"' in table(2).text


def test_rows_beyond_the_budget_are_folded_into_a_stub_that_can_be_opened() -> None:
    many = table(60)
    assert "more" not in many.render(6000)
    folded = many.render(300)
    assert estimate_tokens(folded) <= 300
    assert "like [" in folded
    assert "look with scope=" in folded
    assert '[1] button "Delete"' in folded


def test_no_text_is_longer_than_its_budget_or_the_cap() -> None:
    wild = view(*(control(at, "link" if at % 2 else "button", f"Thing number {at}") for at in range(1, 5000)))
    assert estimate_tokens(wild.render(500)) <= 520
    assert estimate_tokens(wild.render(100_000)) <= 6050
    assert "do not fit" in wild.render(500)


def test_dense_scripts_count_more_tokens() -> None:
    assert estimate_tokens("きょうのイソップ童話") > estimate_tokens("abcdefghij")


def test_what_is_new_has_a_star() -> None:
    assert '*[7] button "Fresh"' in view(ElementView("control", 7, "button", "Fresh", new=True)).text


def test_boxes_without_content_are_left_out() -> None:
    assert "navigation" not in view(ElementView("box", 0, "navigation", "Main")).text


def test_the_place_on_the_page_and_what_lies_beyond_are_told() -> None:
    outline = PageOutline(2, 9, above=3, below=42, covered="5 elements", headings=("Prices", "Imprint"))
    text = view(control(1, "button", "Go"), outline=outline).text
    assert "(screen 2 of 9)" in text
    assert "above: 3 more elements" in text
    assert "below: 42 more elements; headings: Prices; Imprint" in text
    assert "5 elements" in text


def test_what_is_below_the_screen_is_set_apart() -> None:
    low = ElementView("control", 2, "button", "Low", box=(0, 900, 10, 10))
    text = view(control(1, "button", "High"), low, outline=PageOutline(scroll=(0, 800, 800))).text
    assert text.index("High") < text.index("below the screen") < text.index("Low")


def test_the_addresses_of_links_are_not_in_the_text() -> None:
    page = view(control(1, "link", "Home", u="http://sea.test/a/very/long/address"))
    assert page.elements[0].href == "http://sea.test/a/very/long/address"
    assert "very/long" not in page.text


def test_the_hash_changes_with_what_is_shown_and_not_with_the_focus() -> None:
    calm = view(control(1, "textbox", "Name", v="a"))
    assert calm.hash == view(control(1, "textbox", "Name", v="a", s="focused")).hash
    assert calm.hash != view(control(1, "textbox", "Name", v="b")).hash


def test_the_schema_has_the_seven_fields_of_each_element() -> None:
    page = view(
        control(1, "textbox", "Name", y="text", g="input", p="you", v="Ada"), ElementView("text", 0, "", "words")
    )
    assert page.to_json() == [
        {
            "id": 1,
            "type": "text",
            "role": "textbox",
            "label": "Name",
            "placeholder": "you",
            "text": "Ada",
            "location": {"x": 10, "y": 20, "width": 30, "height": 40},
        }
    ]
