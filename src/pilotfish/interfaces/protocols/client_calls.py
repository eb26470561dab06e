"""Which run serves which request of a client, so that a request sent again joins its run instead of starting another.

Clients send a request again when it took too long. While nobody has got the answer, the same request means the same
run. A request with an `Idempotency-Key` means the same run for ten minutes, also after its end. A run whose only reader
left is stopped when no reader has come back within a few seconds.
"""

import asyncio
import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from pilotfish.app import Pilotfish
from pilotfish.core.records import RunRecord
from pilotfish.core.users import User

KIND = "client_call"
KEPT = 600.0
GRACE = 10.0
"""Seconds for which an idempotency key counts, and in which a reader that left may come back."""


class ClientTurn(NamedTuple):
    """The run that serves a request, and the number of its event after which the answer begins."""

    run: RunRecord
    after: int = 0


class ClientCalls:
    """The requests under way in this process."""

    def __init__(self) -> None:
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
            turn = self._turns.get(name) or (await self._read_stored_turn(fish, name) if key else None) or await start()
            self._turns[name] = turn
            self._readers[name] += 1
        if key:
            await fish.store.put(KIND, name, f"{turn.run.id} {turn.after}".encode(), KEPT)
        return name, turn

    def deliver(self, name: str) -> None:
        """Note that the answer was read to its end: from now on the same request is a new one."""
        self._turns.pop(name, None)
        self._readers.pop(name, None)

    def leave(self, fish: Pilotfish, name: str, turn: ClientTurn, grace: float) -> None:
        """Note that a reader left before the end. The run is stopped if nobody else reads it after the grace."""
        self._readers[name] -= 1
        task = asyncio.create_task(self._stop_unread(fish, name, turn, grace))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    async def _stop_unread(self, fish: Pilotfish, name: str, turn: ClientTurn, grace: float) -> None:
        await asyncio.sleep(grace)
        if self._readers[name] <= 0 and self._turns.get(name) == turn:
            self.deliver(name)
            await fish.command(turn.run.id, "stop", by=turn.run.user)

    async def _read_stored_turn(self, fish: Pilotfish, name: str) -> ClientTurn | None:
        run, _, after = ((await fish.store.get(KIND, name)) or b"").decode().partition(" ")
        record = await fish.store.run(run) if run else None
        return ClientTurn(record, int(after)) if record else None
