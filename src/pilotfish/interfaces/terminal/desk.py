"""Where the command line works: an app of its own, or a server that it was told of."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import parse_qs, urlsplit

from pilotfish.core.errors import PersonError

if TYPE_CHECKING:
    from pathlib import Path

    from pilotfish.core.events import Event, Live
    from pilotfish.core.records import RunRecord, Verb
    from pilotfish.interfaces.terminal.branch import Branch
    from pilotfish.interfaces.terminal.remote import Remote
    from pilotfish.parts.admin import Line
    from pilotfish.parts.keeping import Keeping


class Shelf(Protocol):
    """What can be read of runs, whether or not anything runs."""

    async def record(self, run: str) -> "RunRecord": ...
    async def runs(self, *, text: str = "", limit: int = 50, background: bool = True) -> "list[RunRecord]": ...
    async def events(self, run: str) -> "list[Event]": ...


class Desk(Shelf, Protocol):
    """What the command line asks of Pilotfish."""

    async def start(self, task: str, *, loop: str = "", tabs: Sequence[str] = (), **options: Any) -> "RunRecord": ...
    def follow(self, run: str, after: int = 0) -> "AsyncGenerator[Live]": ...
    async def command(self, run: str, verb: "Verb", *, text: str = "", request: str = "") -> None: ...
    async def proceed(self, run: str) -> "RunRecord": ...
    async def replay(self, run: str, **options: Any) -> "RunRecord": ...
    async def delete(self, run: str) -> None: ...

    @property
    def home(self) -> "Path | None":
        """Where files lie that runs may open; None where runs are on another machine."""
        ...

    @property
    def reasoning(self) -> bool:
        """Whether thinking is shown, as far as it comes."""
        ...


class Dials(Protocol):
    """The settings, with where each comes from."""

    async def settings(self, path: str = "") -> "list[Line]": ...
    async def change(self, path: str, value: str | None) -> object: ...


class Place(NamedTuple):
    """A server's address, with or without the token in it; empty for this machine."""

    server: str = ""
    token: str = ""

    def desk(self) -> "AbstractAsyncContextManager[Desk]":
        return self._remote() if self.server else _own()

    def shelf(self) -> "AbstractAsyncContextManager[Shelf]":
        """To read only: at this machine without starting what drives runs."""
        if self.server:
            return self._remote()
        from pilotfish.parts.archive import opened

        return opened()

    def office(self) -> "AbstractAsyncContextManager[Keeping | Branch]":
        """What is kept besides runs."""
        if self.server:
            return self._branch()
        from pilotfish.parts.keeping import opened

        return opened()

    def dials(self) -> "AbstractAsyncContextManager[Dials]":
        """The settings."""
        if self.server:
            return self._branch()
        from pilotfish.parts import admin

        return nullcontext(admin)

    def _remote(self) -> "Remote":
        from pilotfish.interfaces.terminal.remote import Remote

        return Remote(*self._address())

    def _branch(self) -> "Branch":
        from pilotfish.interfaces.terminal.branch import Branch

        return Branch(*self._address())

    def _address(self) -> tuple[str, str]:
        """The server's address and the token for it."""
        parts = urlsplit(self.server if "://" in self.server else f"http://{self.server}")
        token = self.token or parse_qs(parts.query).get("token", [""])[0]
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise PersonError(f"{self.server} is not the address of a server.", "Write it as http://HOST:PORT.")
        if not token:
            raise PersonError(
                "The server wants a token.",
                "Give the address as the server printed it, or --token, or set PILOTFISH_TOKEN.",
            )
        return f"{parts.scheme}://{parts.netloc}", token


@asynccontextmanager
async def _own() -> "AsyncGenerator[Desk]":
    from pilotfish.app import Pilotfish

    async with Pilotfish(adopt=False) as fish:
        yield fish
