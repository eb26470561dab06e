"""What of a page concerns a goal, and what can be done on it."""

from pilotfish.core.messages import Call
from pilotfish.runtime.aids.focus import alike, before, choices, focused, meant, named, names, values
from pilotfish.runtime.aids.instinct import appeared, turned, unopened, unrolled, unsent
from pilotfish.runtime.aids.mending import hasty, unfilled, whole
from pilotfish.runtime.aids.moves import Move, Moves
from pilotfish.runtime.aids.ranking import extreme
from pilotfish.runtime.aids.things import Thing, things
from pilotfish.runtime.aids.trace import Trace
from pilotfish.runtime.seeing import Page

PAGE = """banner:
 [1] link "Home"
 navigation "Main":
  [2] link "Shop"
  [3] link "Mail"
main:
 # Inbox
 - Ada Moreno | Tomorrow | [4] clickable "star"
 - Jonas Berg | Fish | [5] clickable "star"
 [6] combobox "Sort by" = "Newest" options: Newest, Oldest
 [7] textbox "Search mail"
 [8] tab "Unread" (selected)
 [9] button "Delete all" (disabled)
 [10] link "Write a "good" letter"
""" + "\n".join(f" text {n}" for n in range(20))


def test_what_the_goal_names_comes_first_and_in_the_right_row() -> None:
    best = named("Put a star on the message from Jonas Berg", PAGE)
    assert [thing.id for thing in best] == [5]
    assert named("Sort by oldest", PAGE)[0].id == 6
    assert named("Make some coffee", PAGE) == []
    assert named("Write about mails", PAGE)[0].name == "Mail"


def test_what_is_inside_a_row_goes_by_the_row() -> None:
    page = '[1] clickable "Ada: hello"\n [2] clickable "trash"\n[3] clickable "Jonas: fish"\n [4] clickable "trash"'
    assert [thing.id for thing in named("Find the mail by Jonas and click the trash icon", page)] == [4]


def test_counts_in_names_do_not_hide_that_they_are_of_one_kind() -> None:
    page = (
        '- olaf | Copper tape | [1] button "Helpful (17)"\n- pim | Beer | [2] button "Helpful (3)"\n[3] button "Answer"'
    )
    assert [thing.id for thing in named("Mark the answer about copper tape by olaf as helpful", page)] == [1]


def test_what_the_goal_quotes_is_seen_when_it_appears() -> None:
    found = appeared('Find the link "Prices" in a tab', '[1] tab "Home"\n[2] link "Prices"', {"Home"})
    assert found and found.id == 2
    assert appeared('Find the link "Prices"', '[2] link "Prices"', {"Prices"}) is None
    assert appeared('Type "a" into "Name"', '[1] textbox "Name"', ()) is None


def test_a_sign_goes_by_what_people_call_it() -> None:
    row = '- [{}] clickable "tick" | [{}] clickable "{}" | [{}] clickable "✕"'
    page = "\n".join([row.format(1, 2, "Water the fern", 3), row.format(4, 5, "Fix the gate", 6), '[7] link "Done"'])
    assert named("Remove the note “Fix the gate”", page)[0].id == 6
    assert named("Mark the note “Water the fern” as done", page)[0].id == 1
    assert touched("Remove the note “Fix the gate”", page, "click ✕ [6]", 6) == (["note"], True)


def test_menus_that_the_goal_does_not_need_are_left_out() -> None:
    shown = focused("Put a star on the message from Jonas Berg", PAGE)
    assert '"Shop"' not in shown and "Jonas Berg" in shown and shown.endswith("star [5]")
    assert '"Shop"' in focused("Go to the shop", PAGE)
    assert focused("Make some coffee", PAGE) == PAGE


def test_for_the_third_of_a_kind_the_kind_is_counted() -> None:
    radios = '- [1] radio "radio" (unchecked) | [2] radio "radio" (unchecked)'
    page = f'{radios}\n[3] textbox\n[4] textbox = "a"\n[5] button "Go"'
    shown = focused("Check the 2nd radio button", page)
    assert '[2] radio "radio" (2nd) (unchecked)' in shown and '[4] textbox (2nd) = "a"' in shown
    assert '[5] button "Go"\n' in f"{shown}\n" and "(2nd)" not in focused("Check the radio button", page)
    assert Moves(shown).calls["click radio [2]"] == ("click", {"id": 2})


def seen(page: str, url: str = "u") -> Page:
    return Page(url=url, title="T", tab=1, text=f"T — {url}\n(screen 1 of 1)\n{page}", tokens=1)


def touched(goal: str, page: str, act: str, id: int, news: str = "") -> tuple[list[str], bool]:
    """What is left of a goal after one action, and whether it counts as reached."""
    trace = Trace(goal)
    trace.touch(seen(page), Call(id="c", tool="click", args={"id": id}), act, news)
    return trace.left, trace.reached(seen(page))


def test_a_goal_is_reached_when_nothing_of_it_is_left_to_touch() -> None:
    assert touched("Open the shop.", PAGE, "click Shop [2]", 2) == ([], True)
    assert touched("Open the shop and then the mail.", PAGE, "click Shop [2]", 2) == (["mail"], False)
    assert touched("Put a star on the message from Ada Moreno.", PAGE, "click star [4]", 4) == (["message"], True)
    assert not touched("Put a star on Ada Moreno's message and submit it.", PAGE, "click star [4]", 4)[1]
    left, reached = touched('Search mail for "fish soup".', PAGE, "click Search mail [7]", 7)
    assert "fish soup" in left and not reached, "a value that the goal quotes must be used"
    assert not touched('Find the link "ut." in the shop.', PAGE, "click Shop [2]", 2, "New text: but ut is here")[1]


def test_what_stands_above_an_element_says_what_it_is_about_but_the_goal_itself_does_not() -> None:
    page = 'Rate the bakery\n[1] button "Poor"\n[2] button "Good"\n[3] button "Enter"'
    assert touched("Rate the bakery as good.", page, "click Good [2]", 2) == ([], True)
    echo = 'Open the section and press Submit now.\n[1] tab "Section"\n[2] button "Submit"'
    assert touched("Open the section and press Submit now.", echo, "click Section [1]", 1)[1] is False


def test_a_question_is_given_the_choices_that_it_names() -> None:
    assert choices("Do you mean Shop or Mail?", PAGE) == ("Shop", "Mail")


def test_every_element_gives_the_moves_that_fit_it() -> None:
    moves = Moves(PAGE)
    assert {"click star [4]", "select Oldest in Sort by [6]", "type into Search mail [7]"} <= set(moves.calls)
    assert not {"click Unread [8]", "click Delete all [9]", "type into Home [1]"} & set(moves.calls)
    assert [thing.name for thing in things(PAGE)][-1] == 'Write a "good" letter'
    call = moves.call(Move(act="type into Search mail [7]", text="fish"), "c1")
    assert call and (call.tool, dict(call.args)) == ("type", {"id": 7, "text": "fish"})
    assert moves.call(Move(act="click nothing [99]"), "c2") is None


def test_a_box_that_scrolls_can_be_scrolled() -> None:
    box = '[{}] scrollable (scrolls, at 0 %):\n [2] button "Go"\n'
    assert Moves(box.format(1)).calls["scroll down"] == ("scroll", {"direction": "down", "target": 1})
    both = Moves(box.format(1) + box.format(5)).calls
    assert both["scroll down in scrollable [5]"] == ("scroll", {"direction": "down", "target": 5})
    assert "scroll down" not in both and "scroll up in scrollable [5]" not in both


def test_a_page_is_scrolled_only_where_it_goes_on() -> None:
    def ways(page: str) -> set[str]:
        return {line for line in Moves(page).calls if "scroll" in line}

    assert ways("Town\nText") == set()
    assert ways("Town\n(screen 1 of 3)\nText") == {"scroll down"}
    assert ways("Town\n(screen 2 of 3)\nText") == {"scroll down", "scroll up"}
    assert ways("Town\n(screen 3 of 3)\nText") == {"scroll up"}


def test_a_button_is_not_clicked_before_the_words_for_its_field_are_known() -> None:
    page = '[1] link "Home"\n[2] searchbox "Search"\n[3] button "Search"'
    click = Move(act="click Search [3]")
    found = unfilled("Search the shop for tea.", page, click)
    assert found and found.id == 2
    assert unfilled("Search.", page, click) is unfilled("Click the search button.", page, click) is None
    assert unfilled("Search for tea.", page.replace('"Search"\n', '"Search" = "tea"\n'), click) is None
    assert unfilled("Go home.", page, Move(act="click Home [1]")) is None


def test_nothing_is_sent_before_what_the_goal_speaks_of_first() -> None:
    page = '[1] spinbutton "Value" = "0"\n[2] button "Submit"'
    submit = Move(act="click Submit [2]")
    assert hasty("Select 3 with the spinner and hit Submit.", page, submit)
    assert not hasty("Submit the form.", page, submit)
    assert before("Select 3 with the spinner and hit Submit.", "Submit") == [
        "3",
        "spinner",
    ]
    assert "named in the goal" not in focused("Select 3 with the spinner and hit Submit.", page)
    assert "named in the goal" in focused("Select 3 with the spinner and hit Submit.", page, {"Value [1]"})


def test_the_menu_on_the_way_to_what_is_looked_for_is_opened() -> None:
    page = '[1] menuitem "File" (menu)\n[2] menuitem "Edit" (menu)\n[3] menuitem "Help"'
    wanted = values("Select Edit > Paste.")
    assert wanted == ["Edit", "Paste"]
    assert unopened(wanted, page, ()) == "hover Edit [2]"
    assert unopened(wanted, page + '\n[4] menuitem "Paste"', ()) == ""


def test_words_go_into_the_empty_field_that_was_clicked() -> None:
    page = '[1] textbox "to"\n[2] textbox "body" = "Hello"\n[3] button "Send"'
    plan = [Move(act="click to [1]"), Move(act="type into body [2]", text="Ada")]
    assert whole("forward it to Ada", page, plan) == [Move(act="type into to [1]", text="Ada")]


def test_the_cheapest_and_the_shortest_are_found_by_comparing() -> None:
    page = """- Duration: | 16h 12m | [1] button "Book for $1,310"
- Duration: | 1h 17m | [2] button "Book for $309"
- Duration: | 8h | [3] button "Book for $181.50"
[4] link "Help"
"""
    found = {
        goal: extreme(goal, page) for goal in ("the cheapest", "the shortest flight", "the most expensive", "a flight")
    }
    assert [thing and thing.id for thing in found.values()] == [3, 2, 1, None]
    assert extreme("the highest score", "- Ada | 7 | [1] link\n- Bo | 12 | [2] link") == Thing(2, "link", "")
    assert "named in the goal: Book for $309 [2]" in focused("Buy the ticket with the shortest duration.", page)


def test_what_a_field_holds_already_is_not_typed_again() -> None:
    page = '[1] textbox "Name" = "Ann"\n[2] button "Go"'
    plan = [Move(act="type into Name [1]", text="Ann"), Move(act="click Go [2]")]
    assert [move.act for move in whole("name Ann, go", page, plan)] == ["click Go [2]"]


def test_what_the_goal_names_is_told_in_its_order() -> None:
    page = '[1] tab "Bellanca"\n[2] tab "Delilah"\n[3] button "Send"'
    assert [thing.id for thing in meant("Take Delilah, send to Bellanca.", page)] == [2, 1, 3]


def test_a_box_is_not_ticked_twice_in_one_go() -> None:
    page = '[1] checkbox "Milk" (unchecked)\n[2] button "More"'
    twice = [Move(act="click Milk [1]")] * 2 + [Move(act="click More [2]")] * 2
    assert whole("tick it", page, twice) == twice[1:]


def test_a_list_is_gone_down_while_nobody_of_the_goal_is_in_it() -> None:
    page = '[1] scrollable (scrolls, at 0 %):\n [2] clickable "Ada: hello"'
    assert unrolled(["Kelli"], page) == "scroll down"
    assert unrolled(["Ada"], page) == unrolled([], page) == unrolled(["Kelli"], page.replace("0 %", "100 %")) == ""
    assert names('Find the mail by Kelli, then send "Best Wishes" to Ada') == ["Kelli", "Ada"]


def test_who_is_named_is_found_however_long_the_row() -> None:
    page = '[1] clickable "Ada What about the boat on Sunday.."\n[2] clickable "Kelli Tar and rope for the pier.."'
    assert [thing.id for thing in named("Find the mail by Kelli", page)] == [2]


def test_a_form_is_shown_without_a_finger_pointing_at_one_field() -> None:
    form = '[1] textbox "Genre"\n[2] textbox "Year"\n[3] button "Submit"'
    assert "named in the goal" not in focused("Search for films from year 1995", form)


def test_what_was_tried_from_here_is_not_offered_again() -> None:
    again = PAGE.replace("[2]", "[42]")
    assert "click Shop [42]" not in Moves(again, {"click Shop [2]"}).calls, "the same link under a new number"
    alike = Moves(PAGE, {"click star [4]"}).calls
    assert "click star [4]" not in alike and "click star [5]" in alike


CALENDAR = 'December 2016\n[1] clickable "Prev" | [2] clickable "Next"\n' + " | ".join(
    f'[{n + 10}] link "{n}"' for n in range(1, 32)
)


def test_a_calendar_is_turned_to_the_month_and_then_to_the_day_of_the_goal() -> None:
    def clicked(goal: str, page: str = CALENDAR) -> str:
        found = turned(goal, page)
        return found.name if found else ""

    assert clicked("Select 09/04/2016 as the date") == "Prev"
    assert clicked("Book it for 3 March 2017") == "Next"
    assert clicked("Choose 2016-12-05") == "5"
    assert clicked("Choose a date") == ""
    assert clicked("Choose 2016-12-05", '[1] link "5"') == ""


def test_closed_parts_are_opened_one_after_the_other_while_nothing_wanted_is_here() -> None:
    page = '[1] menuitem "Play" (menu)\n[2] tab "One" (selected)\n[3] tab "Two"\n[4] button "More" (collapsed)'
    assert unopened(["Next"], page, ()) == "hover Play [1]"
    assert unopened(["Next"], page, {"hover Play [1]"}) == "click Two [3]"
    assert unopened(["Next"], page, {"hover Play [1]", "click Two [3]"}) == "click More [4]"
    assert unopened(["Two"], page, ()) == unopened([], page, ()) == ""
    assert unopened(["Next"], f'{page}\n[5] textbox "Search"', ()) == ""


def test_a_plan_is_made_whole_before_it_is_sent_and_where_all_are_wanted() -> None:
    page = '[1] tab "Section #3" (collapsed)\n[2] checkbox "tea" (unchecked)\n[3] button "Submit"'
    plan = whole("Expand the section below, tick tea and click submit", page, [Move(act="click Submit [3]")])
    assert sorted(map(str, plan[:2])) == ["click Section #3 [1]", "click tea [2]"]
    assert str(plan[2]) == "click Submit [3]"
    page = '[1] radio "Blue" (unchecked)\n[2] radio "Green" (unchecked)\n[3] button "Vote"'
    assert str(whole("Vote for green", page, [Move(act="click Vote [3]")])[0]) == "click Green [2]"
    page = '[1] clickable "blue"\n[2] clickable "red"\n[3] clickable "blue"'
    assert list(map(str, whole("Click all blue ones", page, [Move(act="click blue [1]")]))) == [
        "click blue [3]",
        "click blue [1]",
    ]


def test_what_the_goal_counts_out_is_pointed_at() -> None:
    page = "\n".join(f"[{n}] radio (unchecked)" for n in range(1, 4)) + "\n[4] textbox\n[5] textbox"
    shown = focused('Check the 3rd radio button and enter "7" into the last textbox', page)
    assert shown.endswith("named in the goal: radio [3]; textbox [5]")


def test_a_menu_within_a_menu_is_pointed_at_before_it_is_clicked() -> None:
    page = '[1] menuitem "Play" (menu)\n[2] menuitem "Save"'
    assert "click Play [1]" not in Moves(page).calls
    assert "click Play [1]" in Moves(page, {"hover Play [1]"}).calls
    assert "click Save [2]" in Moves(page).calls


def test_what_sends_comes_after_what_is_filled_in_and_is_not_forgotten() -> None:
    page = '[1] clickable "send reply"\n[2] textbox "Text"\n[3] clickable "close"'
    acts = [Move(act="click send reply [1]"), Move(act="type into Text [2]", text="Hello"), Move(act="done")]
    assert [str(move) for move in whole("Reply", page, acts)] == [
        'type into Text [2] "Hello"',
        "click send reply [1]",
        "done",
    ]
    last = unsent("Reply to Ada with “Hello”", page, ())
    assert last and last.id == 1
    assert unsent("Enter Hello into the text field", page, ()) is None
    assert unsent("Reply to Ada", page, {"send reply [1]"}) is None


def test_putting_something_into_the_cart_is_adding_it() -> None:
    page = '[1] link "Cart (0)"\n[2] button "Add to cart"'
    assert named("Put the kettle into the cart", page)[0].id == 2


def test_a_word_in_another_form_counts_less_than_the_word() -> None:
    page = '[1] link "News"\n[2] radio "Green" (unchecked)\n[3] link "Trash"\n[4] link "You won a golden anchor"'
    assert [thing.name for thing in meant("Take green for the new boat", page)] == ["Green"]
    assert [thing.id for thing in meant("Delete the message about the golden anchor", page)] == [4]


def after(goal: str, page: str, tool: str, act: str, **args: object) -> Trace:
    trace = Trace(goal)
    call = Call(id="c", tool=tool, args=args)
    trace.note(seen(page), call, act)
    trace.touch(seen(page), call, act, "")
    return trace


def test_what_comes_up_and_the_goal_speaks_of_is_next() -> None:
    trace = after("Export as text from the File menu.", '[1] link "File"', "click", "click File [1]", id=1)
    menu = '[1] link "File" | [2] link "New" | [3] link "Export ▸"'
    assert [thing.id for thing in trace.fresh(seen(menu))] == [3] and not trace.reached(seen(menu))
    assert trace.fresh(seen(menu, url="elsewhere")) == [], "on another page everything is new"
    assert [thing.id for thing in trace.fresh(seen('[1] link "File" | [4] link "as text"'))] == [4]
    trace = after("Fetch the late letter and open it.", '[1] button "Fetch the late letter"', "wait_for", "wait")
    assert [thing.id for thing in trace.fresh(seen('It came! | [2] button "Open the letter"'))] == [2]


def test_what_was_typed_and_then_stands_in_a_list_is_not_next() -> None:
    goal, page = "Add the note “Buy lamp oil”.", '[1] textbox "Note"'
    trace = after(goal, page, "type", 'type into Note [1] "Buy lamp oil"', id=1, text="Buy lamp oil")
    assert trace.fresh(seen('[1] textbox "Note" | [2] link "Buy lamp oil"')) == []


def test_the_link_to_the_page_that_is_open_is_no_choice_and_today_is() -> None:
    here, today = things('[1] link "Staff" (current) | [2] link "15" (current)')
    assert here.idle and not today.idle


def test_one_cookie_is_like_many() -> None:
    assert alike("cookie", "cookies") and alike("ferry", "ferries") and not alike("pie", "pier")
