"""Reuses answers that were given before about pages that have not changed since.

The answer to the first question of a conversation is reused wherever that question is asked first again. A later
question may refer to earlier ones, so its answer is reused only after the same earlier messages.
"""

import hashlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic_core import to_json

from pilotfish.core.messages import Message

if TYPE_CHECKING:
    from pilotfish.core.pages import TabText
    from pilotfish.runtime.run_base import RunBase

KIND = "answers"
KEPT_SECONDS = 24 * 3600.0
# A person who asks for another answer does not want the same one.
OTHER_ANSWER_WISH = re.compile(
    r"\b(another|again|more|else|next|new|random|noch|weitere\w*|nochmal|anders|encore|autre\w*|otr[oa]s?|más|altr[oia]"
    r"|outr[oa]s?|mais|ещё|еще|друг\w+|další|jin\w+)\b|再|另|其他|还有|もう|他に|別の",
    re.IGNORECASE,
)


class AnswerCache:
    """Finds and keeps the answer to one run's question."""

    def __init__(self, run: "RunBase", tabs: "Sequence[TabText]") -> None:
        self.run = run
        self.store = run.store
        self.question = run.messages[-1]
        self.before = _without(run.messages[:-1], self.question.text)
        self._about = [run.record.user, *((tab.url, tab.text) for tab in tabs)]
        self.kept = not (OTHER_ANSWER_WISH.search(self.question.text) or self.question.images)
        self.wanted = self.kept and not run.options.get("fresh")

    async def find(self) -> str | None:
        """The stored answer, or None."""
        if not self.wanted:
            return None
        keys = dict.fromkeys([await self._key([]), await self._key(self.before)])
        found = await self.store.get(KIND, *keys)
        return None if found is None else found.decode()

    async def keep(self, answer: str) -> None:
        if self.kept:
            await self.store.put(KIND, await self._key(self.before), answer.encode(), KEPT_SECONDS)

    async def _key(self, before: list[list[str]]) -> str:
        model = (await self.run.context.models.of("main", self.run.options.get("model", ""))).name
        return hashlib.sha256(to_json([self._about, model, _plain(self.question.text), before])).hexdigest()


def _without(messages: Sequence[Message], question: str) -> list[list[str]]:
    """The earlier exchanges, each once, without those of the same question."""
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
