from types import SimpleNamespace
from typing import Any

import pytest

from pilotfish.core.pages import ObservedPage
from pilotfish.loop_support.turn import TurnAction
from pilotfish.small_model.short_history import ShortHistory

ROWS = '- R27-1 | Vega | [1] button "Actions"\n- R27-2 | Vega | [2] button "Actions"'
MENU = f'{ROWS}\n*[9] menuitem "Paid"'


def page(text: str) -> ObservedPage:
    return ObservedPage(url="http://x/invoices", title="Invoices", tab=1, text=text, tokens=1)


def click(number: int) -> list[TurnAction]:
    return [TurnAction.model_validate({"tool": "click", "id": number})]


def may_click_paid(*rows: int) -> int:
    """Open the menus of rows one after the other and choose Paid, with its effect; how many last clicks may be made."""
    run: Any = SimpleNamespace(messages=[])
    history, allowed = ShortHistory(run, 200), 0
    for turn, row in enumerate(rows):
        history.begin_actions(2 * turn, click(row), page(ROWS))
        allowed = history.begin_actions(2 * turn + 1, click(9), page(MENU))
        history.mark_caused({f"t{2 * turn + 1}.0": False})
    return allowed


def test_a_menu_that_another_row_opened_acts_anew_and_that_of_the_same_row_does_not() -> None:
    assert may_click_paid(1) == 1
    assert may_click_paid(1, 2) == 1
    assert may_click_paid(1, 1) == 0


COUNTER = '# Candles\nAmount\n{}\n[1] button "More"'
LIST = '# Letters\n- Letter {}\n- Letter {}\n[1] button "More"'
CART = 'navigation:\n [5] link "Cart ({0})"\n# Candle\n€4\n[1] button "More"\nstatus:\n You have {0}\n{1}'


def may_press_again(before: str, after: str, *, once: bool = False, elsewhere: bool = False) -> bool:
    """Press a button that has an effect; whether it may be pressed again when the page shows something else."""
    run: Any = SimpleNamespace(messages=[])
    history = ShortHistory(run, 200)
    history.begin_actions(1, click(1), page(before))
    history.mark_caused({"t1.0": once})
    if elsewhere:
        history.begin_actions(2, click(1), page(ROWS).model_copy(update={"url": "http://x/other"}))
    return history.begin_actions(3, click(1), page(after)) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (COUNTER.format(1), COUNTER.format(2)),
        (LIST.format(1, 2), LIST.format(3, 4)),
        (LIST.format(1, 2), LIST.format("1\n- Letter 2\n- Letter 3", "4\n- Letter 5")),
    ],
)
def test_a_button_is_pressed_again_where_the_page_shows_what_the_press_before_changed(before: str, after: str) -> None:
    assert may_press_again(before, after)
    assert not may_press_again(before, before)


def test_a_menu_a_notice_or_another_page_between_does_not_let_a_button_be_pressed_again() -> None:
    assert not may_press_again(CART.format(0, ""), CART.format(1, "Candle was added"))
    assert not may_press_again(COUNTER.format(1), COUNTER.format(2), elsewhere=True)


def test_what_is_bought_or_sent_is_not_caused_again_whatever_the_page_shows() -> None:
    assert not may_press_again(COUNTER.format(1), COUNTER.format(2), once=True)
