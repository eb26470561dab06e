from types import SimpleNamespace
from typing import Any

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
        history.mark_caused([f"t{2 * turn + 1}.0"])
    return allowed


def test_a_menu_that_another_row_opened_acts_anew_and_that_of_the_same_row_does_not() -> None:
    assert may_click_paid(1) == 1
    assert may_click_paid(1, 2) == 1
    assert may_click_paid(1, 1) == 0
