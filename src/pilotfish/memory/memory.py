"""A person's memory: saves and recalls facts, and finds what was said; each person sees only their own."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import NAMESPACE_OID, uuid4, uuid5

from pydantic import ValidationError

from pilotfish.core.errors import PersonError
from pilotfish.core.events import MessageAdded, RunFinished, RunStarted, now
from pilotfish.core.facts import Category, Ending, Fact, Said
from pilotfish.core.messages import Message
from pilotfish.core.settings import Memory as Caps
from pilotfish.memory.recall import Facts, Recalled
from pilotfish.memory.screen import refusal
from pilotfish.memory.settle import Draft, Saved, Settlement
from pilotfish.memory.talk import Found, Talk
from pilotfish.store.base import Store

BLANK: Mapping[str, Any] = {"content": "", "keywords": (), "sources": ()}


class Memory:
    """Facts and former conversations of everybody, kept in the store and held ready in memory."""

    def __init__(self, store: Store, caps: Caps | None = None, clock: Callable[[], datetime] = now) -> None:
        self._store = store
        self.caps = caps or Caps()
        self._clock = clock
        self._facts: defaultdict[str, Facts] = defaultdict(Facts)
        self._talks: defaultdict[str, Talk] = defaultdict(Talk)
        self._turn = asyncio.Lock()

    async def save(self, user: str, facts: Sequence[Draft | Mapping[str, Any]], conversation: str = "") -> Saved:
        """Settle proposed facts among those that are there."""
        async with self._turn:
            settlement = Settlement((await self._current(user)).alive, self.caps, self._clock(), conversation)
            for fact in facts:
                settlement.settle(fact, user)
            settlement.trim()
            await self._store.keep(list(settlement.changed.values()))
        return settlement.report()

    async def retrieve(
        self, user: str, terms: Sequence[str] = (), categories: Collection[Category] = (), limit: int = 8
    ) -> list[Recalled]:
        """The facts that fit best, or without terms those worth most; they count as used."""
        at = self._clock()
        recalled = (await self._current(user)).recall(" ".join(terms), categories, limit, at)
        used = [one.fact.model_copy(update={"last_used": at, "use_count": one.fact.use_count + 1}) for one in recalled]
        await self._store.keep(used)
        return [one.model_copy(update={"fact": fact}) for one, fact in zip(recalled, used, strict=True)]

    async def search(self, user: str, text: str, limit: int = 10) -> list[Found]:
        """What was said that fits, in any conversation, each with its neighbours."""
        talk = self._talks[user]
        async with talk.turn:
            fresh = await self._store.said(user, talk.latest)
            found = await asyncio.to_thread(talk.search, text, 2 * limit, fresh)
        alive = await self._store.alive({said.id for one in found for said in (one.message, *one.before, *one.after)})
        return [_living(one, alive) for one in found if one.message.id in alive][:limit]

    async def index(self, user: str, conversation: str, messages: Sequence[Said]) -> None:
        """Take in a conversation held elsewhere, in order; it becomes a conversation like any other."""
        if not messages:
            return
        run = f"import-{uuid4().hex}"
        at = messages[0].at
        start = RunStarted(run=run, task="import", loop="import", user=user, conversation=conversation, at=at)
        said = (Message(role="assistant" if one.role == "assistant" else "user", text=one.text) for one in messages)
        added = [MessageAdded(run=run, message=message, at=one.at) for message, one in zip(said, messages, strict=True)]
        await self._store.append([start, *added, RunFinished(run=run, outcome="completed", at=messages[-1].at)])

    async def facts(self, user: str) -> list[Fact]:
        """All that hold, the most valuable first."""
        return [one.fact for one in (await self._current(user)).recall("", (), 1_000_000, self._clock())]

    async def history(self, user: str) -> list[Fact]:
        """All that no longer hold, the last to end first, and why they ended."""
        ended = [fact for fact in (await self._refreshed(user)).every.values() if fact.ended is not None]
        return sorted(ended, key=lambda fact: (fact.ended or fact.created, fact.id), reverse=True)

    async def correct(self, user: str, id: str, content: str) -> Fact:
        """Put a person's own words in place of a fact; what it said stays in the history."""
        old = await self._get(user, id)
        reason = refusal(content)
        if reason:
            raise PersonError(f"That cannot be remembered: {reason}.", "Say it in another way.")
        at = self._clock()
        fresh = {"id": uuid4().hex[:12], "content": content.strip(), "confidence": 1.0, "created": at}
        new = old.model_copy(update=fresh)
        await self._store.keep([_ended(old, "corrected", at, new.id), new])
        return new

    async def delete(self, user: str, id: str) -> None:
        """Forget a fact and what it said before; only that there was one is kept."""
        old = await self._get(user, id)
        every = (await self._current(user)).every
        line = [old.id]
        for heir in line:
            line += [fact.id for fact in every.values() if fact.heir == heir and fact.ending != "evicted"]
        gone = [_ended(every[one], "deleted", self._clock()).model_copy(update=BLANK) for one in line]
        await self._store.keep(gone)

    async def clear(self, user: str) -> int:
        """Forget every fact and what each said before; says how many held."""
        async with self._turn:
            every = (await self._current(user)).every.values()
            held = sum(one.ended is None for one in every)
            at = self._clock()
            await self._store.keep([_ended(one, "deleted", at).model_copy(update=BLANK) for one in every])
        return held

    async def export(self, user: str) -> str:
        """Everything that is remembered of a person, history included, as JSON."""
        every = (await self._refreshed(user)).every.values()
        told = [fact.model_dump(mode="json") for fact in every if fact.ending != "deleted"]
        return json.dumps(told, ensure_ascii=False, indent=2)

    async def restore(self, user: str, exported: str) -> int:
        """Take in what `export` gave, as this person's; says how many facts came."""
        try:
            rows = json.loads(exported)
            facts = [Fact.model_validate({**row, "user": user}) for row in rows]
        except (ValueError, TypeError, ValidationError) as error:
            raise PersonError("That is not an exported memory.", "Use a file that the export wrote.") from error
        others = {fact.id for fact in facts} - set((await self._refreshed(user)).every)
        # Ids are told apart by person, and the same file read twice gives the same ones.
        renamed = {id: uuid5(NAMESPACE_OID, f"{user} {id}").hex[:12] for id in others}
        moved = [
            fact.model_copy(update={"id": renamed.get(fact.id, fact.id), "heir": renamed.get(fact.heir, fact.heir)})
            for fact in facts
        ]
        await self._store.keep(moved)
        await self.save(user, ())
        return len(moved)

    async def expire(self, user: str) -> list[Fact]:
        """End what has outlived its time."""
        async with self._turn:
            return await self._expire(user)

    async def _expire(self, user: str) -> list[Fact]:
        at = self._clock()
        late = (await self._refreshed(user)).due(at)
        ended = [_ended(fact, "expired", fact.expires or at) for fact in late]
        await self._store.keep(ended)
        return ended

    async def _current(self, user: str) -> Facts:
        """The facts that hold now."""
        return await self._refreshed(user) if await self._expire(user) else self._facts[user]

    async def _refreshed(self, user: str) -> Facts:
        held = self._facts[user]
        changed, held.revision = await self._store.facts(user, held.revision)
        held.update(changed)
        return held

    async def _get(self, user: str, id: str) -> Fact:
        fact = (await self._current(user)).every.get(id)
        if fact is None or fact.ended is not None:
            raise PersonError(f"There is no fact {id}.", "`pilotfish memory list` shows those there are.")
        return fact


def _ended(fact: Fact, ending: Ending, at: datetime, heir: str = "") -> Fact:
    return fact.model_copy(update={"ended": fact.ended or at, "ending": ending, "heir": heir or fact.heir})


def _living(found: Found, alive: Collection[int]) -> Found:
    before, after = (tuple(said for said in side if said.id in alive) for side in (found.before, found.after))
    return found.model_copy(update={"before": before, "after": after})
