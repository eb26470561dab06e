"""All effects of an action count: each is named, asked about and allowed by itself."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pilotfish.core import events
from pilotfish.core.policy import Action, ActionClearance, ActionTarget, EffectGrant, FormField, FormInfo
from pilotfish.core.settings import PolicySettings, Settings
from pilotfish.enforcement.approvals import ALLOW_ONCE
from pilotfish.enforcement.enforcer import PolicyEnforcer
from pilotfish.enforcement.policed_run import PolicedRun, Shape
from pilotfish.enforcement.policy_history import ALLOW_FOR_RUN, grants_from
from pilotfish.enforcement.run_secrets import RunSecrets
from pilotfish.safety.effects import EffectFinding
from pilotfish.safety.policy_judge import judge_effects

SHOP = "https://shop.example"
AWAY = FormInfo(method="post", action="https://evil.example/take")


def sending(form: FormInfo) -> Action:
    button = ActionTarget(role="button", name="Send", tag="button", submits=True, form=form, origin=SHOP)
    return Action(tool="click", page=SHOP, targets=(button,), task_sites=("shop.example",))


def test_a_form_that_posts_elsewhere_has_an_effect_for_sending_and_one_for_leaving() -> None:
    verdicts = judge_effects(sending(AWAY), PolicySettings())
    assert {one.grant for one in verdicts if one.decision == "ask"} == {
        EffectGrant("send", "shop.example", "evil.example"),
        EffectGrant("leave", "evil.example", "evil.example"),
    }


def test_a_form_with_a_file_and_a_card_uploads_and_buys() -> None:
    fields = (FormField(type="file", filled=True), FormField(autocomplete="cc-number", filled=True))
    form = FormInfo(method="post", action=f"{SHOP}/do", fields=fields)
    assert {one.effect for one in judge_effects(sending(form), PolicySettings())} >= {"upload", "buy", "send"}


def test_clearance_covers_the_effect_the_site_and_the_receiver_that_were_allowed_and_no_other() -> None:
    clearance = ActionClearance(grants=(EffectGrant("send", "shop.example", "shop.example"),))
    assert clearance.covers(EffectGrant("send", "shop.example", "shop.example"))
    assert clearance.covers(EffectGrant("submit", "shop.example", "shop.example"))
    assert not clearance.covers(EffectGrant("submit", "shop.example", "evil.example"))
    assert not clearance.covers(EffectGrant("buy", "shop.example", "shop.example"))
    assert not clearance.covers(EffectGrant("send", "evil.example", "shop.example"))


def test_an_answer_for_the_run_grants_each_effect_that_was_named_but_never_buying() -> None:
    named = [EffectGrant("upload", "a.example", "a.example"), EffectGrant("buy", "a.example", "a.example")]
    asked = events.InputRequested(
        run="r",
        request="r:1",
        kind="approval",
        question="",
        deadline=events.current_time(),
        details={"effects": [one._asdict() for one in named]},
    )
    assert grants_from(asked) == {named[0]}


class Person:
    """A run's surroundings, with a person who gives one answer."""

    def __init__(self, home: Path, answer: str, preset: str = "ask_before_effects") -> None:
        self.answer = answer
        self.questions: list[str] = []
        self.notes: list[events.Event] = []
        self.run = SimpleNamespace(
            id="r",
            options={"policy": preset},
            settings=Settings(home=home),
            ask_person=self.ask_person,
            emit=self.emit,
        )

    async def ask_person(self, key: str, question: str, *rest: object, **details: Any) -> str:
        self.questions.append(question)
        return self.answer

    async def emit(self, key: str, event: events.Event) -> None:
        self.notes.append(event)

    async def no_model(self, key: str, purpose: str, prompt: str, shape: type[Shape]) -> Shape:
        raise AssertionError("no model is asked here")

    def enforcer(self, monkeypatch: pytest.MonkeyPatch) -> PolicyEnforcer:
        run = cast(PolicedRun, self.run)
        enforcer = PolicyEnforcer(run, RunSecrets(run), self.no_model)

        async def nothing() -> None:
            pass

        monkeypatch.setattr(enforcer.history, "catch_up", nothing)
        return enforcer


@pytest.mark.anyio
async def test_effects_met_on_the_way_are_asked_about_once_and_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = Person(tmp_path, ALLOW_ONCE)
    enforcer, action = person.enforcer(monkeypatch), sending(AWAY)
    enforcer.clearance = ActionClearance(
        key="1", action=action, grants=(EffectGrant("send", "shop.example", "shop.example"),)
    )
    assert not await enforcer.authorize(action, [EffectFinding("send", "it says so")], "1.request1")
    assert (person.questions, person.notes) == ([], [])
    new = [EffectFinding("send", "a request", "evil.example"), EffectFinding("delete", "it says so")]
    assert not await enforcer.authorize(action, new, "1.request2")
    assert "delete something" in person.questions[0] and "received by evil.example" in person.questions[0]
    [note] = person.notes
    assert isinstance(note, events.Noted) and len(note.details["effects"]) == 2
    assert not await enforcer.authorize(action, new, "1.request3") and len(person.questions) == 1


@pytest.mark.anyio
async def test_what_is_allowed_on_the_way_is_added_to_the_targets_of_the_action(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    enforcer, action = Person(tmp_path, ALLOW_ONCE).enforcer(monkeypatch), sending(AWAY)
    enforcer.clearance = ActionClearance(key="1", action=Action(tool="click", page=SHOP))
    assert not await enforcer.authorize(action, [EffectFinding("delete", "it says so")], "1.input1")
    assert enforcer.clearance.action is not None and enforcer.clearance.action.targets == action.targets


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("answer", "preset", "told"),
    [("", "ask_before_effects", "nobody was there"), (ALLOW_FOR_RUN, "read_only", "policy says no")],
)
async def test_effects_that_nobody_allows_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, preset: str, told: str
) -> None:
    enforcer = Person(tmp_path, answer, preset).enforcer(monkeypatch)
    assert told in await enforcer.authorize(sending(AWAY), [EffectFinding("send", "it says so")], "1.request1")
