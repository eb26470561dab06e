"""Each endpoint's effect shows in the log and in the state."""

from typing import Any

import httpx2
import pytest

from pilotfish.practice.server import Practice
from pilotfish.practice.tasks import fits, value_at

FORMS: list[tuple[str, dict[str, Any], str, dict[str, Any]]] = [
    ("/shop/cart/add", {"slug": "tea-tin", "quantity": "2"}, "cart.added", {"slug": "tea-tin", "quantity": 2}),
    ("/account/login", {"user": "mira", "password": "lantern-42"}, "account.signed_in", {"user": "mira"}),
    ("/account/login", {"user": "mira", "password": "no"}, "account.refused", {"user": "mira"}),
    ("/forms/contact", {"name": "Tom"}, "form.sent", {"form": "contact", "fields": {"name": "Tom"}}),
    ("/forms/survey", {"interests[]": ["Music"]}, "form.sent", {"fields": {"interests": ["Music"]}}),
    ("/wizard/1", {"arrive": "2027-07-10", "nights": "3", "guests": "2"}, "wizard.step", {"step": 1}),
    ("/wizard/1", {"arrive": "", "nights": "3", "guests": "2"}, "wizard.refused", {"step": 1}),
    ("/staff/101/turn", {}, "staff.turn", {"name": "Agnes Abbott", "status": "inactive"}),
    ("/staff/101/raise", {}, "staff.raise", {"salary": 32000}),
    ("/staff/101/delete", {}, "staff.delete", {"id": 101}),
    ("/mail/send", {"to": "a@b.c", "subject": "s", "body": "t"}, "mail.sent", {"to": "a@b.c"}),
    ("/mail/letter/4/trash", {}, "mail.moved", {"folder": "trash", "id": 4}),
    ("/forum/new", {"board": "Kitchen", "title": "t", "text": "x"}, "forum.begun", {"title": "t"}),
    ("/forum/1/reply", {"text": "yes"}, "forum.replied", {"text": "yes"}),
]
SCRIPTS: list[tuple[str, str, dict[str, Any], str, dict[str, Any]]] = [
    ("POST", "/api/wish", {"slug": "kite"}, "wishlist.changed", {"on": True}),
    ("POST", "/api/forms/custom", {"stars": 4}, "form.sent", {"fields": {"stars": 4}}),
    ("POST", "/api/staff/archive", {"ids": ["101"]}, "staff.archived", {"names": ["Agnes Abbott"]}),
    ("POST", "/api/mail/6/star", {}, "mail.starred", {"on": True}),
    ("POST", "/api/vote", {"topic": 1, "n": 1}, "forum.voted", {"author": "old_olaf"}),
    ("POST", "/api/widgets", {"kind": "order.placed", "x": 1}, "ui.order.placed", {"x": 1}),
    ("POST", "/api/metrics", {"kind": "tab.opened", "tab": "Hours"}, "ui.tab.opened", {"tab": "Hours"}),
    ("POST", "/api/list/liked", {"n": 2}, "list.liked", {"n": 2, "on": True}),
    ("POST", "/api/list/pinned", {"n": 5}, "list.pinned", {"n": 5, "on": True}),
    ("POST", "/api/todos", {"text": "new"}, "todo.added", {"text": "new"}),
    ("PATCH", "/api/todos/1", {"done": True}, "todo.changed", {"id": 1, "done": True}),
    ("DELETE", "/api/todos/1", {}, "todo.removed", {"id": 1}),
    ("POST", "/api/preferences", {"theme": "sea"}, "preferences.saved", {"theme": "sea"}),
    ("POST", "/api/board", {"card": "Order rope", "to": "done"}, "board.moved", {"to": "done"}),
    ("POST", "/api/ranking", {"order": ["Honey", "Bread", "Cheese", "Apples"]}, "ranking.changed", {}),
]


def has_effect(site: Practice, kind: str, details: dict[str, Any]) -> bool:
    return any(effect.kind == kind and fits(details, effect.details) for effect in site.log())


@pytest.mark.parametrize(("path", "form", "kind", "details"), FORMS)
async def test_a_sent_form_shows_in_the_log(
    site: Practice, visitor: httpx2.AsyncClient, path: str, form: dict[str, Any], kind: str, details: dict[str, Any]
) -> None:
    await visitor.post(path, data=form)
    assert has_effect(site, kind, details), site.log()


@pytest.mark.parametrize(("method", "path", "body", "kind", "details"), SCRIPTS)
async def test_what_a_script_sends_shows_in_the_log(
    site: Practice,
    visitor: httpx2.AsyncClient,
    method: str,
    path: str,
    body: dict[str, Any],
    kind: str,
    details: dict[str, Any],
) -> None:
    reply = await visitor.request(method, path, json=body)
    assert reply.is_success
    assert has_effect(site, kind, details), site.log()


async def test_an_order_takes_the_cart_and_keeps_only_the_end_of_the_card(
    site: Practice, visitor: httpx2.AsyncClient
) -> None:
    await visitor.post("/shop/cart/add", data={"slug": "paper-clips", "quantity": "2"})
    await visitor.post("/shop/cart/coupon", data={"code": "fern10"})
    wrong = {"name": "Ola Nord", "email": "ola", "terms": "on"}
    assert (await visitor.post("/shop/checkout", data=wrong)).status_code == 422
    right = wrong | {"email": "ola@nord.example", "street": "Pier 5", "city": "Bergen", "postcode": "5003"}
    right |= {"country": "Norway", "card": "4111 1111 1111 1111", "expiry": "09/28", "cvc": "123"}
    page = await visitor.post("/shop/checkout", data=right)
    assert "F-1001" in page.text
    assert value_at(site.state(), "orders.0.total") == 780 - 78 + 490
    assert value_at(site.state(), "cart.#") == 0
    assert "4111" not in str(site.state())
    assert "123" not in [str(v) for v in site.state()["orders"][0].values()]


async def test_a_cart_line_can_be_changed_and_removed(site: Practice, visitor: httpx2.AsyncClient) -> None:
    await visitor.post("/shop/cart/add", data={"slug": "kite", "quantity": "1"})
    await visitor.post("/shop/cart/change", data={"n": "0", "quantity": "3"})
    assert value_at(site.state(), "cart.0.quantity") == 3
    await visitor.post("/shop/cart/change", data={"n": "0", "quantity": "0"})
    assert site.state()["cart"] == []
    assert has_effect(site, "cart.removed", {"slug": "kite"})


async def test_what_is_sold_out_cannot_be_bought(site: Practice, visitor: httpx2.AsyncClient) -> None:
    await visitor.post("/shop/cart/add", data={"slug": "pepper-mill", "quantity": "1"})
    assert site.state()["cart"] == []


async def test_the_account_is_closed_to_those_without_its_cookie(site: Practice, visitor: httpx2.AsyncClient) -> None:
    await visitor.post("/account/login", data={"user": "mira", "password": "lantern-42"})
    assert "Hello, Mira Holt" in (await visitor.get("/account")).text
    async with httpx2.AsyncClient(base_url=site.url, follow_redirects=True) as stranger:
        assert "Hello" not in (await stranger.get("/account")).text
        await stranger.post("/account/profile", data={"name": "Mallory"})
    assert value_at(site.state(), "profile.name") == "Mira Holt"
    change = {"old": "lantern-42", "new": "moonlight-77", "again": "moonlight-77"}
    await visitor.post("/account/password", data=change)
    await visitor.post("/account/profile", data={"name": "Mira H", "phone": "1", "language": "Suomi"})
    await visitor.post("/account/logout")
    assert value_at(site.state(), "profile.password") == "moonlight-77"
    assert has_effect(site, "account.changed", {"language": "Suomi", "newsletter": False})
    assert site.state()["user"] is None


async def test_a_booking_goes_through_all_steps_in_order(site: Practice, visitor: httpx2.AsyncClient) -> None:
    assert (await visitor.get("/wizard/3")).url.path == "/wizard/1"
    await visitor.post("/wizard/1", data={"arrive": "2027-07-10", "nights": "3", "guests": "2"})
    await visitor.post("/wizard/2", data={"room": "Attic", "breakfast": "on"})
    await visitor.post("/wizard/3", data={"name": "Ola", "email": "o@n.no", "phone": "555 0123"})
    page = await visitor.post("/wizard/4", data={"agree": "on"})
    assert "Attic" in page.text
    assert value_at(site.state(), "booked.0.breakfast") == "on"
    assert site.state()["booking"] == {}


async def test_uploads_are_counted_and_downloads_noted(site: Practice, visitor: httpx2.AsyncClient) -> None:
    await visitor.post("/files/upload", files={"file": ("a.txt", b"hello")}, data={"note": "mine"})
    assert site.state()["files"] == [{"name": "a.txt", "size": 5, "note": "mine"}]
    reply = await visitor.get("/files/tides.csv")
    assert reply.headers["content-disposition"].startswith("attachment")
    assert has_effect(site, "file.downloaded", {"name": "tides.csv"})
    assert (await visitor.get("/files/harbour-guide.pdf")).headers["content-disposition"].startswith("inline")


async def test_the_flaky_fail_once_and_the_slow_come_in_the_end(site: Practice, visitor: httpx2.AsyncClient) -> None:
    for path, shown in (("/faults/flaky", "flaky.shown"), ("/api/report", "report.loaded")):
        assert [(await visitor.get(path)).status_code for _ in range(2)] == [503, 200]
        assert has_effect(site, shown, {})
    assert (await visitor.get("/faults/slow?ms=20")).status_code == 200
    assert has_effect(site, "slow.shown", {})


async def test_reading_a_letter_marks_it_read(site: Practice, visitor: httpx2.AsyncClient) -> None:
    await visitor.get("/mail/letter/1")
    assert value_at(site.state(), "mail.0.read") is True
    assert has_effect(site, "mail.read", {"id": 1})


async def test_the_staff_table_is_sorted_filtered_and_paged_by_its_address(visitor: httpx2.AsyncClient) -> None:
    richest = (await visitor.get("/staff?sort=salary&down=1")).text
    assert richest.index("Bruno Abbott") < richest.index("Clara Abbott")
    assert "12 people" in (await visitor.get("/staff?office=Fernhill")).text
    assert "page 5 of 5" in (await visitor.get("/staff?page=99")).text


async def test_what_visitors_write_is_shown_as_text(visitor: httpx2.AsyncClient) -> None:
    page = await visitor.post("/forum/1/reply", data={"text": "<script>alert(1)</script>"})
    assert "<script>alert(1)" not in page.text
    assert "&lt;script&gt;alert(1)" in page.text


async def test_odd_requests_are_refused_politely(visitor: httpx2.AsyncClient) -> None:
    assert (await visitor.get("/api/items?offset=x")).status_code == 400
    assert (await visitor.post("/api/todos", content=b"{")).status_code == 400
