"""A home that was written before the names of the code were changed: everything in it can still be read and used.

The SQL files are dumps of both databases after two runs of commit e4aec7e: a chore that was done, and a run that was
killed while it asked the person. `settings.toml` gives every setting that this commit had.
"""

import sqlite3
from pathlib import Path

import pytest

from pilotfish.core import events
from pilotfish.core.errors import exit_code
from pilotfish.core.facts import Fact
from pilotfish.core.journal_reports import find_open_question, render_markdown, sum_costs
from pilotfish.core.policy import PolicyRule
from pilotfish.core.recipe import ActionRecipe, RecordedAction, build_recipe
from pilotfish.core.schedules import SchedulePlan
from pilotfish.core.shortcut import Shortcut, make_shortcut
from pilotfish.store.settings_reader import read_settings
from scripted_app import Open

pytestmark = pytest.mark.anyio
DATA = Path(__file__).parent / "data" / "first_names"
DONE, ASKING = "Add the Tide kettle to the cart", "Press the button"


@pytest.fixture
def old_home(tmp_path: Path) -> Path:
    """The folder that `opened` opens, as the old code left it."""
    for dump in sorted(DATA.glob("*.sql")):
        database = sqlite3.connect(tmp_path / f"{dump.stem}.db")
        database.executescript(dump.read_text())
        database.close()
    return tmp_path


async def test_every_event_of_an_old_journal_can_be_read(old_home: Path, opened: Open) -> None:
    fish = await opened()
    stories = {record.task: await fish.events(record.id) for record in await fish.runs()}
    assert {event.type for story in stories.values() for event in story} == {
        *("run_started", "message_added", "state_changed", "page_seen", "model_asked", "model_replied", "reasoned"),
        *("noted", "tool_started", "tool_finished", "input_requested", "run_finished"),
    }
    question = find_open_question(stories[ASKING])
    assert question is not None and question.question == "Which one: Search or Cart?"


async def test_an_old_run_is_told_counted_and_audited(old_home: Path, opened: Open) -> None:
    fish = await opened()
    record = next(record for record in await fish.runs() if record.task == DONE)
    story = await fish.events(record.id)
    assert record.outcome == "completed" and "The kettle is in the cart." in render_markdown(record, story)
    assert sum_costs(story).total.tokens == record.usage.tokens > 0
    decided = [line for line in (await fish.safety.audit(record.id)).lines if line.kind == "decision"]
    assert [line.outcome for line in decided] == ["allowed", "allowed"]


async def test_an_old_run_can_be_done_again(old_home: Path, opened: Open) -> None:
    fish = await opened()
    record = next(record for record in await fish.runs() if record.task == DONE)
    actions = build_recipe(await fish.events(record.id)).actions
    assert [(action.tool, action.elements["id"].name) for action in actions] == [
        ("click", "Tide kettle"),
        ("click", "Add to cart"),
    ]


async def test_a_run_that_the_old_code_left_goes_on_as_a_new_one(old_home: Path, opened: Open) -> None:
    fish = await opened(["The button was pressed."])
    left = next(record for record in await fish.runs() if record.task == ASKING)
    assert left.state == "awaiting_input"
    new = await fish.continue_run(left.id)
    async for event in fish.follow(new.id):
        if isinstance(event, events.InputRequested):
            await fish.command(new.id, "stop")
    assert new.options["continues"] == left.id and (await fish.record(left.id)).outcome == "stopped"
    assert (await fish.record(new.id)).outcome is not None


@pytest.mark.parametrize(
    ("old", "new", "code"), [("NotFoundError", "NotFoundError", 2), ("Misshapen", "InvalidAnswer", 3)]
)
def test_a_failure_that_was_stored_under_an_old_name_has_the_present_one(old: str, new: str, code: int) -> None:
    stored = f'{{"type": "run_finished", "run": "r", "outcome": "failed", "kind": "{old}"}}'
    end = events.EVENT_ADAPTER.validate_json(stored)
    assert isinstance(end, events.RunFinished) and end.kind == new
    assert exit_code(end.kind) == code


def test_every_setting_of_the_old_code_still_counts() -> None:
    file = DATA / "settings.toml"
    loaded = read_settings({}, file)
    assert len([value for value in loaded.found.values() if str(file) in value.origin]) == 66
    assert (loaded.settings.agent.steps, loaded.settings.budget.day_cents) == (20, 100)
    assert loaded.settings.policy.rules == (PolicyRule(site="shop.example", effect="buy", then="deny"),)


async def test_settings_that_were_stored_under_former_names_count_and_can_be_taken_back(
    old_home: Path, opened: Open
) -> None:
    database = sqlite3.connect(old_home / "pilotfish.db")
    rows = [("keep.days", "3"), ("tell.mail_to", '"a@b.example"'), ("policy.patience", "7")]
    database.executemany("insert into settings (path, value, by, at) values (?, ?, 'ann', 1)", rows)
    database.commit()
    database.close()
    fish = await opened()
    await fish.settings_store.refresh()
    now = fish.settings_store.current
    assert (now.retention.days, now.notices.mail_to, now.policy.approval_timeout) == (3, "a@b.example", 7)
    await fish.settings_store.change("keep.days", None, "ann")
    await fish.settings_store.change("policy.approval_timeout", 9, "ann")
    await fish.settings_store.refresh()
    now = fish.settings_store.current
    assert (now.retention.days, now.policy.approval_timeout) == (None, 9)
    changes = await fish.settings_store.history("policy.approval_timeout")
    assert [(change.path, change.value) for change in changes] == [
        ("policy.approval_timeout", value) for value in (9, 7)
    ]


def test_values_are_read_whose_fields_have_former_names() -> None:
    fact = Fact.model_validate_json('{"id": "f", "user": "ann", "content": "Ann skis.", "heir": "g"}')
    plan = SchedulePlan.model_validate({"task": "read", "when": "daily at 8", "tell": "changes"})
    recipe = ActionRecipe(task="Buy", actions=(RecordedAction(tool="click", args={"id": 1}),))
    shortcut = Shortcut.model_validate(
        {**make_shortcut("buy", recipe, {}).model_dump(exclude={"replacements"}), "mended": 2}
    )
    assert (fact.successor, plan.notify_when, shortcut.replacements) == ("g", "changes", 2)
