"""What every blob store must do: on disk, in SQLite and PostgreSQL, in a bucket, and in two of them by size."""

import stat
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from pilotfish.core.errors import SettingsError, StoreError
from pilotfish.core.settings import WorkSettings
from pilotfish.store.blob_stores import BlobStore, DatabaseBlobs, DiskBlobs, SizedBlobs
from pilotfish.store.bucket import BucketBlobs
from pilotfish.store.database import Database
from s3_server import BUCKET, KEY, SECRET, S3Bucket, serve_s3

KINDS = ["disk", "sqlite", pytest.param("postgres", marks=pytest.mark.slow), "bucket", "folder", "sized"]
SMALL = 1000


@pytest.fixture
def s3() -> Iterator[S3Bucket]:
    with serve_s3() as bucket:
        yield bucket


def reach(s3: S3Bucket, secret: str = SECRET) -> BucketBlobs:
    place = f"s3://{BUCKET}/shared"
    return BucketBlobs(
        WorkSettings(
            bucket=place,
            bucket_endpoint=s3.address,
            bucket_region="eu-1",
            bucket_key=KEY,
            bucket_secret=SecretStr(secret),
        )
    )


@pytest.fixture(params=KINDS)
async def blobs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[BlobStore]:
    kind: str = request.param
    if kind in ("sqlite", "postgres"):
        url = f"sqlite:///{tmp_path / 'store.db'}" if kind == "sqlite" else request.getfixturevalue("postgres_url")
        async with await Database.open(url) as store:
            yield DatabaseBlobs(store)
    elif kind == "bucket":
        yield reach(request.getfixturevalue("s3"))
    elif kind == "folder":
        (tmp_path / "shared").mkdir()
        yield BucketBlobs(WorkSettings(bucket=f"file://{tmp_path / 'shared'}"))
    elif kind == "sized":
        yield SizedBlobs(DiskBlobs(tmp_path / "small"), DiskBlobs(tmp_path / "large"), SMALL)
    else:
        yield DiskBlobs(tmp_path)


async def test_what_is_written_is_read_replaced_listed_and_deleted(blobs: BlobStore) -> None:
    odd = "runs/one/downloads/Größe 10% #1?=+.txt"
    await blobs.write("runs/one/chart.txt", b"old")
    await blobs.write("runs/one/chart.txt", b"\0new")
    await blobs.write(odd, b"odd")
    await blobs.write("runs/one-more/chart.txt", b"other")
    await blobs.write("conversations/c/files/empty", b"")

    assert await blobs.read("runs/one/chart.txt") == b"\0new"
    assert await blobs.read(odd) == b"odd"
    assert await blobs.read("conversations/c/files/empty") == b""
    assert await blobs.read("runs/one/none") is None
    assert await blobs.keys("runs/one/") == sorted(["runs/one/chart.txt", odd])
    assert await blobs.keys("runs/two/") == []
    await blobs.delete("runs/one/none")
    await blobs.delete(odd)
    assert await blobs.keys("runs/one/") == ["runs/one/chart.txt"]
    await blobs.delete("runs/one/")
    assert await blobs.keys("runs/one/") == []
    assert await blobs.read("runs/one-more/chart.txt") == b"other"


async def test_large_blobs_come_back_whole_and_may_become_small_again(blobs: BlobStore) -> None:
    large = bytes(range(256)) * 48_000
    await blobs.write("runs/one/film", large)
    assert await blobs.read("runs/one/film") == large
    await blobs.write("runs/one/film", b"short")
    assert await blobs.read("runs/one/film") == b"short"
    assert await blobs.keys("runs/one/") == ["runs/one/film"]


async def test_files_on_disk_are_private_and_stay_in_their_folder(tmp_path: Path) -> None:
    blobs = DiskBlobs(tmp_path / "home")
    await blobs.write("runs/one/chart", b"x")
    assert stat.S_IMODE((tmp_path / "home/runs/one/chart").stat().st_mode) == 0o600
    for key in ("../outside", "runs/../../outside", "/outside", "runs//x", ""):
        with pytest.raises(ValueError, match="no key"):
            await blobs.write(key, b"x")
    assert not (tmp_path / "outside").exists()


async def test_blobs_are_divided_by_size(tmp_path: Path) -> None:
    small, large = DiskBlobs(tmp_path / "small"), DiskBlobs(tmp_path / "large")
    blobs = SizedBlobs(small, large, SMALL)
    await blobs.write("runs/one/a", b"x" * SMALL)
    await blobs.write("runs/one/b", b"x" * (SMALL + 1))
    assert await small.keys("runs/one/") == ["runs/one/a"] and await large.keys("runs/one/") == ["runs/one/b"]
    await blobs.write("runs/one/a", b"x" * (SMALL + 1))
    assert await small.keys("runs/one/") == []
    alone = SizedBlobs(small, None, SMALL)
    await alone.write("runs/one/c", b"x" * (SMALL + 1))
    assert await alone.read("runs/one/c") is None


async def test_a_bucket_that_refuses_or_is_not_there_is_named(s3: S3Bucket) -> None:
    with pytest.raises(StoreError, match=f"s3://{BUCKET}/shared does not answer") as caught:
        await reach(s3, "wrong-secret").write("runs/one/a", b"x")
    assert s3.refused and not s3.objects and "wrong-secret" not in caught.value.message
    with pytest.raises(SettingsError, match=r"cannot be used"):
        await BucketBlobs(WorkSettings(bucket="nowhere")).read("runs/one/a")
