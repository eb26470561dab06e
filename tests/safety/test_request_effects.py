"""What a request is said to do, by its method, address and body alone."""

import json
import time
from typing import Any

import pytest

from pilotfish.browser.sessions.held_request import HeldRequest
from pilotfish.safety.request_body import read_body
from pilotfish.safety.request_effects import (
    describe_request,
    find_effects,
    find_visit,
    is_query,
    is_telemetry,
    is_undoable,
    request_kind,
)

FORM = "application/x-www-form-urlencoded"
SHOP = "https://shop.example"


def request(path: str, body: Any = "", method: str = "POST", **more: Any) -> HeldRequest:
    data = body if isinstance(body, str) else json.dumps(body)
    url = path if "://" in path else SHOP + path
    return HeldRequest(method=method, url=url, body=data.encode(), **more)


def effects(held: HeldRequest) -> list[str]:
    return [one.effect for one in find_effects(held, read_body(held))]


def harmless(held: HeldRequest) -> bool:
    body = read_body(held)
    return is_telemetry(held, body) or is_query(held, body) or is_undoable(held, body)


@pytest.mark.parametrize(
    ("held", "effect"),
    [
        (request("/api/orders", {"item": 1}), "buy"),
        (request("/api/items/17", method="DELETE"), "delete"),
        (request("/items/17/delete"), "delete"),
        (request("/api/users/me/password", {"new": "x"}), "account"),
        (request("/rpc", {"jsonrpc": "2.0", "method": "sendMessage", "params": {"to": "x"}}), "send"),
        (request("/x", {"operationName": "DeleteAccount", "variables": {}}), "delete"),
        (request("/graphql", {"query": "mutation PublishPost($t: String) { publish(t: $t) { id } }"}), "publish"),
        (request("/step2", "cardnumber=4111&cvc=123", media=FORM), "buy"),
        (request("/session", "user=ada&password=x", media=FORM), "secret"),
        (request("/api/preferences/9", {"dark": True}, method="PATCH"), "submit"),
        (request("wss://shop.example/live", '42["transfer", {"to": "m"}]', "MESSAGE", kind="WebSocket"), "buy"),
        (request("wss://shop.example/live", '{"type": "message", "text": "hi"}', "MESSAGE", kind="WebSocket"), "send"),
    ],
)
def test_the_words_of_a_request_tell_its_effect(held: HeldRequest, effect: str) -> None:
    assert effects(held) == [effect] and not harmless(held)
    assert all(one.receiver == "shop.example" for one in find_effects(held, read_body(held)))


@pytest.mark.parametrize(
    "held",
    [
        request("/graphql", {"query": "query Orders { orders { id } }", "operationName": "Orders"}),
        request("/graphql", {"query": "fragment F on T { a } query Q { b { ...F } }"}),
        request("/graphql", [{"query": "{ me { id } }"}]),
        request("/api/orders/search", {"term": "ink"}),
        request("/1/indexes/*/queries", {"requests": []}),
        request("/products/_search", {"size": 3}),
        request("https://analytics.example/v1/batch", {"a": 1}),
        request("/g/collect?v=2", kind="Ping"),
        request("/any", kind="CSPViolationReport"),
        request("/cart/add", "id=4", media=FORM),
        request("/cart/items/4", method="DELETE"),
        request("/api/mail/6/star", {}),
        request("/api/documents/4/draft", {"text": "a"}, method="PUT"),
    ],
)
def test_questions_measurements_and_carts_are_known_to_be_harmless(held: HeldRequest) -> None:
    assert harmless(held)


@pytest.mark.parametrize(
    "held",
    [
        request("/graphql", {"query": "query A { a } mutation B { b }", "operationName": "B"}),
        request("/graphql", {"query": "# query\n query A { a } mutation B { b }", "operationName": "A"}),
        request("/graphql", {"query": "query A { a },mutation B { b }", "operationName": "A"}),
        request("/do/it/delete", {"query": "{ a }"}),
        request("/graphql", [{"query": "{ a }"}, {"query": "mutation { b }"}]),
        request("/cart/checkout", {"a": 1}),
        request("/api/archive/delete-all", {"a": 1}),
        request("/api/drafts/4", method="DELETE"),
        request("/api/mail/6/star/send", {"a": 1}),
        request("/api/messages/search/send", {"a": 1}),
        request("/api/track/delete", {"id": 1}),
        request("/api/search/remove", {"a": 1}),
        request("/search", {"q": "ink"}, headers={"x-http-method-override": "DELETE"}),
        request("/search", [{"id": 1}], headers={"next-action": "7f3b2c"}),
        request("/rpc", [{"method": "items.list"}, {"method": "orders.create"}]),
        request("/rpc", [{"method": "items.list"}] * 70 + [{"method": "orders.create"}]),
        request("/rpc", [{"method": "items.list"}] * 2000),
        request("/api/people/5", {"starred": True, "role": "admin"}, method="PATCH"),
        request("/api/log", {"kind": "donated", "amount": 25}),
        request("/issues/5/closed", {"a": 1}),
    ],
)
def test_a_harmless_word_does_not_cover_an_effect(held: HeldRequest) -> None:
    assert not harmless(held)


@pytest.mark.parametrize(
    "held",
    [
        *(
            request(f"/store/carts/c_1/{end}", {"a": 1})
            for end in ("complete", "submit", "finalize", "convert", "ship")
        ),
        request("/oauth2/consent", {"client": "x"}),
        request("/card/pin", {"value": "0000"}, method="PUT"),
        request("/repos/ada/garden/archive", {}),
        request("/drafts/7/submit", {}),
        request("/wallet/load", {"sum": 50}),
        request("/orders/7/complete", {}),
        request("/list/placeOrder2", {}),
        request("/theme/publish1", {}),
        request("/incidents/7/ack", {}),
        request("/api/settings", {"theme": True, "mfaEnabled": False}, method="PATCH"),
        *(
            request(f"{place}?action={word}", {})
            for place in ("/search", "/cart", "/collect")
            for word in ("buy", "pay")
        ),
        request("/list?_method=delete", {}),
        request("/search", {"params": {"action": "buy"}}),
        request("/search", {"data": '{"method": "deleteUser"}'}),
        request("/search", {**{f"a{n}": 1 for n in range(70)}, "action": "buy"}),
        request("/search", "a=1&" * 70 + "action=buy", media=FORM),
        request("/search", '{"action":"buy"' + " " * 1_100_000 + "}"),
        request("/search", [{"a": n} for n in range(30_000)]),
        request("/search", "{}", headers={"content-encoding": "gzip"}),
        HeldRequest(method="POST", url=f"{SHOP}/search", body='{"action": "buy"}'.encode("utf-16")),
        request("/list", "<a><methodName>wp.deletePost</methodName></a>", media="text/xml"),
        request("/list", "<s:Body><m:DeleteUser/></s:Body>", media="text/xml"),
        request("/query", {"sql": "select 1; delete from users"}),
        request("/query", "drop table users"),
        request("/graphql", {"query": "query { deleteAccount(id: 1) }"}),
        request("https://cursor.example/api/rate", {"n": 1}, page="https://cursor.example/"),
        request("/pay/details", {"n": 1}),
        request("/quote", {"cardNumber": "4111"}),
        request("/cart", {"cvc": "123"}),
    ],
    ids=str,
)
def test_what_is_done_counts_wherever_it_stands_in_a_request(held: HeldRequest) -> None:
    assert not harmless(held)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('["4","4","lv:a","phx_join",{}]', '["4","6","lv:a","event",{"type":"click","event":"delete"}]'),
        ('{"type":1,"target":"Ping","arguments":[]}\x1e', '{"type":1,"target":"DeleteAll","arguments":[]}\x1e'),
        (
            '{"type":"subscribe","payload":{"query":"subscription { a }"}}',
            '{"type":"subscribe","payload":{"query":"mutation { buy }"}}',
        ),
        (
            '{"command":"message","data":"{\\"action\\":\\"appear\\"}"}',
            '{"command":"message","data":"{\\"action\\":\\"say\\"}"}',
        ),
        ("SEND\ndestination:/app/presence\n\n{}\0", "SEND\ndestination:/app/order\n\n{}\0"),
        ("binarya StartCircuit", "binarya BeginInvokeDotNetFromJS"),
    ],
)
def test_a_message_is_of_another_kind_where_it_calls_something_else(before: str, after: str) -> None:
    one, other = (request("wss://shop.example/live", text, "MESSAGE", kind="WebSocket") for text in (before, after))
    assert request_kind(one, read_body(one)) != request_kind(other, read_body(other))


@pytest.mark.parametrize(
    "held",
    [
        *(request(path, {"id": 4}) for path in ("/cart/ink-pen", "/cart/coupon", "/wishlist/add", "/mail/6/archive")),
        request("/search?page=2", {"term": "ink", "filters": [{"type": "range"}]}),
        request("/api/tasks/3", {"starred": True, "archived": False}, method="PATCH"),
        request("/graphql", {"query": "query Orders { orders { id } }", "variables": {"type": "open"}}),
    ],
    ids=str,
)
def test_what_only_asks_or_is_undone_as_easily_stays_harmless(held: HeldRequest) -> None:
    assert harmless(held)


def test_words_that_apps_use_too_are_telemetry_only_on_a_host_for_it_or_where_pages_send_by_themselves() -> None:
    assert harmless(request("https://log.shop.example/v1", {"a": 1}))
    held = request("/api/log", {"kind": "view"})
    assert is_telemetry(held, read_body(held), by_page=True) and not is_telemetry(held, read_body(held))
    strong = request("/api/log", {"kind": "order"})
    assert not is_telemetry(strong, read_body(strong), by_page=True)


def test_what_is_only_asked_for_is_a_query_while_nothing_is_sent_with_it() -> None:
    assert harmless(request("/simplefin/status", {})) and harmless(request("/api/features"))
    assert effects(request("/api/status", {"text": "Good morning"})) == ["publish"]
    assert not harmless(request("/api/status", {"text": "Good morning"})) and not harmless(request("/posts/5/publish"))


def test_a_header_that_only_names_a_query_leaves_it_one() -> None:
    headers = {"x-operation-name": "GetItems", "x-operation-id": "f81d4fae7dec"}
    assert harmless(request("/graphql", {"operationName": "GetItems", "variables": {}}, headers=headers))


def test_a_kind_ignores_numbers_but_not_what_is_done() -> None:
    def kind(path: str, body: Any) -> str:
        held = request(path, body)
        return request_kind(held, read_body(held))

    assert kind("/api/items/17/state", {"on": 1}) == kind("/api/items/18/state", {"on": 0})
    assert kind("/api/items/17/state", {"on": 1}) != kind("/api/items/17/state", {"off": 1})
    assert kind("/rpc", {"method": "ping"}) != kind("/rpc", {"method": "pay"})
    query = {"query": "query A { a }", "operationName": "A"}
    assert kind("/graphql", query) != kind("/graphql", {"query": "mutation B { b }", "operationName": "B"})
    hidden = {"query": "query A { a } mutation B { b }", "operationName": "A"}
    assert kind("/graphql", query) != kind("/graphql", hidden)


def test_what_one_sites_pages_send_is_another_kind_than_the_same_from_others() -> None:
    def kind(page: str, **headers: str) -> str:
        held = request("/api/items", {"on": 1}, page=page, headers=headers)
        return request_kind(held, read_body(held))

    own = kind("https://shop.example/a")
    assert own == kind("https://shop.example/b") == kind("https://shop.example/", origin="https://www.shop.example")
    assert own != kind("https://evil.example/") and own != kind("https://shop.example/", origin="https://evil.example")


def test_a_description_shows_fields_and_files_and_hides_what_is_secret() -> None:
    boundary = "----x"
    parts = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="note"\r\n\r\nfor you\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="csrf_token"\r\n\r\nabc\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="tax.pdf"\r\n'
        f"Content-Type: application/pdf\r\n\r\n\r\n--{boundary}--\r\n"
    )
    held = request("/inbox", parts, media=f"multipart/form-data; boundary={boundary}")
    assert read_body(held).files == ("tax.pdf",)
    told = describe_request(held, read_body(held))
    assert told == "POST to shop.example/inbox with the file tax.pdf, note: “for you”, csrf_token: •••"
    assert "upload" in effects(held)


def test_an_address_that_does_something_is_told_by_its_word() -> None:
    assert (found := find_visit(request("/do/delete?id=1", method="GET"))) and found.effect == "delete"
    assert find_visit(request("/products/17", method="GET")) is None


@pytest.mark.parametrize(
    "text",
    [
        "{" * 900_000,
        '{"query": "' + " \\n" * 200_000 + '"}',
        "a=" * 400_000,
        '{"a":' * 50_000,
        "\n" * 900_000,
        "<a>" * 300_000,
    ],
)
def test_a_hostile_body_is_read_in_bounded_time(text: str) -> None:
    began = time.perf_counter()
    for media in ("application/json", FORM, "multipart/form-data; boundary=x"):
        held = request("/x" * 2000, text, media=media)
        describe_request(held, body := read_body(held))
        request_kind(held, body)
        find_effects(held, body)
    assert time.perf_counter() - began < 3


def test_the_last_part_of_a_path_says_what_is_done_and_a_switched_field_names_a_mark() -> None:
    assert harmless(request("/api/mail/6/star", {}))
    assert harmless(request("/api/tasks/3", {"starred": True}, method="PATCH"))
    assert effects(request("/checkout/address", {"name": "Ola"})) == ["submit"]
    assert effects(request("/checkout", {"name": "Ola"})) == ["buy"]
    assert effects(request("/account/2fa/step", {"on": False})) == ["account"], "accounts count wherever they stand"
    assert effects(request("/pay/step", {"n": 1})) == ["buy"], "so do verbs"


@pytest.mark.parametrize(
    ("method", "url", "headers", "reads"),
    [
        ("GET", "https://a.example/x?query=mutation+rates", {}, True),
        ("GET", "https://a.example/graphql?query={items{id}}", {}, True),
        ("GET", "https://a.example/graphql?query=mutation{drop}", {}, False),
        ("GET", "https://a.example/graphql?query=fragment+f+on+T{id}+mutation+M{drop}", {}, False),
        ("GET", "https://a.example/graphql?query=%6dutation{drop}", {}, False),
        ("GET", "https://a.example/x", {"X-HTTP-Method-Override": "delete"}, False),
        ("GET", "https://a.example/x", {"x-http-method": "GET"}, True),
        ("OPTIONS", "https://a.example/x", {"Access-Control-Request-Method": "DELETE"}, True),
        ("QUERY", "https://a.example/x", {}, False),
    ],
)
def test_a_request_reads_unless_its_method_a_header_or_a_mutation_in_its_address_says_otherwise(
    method: str, url: str, headers: dict[str, str], reads: bool
) -> None:
    assert HeldRequest(method=method, url=url, headers=headers).reads is reads
