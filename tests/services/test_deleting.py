"""What was deleted is in no file and no row: pages that a run read, what it kept, and what schedules say of it."""

from pathlib import Path

import psycopg
import pytest

from interfaces.server.running_server import serve_page
from pilotfish.app import Pilotfish, loop
from pilotfish.core.messages import ToolCall
from pilotfish.core.schedule_progress import make_notices
from pilotfish.core.settings import FetchSettings, ModelSettings, RetentionSettings, Settings
from pilotfish.runtime.run import Run
from pilotfish.services.retention import apply_retention
from pilotfish.services.tool_services import PageLibrary
from pilotfish.tools.recall import ResultStore
from pilotfish.web.search.local import IndexedPage
from turned_clock import TurnedClock, open_at, wait_for_fires

MARK = "marlinspike-4712"
PAGE = f"<!doctype html><title>Harbour</title><p>The word of the day is {MARK}, said the harbour master.".encode()


@loop("test-reading")
async def read_everywhere(run: Run) -> None:
    """Read its page in the browser and over the network, keep a long result, and say what it read."""
    [tab] = await run.read_tabs()
    fetched = await run.act(
        ToolCall(id="c1", tool="web_fetch", args={"urls": [tab.url], "query": "word", "detail": "full"})
    )
    assert fetched[0].ok, fetched[0].output
    await run.context.services[ResultStore].keep(run.id, "r1", tab.text)  # pyright: ignore[reportAttributeAccessIssue]
    await run.finish(tab.text)


def find_traces(home: Path, url: str) -> list[str]:
    """The files, and the tables of a PostgreSQL database, in which the mark is."""
    found = [path.name for path in home.rglob("*") if path.is_file() and MARK.encode() in path.read_bytes()]
    if url.startswith("sqlite"):
        return found
    with psycopg.connect(url) as connection:
        tables = connection.execute(
            "SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) FROM pg_tables "
            "WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
        for (table,) in tables:
            marks = {"text": f"%{MARK}%", "hex": f"%{MARK.encode().hex()}%"}
            query = f"SELECT count(*) FROM {table} AS row WHERE row::text LIKE %(text)s OR row::text LIKE %(hex)s"
            [(count,)] = connection.execute(query.encode(), marks).fetchall()
            found += [table] * count
    return found


@pytest.mark.slow
async def test_pages_that_a_deleted_run_read_are_in_no_file_and_no_row(tmp_path: Path, database_url: str) -> None:
    settings = Settings(
        home=tmp_path / "home",
        database="" if database_url.startswith("sqlite") else database_url,
        models=ModelSettings(main="scripted"),
        fetch=FetchSettings(allow_private=True),
    )
    async with serve_page(PAGE) as page, Pilotfish(settings) as fish:
        run = await fish.start("Read it", loop="test-reading", tabs=[page])
        ends = [event async for event in fish.follow(run.id) if event.type == "run_finished"]
        assert MARK in ends[0].text, ends
        await fish.start("Which word?", loop="chat", tabs=[page], conversation=run.conversation)
        for each in await fish.runs(conversation=run.conversation):
            async for _ in fish.follow(each.id):
                pass
        assert len(find_traces(settings.home, database_url)) > 1, "it was there before"
        for each in await fish.runs(conversation=run.conversation):
            await fish.delete(each.id)
        assert find_traces(settings.home, database_url) == [], "while the app is open"
    assert find_traces(settings.home, database_url) == []


async def test_a_page_stays_in_the_library_until_the_run_that_read_it_last_is_deleted(tmp_path: Path) -> None:
    from pilotfish.services.kept_copies import delete_copies

    async with Pilotfish(Settings(home=tmp_path, models=ModelSettings(main="scripted"))) as fish:
        library = PageLibrary(fish.store)
        for reader in ("first", "second"):
            await library.add(IndexedPage(url="https://a.example/", title="Ferry", text="A ticket.", reader=reader))
        await delete_copies(fish.store, ["first"])
        assert len(await library.search("ticket", 10)) == 1
        await delete_copies(fish.store, ["second"])
        assert await library.search("ticket", 10) == []
        assert await fish.store.entries("page_reads") == {}


async def test_what_a_schedule_says_of_a_deleted_run_goes_too(tmp_path: Path) -> None:
    clock = TurnedClock("2026-11-18 07:30")
    replies = [f'{{"plan": "{text}", "finish": true}}' for text in (MARK, "Better.")]
    async with open_at(tmp_path, clock, replies, retention=RetentionSettings(days=1e-9)) as fish:
        made = await fish.schedule("Read", "daily at 8", zone="UTC", options={"loop": "strict"})
        clock.turn("2026-11-18 08:00")
        [first] = await wait_for_fires(fish, made.id, 1)
        assert first.text == MARK
        assert await apply_retention(fish) == 0, "the last run of a schedule is kept to be compared with"
        told = made.model_copy(update={"notify": ("desktop",)})
        await fish.store.add_notices(make_notices(told, "result", first.run, MARK, first.run, clock()))
        await fish.delete(first.run)
        assert [one for one in await fish.store.notices("local") if one.run == first.run] == []
        assert find_traces(tmp_path, "sqlite") == []
        clock.turn("2026-11-19 08:00")
        forgotten, second = await wait_for_fires(fish, made.id, 2)
    assert (forgotten.outcome, forgotten.text) == ("deleted", "Its run was deleted.")
    assert (second.text, second.change) == ("Better.", "")


async def test_the_database_file_becomes_smaller_when_most_of_it_is_free(tmp_path: Path) -> None:
    async with Pilotfish(Settings(home=tmp_path, models=ModelSettings(main="scripted"))) as fish:
        await fish.store.put("cache", "large", b"x" * 20_000_000)
        await fish.store.put("other", "small", b"kept")
        await fish.store.clear_log()
        file = tmp_path / "pilotfish.db"
        assert file.stat().st_size > 20_000_000
        await fish.store.drop("cache", "large")
        await fish.store.clear_log()
        assert file.stat().st_size < 2_000_000
        assert await fish.store.get("other", "small") == b"kept"
