"""What the policy says of single actions."""

from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilotfish.core.policy import (
    Action,
    ActionTarget,
    EffectKind,
    FormField,
    FormInfo,
    PolicyDecision,
    PolicyPreset,
    PolicyRule,
    Provenance,
)
from pilotfish.core.settings import PolicySettings
from pilotfish.safety.policy_judge import (
    EFFECT_WORDS,
    EFFECTS_BY_WEIGHT,
    FREE_EFFECTS,
    PERMISSION_ORDER,
    judge_action,
    judge_effects,
)

SHOP = "https://shop.example"
POST = FormInfo(method="post", action=f"{SHOP}/do")
CARD = FormInfo(method="post", action=f"{SHOP}/pay", fields=(FormField(autocomplete="cc-number", filled=True),))


def button(name: str, form: FormInfo | None = None, **more: Any) -> ActionTarget:
    return ActionTarget(
        role="button", name=name, tag="button", submits=form is not None, form=form, origin=SHOP, **more
    )


def judge(
    target: ActionTarget, policy: PolicySettings | None = None, preset: PolicyPreset | None = None, **more: Any
) -> PolicyDecision:
    action = Action(tool="click", page=f"{SHOP}/", targets=(target,), task_sites=("shop.example",), **more)
    return judge_action(action, policy or PolicySettings(), preset)


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
    decision = judge(button(name))
    assert (decision.decision, decision.effect) == ("ask", effect)
    assert judge(button(name, POST)).decision == "ask"


@pytest.mark.parametrize(
    "name",
    [
        "Add to cart",
        "In den Warenkorb",
        "加入购物车",
        "カートに入れる",
        "Apply coupon",
        "Show more",
        "Sort by",
        "Like",
        "Archive",
    ],
)
def test_what_can_be_undone_is_allowed(name: str) -> None:
    assert judge(button(name)).decision == "allow"
    assert judge(button(name, POST)).decision == "allow"


def test_a_search_is_allowed_and_so_is_typing_it() -> None:
    form = FormInfo(method="get", action=f"{SHOP}/search", submit="Search", fields=(FormField(type="search"),))
    field = ActionTarget(role="searchbox", name="Search the shop", tag="input", type="search", editable=True, form=form)
    action = Action(
        tool="type", args={"text": "kettle", "submit": True}, page=SHOP, targets=(field,), task_sites=("shop.example",)
    )
    assert judge_action(action, PolicySettings()).decision == "allow"
    assert judge(button("Search", form)).decision == "allow"


def test_a_form_with_payment_fields_buys_whatever_its_button_says() -> None:
    assert judge(button("Continue", CARD)).effect == "buy"
    assert judge(button("Add to cart", CARD)).effect == "buy"


@pytest.mark.parametrize("name", ["Go ahead", "OK", "Continue", "Next", "Go", "Weiter"])
def test_a_form_that_sends_something_is_asked_about_whatever_its_button_says(name: str) -> None:
    decision = judge(button(name, POST))
    assert (decision.decision, decision.effect) == ("ask", "submit")
    assert judge(button(name)).decision == "allow"


def test_a_form_without_a_method_is_a_search_only_if_it_looks_for_something() -> None:
    asks = FormInfo(action=f"{SHOP}/page", scripted=True, fields=(FormField(type="search", label="Search"),))
    assert judge(button("Go", asks)).effect == "search"
    assert judge(button("Go", asks.model_copy(update={"fields": (FormField(type="text"),)}))).effect == "submit"
    assert judge(button("Reply", asks.model_copy(update={"fields": (FormField(type="textarea"),)}))).effect == "send"


@pytest.mark.parametrize("path", ["do/delete?id=1", "logout", "x.php?action=delete", "account/doDelete", "unsubscribe"])
def test_an_address_that_does_something_is_asked_about_unless_the_person_gave_it(path: str) -> None:
    action = Action(tool="navigate", args={"url": f"{SHOP}/{path}"}, page=SHOP, task_sites=("shop.example",))
    assert judge_action(action, PolicySettings()).decision == "ask"
    assert judge_action(action.model_copy(update={"stated_by_user": True}), PolicySettings()).decision == "allow"


@pytest.mark.parametrize("path", ["wiki/Delete", "search?q=delete", "help/unsubscribe", "how-to-delete-it"])
def test_an_address_that_only_speaks_of_it_is_not(path: str) -> None:
    action = Action(tool="navigate", args={"url": f"{SHOP}/{path}"}, page=SHOP, task_sites=("shop.example",))
    assert judge_action(action, PolicySettings()).decision == "allow"


@pytest.mark.parametrize("href", ["#", "javascript:go()"])
def test_a_link_that_works_as_a_button_is_known_by_its_words(href: str) -> None:
    link = ActionTarget(role="link", name="Delete account", tag="a", href=href, origin=SHOP)
    assert judge(link).effect == "account"
    assert judge(link.model_copy(update={"name": "Show more"})).decision == "allow"


def test_a_link_that_is_called_like_an_effect_is_asked_about_wherever_it_leads() -> None:
    link = ActionTarget(role="link", name="Log out", tag="a", href=f"{SHOP}/x", origin=SHOP)
    assert judge(link).effect == "account"
    assert judge(link.model_copy(update={"name": "Sign up"})).effect == "visit"


@pytest.mark.parametrize("href", ["file:///etc/passwd", "chrome://settings", "view-source:https://x.example"])
def test_a_link_to_the_machine_is_never_followed(href: str) -> None:
    assert judge(ActionTarget(role="link", name="More", tag="a", href=href, origin=SHOP)).decision == "deny"


def test_everything_that_a_click_reaches_counts() -> None:
    link = ActionTarget(role="link", name="More", tag="a", href="https://evil.example/x", origin=SHOP)
    verdicts = judge_effects(
        Action(tool="click", page=SHOP, task_sites=("shop.example",), targets=(button("Send", POST, outer=(link,)),)),
        PolicySettings(),
    )
    assert {one.effect for one in verdicts if one.decision == "ask"} == {"send", "leave"}


FILLED = POST.model_copy(update={"fields": (FormField(type="text", filled=True),)})
KEYS = ActionTarget(name="Note", tag="input", editable=True, form=FILLED, origin=SHOP)


@pytest.mark.parametrize("key", ["Enter", "return", "NumpadEnter", "\r", "\n", "enter", "Shift+Enter"])
def test_every_spelling_of_enter_sends_the_form(key: str) -> None:
    action = Action(tool="press_key", args={"key": key}, page=SHOP, targets=(KEYS,), task_sites=("shop.example",))
    assert judge_action(action, PolicySettings()).effect == "submit"


@pytest.mark.parametrize("key", ["Space", " ", "spacebar", "Enter"])
def test_every_key_that_presses_a_button_is_a_click(key: str) -> None:
    action = Action(
        tool="press_key", args={"key": key}, page=SHOP, targets=(button("Send"),), task_sites=("shop.example",)
    )
    assert judge_action(action, PolicySettings()).effect == "send"


def test_hidden_signs_and_letters_that_look_alike_do_not_hide_a_word() -> None:
    assert judge(button("B\u200bu\u00ady n\u200dow")).effect == "buy"
    assert judge(button("Dеlеtе")).effect == "delete"
    assert judge(button("ＢＵＹ　ＮＯＷ")).effect == "buy"


def test_a_button_without_a_name_is_known_by_its_attributes() -> None:
    assert judge(button("", hints="btn btnDelete icon-trash")).effect == "delete"


def test_a_link_is_reading_unless_its_address_does_something() -> None:
    link = ActionTarget(
        role="link", name="How to delete an account", tag="a", href=f"{SHOP}/help/delete-an-account", origin=SHOP
    )
    assert judge(link).effect == "visit"
    assert judge(link.model_copy(update={"href": f"{SHOP}/account/delete?id=3", "name": "More"})).decision == "ask"
    assert judge(link.model_copy(update={"href": f"{SHOP}/setup.exe"})).effect == "download"


def test_leaving_the_sites_of_the_task_is_asked_about() -> None:
    action = Action(tool="navigate", args={"url": "https://evil.example/"}, page=SHOP, task_sites=("shop.example",))
    assert judge_action(action, PolicySettings()).effect == "leave"
    assert judge_action(action.model_copy(update={"task_sites": ()}), PolicySettings()).decision == "allow"
    assert judge_action(action.model_copy(update={"from_search": True}), PolicySettings()).decision == "allow"
    assert (
        judge_action(
            action.model_copy(update={"args": {"url": "https://www.shop.example/x"}}), PolicySettings()
        ).decision
        == "allow"
    )


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "chrome://settings", "\tfi\nle:///x"]
)
@pytest.mark.parametrize("tool", ["navigate", "manage_tabs"])
def test_addresses_of_the_machine_are_never_opened_whatever_the_rules(url: str, tool: str) -> None:
    policy = PolicySettings(rules=(PolicyRule(then="allow"),))
    action = Action(tool=tool, args={"action": "open" if tool == "manage_tabs" else "goto", "url": url}, page=SHOP)
    assert judge_action(action, policy, "trusted_sites").decision == "deny"


def test_words_from_elsewhere_are_asked_about_even_on_a_trusted_site() -> None:
    label = Provenance(argument="text", place="mail.example", text="the code is 4711")
    policy = PolicySettings(trusted=("shop.example",))
    assert judge(button("Send", POST), policy, "trusted_sites").decision == "allow"
    decision = judge(button("Send", POST), policy, "trusted_sites", origins=(label,))
    assert (decision.decision, decision.effect) == ("ask", "carry")
    assert "mail.example" in decision.why


@pytest.mark.parametrize("page", ["http://localhost:80/", "http://[::1]/", "http://127.0.0.2/", "http://0.0.0.0/"])
def test_what_is_denied_on_this_machine_is_denied_under_all_its_names_and_what_is_allowed_is_not(page: str) -> None:
    action = Action(tool="click", page=page, targets=(button("Buy now").model_copy(update={"origin": page}),))
    for place in ("127.0.0.1", "localhost"):
        rule = PolicyRule(site=place, effect="buy", then="deny")
        assert judge_action(action, PolicySettings(rules=(rule,))).decision == "deny"
    allowed = PolicySettings(rules=(PolicyRule(site="127.0.0.1", then="allow"),))
    assert judge_action(action, allowed).decision == "ask"


def test_the_first_rule_that_fits_decides() -> None:
    rules = (
        PolicyRule(site="shop.example", effect="buy", then="deny"),
        PolicyRule(site="shop.example", effect="*", then="allow"),
        PolicyRule(effect="delete", user="ada", then="allow"),
    )
    policy = PolicySettings(rules=rules)
    assert judge(button("Buy now"), policy).rule == "rule 1"
    assert judge(button("Send"), policy).decision == "allow"
    elsewhere = button("Delete").model_copy(update={"origin": "https://other.example"})
    assert judge(elsewhere, policy, user="ada").decision == "allow"
    assert judge(elsewhere, policy, user="bob").decision == "ask"


def test_presets_differ_in_what_they_do_about_effects() -> None:
    assert judge(button("Send"), preset="unattended").decision == "deny"
    assert judge(button("Send"), preset="read_only").decision == "deny"
    assert judge(button("Next"), preset="read_only").decision == "allow"
    assert judge(button("Add to cart"), preset="read_only").decision == "deny"
    assert judge(button("Send"), preset="trusted_sites").decision == "ask"


def test_personal_details_are_typed_where_the_person_gave_them_for() -> None:
    field = ActionTarget(name="Email", tag="input", type="email", editable=True, origin=SHOP)
    action = Action(
        tool="type",
        args={"text": "ada@x.example"},
        page=SHOP,
        targets=(field,),
        task_sites=("shop.example",),
        stated_by_user=True,
    )
    assert judge_action(action, PolicySettings()).decision == "allow"
    assert judge_action(action.model_copy(update={"stated_by_user": False}), PolicySettings()).decision == "ask"
    assert judge_action(action.model_copy(update={"task_sites": ()}), PolicySettings()).decision == "ask"


def test_a_fact_is_remembered_only_if_the_person_said_it() -> None:
    action = Action(tool="memory_save", args={"facts": [{"content": "Pays to IBAN X"}]}, page=SHOP)
    assert judge_action(action, PolicySettings()).decision == "deny"
    assert judge_action(action.model_copy(update={"stated_by_user": True}), PolicySettings()).decision == "allow"


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
    action = Action(tool=tool, page=SHOP, task_sites=("shop.example",), from_mcp=True, quiet=quiet)
    decision = judge_action(action, PolicySettings())
    assert (decision.effect, decision.decision) == (effect, "allow" if effect == "read" else "ask")
    server = tool.partition("_")[0]
    for place in ("*", server, tool):
        assert judge_action(action, PolicySettings(rules=(PolicyRule(site=place, then="deny"),))).decision == "deny"
    for place in (server[:-1], "shop.example", f"{tool}_x"):
        assert (
            judge_action(action, PolicySettings(rules=(PolicyRule(site=place, then="deny"),))).rule
            == "ask_before_effects"
        )


texts = st.text(max_size=40)
targets = st.builds(
    ActionTarget,
    role=st.sampled_from(["button", "link", "tab", "textbox", ""]),
    name=texts | st.sampled_from(["Send", "Buy now", "Next"]),
    tag=st.sampled_from(["button", "a", "input", "div"]),
    href=st.just("") | st.builds(lambda path: f"{SHOP}/{path}", texts),
    submits=st.booleans(),
    editable=st.booleans(),
    form=st.none() | st.just(POST) | st.just(CARD),
    origin=st.just(SHOP),
)
actions = st.builds(
    Action,
    tool=st.sampled_from(
        ["click", "type", "press_key", "select", "drag", "upload", "navigate", "memory_save", "get_text"]
    ),
    args=st.dictionaries(st.sampled_from(["text", "key", "url", "option", "submit"]), texts),
    targets=st.tuples(targets) | st.just(()),
    page=texts | st.just(SHOP),
    task_sites=st.just(()) | st.just(("shop.example",)),
)


@given(actions)
def test_every_action_gets_a_verdict_and_no_preset_is_laxer_than_it_should_be(action: Action) -> None:
    usual, reading, alone, trusting = (
        judge_action(action, PolicySettings(trusted=("other.example",)), preset)
        for preset in ("ask_before_effects", "read_only", "unattended", "trusted_sites")
    )
    assert (usual.decision == "allow") == (usual.effect in FREE_EFFECTS)
    assert PERMISSION_ORDER.index(reading.decision) >= PERMISSION_ORDER.index(usual.decision)
    assert alone.decision != "ask"
    assert trusting == usual.model_copy(update={"rule": trusting.rule})


def test_every_effect_can_be_put_into_words() -> None:
    assert set(EFFECT_WORDS) == set(get_args(EffectKind)) == set(EFFECTS_BY_WEIGHT)


@given(actions, texts)
def test_a_rule_that_denies_everything_leaves_nothing_allowed(action: Action, user: str) -> None:
    policy = PolicySettings(rules=(PolicyRule(then="deny"),), trusted=("*",))
    assert judge_action(action.model_copy(update={"user": user}), policy, "trusted_sites").decision == "deny"


@given(actions, st.sampled_from(["ask_before_effects", "read_only", "unattended", "trusted_sites"]))
def test_words_from_elsewhere_never_make_an_answer_milder(action: Action, preset: PolicyPreset) -> None:
    policy = PolicySettings(trusted=("*",))
    label = Provenance(argument="text", place="mail.example", text="the code is 4711")
    plain, carried = (
        judge_action(action.model_copy(update={"origins": labels}), policy, preset) for labels in ((), (label,))
    )
    assert PERMISSION_ORDER.index(carried.decision) >= PERMISSION_ORDER.index(plain.decision)
    assert carried.decision != "allow"


@given(
    actions,
    st.lists(st.builds(PolicyRule, then=st.sampled_from(PERMISSION_ORDER), site=st.just("shop.example")), max_size=3),
)
def test_a_rule_for_a_site_decides_nothing_elsewhere(action: Action, rules: list[PolicyRule]) -> None:
    away = action.model_copy(
        update={
            "page": "https://other.example/",
            "targets": tuple(
                t.model_copy(update={"origin": "https://other.example", "href": "", "form": None})
                for t in action.targets
            ),
        }
    )
    assert judge_action(away, PolicySettings(rules=tuple(rules))) == judge_action(away, PolicySettings())


def test_what_is_dragged_to_another_site_is_carried_there() -> None:
    def carried(here: ActionTarget) -> list[tuple[str, str]]:
        action = Action(tool="drag", args={}, page=SHOP, targets=(here, button("List")))
        found = judge_effects(action, PolicySettings())
        return [(one.decision, one.receiver) for one in found if one.effect == "carry"]

    framed = button("New password").model_copy(update={"origin": "https://mail.example"})
    assert (carried(framed), carried(button("Row"))) == ([("ask", "shop.example")], [])
