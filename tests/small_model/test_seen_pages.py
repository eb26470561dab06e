"""When a run goes round without anything new."""

from pilotfish.core.pages import ObservedPage
from pilotfish.small_model.seen_pages import SeenPages

SHOP, MAIL = '# Shop\n[{}] link "Kettle"', '# Mail\n- Ada | [{}] link "Storm"'


def look(text: str, name: str) -> ObservedPage:
    return ObservedPage(
        url=f"http://x/{name}", title=name, tab=1, text=f"{name} — http://x/{name}\n(screen 1 of 1)\n{text}", tokens=1
    )


def see(*turns: tuple[ObservedPage, int]) -> SeenPages:
    seen = SeenPages()
    for page, changes in turns:
        seen.see(page, changes)
    return seen


def test_pages_that_are_opened_again_are_nothing_new_though_their_elements_have_other_numbers() -> None:
    round = [(look((MAIL if at % 2 else SHOP).format(at), "mail" if at % 2 else "shop"), 0) for at in range(6)]
    assert see(*round).idle == 4
    assert see(*round).describe_round().startswith("Going round: “shop”, “mail”")
    assert see(*round[:2]).idle == 0 and not see(*round[:2]).describe_round()


def test_a_new_line_or_a_change_that_looks_new_is_something_new() -> None:
    first = look("- Ada\n- Bo", "mail")
    assert see((first, 0), (look("- Ada\n- Bo\n- Cy", "mail"), 0)).idle == 0
    fewer = look("- Bo", "mail")
    assert see((first, 0), (fewer, 1)).idle == 0
    assert see((first, 0), (fewer, 0)).idle == 1


def test_going_to_and_fro_between_two_states_is_nothing_new_though_each_time_something_changes() -> None:
    on, off = look('[1] switch "Lamp" (on)', "lamp"), look('[1] switch "Lamp" (off)', "lamp")
    assert see((off, 0), (on, 1), (off, 2), (on, 3), (off, 4)).idle == 3
