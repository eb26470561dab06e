"""Schedules and watches from the command line."""

import asyncio
import io
import json
from pathlib import Path

from rich.console import Console

from pilotfish.core.events import current_time
from pilotfish.core.schedule_progress import make_notices
from pilotfish.core.schedules import Schedule
from pilotfish.interfaces.terminal.schedule_tables import schedules_table
from pilotfish.services.run_archive import open_archive

from .conftest import Command


def test_a_schedule_says_when_it_happens_and_what_it_may_do(pilotfish: Command) -> None:
    assert "pilotfish schedule" in pilotfish("schedules").stdout
    words = ("schedule", "every weekday at 8", "Read the news", "--zone", "Europe/Lisbon", "--name", "news")
    said = pilotfish(*words, "--allow", "shop.example:submit,buy")
    assert said.returncode == 0, said.stderr
    assert "On shop.example it may send a form, buy or pay without asking." in said.stdout
    assert "08:00 WE" in said.stdout
    assert "every weekday at 8" in pilotfish("schedules").stdout
    changed = pilotfish("schedules", "edit", "news", "--when", "daily at 9", "--allow-nothing").stdout
    assert "09:00 WE" in changed and "Every effect is refused" in changed
    assert "paused" in pilotfish("schedules", "pause", "news").stdout
    assert "next" in pilotfish("schedules", "resume", "news").stdout
    assert "has not happened" in pilotfish("schedules", "history", "news").stdout
    calendar = pilotfish("schedules", "calendar").stdout
    assert "planned" in calendar and "09:00 WE" in calendar, "by the clocks of its zone"
    assert "pilotfish follow" in pilotfish("schedules", "run", "news").stdout
    history = pilotfish("schedules", "history", "news").stdout
    assert "started" in history and " WE" in history, "by the clocks of its zone"
    assert "Deleted: news" in pilotfish("schedules", "delete", "news").stdout
    assert pilotfish("schedules", "delete", "news").returncode == 2


def test_a_channel_that_is_not_set_up_is_said_when_the_schedule_is_made(pilotfish: Command) -> None:
    words = ("schedule", "daily at 8", "Read", "--zone", "UTC", "--notify", "page", "--tell", "email")
    assert "by email yet: set notices.smtp_host and notices.mail_to." in pilotfish(*words).stdout
    pilotfish("settings", "notices.smtp_host", "mail.example")
    pilotfish("settings", "notices.mail_to", "me@example.com")
    assert "Nobody can be told" not in pilotfish(*words).stdout


def test_a_watch_names_its_page_and_what_is_compared(pilotfish: Command) -> None:
    said = pilotfish(
        "watch", "shop.example/kettle", "it costs less than 40", "--every", "30m", "--value", "price", "--json"
    )
    made = json.loads(said.stdout)
    assert made["pages"] == ["https://shop.example/kettle"]
    assert made["watch"] == {"kind": "value", "what": "price"} and made["when"] == "every 30m"
    assert pilotfish("watch", "shop.example", "cheap", "--text", "a", "--selector", "b").returncode == 2


def test_what_cannot_be_understood_is_told_in_words(pilotfish: Command) -> None:
    assert "Say it like one of these" in pilotfish("schedule", "now and then", "Read").stderr
    assert "does not say what is allowed" in pilotfish("schedule", "hourly", "Read", "--allow", "shop.example").stderr
    assert "--missed: " in pilotfish("schedule", "hourly", "Read", "--missed", "never").stderr
    assert "is not the address of a page" in pilotfish("watch", "kettles", "less than 40").stderr
    assert "no time zone" in pilotfish("schedule", "hourly", "Read", "--zone", "Mars").stderr


def test_notices_and_dead_letters_are_listed_and_tried_again(pilotfish: Command) -> None:
    assert "Nothing was told yet" in pilotfish("schedules", "notices").stdout
    assert "took what it was given" in pilotfish("schedules", "notices", "--failed").stdout
    pilotfish("schedule", "every weekday at 8", "Read", "--zone", "UTC", "--name", "news")
    lost = asyncio.run(keep_dead_letter())
    shown = pilotfish("schedules", "notices", "--failed").stdout
    assert "problem: news" in shown and "It is down." in shown
    assert "pilotfish answer r1" in pilotfish("schedules", "notices").stdout
    assert "webhook, failed: hook.example answered 500" in shown and f"retry {lost}" in shown
    assert "sent again by webhook" in pilotfish("schedules", "retry", lost).stdout
    assert "took what it was given" in pilotfish("schedules", "notices", "--failed").stdout
    assert pilotfish("schedules", "retry", "unknown").returncode == 2


async def keep_dead_letter() -> str:
    """A notice that a channel did not take; its id."""
    async with open_archive() as kept:
        [made] = await kept.store.schedules()
        told = make_notices(
            made.model_copy(update={"notify": ("webhook",)}), "problem", "r", "It is down.", "", made.created
        )
        await kept.store.add_notices(
            make_notices(
                made.model_copy(update={"notify": ("page",)}), "question", "q", "Red?", "r1", made.created, "/answer/x"
            )
        )
        [lost] = [one.model_copy(update={"state": "failed", "error": "hook.example answered 500."}) for one in told]
        await kept.store.add_notices([lost])
    return lost.id


def test_what_a_model_takes_words_for_is_told_and_made_only_when_it_is_confirmed(
    pilotfish: Command, tmp_path: Path
) -> None:
    replies = tmp_path / "replies.json"
    replies.write_text(json.dumps([{"text": '{"when": "mon-sat at 9:00", "zone": ""}'}]))
    pilotfish("settings", "models.main", f"scripted:{replies}")
    words = ("schedule", "every day but Sundays at nine", "Read", "--zone", "UTC")
    asked = pilotfish(*words)
    assert asked.returncode == 2 and "is taken for “mon-sat at 9:00” (UTC)" in asked.stderr
    assert 'give it as "mon-sat at 9:00"' in asked.stderr
    assert "No schedules yet" in pilotfish("schedules").stdout


def test_the_list_says_what_is_paused_after_failures_and_what_is_over() -> None:
    made = {"user": "local", "task": "Read", "when": "in 1 minute", "zone": "UTC"}
    found = [
        Schedule.model_validate({**made, "id": "one", "paused": True, "failures": 3, "next": current_time()}),
        Schedule.model_validate({**made, "id": "two", "next": None}),
    ]
    console = Console(width=200, record=True, file=io.StringIO())
    console.print(schedules_table(found))
    _, paused, over = console.export_text().splitlines()
    assert paused.rstrip().endswith("paused, 3 failed") and over.rstrip().endswith("over")
