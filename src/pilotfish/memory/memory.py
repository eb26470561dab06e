"""Saves and recalls facts and searches former messages. Users see only their own."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import NAMESPACE_OID, uuid4, uuid5

from pydantic import ValidationError

from pilotfish.core.errors import PersonError
from pilotfish.core.events import MessageAdded, RunFinished, RunStarted, current_time
from pilotfish.core.facts import Fact, FactCategory, FactEnding, PastMessage
from pilotfish.core.messages import Message, Role
from pilotfish.core.settings import MemorySettings as Caps
from pilotfish.memory.fact_filter import find_refusal
from pilotfish.memory.fact_merging import FactDraft, FactMerger, SaveReport, expiry_of, suggest_tier
from pilotfish.memory.fact_recall import FactSet, RecalledFact
from pilotfish.memory.mentions import find_mentions
from pilotfish.memory.message_search import FoundMessage, MessageSearch
from pilotfish.store.base import Store

NO_PARTS: Mapping[str, Any] = {"keywords": (), "owner": "", "attribute": "", "value": ""}
EMPTY_FACT: Mapping[str, Any] = {**NO_PARTS, "content": "", "sources": ()}


class UserMemory:
    """Facts and former conversations of all users, kept in the store and cached in memory."""

    def __init__(self, store: Store, caps: Caps | None = None, clock: Callable[[], datetime] = current_time) -> None:
        self._store = store
        self.caps = caps or Caps()
        self._clock = clock
        self._facts: defaultdict[str, FactSet] = defaultdict(FactSet)
        self._searches: defaultdict[str, MessageSearch] = defaultdict(MessageSearch)
        self._lock = asyncio.Lock()

    async def save(
        self, user: str, facts: Sequence[FactDraft | Mapping[str, Any]], conversation: str = ""
    ) -> SaveReport:
        """Merge proposed facts into the stored ones."""
        async with self._lock:
            merger = FactMerger((await self._current(user)).current, self.caps, self._clock(), conversation)
            for fact in facts:
                merger.add(fact, user)
            merger.trim()
            await self._store.keep(list(merger.changed.values()))
        return merger.report()

    async def retrieve(
        self, user: str, terms: Sequence[str] = (), categories: Collection[FactCategory] = (), limit: int = 8
    ) -> list[RecalledFact]:
        """The facts that fit best; without terms, the most valuable ones. They count as used."""
        at = self._clock()
        recalled = (await self._current(user)).recall(" ".join(terms), categories, limit, at)
        used = [one.fact.model_copy(update={"last_used": at, "use_count": one.fact.use_count + 1}) for one in recalled]
        await self._store.keep(used)
        return [one.model_copy(update={"fact": fact}) for one, fact in zip(recalled, used, strict=True)]

    async def search(self, user: str, text: str, limit: int = 10) -> list[FoundMessage]:
        """The former messages that fit, from all conversations, each with its neighbours."""
        hidden = (await self._refresh(user)).hidden
        if self._searches[user].hidden != hidden:
            self._searches[user] = MessageSearch(hidden)
        search = self._searches[user]
        async with search.turn:
            fresh = await self._store.past_messages(user, search.latest)
            found = await asyncio.to_thread(search.search, text, 2 * limit, fresh)
        alive = await self._store.existing_messages(
            {message.id for one in found for message in (one.message, *one.before, *one.after)}
        )
        return [_drop_missing_neighbours(one, alive) for one in found if one.message.id in alive][:limit]

    async def index(self, user: str, conversation: str, messages: Sequence[PastMessage]) -> None:
        """Import a conversation from elsewhere; its messages come in order."""
        if not messages:
            return
        run = f"import-{uuid4().hex}"
        at = messages[0].at
        start = RunStarted(run=run, task="import", loop="import", user=user, conversation=conversation, at=at)
        roles: list[Role] = ["assistant" if one.role == "assistant" else "user" for one in messages]
        imported = (
            Message(role=role, text=one.text, origin="client") for role, one in zip(roles, messages, strict=True)
        )
        added = [
            MessageAdded(run=run, message=message, at=one.at) for message, one in zip(imported, messages, strict=True)
        ]
        await self._store.append([start, *added, RunFinished(run=run, outcome="completed", at=messages[-1].at)])

    async def facts(self, user: str) -> list[Fact]:
        """All facts that hold, the most valuable first."""
        return [one.fact for one in (await self._current(user)).recall("", (), 1_000_000, self._clock())]

    async def history(self, user: str) -> list[Fact]:
        """All facts that no longer hold, the last to end first. `ending` says why."""
        ended = [fact for fact in (await self._refresh(user)).every.values() if fact.ended is not None]
        return sorted(ended, key=lambda fact: (fact.ended or fact.created, fact.id), reverse=True)

    async def correct(self, user: str, id: str, content: str) -> Fact:
        """Replace a fact by the person's own words; the old fact stays in the history."""
        old = await self._get(user, id)
        reason = find_refusal(content)
        if reason:
            raise PersonError(f"That cannot be remembered: {reason}.", "Say it in another way.")
        at = self._clock()
        tier = suggest_tier(content, old.tier)
        fresh = {"id": uuid4().hex[:12], "content": content.strip(), "confidence": 1.0, "created": at, "tier": tier}
        new = old.model_copy(update={**fresh, **NO_PARTS, "expires": expiry_of(tier, at)})
        await self._store.keep([_end_fact(old, "corrected", at, new.id), new])
        return new

    async def undo(self, user: str, id: str) -> Fact:
        """Restore a fact that was replaced, refined, corrected, evicted or expired. Its successor holds too."""
        async with self._lock:
            facts = await self._current(user)
            past = facts.every.get(id)
            if past is None or past.ending not in ("replaced", "refined", "corrected", "evicted", "expired"):
                raise PersonError(
                    f"There is no past fact {id}.", "`pilotfish memory list --history` shows those there are."
                )
            merger = FactMerger(facts.current, self.caps, self._clock())
            fact = merger.bring_back(past)
            if fact is None:
                raise PersonError(f"All places for {past.tier} facts are taken.", "Delete one that you need no longer.")
            await self._store.keep(list(merger.changed.values()))
        return fact

    async def delete(self, user: str, id: str) -> list[str]:
        """Empty a fact and those that it replaced, and hide the messages that mention them from the search.

        Returns the conversations of these messages."""
        old = await self._get(user, id)
        every = (await self._current(user)).every
        forgotten = [old.id]
        for successor in forgotten:
            forgotten += [
                fact.id for fact in every.values() if fact.successor == successor and fact.ending != "evicted"
            ]
        return await self._forget(user, [every[one] for one in forgotten])

    async def clear(self, user: str) -> int:
        """Empty all facts, the history too. Returns how many facts held."""
        async with self._lock:
            every = list((await self._current(user)).every.values())
            held = sum(one.ended is None for one in every)
            await self._forget(user, every)
        return held

    async def _forget(self, user: str, facts: Sequence[Fact]) -> list[str]:
        """Empty facts and hide the messages that mention them. Returns the conversations of these messages."""
        mentions = find_mentions([fact.content for fact in facts], await self._store.past_messages(user))
        at = self._clock()
        gone = [_end_fact(fact, "deleted", at).model_copy(update=EMPTY_FACT) for fact in facts]
        if gone:
            gone[0] = gone[0].model_copy(
                update={"hidden": tuple({*gone[0].hidden, *(message.id for message in mentions)})}
            )
        await self._store.keep(gone)
        return list(dict.fromkeys(message.conversation for message in mentions))

    async def export(self, user: str) -> str:
        """Everything that is remembered of a person, history included, as JSON."""
        every = (await self._refresh(user)).every.values()
        facts = [fact.model_dump(mode="json") for fact in every if fact.ending != "deleted"]
        return json.dumps(facts, ensure_ascii=False, indent=2)

    async def restore(self, user: str, exported: str) -> int:
        """Import what `export` wrote as this user's facts; returns how many."""
        try:
            rows = json.loads(exported)
            facts = [Fact.model_validate({**row, "user": user}) for row in rows]
        except (ValueError, TypeError, ValidationError) as error:
            raise PersonError("That is not an exported memory.", "Use a file that the export wrote.") from error
        others = {fact.id for fact in facts} - set((await self._refresh(user)).every)
        # An id differs between users, and importing the same file twice gives the same ids.
        renamed = {id: uuid5(NAMESPACE_OID, f"{user} {id}").hex[:12] for id in others}
        moved = [
            fact.model_copy(
                update={"id": renamed.get(fact.id, fact.id), "successor": renamed.get(fact.successor, fact.successor)}
            )
            for fact in facts
        ]
        await self._store.keep(moved)
        await self.save(user, ())
        return len(moved)

    async def expire(self, user: str) -> list[Fact]:
        """End the facts whose lifetime is over."""
        async with self._lock:
            return await self._expire(user)

    async def _expire(self, user: str) -> list[Fact]:
        at = self._clock()
        expired = (await self._refresh(user)).list_expired(at)
        ended = [_end_fact(fact, "expired", fact.expires or at) for fact in expired]
        await self._store.keep(ended)
        return ended

    async def _current(self, user: str) -> FactSet:
        """The facts that hold now."""
        return await self._refresh(user) if await self._expire(user) else self._facts[user]

    async def _refresh(self, user: str) -> FactSet:
        held = self._facts[user]
        changed, held.revision = await self._store.facts(user, held.revision)
        held.update(changed)
        return held

    async def _get(self, user: str, id: str) -> Fact:
        fact = (await self._current(user)).every.get(id)
        if fact is None or fact.ended is not None:
            raise PersonError(f"There is no fact {id}.", "`pilotfish memory list` shows those there are.")
        return fact


def _end_fact(fact: Fact, ending: FactEnding, at: datetime, successor: str = "") -> Fact:
    return fact.model_copy(
        update={"ended": fact.ended or at, "ending": ending, "successor": successor or fact.successor}
    )


def _drop_missing_neighbours(found: FoundMessage, alive: Collection[int]) -> FoundMessage:
    before, after = (tuple(message for message in side if message.id in alive) for side in (found.before, found.after))
    return found.model_copy(update={"before": before, "after": after})
