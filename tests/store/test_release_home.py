"""A home of release 0.1.0, with something of each kind: all of it is there when newer code opens it.

The SQL files are dumps of both databases: a run that ended, one that asks the person, facts, a schedule, a notice, a
shortcut. With the next release, dump a home of that one too and add its folder to `RELEASES`.
"""

import sqlite3
from pathlib import Path

import pytest

from pilotfish.core.journal_reports import find_open_question
from pilotfish.store.shortcuts import ShortcutStore
from scripted_app import Open

pytestmark = pytest.mark.anyio
DATA = Path(__file__).parent / "data"
RELEASES = ("release_0_1_0",)


@pytest.mark.parametrize("release", RELEASES)
async def test_a_home_of_an_earlier_release_is_opened_with_all_that_it_holds(
    release: str, tmp_path: Path, opened: Open
) -> None:
    for dump in sorted((DATA / release).glob("*.sql")):
        database = sqlite3.connect(tmp_path / f"{dump.stem}.db")
        database.executescript(dump.read_text())
        database.close()
    fish = await opened()
    waiting, done = await fish.runs(user="local")
    assert (done.outcome, (await fish.events(done.id))[-1].type) == ("completed", "run_finished")
    assert "It takes 40 minutes." in [message.text for message in await fish.store.messages(done.conversation)]
    asked = find_open_question(await fish.events(waiting.id))
    assert asked is not None and (asked.question, asked.choices) == ("Which colour?", ("red", "blue"))
    facts = {fact.id: fact.successor for fact in (await fish.store.facts("local"))[0]}
    assert facts == {"f1": "", "f2": "f1"}
    [schedule] = await fish.store.schedules("local")
    assert (schedule.task, schedule.paused) == ("read the news", True)
    assert [notice.run for notice in await fish.store.notices("local")] == [done.id]
    assert (await ShortcutStore(fish.store).get("local", "news")).recipe.actions[0].tool == "navigate"
    await fish.delete(done.id)
    left = [path.name for path in tmp_path.glob("*.db*") if b"It takes 40 minutes" in path.read_bytes()]
    assert left == []
