"""Which run serves which request of a client, so that a request sent again joins its run instead of starting another.

Clients send a request again when it took too long. While nobody has got the answer, the same request means the same
run, also at another server of the same database. A request with an `Idempotency-Key` means the same run for ten
minutes, also after its end. A run whose only reader left is stopped when no reader has come back within a few seconds.
"""

import asyncio
import hashlib
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from pilotfish.app import Pilotfish
from pilotfish.core.records import RunRecord
from pilotfish.core.users import User

KIND = "client_call"
KEY_SECONDS = 600.0
RETURN_SECONDS = 10.0
"""Seconds for which an idempotency key counts, and in which a reader that left may come back."""


class ClientTurn(NamedTuple):
    """The run that serves a request, and the number of its event after which the answer begins."""

    run: RunRecord
    after: int = 0


class ClientCalls:
    """The requests under way in this process. The database tells other processes, with who serves each one now."""

    def __init__(self) -> None:
        self.own = secrets.token_hex(8)
        self._turns: dict[str, ClientTurn] = {}
        self._readers: Counter[str] = Counter()
        self._leaving: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()

    async def join(
        self, fish: Pilotfish, me: User, body: bytes, key: str, start: Callable[[], Awaitable[ClientTurn]]
    ) -> "tuple[str, ClientTurn]":
        """The turn that serves this request: the one under way, one that the key names, or a new one."""
        name = hashlib.sha256(b"\0".join([me.id.encode(), key.encode() or body])).hexdigest()
        async with self._turn:
            turn = self._turns.get(name) or (await self._read_stored_turn(fish, name))[0] or await start()
            self._turns[name] = turn
            self._readers[name] += 1
        await fish.store.put(KIND, name, f"{turn.run.id} {turn.after} {self.own}".encode(), KEY_SECONDS)
        return name, turn

    async def deliver(self, fish: Pilotfish, name: str, key: str) -> None:
        """Note that the answer was read to its end: from now on the same request without a key is a new one."""
        self._turns.pop(name, None)
        self._readers.pop(name, None)
        if not key:
            await fish.store.drop(KIND, name)

    def leave(self, fish: Pilotfish, name: str, turn: ClientTurn, key: str, grace: float) -> None:
        """Note that a reader left before the end. The run is stopped if nobody else reads it after the grace."""
        self._readers[name] -= 1
        task = asyncio.create_task(self._stop_unread(fish, name, turn, key, grace))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    async def _stop_unread(self, fish: Pilotfish, name: str, turn: ClientTurn, key: str, grace: float) -> None:
        await asyncio.sleep(grace)
        if self._readers[name] > 0 or self._turns.get(name) != turn:
            return
        stored, server = await self._read_stored_turn(fish, name)
        if stored is not None and server != self.own:
            self._turns.pop(name, None)
            return
        await self.deliver(fish, name, key)
        await fish.command(turn.run.id, "stop", by=turn.run.user)

    async def _read_stored_turn(self, fish: Pilotfish, name: str) -> tuple[ClientTurn | None, str]:
        """The turn that a request was last served by, and the server that did."""
        stored = ((await fish.store.get(KIND, name)) or b"").decode().split()
        run, after, server = [*stored, "", "", ""][:3]
        record = await fish.store.run(run) if run else None
        return (ClientTurn(record, int(after)) if record else None), server
