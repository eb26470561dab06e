"""Stores blobs in an S3-compatible bucket, or another object store that `obstore` knows."""

from collections.abc import Generator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from pilotfish.core.errors import SettingsError, StoreError
from pilotfish.core.settings import WorkSettings

if TYPE_CHECKING:
    from obstore.store import ObjectStore


class BucketBlobs:
    """The objects below an address such as `s3://bucket/folder`. Keys that a bucket may not take are escaped."""

    def __init__(self, settings: WorkSettings) -> None:
        self.settings = settings

    @cached_property
    def _objects(self) -> "ObjectStore":
        try:
            from obstore.exceptions import BaseError
            from obstore.store import from_url
        except ImportError as error:
            raise SettingsError(
                "A bucket needs the package obstore.", "Install it with `pip install 'pilotfish[bucket]'`."
            ) from error
        work = self.settings
        given = {"endpoint": work.bucket_endpoint, "region": work.bucket_region, "access_key_id": work.bucket_key}
        options: dict[str, Any] = {name: value for name, value in given.items() if value}
        if secret := work.bucket_secret.get_secret_value():
            options["secret_access_key"] = secret
        plain = work.bucket_endpoint.startswith("http://")
        try:
            return from_url(work.bucket, client_options={"allow_http": plain, "timeout": "60s"}, **options)
        except (BaseError, ValueError) as error:
            raise SettingsError(f"The bucket {work.bucket} cannot be used: {error}", "Check work.bucket.") from error

    async def write(self, key: str, data: bytes) -> None:
        from obstore import put_async

        with self._explain_errors():
            await put_async(self._objects, _escape(key), data)

    async def read(self, key: str) -> bytes | None:
        from obstore import get_async

        with self._explain_errors():
            return bytes(await (await get_async(self._objects, _escape(key))).bytes_async())
        return None

    async def keys(self, prefix: str) -> list[str]:
        from obstore import list as list_objects

        found: list[str] = []
        with self._explain_errors():
            async for batch in list_objects(self._objects, _escape(prefix.removesuffix("/"))):
                found += [_unescape(entry["path"]) for entry in batch]
        return sorted(found)

    async def delete(self, prefix: str) -> None:
        from obstore import delete_async

        keys = await self.keys(prefix) if prefix.endswith("/") else [prefix]
        with self._explain_errors():
            if keys:
                await delete_async(self._objects, [_escape(key) for key in keys])

    @contextmanager
    def _explain_errors(self) -> Generator[None]:
        """End quietly where there is no such object, and say what else failed."""
        from obstore.exceptions import BaseError

        try:
            yield
        except FileNotFoundError:
            return
        except BaseError as error:
            first = str(error).strip().splitlines()[0][:200]
            raise StoreError(f"The bucket {self.settings.bucket} does not answer: {first}", "Check it.") from error


def _escape(key: str) -> str:
    """Object stores disagree about percent signs and spaces, so other characters are written as `=20`."""
    return "/".join(quote(part, safe="").replace("%", "=") for part in key.split("/"))


def _unescape(path: str) -> str:
    return unquote(path.replace("=", "%"))
