"""What needs no thinking, and what a small model forgets."""

from pilotfish.runtime.aids.focus import focused
from pilotfish.runtime.aids.instinct import copied, owned, suggested, swept, tinted, topmost, undated, unsent
from pilotfish.runtime.aids.marking import marked
from pilotfish.runtime.aids.mending import forgotten, whole
from pilotfish.runtime.aids.moves import Move, Moves
from pilotfish.runtime.aids.ranking import answering, extreme, sorting, tally
from pilotfish.runtime.aids.trace import Trace

POSTS = """[1] scrollable (scrolls, at {at} %):
 - Vikki @enola | Venenatis. | [2] clickable "reply" | [3] clickable "like"
 - Stewart @ultricies | Egestas. | [6] clickable "reply" | [7] clickable "like"
 - Vikki @enola | Massa. | [8] clickable "reply" | [9] clickable "like"
"""
SEQUENCE = """[1] slider "slider"
- [2] checkbox "checkbox" (unchecked) | [3] checkbox "checkbox" (unchecked) | [4] checkbox "checkbox" (unchecked)
[5] button "Submit"
"""
COPY = """[1] textbox = "Quis egestas."
[2] textbox = "In cursus non"
[3] textbox "answer"
[4] button "Submit"
"""


def test_one_thing_is_done_in_every_row_of_somebodys_down_to_the_end_of_the_list() -> None:
    goal = 'Click the "Like" button on all posts by @enola and then click Submit.'
    page = POSTS.format(at=0)
    assert swept(goal, page, ()) == "click like [3]"
    assert swept(goal, page, {"like [3]"}) == "click like [9]"
    assert swept(goal, page, {"like [3]", "like [9]"}) == "scroll down"
    assert swept(goal, POSTS.format(at=100), {"like [3]", "like [9]"}) == ""


def test_or_in_as_many_of_them_as_the_goal_says() -> None:
    goal = 'Click the "Like" button on 1 post by @enola'.replace("1 post", "2 posts")
    page = POSTS.format(at=0)
    assert swept(goal, page, {"like [3]"}) == "click like [9]"
    assert swept(goal, page, {"like [3]", "like [9]"}) == ""
    assert swept("Read all posts by @enola", page, ()) == ""


def test_only_what_is_counted_is_ticked_before_it_is_sent() -> None:
    goal = "Select 0 with the slider, click the 3rd checkbox, then hit Submit."
    acts = [Move(act="click checkbox [4]"), Move(act="click Submit [5]")]
    assert whole(goal, SEQUENCE, acts) == acts


def test_a_field_that_the_goal_names_is_filled_before_it_is_sent() -> None:
    goal = "Select 0 with the slider, click the 3rd checkbox, then hit Submit."
    acts = [Move(act="click checkbox [4]"), Move(act="click Submit [5]")]
    field = forgotten(goal, SEQUENCE, acts)
    assert field and field.id == 1
    assert forgotten(goal, SEQUENCE, [Move(act="type into slider [1]", text="0"), *acts]) is None
    assert forgotten(goal, SEQUENCE, acts[:1]) is None


def test_what_is_to_be_copied_goes_by_the_keys() -> None:
    goal = "Copy the text from the 2nd text area below and paste it into the text input, then press Submit."
    keys = [
        "press Ctrl+A in textbox [2]",
        "press Ctrl+C in textbox [2]",
        "press Ctrl+V in answer [3]",
        "click Submit [4]",
    ]
    assert [move.act for move in copied(goal, COPY)] == keys
    assert all(Moves(COPY, goal=goal).has(Move(act=act)) for act in keys)
    assert copied("Copy the text and paste it", COPY) == copied("Type the 2nd text area's text", COPY) == []


def test_words_that_a_full_field_already_says_are_for_the_empty_one() -> None:
    acts = whole("Enter the text of the second box", COPY, [Move(act="type into textbox [2]", text="In cursus non")])
    assert acts == [Move(act="type into answer [3]", text="In cursus non")]


def test_what_is_here_is_not_looked_for_elsewhere_first() -> None:
    page = '[1] clickable "open search"\n[2] clickable "Deva Morbi."\n [3] clickable "star"\n[4] button "Next"'
    acts = [Move(act=act) for act in ("scroll up", "click open search [1]", "click Deva Morbi. [2]")]
    assert whole("Open the mail by Deva", page, acts) == acts[2:]
    acts = [Move(act="scroll down"), Move(act="click star [3]")]
    assert whole("Mark it with a star", page, acts) == acts[1:]
    acts = [Move(act="click Next [4]"), Move(act="scroll down")]
    assert whole("Read on", page, acts) == acts


def test_a_colour_is_written_as_its_field_wants_it() -> None:
    page = '[1] textbox "Color:" = "AB2567"\n[2] button "Submit"'
    acts = tinted("Select yellow with the color picker and hit Submit.", page)
    assert acts == [Move(act="type into Color: [1]", text="ffff00"), Move(act="click Submit [2]")]
    assert tinted("Choose the colour #36b5e9.", page.replace("AB", "#AB"))[0].text == "#36b5e9"
    assert tinted("Buy the yellow kettle.", page) == tinted("Pick a nice colour.", page) == []


MENUS = """- Vikki @enola | Venenatis. | [2] clickable "reply" | [3] clickable "more"
- Stewart @ultricies | Egestas. | [6] clickable "reply" | [7] clickable "more"
"""


def test_when_all_of_them_are_done_it_is_sent_though_that_is_further_down() -> None:
    goal = 'Click the "Like" button on 2 posts by @enola and then click Submit.'
    done = {"like [3]", "like [9]"}
    assert swept(goal, POSTS.format(at=50), done) == "scroll down"
    assert swept(goal, POSTS.format(at=100) + ' [12] button "Submit"', done) == "click Submit [12]"


def test_what_one_row_has_is_clicked_there_or_looked_for_in_its_menu() -> None:
    goal = 'For the user @ultricies, click on the "{}" button.'
    assert owned(goal.format("Reply"), MENUS, ()) == "click reply [6]"
    assert owned(goal.format("Block"), MENUS, ()) == "click more [7]"
    assert owned(goal.format("Block"), MENUS, {"more [7]"}) == ""
    assert owned('Type "Hi" for @ultricies and click "Reply".', MENUS, ()) == ""


LETTERS = """Editor
Highlight the text in the 2nd paragraph and click Submit.
One boat came.
Two boats left.
[1] button "Submit"
"""


def test_words_that_a_goal_counts_out_or_quotes_are_marked() -> None:
    sent = Move(act="click Submit [1]")
    goal = "Highlight the text in the 2nd paragraph and click Submit."
    assert marked(goal, LETTERS) == [Move(act="mark", text="Two boats left."), sent]
    goal = 'Highlight the words "boats left" and click Submit.'
    assert marked(goal, LETTERS) == [Move(act="mark", text="boats left"), sent]
    assert marked("Highlight the text in the paragraph below", LETTERS) == []
    assert marked("Select the 2nd option", LETTERS) == []


SHAPES = """[1] shape "small red circle"
[2] shape "large red triangle"
[3] shape "small red digit 7"
[4] button "2"
"""


def test_shapes_are_counted_for_a_goal_that_asks_how_many() -> None:
    assert tally("How many small red items are there?", SHAPES) == 2
    assert tally("How many triangles are there?", SHAPES) == 1
    assert tally("How many boats are there?", '[1] button "boats"') is None
    assert tally("How many sides does this shape have?", '[1] shape "red hexagon"') == 6
    assert tally("How many rectangles are there?", '[1] shape "aqua square"') == 1
    assert tally("How many aqua shapes are there?", '[1] shape "cyan square"') == 1
    button = answering("How many small red items are there?", SHAPES)
    assert button and button.id == 4
    assert "counted for the goal: 2" in focused("How many small red items are there?", SHAPES)


PRODUCT = """[20] combobox "Colour" = "Steel" options: Steel, Green, Navy
[21] spinbutton "Quantity" = "1" (number 1 to 99)
[22] button "Add to cart"
"""


def test_what_a_goal_says_in_passing_is_set_before_the_button_is_pressed() -> None:
    press = Move(act="click Add to cart [22]")
    assert whole("Add two green flasks to the cart.", PRODUCT, [press]) == [
        Move(act="select Green in Colour [20]"),
        Move(act="type into Quantity [21]", text="2"),
        press,
    ]
    assert whole("Add the steel flask to the cart.", PRODUCT, [press]) == [press]


def test_a_field_keeps_its_words_when_another_is_given_what_it_already_says() -> None:
    page = '[1] textbox "to:"\n[2] textbox "forward" = "Nulla."\n[3] button "send"\n'
    acts = [Move(act="click to: [1]"), Move(act="type into to: [1]", text="Ann")]
    acts += [Move(act="type into forward [2]", text="Nulla."), Move(act="click send [3]")]
    assert whole("Forward it to Ann", page, acts) == [acts[1], acts[3]]


def test_words_that_are_to_look_otherwise_are_marked_first() -> None:
    page = 'Editor\n[1] button "Bold"\n[2] textbox "editor" = "One boat came in."\n[3] button "Submit"\n'
    goal = 'Give the text "boat" the style bold and press Submit.'
    assert marked(goal, page) == [Move(act="mark", text="boat")]
    assert marked('Press the "Bold" button.', page) == []


def test_enter_is_not_pressed_instead_of_the_button_that_the_goal_asks_for() -> None:
    page = '[1] button "Generate"\n[2] button "Submit"\n'
    acts = [Move(act="click Generate [1]"), Move(act="press Enter")]
    sent = [acts[0], Move(act="click Submit [2]")]
    assert whole("Generate a number greater than 3, then press submit.", page, acts) == sent
    assert whole("Generate a number, then press Enter.", page, acts) == acts


def test_what_goes_from_one_to_another_is_looked_for_at_the_one() -> None:
    page = '[2] clickable "Helena Turpis"\n[5] clickable "Neille Nec"\n'
    acts = [Move(act="click Neille Nec [5]"), Move(act="click Helena Turpis [2]")]
    assert whole("Send to Neille the email you got from Helena.", page, acts) == acts[1:]
    mail = '[1] clickable "Reply"\n[2] clickable "Forward"\n'
    assert "named in the goal: Forward [2]" in focused("Send to Neille the email you got from Helena.", mail)
    assert "named in the goal" not in focused("Send Neille a letter.", mail)


PORTS = """[18] textbox "From" = "Gull"
[25] listitem "Gull Island (GUL)"
[26] listitem "Gullholm (GLH)"
[20] textbox "Day" placeholder "Choose a day" (readonly)
[21] button "Search"
"""


def test_what_a_field_offers_for_the_words_typed_is_taken() -> None:
    found = suggested("gull island", PORTS, {18, 20, 21})
    assert found and found.id == 25
    assert suggested("Gull", PORTS, {18, 20, 21}) is None, "two begin so"
    assert suggested("Gullholm", PORTS, {18, 20, 21, 25, 26}) is None, "it was there before"
    assert suggested("", PORTS, ()) is None


def test_a_day_that_can_only_be_chosen_opens_its_calendar() -> None:
    field = undated(["12 July 2027"], PORTS)
    assert field and field.id == 20
    assert undated([], PORTS) is None
    assert undated(["12 July 2027"], PORTS.replace('"Choose a day" (readonly)', '"Choose a day"')) is None


def test_a_form_that_is_filled_in_is_searched_with() -> None:
    button = unsent("Book a crossing to Gull Island", PORTS, ())
    assert button and button.id == 21
    assert unsent("Look at Gull Island", PORTS, ()) is None


def test_a_goal_that_begins_with_the_word_on_a_button_means_it() -> None:
    page = '[1] textbox "Password of the day" = "MACKEREL"\n[2] button "Enter"'
    found = unsent("Enter MACKEREL as the password of the day.", page, ())
    assert found and found.id == 2
    assert unsent("Write MACKEREL as the password of the day.", page, ()) is None


def test_the_cheapest_is_booked_where_its_button_does_so() -> None:
    page = '- Heron | 55 min | [91] button "Book for €31"\n- Tern | 130 min | [92] button "Book for €17"\n'
    found = topmost("Book the cheapest crossing", page)
    assert found and found.id == 92
    assert topmost("Tell me the cheapest crossing", page) is None


def test_what_the_only_shape_is_can_be_clicked_by_its_name() -> None:
    page = '[1] shape "red digit 7"\n[2] button "Circle"\n[3] button "Number"\n[4] button "Letter"\n'
    found = answering("Click the button that describes this shape", page)
    assert found and found.id == 3
    assert answering("Click Circle", page) is None


def test_a_button_that_the_goal_calls_by_name_is_clicked_before_it_is_sent() -> None:
    page = '[1] button "Bold"\n[2] textbox "editor" = "One boat."\n[3] button "Submit"\n'
    goal, sent = 'Give the text "boat" the style bold and press Submit.', Move(act="click Submit [3]")
    assert whole(goal, page, [sent]) == [Move(act="click Bold [1]"), sent]
    assert whole(goal, page, [sent], {"Bold [1]"}) == [sent]


def test_a_booking_is_not_at_its_end_before_something_so_called_was_clicked() -> None:
    trace = Trace("Book the cheapest crossing")
    assert trace.unmet == ["book"]
    trace.acts.add("click Book for €17 [92]")
    assert trace.unmet == []


def test_what_is_to_be_sorted_has_no_topmost() -> None:
    page = '- Ann | 41 | [1] button "Raise"\n- Bob | 57 | [2] button "Raise"\n'
    found = extreme("Raise the one with the highest number", page)
    assert found and found.id == 2
    assert extreme("Sort them by number, highest first", page) is None


def test_what_is_told_of_a_row_may_stand_in_the_lines_above_its_button() -> None:
    page = """Depart: 3:00 PM
Duration: 5h 2m
[74] button "Book flight for $215"
Depart: 9:05 AM
Duration: 1h 20m
[75] button "Book flight for $430"
"""
    short, cheap = topmost("Book the shortest flight", page), topmost("Book the cheapest flight", page)
    assert short and cheap and (short.id, cheap.id) == (75, 74)


HEADS = '- [1] link "Name" | [2] link "Salary ▲" (ascending) | Status'


def test_a_table_that_is_sorted_the_other_way_is_sorted_again() -> None:
    found = sorting("Sort the staff by salary, highest first.", HEADS)
    assert found and (found[0].id, found[1]) == (2, False)


def test_a_table_that_is_sorted_as_wanted_is_left_so() -> None:
    found = sorting("Sort the staff by salary, lowest first.", HEADS)
    assert found and found[1]


def test_a_table_sorted_as_wanted_is_not_all_where_more_is_to_be_done() -> None:
    assert sorting("Sort the staff by salary, lowest first, then open the first of them.", HEADS) is None
    assert sorting("Sort the staff by name, lowest first.", HEADS) is None
    assert sorting("Which salary is the highest?", HEADS) is None
