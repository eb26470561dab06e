"""Machines that share a database but no home folder: a run that moves keeps its tabs, cookies and files."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from pilotfish.app import Pilotfish, loop
from pilotfish.core import events
from pilotfish.core.settings import ModelSettings, Settings, WorkSettings
from pilotfish.runtime.run import Run
from pilotfish.services.run_files import read_file
from s3_server import BUCKET, KEY, SECRET, S3Bucket, serve_s3

from .test_queue import until

pytestmark = pytest.mark.slow
PATIENCE = 60


CHART = b"shoals " * 1000


@loop("test-moving")
async def leave_state(run: Run) -> None:
    """Open a page that sets a cookie, leave a file, ask, then tell which page is open and what it knows."""
    tab = await run.browser.tab(run.options["page"])
    await tab.page.evaluate("document.cookie = 'buoy=red; max-age=3600'")
    await run.browser.save()
    (run.folder / "chart.txt").write_bytes(CHART)
    saved = events.FileSaved(run=run.id, name="chart.txt", media="text/plain", size=len(CHART), purpose="test")
    await run.emit("file", saved)
    await run.request_input("Go on?")
    session = await run.browser.session()
    tab = await session.tab()
    await run.finish(f"{tab.url} {await tab.page.evaluate('document.cookie')}")


async def answer_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.0 200 OK\r\ncontent-type: text/html\r\n\r\n<title>Buoys</title><p>Red and green.")
    writer.close()


@pytest.fixture
def s3() -> Iterator[S3Bucket]:
    with serve_s3() as bucket:
        yield bucket


async def test_a_run_goes_on_at_another_machine_with_its_tabs_cookies_and_files(
    tmp_path: Path, postgres_url: str, s3: S3Bucket
) -> None:
    work = WorkSettings(
        shared_mb=0.005,
        bucket=f"s3://{BUCKET}",
        bucket_endpoint=s3.address,
        bucket_key=KEY,
        bucket_secret=SecretStr(SECRET),
    )

    def machine(name: str) -> Settings:
        return Settings(home=tmp_path / name, database=postgres_url, models=ModelSettings(main="scripted"), work=work)

    async with await asyncio.start_server(answer_request, "127.0.0.1", 0) as server:
        page = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/buoys"
        async with Pilotfish(machine("one")) as fish:
            run = (await fish.start("Look at the buoys", loop="test-moving", page=page)).id
            asked = await until(fish, run, "input_requested")
            kept = await fish.store.entries("file")
            assert len(kept) == 1 and b"buoy" not in b"".join(kept.values()), "cookies are stored encrypted"
            assert s3.objects == {f"runs/{run}/chart.txt": CHART}, "a large file is in the bucket"
        (tmp_path / "two").mkdir()
        shutil.copy(tmp_path / "one" / "secret.key", tmp_path / "two" / "secret.key")
        async with Pilotfish(machine("two")) as fish:
            assert isinstance(asked, events.InputRequested)
            await fish.command(run, "answer", text="yes", request=asked.request)
            end = await until(fish, run, "run_finished")
            assert isinstance(end, events.RunFinished) and end.text == f"{page} buoy=red", end
            assert await read_file(fish, run, "chart.txt") == CHART
            await fish.delete(run)
            assert not await fish.store.entries("file") and not s3.objects
