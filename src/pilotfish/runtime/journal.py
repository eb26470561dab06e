"""The journal of all runs: append once, follow from anywhere.

Appends that come together are committed together. Followers get what is new from memory; one that falls behind is
sent back to the store, so a slow reader costs neither memory nor speed.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pilotfish.core.events import Delta, Event, Live, RunFinished
from pilotfish.core.records import Entry
from pilotfish.safety.hush import Hush

if TYPE_CHECKING:
    from collections.abc import Generator

    from pilotfish.store.base import Store

BUFFER = 1000


class Follower:
    """One reader's place: a bounded buffer and the note that the store must be read."""

    def __init__(self) -> None:
        self.items: deque[Live] = deque()
        self.behind = False
        self._waiting: asyncio.Future[None] | None = None

    def offer(self, item: Live) -> None:
        if len(self.items) >= BUFFER:
            self.lag()
        else:
            self.items.append(item)
            self._stir()

    def lag(self) -> None:
        """Forget the buffer: the store has all of it but the live pieces of text."""
        self.items.clear()
        self.look()

    def look(self) -> None:
        """Send the reader to the store."""
        self.behind = True
        self._stir()

    def _stir(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def next(self) -> Live | None:
        """The next item, or None when the store must be read."""
        while not (self.behind or self.items):
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting
        return None if self.behind else self.items.popleft()


class Journal:
    """Writes events through to the store and hands them to followers."""

    def __init__(self, store: "Store") -> None:
        self.store = store
        self.hush = Hush()
        self._waiting: list[tuple[Sequence[Event], asyncio.Future[list[Entry]]]] = []
        self._writer: asyncio.Task[None] | None = None
        self._followers: dict[str, set[Follower]] = defaultdict(set)

    async def append(self, *events: Event) -> list[Entry]:
        """Store events; returns when they are safe, each with its number and whether it is new."""
        return await asyncio.shield(self._enqueue(events))

    def post(self, event: Event) -> None:
        """Store an event without waiting: it stands before whatever is appended later, and is committed with it."""
        self._enqueue((event,)).add_done_callback(lambda done: done.cancelled() or done.exception())

    def _enqueue(self, events: Sequence[Event]) -> asyncio.Future[list[Entry]]:
        future: asyncio.Future[list[Entry]] = asyncio.get_running_loop().create_future()
        self._waiting.append((list(map(self.hush.event, events)), future))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())
        return future

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                entries = await self.store.append([event for events, _ in batch for event in events])
            except BaseException as error:
                for _, future in batch:
                    future.set_exception(error)
                if not isinstance(error, Exception):
                    raise
                continue
            rest = iter(entries)
            for events, future in batch:
                future.set_result([next(rest) for _ in events])
            for entry in entries:
                if entry.fresh:
                    self._publish(entry.event)

    def tell(self, delta: Delta) -> None:
        """Pass on a piece of text to whoever is listening now."""
        self._publish(delta)

    def poke(self, run: str = "") -> None:
        """Another process wrote to this run, or perhaps to any: followers must look."""
        for followers in [self._followers.get(run, set())] if run else list(self._followers.values()):
            for follower in followers:
                follower.look()

    def _publish(self, item: Live) -> None:
        for follower in self._followers.get(item.run, ()):
            follower.offer(item)

    async def follow(self, run: str, after: int = 0) -> AsyncGenerator[Live]:
        """Everything after a sequence number, then what comes, until the run ends. Nothing missed, nothing twice."""
        with self._following(run) as follower:
            while True:
                follower.behind = False
                # A reader who leaves in the middle of a read must not tear its connection out of the pool.
                while batch := await asyncio.shield(self.store.events(run, after)):
                    for event in batch:
                        after = event.seq
                        yield event
                        if isinstance(event, RunFinished):
                            return
                while (item := await follower.next()) is not None:
                    if isinstance(item, Delta):
                        yield item
                    elif item.seq > after + 1:
                        # Somebody else wrote what lies between: the store has it.
                        break
                    elif item.seq > after:
                        after = item.seq
                        yield item
                        if isinstance(item, RunFinished):
                            return

    @contextmanager
    def _following(self, run: str) -> "Generator[Follower]":
        follower = Follower()
        self._followers[run].add(follower)
        try:
            yield follower
        finally:
            self._followers[run].discard(follower)
            if not self._followers[run]:
                del self._followers[run]
