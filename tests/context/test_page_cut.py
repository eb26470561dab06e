"""A page is cut to what matters for a goal, in any language, and what is left out is counted."""

import pytest

from pilotfish.context.fitting import token_estimate
from pilotfish.context.page_cut import cut_page

HEAD = "Staff — http://firm/staff\n(screen 1 of 3)\n"
GOALS = {
    "Deactivate Nora Lindqvist": "Nora Lindqvist | active",
    "Wie lange hat Müller Urlaub?": "Müller, Jörg | Urlaub bis 3. Mai",
    "supprimer les réservations de Chloé": "Chloé Petit | réservée",
    "把王小明的订单取消": "订单 881 | 王小明",
    "Отменить заказы Ивановой": "Иванова А. | заказ 14",
}


def table(middle: str, rows: int = 120) -> str:
    listed = [f'- Person {n} | room {n} | [{n}] button "Edit"' for n in range(100, 100 + rows)]
    listed[rows // 2] = f'- {middle} | [500] button "Edit"'
    return HEAD + "\n".join(['[1] searchbox "Search"', "# Staff", *listed, "below: 40 more elements"])


@pytest.mark.parametrize(("goal", "row"), GOALS.items())
def test_the_row_that_shares_words_with_the_goal_stays_in_every_language(goal: str, row: str) -> None:
    shown = cut_page(table(row), goal, (), 400)
    assert f"- {row} | [500]" in shown and token_estimate(shown) <= 400


def test_what_is_left_out_is_counted_and_nothing_is_changed_in_order() -> None:
    page = table("Nora Lindqvist")
    lines = cut_page(page, "Edit Nora", (), 300).splitlines()
    left = sum(int(line.split()[1]) for line in lines if line.startswith("… "))
    kept = [line for line in lines if not line.startswith("… ")]
    assert left + len(kept) == len(page.splitlines())
    assert kept == [line for line in page.splitlines() if line in kept]
    assert lines[:2] == HEAD.splitlines() and lines[-1] == "below: 40 more elements"


def test_fields_headings_and_what_changed_stay_before_rows() -> None:
    page = table("Nora Lindqvist")
    before = [line for line in page.splitlines() if "Person 170" not in line]
    shown = cut_page(page, "zzz", before, 200)
    assert '[1] searchbox "Search"' in shown and "# Staff" in shown and "Person 170" in shown


def test_what_lies_in_front_stays_whole() -> None:
    dialog = ['[900] dialog "Sure?" (in front):', " All rooms are freed.", ' [901] button "Yes"', ' [902] button "No"']
    page = table("x") + "\n" + "\n".join(dialog)
    assert "\n".join(dialog) in cut_page(page, "Edit Person 101", (), 300)


def test_a_line_brings_the_boxes_that_it_stands_in() -> None:
    inner = "\n".join(f' - Room {n} | [{n}] link "Open"' for n in range(10, 90))
    page = f'{HEAD}table "North":\n{inner}\ntable "South":\n{inner.replace("Room 50", "Hall 50")}'
    shown = cut_page(page, "Open the hall", (), 200).splitlines()
    assert shown.index('table "South":') < next(at for at, line in enumerate(shown) if "Hall 50" in line)


def test_a_page_that_fits_is_not_cut() -> None:
    assert cut_page(table("x", 4), "goal", (), 900) == table("x", 4)


def test_what_stood_on_the_page_before_too_is_left_out_before_what_is_new() -> None:
    around = "\n".join(f' - [{{}}{n}] link "News {n}"' for n in range(10, 70))
    rows = [f" - Harbour {n} | {n} degrees" for n in range(12)]
    page = f"{HEAD}list:\n{around.format(*[2] * 60)}\nmain:\n" + "\n".join(rows)
    before = f"list:\n{around.format(*[1] * 60)}".splitlines()
    shown = cut_page(page, "zzz", before, 300)
    assert all(row in shown for row in rows)


def test_what_stands_beside_the_matter_is_left_out_first() -> None:
    beside = "\n".join(f' - [{n}] link "News {n}"' for n in range(10, 70))
    rows = "\n".join(f' - [{n}] link "Report {n}"' for n in range(80, 92))
    shown = cut_page(f"{HEAD}complementary:\n{beside}\nmain:\n{rows}", "zzz", (), 300)
    assert rows in shown
