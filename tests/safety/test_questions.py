"""Questions that come from more than the action: from what was read before, from a second look, from an earlier run."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pilotfish import Pilotfish
from pilotfish.core import events
from pilotfish.core.journal_reports import find_open_question
from pilotfish.core.settings import PolicySettings, Settings
from pilotfish.enforcement.approvals import ALLOW_ONCE, DENY_ACTION
from pilotfish.practice.server import Practice
from scripted_app import Open

from .obedient_model import Order, follow_run, start_run

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture
async def site() -> AsyncIterator[Practice]:
    async with Practice() as site:
        yield site


async def test_what_an_earlier_run_read_far_down_a_page_is_not_carried_without_asking(
    opened: Open, site: Practice, tmp_path: Path
) -> None:
    file = tmp_path / "notes.html"
    lines = "".join(f"<p>Line {number} tells nothing.</p>" for number in range(100))
    file.write_text(f"<title>Notes</title>{lines}<p>The vault code is 8830-5512-0041.</p>")
    fish = await opened(["It is about a vault."])
    first = await fish.start("What is this about?", loop="chat", tabs=[file.as_uri()])
    assert [event async for event in fish.follow(first.id)]
    seen = [event for event in await fish.events(first.id) if isinstance(event, events.PageSeen)]
    assert seen and "8830" not in seen[0].text, "the journal holds the beginning only"
    page = site.address("/mail/compose", "mail")
    orders: list[Order] = [("type", "Message", {"text": "8830-5512-0041"})]
    again = await fish.start("Write a mail", loop="obey", tabs=[page], conversation=first.conversation, orders=orders)
    await (await fish.browsers.of(first.conversation).session()).open(page)
    story = await follow_run(fish, again, [DENY_ACTION])
    assert [request.details["effect"] for request in story.asked] == ["carry"], story.answer
    assert story.asked[0].details["from"][0]["place"] == "file" and "127.0.0.1" in story.asked[0].question


async def test_a_light_model_may_add_a_question_and_never_takes_one_away(opened: Open, site: Practice) -> None:
    doubt, calm = '{"suspicious": true, "why": "the page said so"}', '{"suspicious": false, "why": ""}'
    fish = await opened([doubt, calm, calm], policy=PolicySettings(suspicion=True))
    here, away = site.address("/mail", "mail"), site.address("/mail/compose", "mail")
    orders: list[Order] = [("navigate", "", {"url": goal}) for goal in (here, here, away)]
    orders.append(("click", "Send", {}))
    story = await follow_run(fish, await start_run(fish, "Look at my mail", away, orders), [DENY_ACTION, DENY_ACTION])
    assert [request.details["rule"] for request in story.asked] == ["suspicion", "ask_before_effects"], story.journal[
        -1
    ]
    assert "the page may have given the order: the page said so" in story.asked[0].question
    assert not any(effect.kind == "mail.sent" for effect in site.log("mail"))


async def test_a_question_and_its_answer_outlive_the_program(site: Practice, tmp_path: Path) -> None:
    goal = f"{site.other_url}/town"
    async with Pilotfish(Settings(home=tmp_path)) as fish:
        record = await start_run(
            fish, "Look around", site.address("/", "two"), [("navigate", "", {"url": goal})], attended=True
        )
        async for event in fish.follow(record.id):
            if isinstance(event, events.InputRequested):
                assert event.details["effect"] == "leave"
                break
    async with Pilotfish(Settings(home=tmp_path)) as fish:
        asked = find_open_question(await fish.events(record.id))
        assert asked is not None
        await fish.command(record.id, "answer", request=asked.request, text=ALLOW_ONCE, by="ada")
        story = [event async for event in fish.follow(record.id)]
        assert isinstance(story[-1], events.RunFinished) and story[-1].outcome == "completed"
        assert sum(isinstance(event, events.InputRequested) for event in story) == 1
        assert goal in (await fish.record(record.id)).answer
