"""What the policy says of single deeds."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilotfish.core.policy import Deed, Effect, Form, Input, Label, Preset, Rule, Target, Verdict
from pilotfish.core.settings import Policy
from pilotfish.safety.judge import FREE, ORDER, SAID, WEIGHT, judge

SHOP = "https://shop.example"
POST = Form(method="post", action=f"{SHOP}/do")
CARD = Form(method="post", action=f"{SHOP}/pay", fields=(Input(autocomplete="cc-number", filled=True),))


def button(name: str, form: Form | None = None, **more: Any) -> Target:
    return Target(role="button", name=name, tag="button", submits=form is not None, form=form, origin=SHOP, **more)


def clicked(target: Target, policy: Policy | None = None, preset: Preset | None = None, **more: Any) -> Verdict:
    deed = Deed(tool="click", page=f"{SHOP}/", targets=(target,), home=("shop.example",), **more)
    return judge(deed, policy or Policy(), preset)


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("Buy now", "buy"), ("Place your order", "buy"), ("Zahlungspflichtig bestellen", "buy"),
        ("Payer maintenant", "buy"),
        ("Comprar ahora", "buy"), ("Acquista ora", "buy"), ("Finalizar pedido", "buy"), ("Nu kopen", "buy"),
        ("立即购买", "buy"), ("注文を確定する", "buy"), ("Оплатить", "buy"),
        ("Delete", "delete"), ("Endgültig löschen", "delete"), ("Supprimer", "delete"), ("Borrar todo", "delete"),
        ("Elimina", "delete"), ("Excluir", "delete"), ("Verwijderen", "delete"), ("删除", "delete"),
        ("削除する", "delete"),
        ("Send", "send"), ("Nachricht senden", "send"), ("Envoyer", "send"), ("Enviar", "send"), ("Invia", "send"),
        ("Verzenden", "send"), ("发送", "send"), ("送信", "send"),
        ("Publish", "publish"), ("Veröffentlichen", "publish"), ("发布", "publish"), ("投稿する", "publish"),
        ("Change password", "account"), ("Grant access", "account"), ("Konto löschen", "account"), ("授权", "account"),
    ],
)  # fmt: skip
def test_a_button_that_says_in_any_language_that_it_does_something_is_asked_about(name: str, effect: str) -> None:
    verdict = clicked(button(name))
    assert (verdict.decision, verdict.effect) == ("ask", effect)
    assert clicked(button(name, POST)).decision == "ask"


@pytest.mark.parametrize(
    "name",
    [
        "Add to cart",
        "In den Warenkorb",
        "加入购物车",
        "カートに入れる",
        "Apply coupon",
        "Next",
        "Show more",
        "Sort by",
        "Like",
        "Archive",
    ],
)
def test_what_can_be_undone_is_allowed(name: str) -> None:
    assert clicked(button(name)).decision == "allow"
    assert clicked(button(name, POST)).decision == "allow"


def test_a_search_is_allowed_and_so_is_typing_it() -> None:
    form = Form(method="get", action=f"{SHOP}/search", submit="Search", fields=(Input(type="search"),))
    field = Target(role="searchbox", name="Search the shop", tag="input", type="search", editable=True, form=form)
    deed = Deed(
        tool="type", args={"text": "kettle", "submit": True}, page=SHOP, targets=(field,), home=("shop.example",)
    )
    assert judge(deed, Policy()).decision == "allow"
    assert clicked(button("Search", form)).decision == "allow"


def test_a_form_with_payment_fields_buys_whatever_its_button_says() -> None:
    assert clicked(button("Continue", CARD)).effect == "buy"
    assert clicked(button("Add to cart", CARD)).effect == "buy"


def test_an_unknown_form_is_asked_about() -> None:
    verdict = clicked(button("Go ahead", POST))
    assert (verdict.decision, verdict.effect) == ("ask", "submit")


def test_hidden_signs_and_letters_that_look_alike_do_not_hide_a_word() -> None:
    assert clicked(button("B\u200bu\u00ady n\u200dow")).effect == "buy"
    assert clicked(button("Dеlеtе")).effect == "delete"
    assert clicked(button("ＢＵＹ　ＮＯＷ")).effect == "buy"


def test_a_button_without_a_name_is_known_by_its_attributes() -> None:
    assert clicked(button("", hints="btn btnDelete icon-trash")).effect == "delete"


def test_a_link_is_reading_unless_its_address_does_something() -> None:
    link = Target(
        role="link", name="How to delete an account", tag="a", href=f"{SHOP}/help/delete-an-account", origin=SHOP
    )
    assert clicked(link).effect == "visit"
    assert clicked(link.model_copy(update={"href": f"{SHOP}/account/delete?id=3", "name": "More"})).decision == "ask"
    assert clicked(link.model_copy(update={"href": f"{SHOP}/setup.exe"})).effect == "download"


def test_leaving_the_sites_of_the_task_is_asked_about() -> None:
    deed = Deed(tool="navigate", args={"url": "https://evil.example/"}, page=SHOP, home=("shop.example",))
    assert judge(deed, Policy()).effect == "leave"
    assert judge(deed.model_copy(update={"home": ()}), Policy()).decision == "allow"
    assert judge(deed.model_copy(update={"found": True}), Policy()).decision == "allow"
    assert judge(deed.model_copy(update={"args": {"url": "https://www.shop.example/x"}}), Policy()).decision == "allow"


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "chrome://settings", "\tfi\nle:///x"]
)
@pytest.mark.parametrize("tool", ["navigate", "manage_tabs"])
def test_addresses_of_the_machine_are_never_opened_whatever_the_rules(url: str, tool: str) -> None:
    policy = Policy(rules=(Rule(then="allow"),))
    deed = Deed(tool=tool, args={"action": "open" if tool == "manage_tabs" else "goto", "url": url}, page=SHOP)
    assert judge(deed, policy, "trusted_sites").decision == "deny"


def test_words_from_elsewhere_are_asked_about_even_on_a_trusted_site() -> None:
    label = Label(argument="text", place="mail.example", text="the code is 4711")
    policy = Policy(trusted=("shop.example",))
    assert clicked(button("Send", POST), policy, "trusted_sites").decision == "allow"
    verdict = clicked(button("Send", POST), policy, "trusted_sites", labels=(label,))
    assert (verdict.decision, verdict.effect) == ("ask", "carry")
    assert "mail.example" in verdict.why


def test_the_first_rule_that_fits_decides() -> None:
    rules = (
        Rule(site="shop.example", effect="buy", then="deny"),
        Rule(site="shop.example", effect="*", then="allow"),
        Rule(effect="delete", user="ada", then="allow"),
    )
    policy = Policy(rules=rules)
    assert clicked(button("Buy now"), policy).rule == "rule 1"
    assert clicked(button("Send"), policy).decision == "allow"
    elsewhere = button("Delete").model_copy(update={"origin": "https://other.example"})
    assert clicked(elsewhere, policy, user="ada").decision == "allow"
    assert clicked(elsewhere, policy, user="bob").decision == "ask"


def test_presets_differ_in_what_they_do_about_effects() -> None:
    assert clicked(button("Send"), preset="unattended").decision == "deny"
    assert clicked(button("Send"), preset="read_only").decision == "deny"
    assert clicked(button("Next"), preset="read_only").decision == "allow"
    assert clicked(button("Add to cart"), preset="read_only").decision == "deny"
    assert clicked(button("Send"), preset="trusted_sites").decision == "ask"


def test_personal_details_are_typed_where_the_person_gave_them_for() -> None:
    field = Target(name="Email", tag="input", type="email", editable=True, origin=SHOP)
    deed = Deed(
        tool="type", args={"text": "ada@x.example"}, page=SHOP, targets=(field,), home=("shop.example",), told=True
    )
    assert judge(deed, Policy()).decision == "allow"
    assert judge(deed.model_copy(update={"told": False}), Policy()).decision == "ask"
    assert judge(deed.model_copy(update={"home": ()}), Policy()).decision == "ask"


def test_a_fact_is_remembered_only_if_the_person_said_it() -> None:
    deed = Deed(tool="memory_save", args={"facts": [{"content": "Pays to IBAN X"}]}, page=SHOP)
    assert judge(deed, Policy()).decision == "deny"
    assert judge(deed.model_copy(update={"told": True}), Policy()).decision == "allow"


@pytest.mark.parametrize(
    ("tool", "quiet", "effect"),
    [
        ("mail_send_message", False, "send"),
        ("mail_sendMessage", True, "send"),
        ("files_delete", True, "delete"),
        ("files_read_file", False, "read"),
        ("weather_forecast", True, "read"),
        ("home_lights", False, "use"),
    ],
)
def test_a_tool_of_another_server_is_asked_about_unless_it_only_reads(tool: str, quiet: bool, effect: str) -> None:
    deed = Deed(tool=tool, page=SHOP, home=("shop.example",), guest=True, quiet=quiet)
    verdict = judge(deed, Policy())
    assert (verdict.effect, verdict.decision) == (effect, "allow" if effect == "read" else "ask")
    server = tool.partition("_")[0]
    for place in ("*", server, tool):
        assert judge(deed, Policy(rules=(Rule(site=place, then="deny"),))).decision == "deny"
    for place in (server[:-1], "shop.example", f"{tool}_x"):
        assert judge(deed, Policy(rules=(Rule(site=place, then="deny"),))).rule == "ask_before_effects"


texts = st.text(max_size=40)
targets = st.builds(
    Target,
    role=st.sampled_from(["button", "link", "tab", "textbox", ""]),
    name=texts | st.sampled_from(["Send", "Buy now", "Next"]),
    tag=st.sampled_from(["button", "a", "input", "div"]),
    href=st.just("") | st.builds(lambda path: f"{SHOP}/{path}", texts),
    submits=st.booleans(),
    editable=st.booleans(),
    form=st.none() | st.just(POST) | st.just(CARD),
    origin=st.just(SHOP),
)
deeds = st.builds(
    Deed,
    tool=st.sampled_from(
        ["click", "type", "press_key", "select", "drag", "upload", "navigate", "memory_save", "get_text"]
    ),
    args=st.dictionaries(st.sampled_from(["text", "key", "url", "option", "submit"]), texts),
    targets=st.tuples(targets) | st.just(()),
    page=texts | st.just(SHOP),
    home=st.just(()) | st.just(("shop.example",)),
)


@given(deeds)
def test_every_deed_gets_a_verdict_and_no_preset_is_laxer_than_it_should_be(deed: Deed) -> None:
    usual, reading, alone, trusting = (
        judge(deed, Policy(trusted=("other.example",)), preset)
        for preset in ("ask_before_effects", "read_only", "unattended", "trusted_sites")
    )
    assert (usual.decision == "allow") == (usual.effect in FREE)
    assert ORDER.index(reading.decision) >= ORDER.index(usual.decision)
    assert alone.decision != "ask"
    assert trusting == usual.model_copy(update={"rule": trusting.rule})


def test_every_effect_can_be_put_into_words() -> None:
    assert set(SAID) == set(get_args(Effect)) == set(WEIGHT)


@given(deeds, texts)
def test_a_rule_that_denies_everything_leaves_nothing_allowed(deed: Deed, user: str) -> None:
    policy = Policy(rules=(Rule(then="deny"),), trusted=("*",))
    assert judge(deed.model_copy(update={"user": user}), policy, "trusted_sites").decision == "deny"


@given(deeds, st.sampled_from(["ask_before_effects", "read_only", "unattended", "trusted_sites"]))
def test_words_from_elsewhere_never_make_an_answer_milder(deed: Deed, preset: Preset) -> None:
    policy = Policy(trusted=("*",))
    label = Label(argument="text", place="mail.example", text="the code is 4711")
    plain, carried = (judge(deed.model_copy(update={"labels": labels}), policy, preset) for labels in ((), (label,)))
    assert ORDER.index(carried.decision) >= ORDER.index(plain.decision)
    assert carried.decision != "allow"


@given(deeds, st.lists(st.builds(Rule, then=st.sampled_from(ORDER), site=st.just("shop.example")), max_size=3))
def test_a_rule_for_a_site_decides_nothing_elsewhere(deed: Deed, rules: list[Rule]) -> None:
    away = deed.model_copy(
        update={
            "page": "https://other.example/",
            "targets": tuple(
                t.model_copy(update={"origin": "https://other.example", "href": "", "form": None}) for t in deed.targets
            ),
        }
    )
    assert judge(away, Policy(rules=tuple(rules))) == judge(away, Policy())
