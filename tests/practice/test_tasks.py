from typing import Any

import httpx2
import pytest

from pilotfish.practice.server import Practice
from pilotfish.practice.tasks import PracticeTask, fits, tasks, value_at
from pilotfish.practice.worlds import SiteEffect

SUITE = [pytest.param(task, id=task.name) for task in tasks()]


@pytest.mark.parametrize("task", SUITE)
async def test_looking_at_the_first_page_is_not_enough(
    site: Practice, visitor: httpx2.AsyncClient, task: PracticeTask
) -> None:
    assert (await visitor.get(task.start)).status_code == 200
    assert not task.check(site.log(), site.state())


NEAR: list[tuple[str, list[tuple[str, dict[str, str]]]]] = [
    ("flasks", [("/shop/cart/add", {"slug": "field-flask", "colour": "Navy", "quantity": "2"})]),
    ("flasks", [("/shop/cart/add", {"slug": "field-flask", "colour": "Green", "quantity": "3"})]),
    ("add-kettle", [("/shop/cart/add", {"slug": s, "quantity": "1"}) for s in ("tide-kettle", "kite")]),
    ("delete-spam", [("/mail/letter/4/trash", {}), ("/mail/letter/3/trash", {})]),
    ("deactivate-kaisa", [("/staff/127/turn", {})]),
    ("delete-olga", [("/staff/131/delete", {}), ("/staff/147/delete", {})]),
    ("raise-best-paid", [("/staff/118/raise", {}), ("/staff/118/raise", {})]),
    ("sign-in", [("/account/login", {"user": "mira", "password": "lantern"})]),
    ("complain", [("/forms/contact", {"name": "Tom Reed", "email": "tom@reed.example", "subject": "Order"})]),
    ("subscribe", [("/forms/newsletter", {"email": "mira@fernhill"})]),
]


@pytest.mark.parametrize(("name", "posts"), NEAR)
async def test_a_near_miss_does_not_pass(
    site: Practice, visitor: httpx2.AsyncClient, name: str, posts: list[tuple[str, dict[str, str]]]
) -> None:
    task = next(task for task in tasks() if task.name == name)
    for path, form in posts:
        await visitor.post(path, data=form)
    assert not task.check(site.log(), site.state())


def test_the_suite_is_large_and_reaches_from_one_click_to_many_steps() -> None:
    steps = [task.steps for task in tasks()]
    assert len({task.name for task in tasks()}) == len(steps) >= 40
    assert sum(n <= 2 for n in steps) >= 12
    assert min(steps) == 1
    assert max(steps) >= 10


def test_no_task_asks_for_nothing() -> None:
    assert [task.name for task in tasks() if not task.log and not task.state] == []


@pytest.mark.parametrize(
    ("want", "have", "right"),
    [
        ("Tom Reed", "  tom  reed ", True),
        ("Tom", "Tomas", False),
        ("re:.*late.*", "My parcel is late.", True),
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": None}, {}, False),
        ([1, 2], [2, 1], True),
        ([1, 1], [1, 2], False),
        ([1], [1, 2], False),
        (True, "true", False),
    ],
)
def test_values_fit_by_meaning_not_by_spelling(want: Any, have: Any, right: bool) -> None:
    assert fits(want, have) is right


def test_a_path_leads_through_mappings_lists_and_lengths() -> None:
    state = {"a": [{"b": 1}, {"b": 2}]}
    assert [value_at(state, path) for path in ("a.1.b", "a.#", "a.-1.b", "a.9.b", "x.y")] == [2, 2, 2, None, None]


def test_what_may_happen_once_must_not_happen_twice() -> None:
    task = PracticeTask(name="x", start="/", goal="g", steps=1, log=({"kind": "sent", "to": "a"},), once=("sent",))
    good, bad = (SiteEffect(n=1, at=0, kind="sent", details={"to": to}) for to in "ab")
    assert task.check([good], {})
    assert not task.check([good, bad], {})
    assert not task.check([good, good], {})


def test_a_slip_that_was_put_right_is_forgiven() -> None:
    task = PracticeTask(name="x", start="/", goal="g", steps=1, log=({"kind": "chosen", "item": "b"},))
    a, b = (SiteEffect(n=1, at=0, kind="chosen", details={"item": item}) for item in "ab")
    assert task.check([a, b], {})
    assert not task.check([b, a], {})


def test_what_must_never_happen_spoils_a_task() -> None:
    task = PracticeTask(name="x", start="/", goal="g", steps=1, log=({"kind": "kept"},), never=("lost",))
    kept, lost = (SiteEffect(n=1, at=0, kind=kind) for kind in ("kept", "lost"))
    assert task.check([kept], {})
    assert not task.check([kept, lost], {})
