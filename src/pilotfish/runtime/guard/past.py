"""What a run's journal says to its warden: what the person allowed, and where words came from."""

from typing import TYPE_CHECKING

from pilotfish.core import events
from pilotfish.safety.trace import Ledger, place
from pilotfish.web.search.local import Entry

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

ALWAYS = "Allow for this run on this site"
SINGLE = frozenset({"buy", "carry"})
EARLIER = 200
BEGINNING = 200


class Past:
    """A fold over the journals of a run, of those that began it, and of those before it in the conversation."""

    def __init__(self, run: "Run") -> None:
        self.run = run
        self.ledger = Ledger()
        self.granted: set[tuple[str, str]] = set()
        self.asked: dict[str, events.InputRequested] = {}
        self._read: dict[str, int] = {}

    async def catch_up(self) -> None:
        """Read what the journal of this run, and of those that began it or came before it, has got since."""
        store, record = self.run.kit.journal.store, self.run.record
        line = [record.id]
        while record is not None and record.parent:
            line.insert(0, record.parent)
            record = await store.run(record.parent)
        if not self._read:
            await self._remember(line[0])
        for run in line:
            for event in await store.events(run, self._read.get(run, 0)):
                self._read[run] = event.seq
                self._fold(event, own=run == line[0])
                await self._whole(event)
        if len(line) == 1:
            for message in self.run.messages:
                if message.role == "user" and not self.ledger.told(message.text):
                    self.ledger.heard(message.text)

    async def _remember(self, first: str) -> None:
        """What earlier runs of the conversation heard and read; what they were allowed is over."""
        store, talk = self.run.kit.journal.store, self.run.record.conversation
        runs = await store.runs(conversation=talk, limit=EARLIER)
        began = next((one.created for one in runs if one.id == first), None)
        for one in reversed([one for one in runs if began is not None and one.created < began]):
            for event in await store.events(one.id):
                if not (one.parent and isinstance(event, events.RunStarted | events.MessageAdded)):
                    self.ledger.recall(event)
                    await self._whole(event)

    async def _whole(self, event: events.Event) -> None:
        """Of a page that was read as a whole the journal has only the beginning; the library has all of it."""
        if not isinstance(event, events.PageSeen) or len(event.text) != BEGINNING:
            return
        if kept := await self.run.kit.journal.store.get("pages", event.url):
            self.ledger.read(place(event.url), Entry.model_validate_json(kept).text)

    def _fold(self, event: events.Event, own: bool) -> None:
        """A sub-run's task was written by a model: it is nobody's word."""
        match event:
            case events.InputRequested(kind="approval"):
                self.asked[event.request] = event
            case events.InputReceived() if event.request in self.asked:
                details = self.asked[event.request].details
                if event.answer == ALWAYS and details["effect"] not in SINGLE:
                    self.granted.add((details["effect"], details["site"]))
            case events.RunStarted() | events.MessageAdded() if not own:
                pass
            case _:
                self.ledger.add(event)
