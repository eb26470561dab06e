"""Reads from a run's journal what the policy needs: what the person allowed, and where texts came from."""

from typing import TYPE_CHECKING

from pilotfish.core import events
from pilotfish.core.policy import EffectGrant
from pilotfish.enforcement.policed_run import RecordedRun
from pilotfish.safety.text_provenance import ProvenanceLedger, source_place
from pilotfish.web.search.local import IndexedPage, page_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pilotfish.core.records import RunRecord

ALLOW_FOR_RUN = "Allow for this run on this site"
SINGLE_EFFECTS = frozenset({"buy", "carry"})
EARLIER_RUNS = 200
BEGINNING_LENGTH = 200
BROUGHT_PLACES = {"tool": "a tool of the client", "client": "an earlier conversation"}
"""The origins of messages that are in no journal."""


class PolicyHistory:
    """Computed from the journals of a run, of its parent runs, and of earlier runs in the conversation."""

    def __init__(self, run: RecordedRun) -> None:
        self.run = run
        self.ledger = ProvenanceLedger()
        self.grants: set[EffectGrant] = set()
        self.asked: dict[str, events.InputRequested] = {}
        self._read: dict[str, int] = {}
        self._brought = 0

    async def catch_up(self) -> None:
        """Read the new events of these journals, also those that are still being written."""
        store, record = self.run.store, self.run.record
        line = [record.id]
        while record is not None and record.parent:
            line.insert(0, record.parent)
            record = await store.run(record.parent)
        if not self._read:
            await self._remember(line[0])
        for run in line:
            await self.run.flush_events(run)
            for event in await store.events(run, self._read.get(run, 0)):
                self._read[run] = event.seq
                self._fold(event, own=run == line[0])
                await self._read_whole_page(event)
        if len(line) == 1:
            self._add_messages()

    def _add_messages(self) -> None:
        """Read the messages that are not in the journal: the person's, and those of unknown source."""
        for message in self.run.messages[self._brought :]:
            if message.origin == "person":
                self.ledger.add_user_text(message.text)
            elif message.role != "system" and message.origin in BROUGHT_PLACES:
                self.ledger.add_untrusted(BROUGHT_PLACES[message.origin], message.text)
        self._brought = len(self.run.messages)

    async def _remember(self, first: str) -> None:
        """Read the texts of earlier runs in the conversation. Their approvals no longer count."""
        store, talk = self.run.store, self.run.record.conversation
        runs = await store.runs(conversation=talk, limit=EARLIER_RUNS)
        began = next((one.created for one in runs if one.id == first), None)
        resumed = _continued_runs(runs, first)
        for one in reversed([one for one in runs if began is not None and one.created < began]):
            fold = self.ledger.add_event if one.id in resumed else self.ledger.add_earlier_event
            for event in await store.events(one.id):
                if not (one.parent and isinstance(event, events.RunStarted | events.MessageAdded)):
                    fold(event)
                    await self._read_whole_page(event)

    async def _read_whole_page(self, event: events.Event) -> None:
        """Read a whole page from the page library: the journal has only its beginning."""
        if not isinstance(event, events.PageSeen) or len(event.text) != BEGINNING_LENGTH:
            return
        if kept := await self.run.store.get("pages", page_key(self.run.record.user, event.url)):
            self.ledger.add_untrusted(source_place(event.url), IndexedPage.model_validate_json(kept).text)

    def _fold(self, event: events.Event, own: bool) -> None:
        """Read one event. A sub-run's task was written by a model, so it does not count as the person's words."""
        match event:
            case events.InputRequested(kind="approval"):
                self.asked[event.request] = event
            case events.InputReceived() if event.request in self.asked:
                if event.answer == ALLOW_FOR_RUN:
                    self.grants |= grants_from(self.asked[event.request])
            case events.RunStarted() | events.MessageAdded() if not own:
                pass
            case _:
                self.ledger.add_event(event)


def grants_from(asked: events.InputRequested) -> set[EffectGrant]:
    """What an answer "for this run" allows: each effect in the question, on its site, to its receiver."""
    named = [EffectGrant(**one) for one in asked.details.get("effects", ())]
    return {grant for grant in named if grant.effect not in SINGLE_EFFECTS}


def _continued_runs(runs: "Sequence[RunRecord]", first: str) -> set[str]:
    """The runs that a run continues or repeats: their task's sites are its task's sites too."""
    known = {one.id: one for one in runs}
    found: set[str] = set()
    record = known.get(first)
    while record is not None:
        before = str(record.options.get("continues") or record.options.get("of") or "")
        record = known.get(before) if before not in found else None
        found |= {before} if record else set()
    return found
