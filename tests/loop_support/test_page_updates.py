"""What a model is told of a page that it has seen before: the changes, or the whole page again."""

from pilotfish.core.messages import Message
from pilotfish.core.pages import ObservedPage
from pilotfish.loop_support.page_updates import PageUpdates, describe_changes
from pilotfish.safety.untrusted_text import UntrustedText

ROWS = [f'- [{n}] button "Star" | [{n + 100}] link "Letter {n}" | Ada, {n} minutes ago' for n in range(10, 40)]


def page(*lines: str) -> str:
    return "\n".join(("Post — http://127.0.0.1/apps/post", "(screen 1 of 1)", *lines))


def make_page(text: str) -> ObservedPage:
    return ObservedPage(url="", title="", tab=1, text=text, tokens=0)


def turns(count: int) -> list[Message]:
    return [Message(role="user", text=f"turn {n}") for n in range(count)]


def test_a_line_with_the_same_number_reads_otherwise_and_its_old_form_is_left_out() -> None:
    starred = ROWS[3].replace("Star", "Unstar")
    assert describe_changes(page(*ROWS), page(*ROWS[:3], starred, *ROWS[4:])) == f"~ {starred}"


def test_a_new_line_comes_with_the_line_ahead_of_it() -> None:
    changes = describe_changes(page(*ROWS), page(*ROWS[:2], "Saved.", *ROWS[2:]))
    assert changes == f"  {ROWS[1]}\n+ Saved."


def test_a_line_that_went_is_told_and_a_line_that_moved_is_not_gone() -> None:
    assert describe_changes(page(*ROWS), page(*ROWS[:5], *ROWS[6:])) == f"- {ROWS[5]}"
    moved = describe_changes(page(*ROWS), page(ROWS[20], *ROWS[:20], *ROWS[21:]))
    assert moved == f"  (screen 1 of 1)\n~ {ROWS[20]}"


def test_what_is_merely_no_longer_new_is_no_change() -> None:
    starred = [row.replace("- [", "- *[") for row in ROWS]
    assert describe_changes(page(*starred), page(*ROWS)) == ""


def test_a_short_page_and_one_that_changed_much_are_told_whole() -> None:
    assert describe_changes(page(ROWS[0]), page(ROWS[1])) is None
    assert describe_changes(page(*ROWS), page(*(row.replace("Star", "Unstar") for row in ROWS))) is None


def test_changes_are_told_since_the_whole_page_which_keeps_its_place() -> None:
    updates = PageUpdates(UntrustedText("secret"))
    first, none = updates.arrange(make_page(page(*ROWS)), 1, turns(1), 1)
    assert none == "" and first[-1].text.startswith("The page at turn 1:") and first[-1].pinned
    second, changes = updates.arrange(make_page(page(*ROWS[1:])), 2, turns(3), 3)
    assert [message.text for message in second] == ["turn 0", first[-1].text, "turn 1", "turn 2"]
    assert "The page at turn 2 is the page at turn 1 above, with these changes:" in changes and ROWS[0] in changes
    third, changes = updates.arrange(make_page(page(*ROWS)), 3, turns(4), 4)
    assert third[1] == first[-1] and changes == "The page at turn 3 is exactly the page at turn 1 above."


def test_the_page_is_told_whole_again_when_asked_for_or_when_its_turn_is_left_out() -> None:
    updates = PageUpdates(UntrustedText("secret"))
    updates.arrange(make_page(page(*ROWS)), 1, turns(1), 1)
    updates.forget()
    again, changes = updates.arrange(make_page(page(*ROWS)), 2, turns(2), 2)
    assert changes == "" and again[-1].text.startswith("The page at turn 2:")
    later, changes = updates.arrange(make_page(page(*ROWS)), 9, turns(3), 9)
    assert changes == "" and later[-1].text.startswith("The page at turn 9:")
