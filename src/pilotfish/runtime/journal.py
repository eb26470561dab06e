"""Appends events to the journal and passes them on to followers.

Simultaneous appends are committed together. Followers get new events from memory; a slow follower reads from the
store instead, so it costs neither memory nor speed.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing, contextmanager
from typing import TYPE_CHECKING

from pilotfish.core.events import Event, FileSaved, RunFinished, StreamItem, TextDelta
from pilotfish.core.records import JournalEntry
from pilotfish.runtime.live_text import LiveTextRelay
from pilotfish.runtime.run_metrics import RunMetrics
from pilotfish.runtime.tracing import RunTracing
from pilotfish.safety.secret_redactor import SecretRedactor

if TYPE_CHECKING:
    from collections.abc import Generator

    from pilotfish.store.base import Store

BUFFER_SIZE = 1000
RECENT_EVENTS = 50
PAGE_SIZE = 1000


class JournalReader:
    """One follower's bounded buffer, and whether it must read from the store."""

    def __init__(self) -> None:
        self.items: deque[StreamItem] = deque()
        self.behind = False
        self._waiting: asyncio.Future[None] | None = None

    def offer(self, item: StreamItem) -> None:
        if len(self.items) >= BUFFER_SIZE:
            self.drop_buffer()
        else:
            self.items.append(item)
            self._wake()

    def drop_buffer(self) -> None:
        """Empty the buffer: the store has everything in it but live text."""
        self.items.clear()
        self.read_store()

    def read_store(self) -> None:
        """Make the follower read from the store."""
        self.behind = True
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def wait_until_ready(self) -> None:
        """Wait until the buffer has something, or the store must be read."""
        while not (self.behind or self.items):
            self._waiting = asyncio.get_running_loop().create_future()
            await self._waiting

    def take(self, after: int) -> list[StreamItem]:
        """The buffered items after a sequence number, up to the end of the run or to a gap."""
        taken: list[StreamItem] = []
        while self.items:
            item = self.items[0]
            if not isinstance(item, TextDelta):
                if item.seq > after + 1:
                    # Another process wrote the events in between: the store has them.
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


class RunJournal:
    """Writes events to the store and passes them on to followers."""

    def __init__(self, store: "Store") -> None:
        self.store = store
        self.tracing = RunTracing()
        self.metrics = RunMetrics()
        self.keep_file: Callable[[FileSaved], Awaitable[None]] | None = None
        self.redactor = SecretRedactor()
        self._live_text = LiveTextRelay(store)
        self._waiting: list[tuple[Sequence[Event], asyncio.Future[list[JournalEntry]]] | TextDelta] = []
        self._uncommitted: dict[str, asyncio.Future[list[JournalEntry]]] = {}
        self._writer: asyncio.Task[None] | None = None
        self._followers: dict[str, set[JournalReader]] = defaultdict(set)
        self._recent: dict[str, deque[Event]] = {}

    async def append(self, *events: Event) -> list[JournalEntry]:
        """Store events; return after the commit, each with its number and whether it is new."""
        for event in events if self.keep_file else ():
            if isinstance(event, FileSaved) and self.keep_file:
                await self.keep_file(event)
        return await asyncio.shield(self._enqueue(events))

    def post(self, event: Event) -> None:
        """Store an event without waiting; it is committed before or together with later ones."""
        self._enqueue((event,)).add_done_callback(lambda done: done.cancelled() or done.exception())

    async def flush(self, run: str) -> None:
        """Return when everything posted so far in a run is committed."""
        if last := self._uncommitted.get(run):
            await asyncio.wait([last])

    def _enqueue(self, events: Sequence[Event]) -> asyncio.Future[list[JournalEntry]]:
        future: asyncio.Future[list[JournalEntry]] = asyncio.get_running_loop().create_future()
        self._waiting.append((list(map(self.redactor.redact_event, events)), future))
        self._uncommitted |= {event.run: future for event in events}
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())
        return future

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            groups = [each for each in batch if not isinstance(each, TextDelta)]
            await self._live_text.flush({event.run for events, _ in groups for event in events})
            # Each append by itself, so that one of a deleted run fails alone; the store joins them into a transaction.
            writing = (self.store.append(events) for events, _ in groups)
            outcomes = iter(await asyncio.gather(*writing, return_exceptions=True))
            for each in batch:
                if isinstance(each, TextDelta):
                    self._send(each)
                else:
                    self._conclude(*each, next(outcomes))

    def _conclude(
        self,
        events: Sequence[Event],
        future: asyncio.Future[list[JournalEntry]],
        outcome: list[JournalEntry] | BaseException,
    ) -> None:
        """Publish events that were committed, or tell the one who appended them why they were not."""
        for run in {event.run for event in events if self._uncommitted.get(event.run) is future}:
            del self._uncommitted[run]
        if isinstance(outcome, BaseException):
            future.set_exception(outcome)
            return
        future.set_result(outcome)
        for entry in outcome:
            if entry.is_new:
                self._publish(entry.event)

    def send_delta(self, delta: TextDelta) -> None:
        """Send a piece of live text to followers in this and other processes, after the run's events before it."""
        if not delta.text.isascii():
            # Half a surrogate pair, as a model may break it off, has no UTF-8.
            delta = delta.model_copy(update={"text": delta.text.encode(errors="replace").decode()})
        if delta.run in self._uncommitted:
            self._waiting.append(delta)
        else:
            self._send(delta)

    def _send(self, delta: TextDelta) -> None:
        self.receive_delta(delta)
        self._live_text.add(delta)

    def receive_delta(self, delta: TextDelta) -> None:
        """Pass on live text, also of runs in other processes, to followers in this process."""
        for follower in self._followers.get(delta.run, ()):
            follower.offer(delta)

    async def close(self) -> None:
        await self._live_text.close()

    def wake_readers(self, run: str = "") -> None:
        """Make followers of a run, or of all runs, read the store: another process wrote to it."""
        self._recent.pop(run, None)
        for followers in [self._followers.get(run, set())] if run else list(self._followers.values()):
            for follower in followers:
                follower.read_store()

    def _publish(self, item: Event) -> None:
        self._keep(item)
        self.tracing.record_event(item)
        self.metrics.record_event(item)
        for follower in self._followers.get(item.run, ()):
            follower.offer(item)

    async def follow(self, run: str, after: int = 0) -> AsyncGenerator[StreamItem]:
        """Stored events after a sequence number, then new ones, until the run ends; none is missed or repeated."""
        async with aclosing(self.batches(run, after)) as batches:
            async for batch in batches:
                for item in batch:
                    yield item

    async def batches(self, run: str, after: int = 0) -> AsyncGenerator[Sequence[StreamItem]]:
        """Like `follow`, in batches of all that is available."""
        with self._add_follower(run) as follower:
            while True:
                follower.behind = False
                more = True
                while more:
                    page = await self._read_past(run, after)
                    more = len(page) == PAGE_SIZE
                    if page:
                        after = page[-1].seq
                        yield page
                        if isinstance(page[-1], RunFinished):
                            return
                while not follower.behind or follower.items:
                    await follower.wait_until_ready()
                    if batch := follower.take(after):
                        after = max((item.seq for item in batch if not isinstance(item, TextDelta)), default=after)
                        yield batch
                        if isinstance(batch[-1], RunFinished):
                            return
                    elif follower.behind:
                        break

    def _keep(self, event: Event) -> None:
        """Keep the last few events of runs in this process, for followers that reconnect."""
        recent = self._recent.setdefault(event.run, deque(maxlen=RECENT_EVENTS))
        if recent and recent[-1].seq + 1 != event.seq:
            recent.clear()
        recent.append(event)
        if isinstance(event, RunFinished):
            del self._recent[event.run]

    async def _read_past(self, run: str, after: int) -> Sequence[Event]:
        """Events after a sequence number: from memory where that suffices, else from the store."""
        recent = self._recent.get(run)
        if recent and recent[0].seq <= after + 1:
            return [event for event in recent if event.seq > after]
        page = await self.store.events(run, after, PAGE_SIZE)
        ends = (place for place, event in enumerate(page, 1) if isinstance(event, RunFinished))
        return page[: next(ends, None)]

    @contextmanager
    def _add_follower(self, run: str) -> "Generator[JournalReader]":
        follower = JournalReader()
        self._followers[run].add(follower)
        try:
            yield follower
        finally:
            self._followers[run].discard(follower)
            if not self._followers[run]:
                del self._followers[run]
