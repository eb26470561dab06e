"""Reads a list part by part: what is there now, then what scrolling, "load more" or the next page brings.

The end of a part tells where the next one begins. It is found by what the last rows say, so that reading can go on
after the page was loaded anew: the list is turned forward until these rows are there, and only what follows is new.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from pilotfish.browser.actions.collecting import CollectLimits, ListCollector
from pilotfish.browser.perception.page_lists import ListChoice, ListRow, PageList, read_list
from pilotfish.browser.sessions.session import BrowserSession

PART = 40
"""Rows that are enough for a part of a list that becomes longer when it is scrolled."""
LAST_ROWS = 3


@dataclass(frozen=True)
class ListPart:
    """New rows of a list. `end` is where the next part begins, empty if there is none; `more` why it ended early.

    `turned`: these rows are on another page than those before.
    """

    first: PageList
    rows: tuple[ListRow, ...]
    end: str = ""
    more: str = ""
    turned: bool = False


class PartCollector(ListCollector):
    """Reads one part of a list and leaves the page there."""

    async def read_part(self, choice: ListChoice, end: str) -> ListPart:
        """The rows after `end`; all that are there if it is empty."""
        self.deadline = asyncio.get_running_loop().time() + self.limits.seconds
        if self.tab.last_snapshot is None:
            await self.tab.look()
        self.tab.count_scroll()
        seen = await self.tab.guard.call(read_list(self.tab.observer, choice), "reading a list")
        self.pages.append(list(seen.rows))
        known = not end
        while True:
            at = find_end(self.pages[-1], end) if end else -1
            known = known or at >= 0
            new = self.pages[-1][at + 1 :] if known else []
            if (new and (len(new) >= self._enough(seen))) or self._is_late():
                return self._part(seen, new)
            turned = self.moved
            longer = await self._advance(seen)
            if longer is None:
                return self._part(seen, new, "")
            seen = longer
            if known and self.moved > turned:
                end = ""

    def _enough(self, seen: PageList) -> int:
        """How many new rows make a part: one, or more where scrolling brings further ones."""
        return min(PART, self.limits.rows) if self._grows(seen) else 1

    def _is_late(self) -> bool:
        if asyncio.get_running_loop().time() > self.deadline:
            self.more = f"stopped after {self.limits.seconds:g} s"
        return bool(self.more)

    def _part(self, seen: PageList, new: Sequence[ListRow], end: str | None = None) -> ListPart:
        kept = tuple(new[: self.limits.rows])
        follows = len(kept) < len(new) or ((self._grows(seen) or seen.paging.onward) and not self.redrawn)
        mark = hash_rows(kept[-LAST_ROWS:] if len(kept) >= LAST_ROWS else self._before(kept)) if kept else ""
        return ListPart(seen, kept, (mark if follows else "") if end is None else end, self.more, self.moved > 0)

    def _before(self, kept: Sequence[ListRow]) -> Sequence[ListRow]:
        """The rows before a part that has too few rows to name its own end."""
        every = self.pages[-1]
        last = max((at for at, row in enumerate(every) if row is kept[-1]), default=len(every) - 1)
        return every[max(0, last + 1 - LAST_ROWS) : last + 1]

    @staticmethod
    def _grows(seen: PageList) -> bool:
        """Whether scrolling may bring rows: its box can be scrolled, and no other page is offered below it."""
        turns = seen.paging.onward is not None and seen.paging.onward.way != "more"
        return seen.scroll.total > seen.scroll.height + 8 and not (seen.scroll.page and turns)

    async def _advance(self, seen: PageList) -> PageList | None:
        """The list with further rows: after scrolling, else after a click on what leads on."""
        longer = await self._lengthen(seen) if self._grows(seen) else None
        if longer is not None and self._is_redrawn(seen, longer):
            self.redrawn = True
            return await self._read_redrawn(longer)
        if longer is None and seen.paging.onward:
            longer = await self._turn(seen, seen.paging.onward)
        if longer is not None:
            self.pages[-1:] = [list(longer.rows)]
        return longer


def hash_rows(rows: Sequence[ListRow]) -> str:
    return hashlib.sha256("\n".join(row.text for row in rows).encode()).hexdigest()[:16]


def find_end(rows: Sequence[ListRow], end: str) -> int:
    """The place of the last row of an earlier part; -1 if it is not there."""
    places = range(len(rows) - 1, -1, -1)
    return next((at for at in places if hash_rows(rows[max(0, at + 1 - LAST_ROWS) : at + 1]) == end), -1)


async def read_list_part(session: BrowserSession, choice: ListChoice, end: str, limits: CollectLimits) -> ListPart:
    """The next part of a list of the active tab."""
    return await PartCollector(session, await session.tab(), limits).read_part(choice, end)
