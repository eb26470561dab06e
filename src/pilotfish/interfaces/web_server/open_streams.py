"""Open connections: each ends when its token is no longer valid, and all of them when the server stops."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import anyio

from pilotfish.interfaces.web_server.problems import RequestRefused

if TYPE_CHECKING:
    from starlette.types import Scope
    from starlette.websockets import WebSocket

    from pilotfish.core.users import User
    from pilotfish.services.users import UserDirectory

CHECK_PERIOD = 2.0
TRY_LATER = 1013
SUBPROTOCOL = "pilotfish"
MOST_CONNECTIONS = 100


class OpenStreams:
    """The cancel scopes of open connections, with their tokens.

    A token that is revoked in this process ends its connections at once; one that another process revoked, or that
    expired, within `CHECK_PERIOD` seconds.
    """

    def __init__(self, people: "UserDirectory") -> None:
        self.people = people
        self._tokens: dict[anyio.CancelScope, str] = {}
        self._users: dict[anyio.CancelScope, str] = {}
        self._unknown: set[anyio.CancelScope] = set()
        self._watching: asyncio.Task[None] | None = None
        people.listeners.add(self.end_revoked)

    def __len__(self) -> int:
        return len(self._tokens)

    def check_room(self, scope: "Scope") -> None:
        """Refuse one connection too many of the user whom the gate found."""
        if list(self._users.values()).count(find_user(scope)) >= MOST_CONNECTIONS:
            message = f"One user can hold {MOST_CONNECTIONS} connections open."
            raise RequestRefused(429, "too_many", message, "Close some of them first.")

    async def accept(self, socket: "WebSocket") -> bool:
        """Accept a socket, or refuse it where it is one too many; whether it was accepted."""
        try:
            self.check_room(socket.scope)
        except RequestRefused as refusal:
            await socket.close(TRY_LATER, refusal.message)
            return False
        await socket.accept(subprotocol=SUBPROTOCOL if SUBPROTOCOL in socket.scope["subprotocols"] else None)
        return True

    @contextmanager
    def awaiting_sign_in(self, seconds: float) -> Generator[None]:
        """Bound the time of a connection whose user is not known yet; refuse it where too many of them wait."""
        if len(self._unknown) >= MOST_CONNECTIONS:
            raise RequestRefused(429, "too_many", "Too many connections wait for a token.", "Try again later.")
        with anyio.move_on_after(seconds) as stream:
            self._unknown.add(stream)
            try:
                yield
            finally:
                self._unknown.discard(stream)

    def add(self, stream: anyio.CancelScope, scope: "Scope") -> None:
        """Register a connection under the token of its request."""
        self._tokens[stream] = scope["state"].get("token", "")
        self._users[stream] = find_user(scope)
        if self._watching is None or self._watching.done():
            self._watching = asyncio.create_task(self._watch())

    def discard(self, stream: anyio.CancelScope) -> None:
        self._tokens.pop(stream, None)
        self._users.pop(stream, None)

    def end_all(self) -> None:
        """End all connections: the server stops."""
        self.people.listeners.discard(self.end_revoked)
        for stream in (*self._tokens, *self._unknown):
            stream.cancel()
        if self._watching is not None:
            self._watching.cancel()

    async def end_revoked(self) -> None:
        """End the connections whose token is no longer valid."""
        for token in set(self._tokens.values()):
            if await self.people.find_by_token(token) is None:
                for stream in [one for one, held in self._tokens.items() if held == token]:
                    stream.cancel()

    async def _watch(self) -> None:
        while self._tokens:
            await asyncio.sleep(CHECK_PERIOD)
            await self.end_revoked()


def find_user(scope: "Scope") -> str:
    user: User | None = scope["state"].get("user")
    return user.id if user else ""
