"""Downloads a model file from one web address over HTTPS, and resumes with Range."""

from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

from pilotfish.core.errors import ModelError
from pilotfish.llm.catalog import CatalogEntry

if TYPE_CHECKING:
    from httpx2 import AsyncClient

_CONNECT_TIMEOUT = 4.0
_READ_TIMEOUT = 30.0


async def fetch_from_url(entry: CatalogEntry, work: Path, progress: Callable[[int, int], None]) -> Path | None:
    """The downloaded file; None where the entry has no address."""
    import httpx2

    if not entry.url:
        return None
    path = work / "whole.http"
    limits = httpx2.Timeout(_READ_TIMEOUT, connect=_CONNECT_TIMEOUT)
    try:
        async with httpx2.AsyncClient(timeout=limits) as client:
            await _check_announced_hash(client, entry)
            await _download(client, entry, path, progress)
    except httpx2.HTTPError as error:
        raise ModelError(f"{httpx2.URL(entry.url).host} does not answer.", transient=True) from error
    return path


async def _check_announced_hash(client: "AsyncClient", entry: CatalogEntry) -> None:
    """Refuse a file before the download where the host announces another SHA-256."""
    response = await client.head(entry.url, follow_redirects=False)
    announced = response.headers.get("x-linked-etag", "").strip('"')
    if response.status_code >= HTTPStatus.BAD_REQUEST:
        raise ModelError(f"The file's address answers {response.status_code}.")
    if announced and announced != entry.sha256:
        raise ModelError("The file at its address is not the pinned one (its SHA-256 differs).")


async def _download(
    client: "AsyncClient", entry: CatalogEntry, path: Path, progress: Callable[[int, int], None]
) -> None:
    have = path.stat().st_size if path.exists() else 0
    if have >= entry.size:
        return
    headers = {"range": f"bytes={have}-"} if have else {}
    async with client.stream("GET", entry.url, headers=headers, follow_redirects=True) as response:
        response.raise_for_status()
        resumed = response.status_code == HTTPStatus.PARTIAL_CONTENT
        have = have if resumed else 0
        with path.open("ab" if resumed else "wb") as file:
            async for chunk in response.aiter_bytes():
                file.write(chunk)
                have += len(chunk)
                progress(have, entry.size)
    if have != entry.size:
        raise ModelError(f"The download ended after {have} of {entry.size} bytes.", transient=True)
