"""Approvals in real runs: asked with what, where and why; valid for one action; refusals are reported to the model."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from pilotfish import Pilotfish
from pilotfish.core import events
from pilotfish.core.policy import Action, ActionTarget, FormInfo
from pilotfish.core.settings import Settings
from pilotfish.enforcement.approvals import ALLOW_ONCE, DENY_ACTION
from pilotfish.enforcement.enforcer import approval_binding
from pilotfish.enforcement.policy_history import ALLOW_FOR_RUN
from pilotfish.practice.server import Practice

from .obedient_model import Order, Story, follow_run, start_run

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
TASK = "Write to ada@x.example: See you at noon"
SENDS: list[Order] = [
    ("type", "To", {"text": "ada@x.example"}),
    ("type", "Message", {"text": "See you at noon"}),
    ("click", "Send", {}),
]


@pytest.fixture
async def site() -> AsyncIterator[Practice]:
    async with Practice() as site:
        yield site


@pytest.fixture(scope="module")
async def fish(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Pilotfish]:
    async with Pilotfish(Settings(home=tmp_path_factory.mktemp("approvals"))) as fish:
        yield fish


def count_sent(site: Practice) -> int:
    return sum(effect.kind == "mail.sent" for effect in site.log("mail"))


async def ran(fish: Pilotfish, site: Practice, *answers: str, **options: Any) -> Story:
    orders = options.pop("orders", SENDS)
    return await follow_run(
        fish, await start_run(fish, TASK, site.address("/mail/compose", "mail"), orders, **options), answers
    )


async def test_a_message_is_sent_only_after_the_person_said_so(fish: Pilotfish, site: Practice) -> None:
    story = await ran(fish, site, ALLOW_ONCE)
    assert [request.kind for request in story.asked] == ["approval"], story.answer
    details = story.asked[0].details
    assert details["effect"] == "send" and "Send" in details["what"] and "/mail/compose" in details["where"]
    assert "send a message" in story.asked[0].question
    assert count_sent(site) == 1
    [received] = [event for event in story.journal if isinstance(event, events.InputReceived)]
    assert (received.answer, received.by) == (ALLOW_ONCE, "ada")
    notes = [event.details for event in story.journal if isinstance(event, events.Noted) and event.topic == "policy"]
    assert (notes[-1]["decision"], notes[-1]["effect"]) == ("allowed", "send")


async def test_a_refusal_and_its_reason_reach_the_model(fish: Pilotfish, site: Practice) -> None:
    story = await ran(fish, site, f"{DENY_ACTION}: not before Monday")
    assert count_sent(site) == 0
    assert "the person said no: not before Monday" in story.answer


async def test_nobody_there_means_no_and_the_run_goes_on(fish: Pilotfish, site: Practice) -> None:
    story = await ran(fish, site, input_timeout=0.3)
    assert count_sent(site) == 0
    assert "nobody was there" in story.answer
    assert isinstance(story.journal[-1], events.RunFinished) and story.journal[-1].outcome == "completed"


async def test_an_approval_waits_as_long_as_a_question_where_somebody_attends_the_run(
    fish: Pilotfish, site: Practice
) -> None:
    story = await ran(fish, site, DENY_ACTION, attended=True)
    [asked] = story.asked
    assert asked.deadline is not None
    waits = asked.deadline - asked.at
    assert waits.total_seconds() == pytest.approx(fish.settings.agent.input_timeout, abs=5)
    assert fish.settings.policy.approval_timeout < fish.settings.agent.input_timeout


async def test_a_trusted_site_is_not_asked_about_and_an_unattended_run_never_asks(
    fish: Pilotfish, site: Practice
) -> None:
    story = await ran(fish, site, policy="trusted_sites", trusted=[site.url])
    assert (story.asked, count_sent(site)) == ([], 1)
    story = await ran(fish, site, policy="unattended")
    assert (story.asked, count_sent(site)) == ([], 1)


async def test_allowed_for_the_run_is_asked_once(fish: Pilotfish, site: Practice) -> None:
    again: Order = ("navigate", "", {"url": site.address("/mail/compose", "mail")})
    story = await ran(fish, site, ALLOW_FOR_RUN, orders=[*SENDS, again, *SENDS])
    assert (len(story.asked), count_sent(site)) == (1, 2), story.answer


async def test_a_page_that_changed_while_the_person_thought_is_asked_about_again(
    fish: Pilotfish, site: Practice
) -> None:
    record = await start_run(fish, TASK, site.address("/mail/compose", "mail"), SENDS)
    asked = 0
    async for event in fish.follow(record.id):
        if isinstance(event, events.InputRequested):
            asked += 1
            tab = await (await fish.browsers.of(record.conversation).session()).tab()
            await tab.page.evaluate("document.querySelector('main form').action = '/mail/elsewhere'")
            await fish.command(
                record.id, "answer", request=event.request, text=ALLOW_ONCE if asked == 1 else DENY_ACTION
            )
    assert (asked, count_sent(site)) == (2, 0)
    assert "the person said no" in (await fish.record(record.id)).answer


@pytest.mark.parametrize(
    "way", ["location.hash = 'x'", "document.querySelector('main form button').textContent = 'Send to all'"]
)
async def test_so_is_another_address_and_another_element(fish: Pilotfish, site: Practice, way: str) -> None:
    record = await start_run(fish, TASK, site.address("/mail/compose", "mail"), SENDS)
    asked = list[events.InputRequested]()
    async for event in fish.follow(record.id):
        if isinstance(event, events.InputRequested):
            asked.append(event)
            tab = await (await fish.browsers.of(record.conversation).session()).tab()
            await tab.page.evaluate(way if len(asked) == 1 else "0")
            await fish.command(
                record.id, "answer", request=event.request, text=ALLOW_ONCE if len(asked) == 1 else DENY_ACTION
            )
    assert (len(asked), count_sent(site)) == (2, 0)
    assert asked[0].details["bound"] != asked[1].details["bound"] and asked[0].details["tab"] == 1


FORM = FormInfo(method="post", action="https://shop.example/send")
BUTTON = ActionTarget(role="button", name="Send", tag="button", origin="https://shop.example", form=FORM)
ACTION = Action(tool="click", args={"id": 7}, page="https://shop.example/", tab=1, targets=(BUTTON,))


@pytest.mark.parametrize(
    "change",
    [
        {"tab": 2},
        {"page": "https://shop.example/?to=eve"},
        {"args": {"id": 8}},
        {"tool": "press_key"},
        {"targets": (BUTTON.model_copy(update={"name": "Send all"}),)},
        {"targets": (BUTTON.model_copy(update={"origin": "https://evil.example"}),)},
        {"targets": (BUTTON.model_copy(update={"form": FORM.model_copy(update={"action": "https://evil.example/"})}),)},
        {"targets": (BUTTON, BUTTON)},
    ],
    ids=["tab", "address", "arguments", "tool", "name", "origin", "form", "elements"],
)
def test_an_approval_is_bound_to_everything_that_it_was_asked_about(change: dict[str, object]) -> None:
    assert approval_binding("r", ACTION) == approval_binding("r", ACTION.model_copy())
    assert approval_binding("r", ACTION) != approval_binding("another", ACTION)
    assert approval_binding("r", ACTION) != approval_binding("r", ACTION.model_copy(update=change))


async def test_a_policy_that_does_not_exist_is_said_so(fish: Pilotfish, site: Practice) -> None:
    story = await ran(fish, site, policy="lax")
    assert isinstance(story.journal[-1], events.RunFinished)
    assert story.journal[-1].outcome == "failed" and "no policy named 'lax'" in story.journal[-1].error
