"""The journal of all runs: append once, follow from anywhere.

Appends that come together are committed together. Followers get what is new from memory; one that falls behind is
sent back to the store, so a slow reader costs neither memory nor speed.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, contextmanager
from typing import TYPE_CHECKING

from pilotfish.core.events import Delta, Event, Live, RunFinished
from pilotfish.core.records import Entry
from pilotfish.runtime.echo import Echo
from pilotfish.runtime.tracing import Tracing
from pilotfish.safety.hush import Hush

if TYPE_CHECKING:
    from collections.abc import Generator

    from pilotfish.store.base import Store

BUFFER = 1000
RECENT = 50
PAGE = 1000


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

    async def ready(self) -> None:
        """Wait until something lies here, or the store must be read."""
        while not (self.behind or self.items):
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting

    def take(self, after: int) -> list[Live]:
        """All that lies here and follows on a sequence number, to the end of the run or to a gap."""
        taken: list[Live] = []
        while self.items:
            item = self.items[0]
            if not isinstance(item, Delta):
                if item.seq > after + 1:
                    # Somebody else wrote what lies between: the store has it.
                    self.behind = True
                    break
                if item.seq <= after:
                    self.items.popleft()
                    continue
                after = item.seq
            taken.append(self.items.popleft())
            if isinstance(item, RunFinished):
                break
        return taken


class Journal:
    """Writes events through to the store and hands them to followers."""

    def __init__(self, store: "Store") -> None:
        self.store = store
        self.tracing = Tracing()
        self.hush = Hush()
        self._echo = Echo(store)
        self._waiting: list[tuple[Sequence[Event], asyncio.Future[list[Entry]]]] = []
        self._writer: asyncio.Task[None] | None = None
        self._followers: dict[str, set[Follower]] = defaultdict(set)
        self._recent: dict[str, deque[Event]] = {}

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
            await self._echo.before({event.run for events, _ in batch for event in events})
            # Each apart, so that one that cannot be written, its run being gone, spoils no other; the store joins them.
            writing = (self.store.append(events) for events, _ in batch)
            for (_, future), outcome in zip(batch, await asyncio.gather(*writing, return_exceptions=True), strict=True):
                if isinstance(outcome, BaseException):
                    future.set_exception(outcome)
                    continue
                future.set_result(outcome)
                for entry in outcome:
                    if entry.fresh:
                        self._publish(entry.event)

    def tell(self, delta: Delta) -> None:
        """Pass on a piece of text to whoever is listening now, here or elsewhere."""
        if not delta.text.isascii():
            # Half a surrogate pair, as a model may break it off, has no UTF-8.
            delta = delta.model_copy(update={"text": delta.text.encode(errors="replace").decode()})
        self.hear(delta)
        self._echo.add(delta)

    def hear(self, delta: Delta) -> None:
        """Pass on a piece of text, perhaps of a run elsewhere, to whoever is listening here."""
        for follower in self._followers.get(delta.run, ()):
            follower.offer(delta)

    async def close(self) -> None:
        await self._echo.close()

    def poke(self, run: str = "") -> None:
        """Another process wrote to this run, or perhaps to any: followers must look."""
        self._recent.pop(run, None)
        for followers in [self._followers.get(run, set())] if run else list(self._followers.values()):
            for follower in followers:
                follower.look()

    def _publish(self, item: Event) -> None:
        self._keep(item)
        self.tracing.hear(item)
        for follower in self._followers.get(item.run, ()):
            follower.offer(item)

    async def follow(self, run: str, after: int = 0) -> AsyncGenerator[Live]:
        """Everything after a sequence number, then what comes, until the run ends. Nothing missed, nothing twice."""
        async with aclosing(self.batches(run, after)) as batches:
            async for batch in batches:
                for item in batch:
                    yield item

    async def batches(self, run: str, after: int = 0) -> AsyncGenerator[Sequence[Live]]:
        """The same, as much at a time as there is."""
        with self._following(run) as follower:
            while True:
                follower.behind = False
                more = True
                while more:
                    page = await self._past(run, after)
                    more = len(page) == PAGE
                    if page:
                        after = page[-1].seq
                        yield page
                        if isinstance(page[-1], RunFinished):
                            return
                while not follower.behind or follower.items:
                    await follower.ready()
                    if batch := follower.take(after):
                        after = max((item.seq for item in batch if not isinstance(item, Delta)), default=after)
                        yield batch
                        if isinstance(batch[-1], RunFinished):
                            return
                    elif follower.behind:
                        break

    def _keep(self, event: Event) -> None:
        """Hold the last few events of runs that go on here, for readers who come back."""
        recent = self._recent.setdefault(event.run, deque(maxlen=RECENT))
        if recent and recent[-1].seq + 1 != event.seq:
            recent.clear()
        recent.append(event)
        if isinstance(event, RunFinished):
            del self._recent[event.run]

    async def _past(self, run: str, after: int) -> Sequence[Event]:
        """What was said after a sequence number: from memory where that suffices, else from the store."""
        recent = self._recent.get(run)
        if recent and recent[0].seq <= after + 1:
            return [event for event in recent if event.seq > after]
        page = await self.store.events(run, after, PAGE)
        ends = (place for place, event in enumerate(page, 1) if isinstance(event, RunFinished))
        return page[: next(ends, None)]

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
