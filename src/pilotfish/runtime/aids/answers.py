"""Answers that were given before, about pages that have not changed since.

A question that was asked first in its conversation stands for itself, and its answer serves wherever it is asked
again. One that came after others may lean on them, so its answer serves only where the same was said before it.
"""

import hashlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic_core import to_json

from pilotfish.core.messages import Message

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run
    from pilotfish.runtime.seeing import TabText

KIND = "answers"
KEPT = 24 * 3600.0
# Who asks for another one does not want the same one.
FRESH = re.compile(
    r"\b(another|again|more|else|next|new|random|noch|weitere\w*|nochmal|anders|encore|autre\w*|otr[oa]s?|más|altr[oia]"
    r"|outr[oa]s?|mais|ещё|еще|друг\w+|další|jin\w+)\b|再|另|其他|还有|もう|他に|別の",
    re.IGNORECASE,
)


class Answers:
    """What one run may take from earlier ones."""

    def __init__(self, run: "Run", tabs: "Sequence[TabText]") -> None:
        self.run = run
        self.store = run.kit.journal.store
        self.question = run.messages[-1]
        self.before = _without(run.messages[:-1], self.question.text)
        self._about = [run.record.user, *((tab.url, tab.text) for tab in tabs)]
        self.wanted = not (FRESH.search(self.question.text) or self.question.images or run.options.get("fresh"))

    async def find(self) -> str | None:
        """The answer, if there is one."""
        if not self.wanted:
            return None
        keys = dict.fromkeys([await self._key([]), await self._key(self.before)])
        found = await self.store.get(KIND, *keys)
        return None if found is None else found.decode()

    async def keep(self, answer: str) -> None:
        if self.wanted:
            await self.store.put(KIND, await self._key(self.before), answer.encode(), KEPT)

    async def _key(self, before: list[list[str]]) -> str:
        model = (await self.run.kit.minds.of("main", self.run.options.get("model", ""))).name
        return hashlib.sha256(to_json([self._about, model, _plain(self.question.text), before])).hexdigest()


def _without(messages: Sequence[Message], question: str) -> list[list[str]]:
    """What was said before, each exchange once, and the same question not at all."""
    exchanges: list[list[str]] = []
    for message in messages:
        if message.role == "user" or not exchanges:
            exchanges.append([_plain(message.text)])
        else:
            exchanges[-1].append(message.text)
    kept: list[list[str]] = []
    for exchange in exchanges:
        if exchange[0] != _plain(question) and exchange not in kept:
            kept.append(exchange)
    return kept


def _plain(question: str) -> str:
    return " ".join(question.casefold().split()).rstrip("?!. \uff1f")
