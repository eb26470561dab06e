"""A backup that is written while runs go on is whole, and brings them back elsewhere."""

import tarfile
from pathlib import Path

import pytest

from pilotfish.app import Pilotfish, loop
from pilotfish.core.errors import PersonError
from pilotfish.core.settings import ModelSettings, Settings
from pilotfish.runtime.run import Run
from pilotfish.services.backup import restore_backup, write_backup


@loop("test-filing")
async def leave_file(run: Run) -> None:
    """Leave a file, then wait for the person."""
    (run.folder / "note.txt").write_text("kept")
    await run.finish(f"You said {await run.request_input('Which?')}.")


def settings(home: Path) -> Settings:
    return Settings(home=home, models=ModelSettings(main="scripted"))


async def test_a_run_that_waits_is_backed_up_and_goes_on_where_it_is_restored(tmp_path: Path) -> None:
    file, old, new = tmp_path / "all.tar.gz", settings(tmp_path / "old"), settings(tmp_path / "new")
    async with Pilotfish(old) as fish:
        run = (await fish.start("File it", loop="test-filing")).id
        token = fish.users.local_token
        async for event in fish.follow(run):
            if event.type == "input_requested":
                break
        done = write_backup(old, file)
        assert done.files >= 4 and file.stat().st_mode & 0o777 == 0o600
        with pytest.raises(PersonError, match="running"):
            await restore_backup(old, file, replace=True)
    await restore_backup(new, file)
    async with Pilotfish(new) as fish:
        assert fish.users.local_token == token
        assert (new.home / "runs" / run / "note.txt").read_text() == "kept"
        [asked] = [event for event in await fish.events(run) if event.type == "input_requested"]
        await fish.command(run, "answer", text="red", request=asked.request)
        answers = [event.text async for event in fish.follow(run) if event.type == "run_finished"]
    assert answers == ["You said red."]


async def test_data_is_not_overwritten_and_a_strange_archive_is_refused(tmp_path: Path) -> None:
    home = settings(tmp_path / "home")
    (home.home).mkdir()
    (home.home / "pilotfish.db").write_bytes(b"mine")
    strange = tmp_path / "strange.tar.gz"
    (tmp_path / "evil.txt").write_text("evil")
    with tarfile.open(strange, "w:gz") as archive:
        archive.add(tmp_path / "evil.txt", "../evil.txt")
    with pytest.raises(PersonError, match="already"):
        await restore_backup(home, strange)
    with pytest.raises(PersonError, match="no backup"):
        await restore_backup(home, strange, replace=True)
    with pytest.raises(PersonError, match="cannot be read"):
        await restore_backup(home, home.home / "pilotfish.db", replace=True)
    assert (home.home / "pilotfish.db").read_bytes() == b"mine"
