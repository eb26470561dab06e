"""Collects all rows of a list: through its scroll box, through what loads more, and through its pages.

Reads the list as it is, then brings further rows: scrolls, clicks what leads on, and reads again. Clicks go through
the input gate. Afterwards the page is brought back to where it was, and the rows there get numbers that are valid.
"""

import asyncio
from dataclasses import dataclass, field, replace

from pilotfish.browser.actions.pointer import click
from pilotfish.browser.actions.tab_history import current_entry, go_to_entry
from pilotfish.browser.perception.page_lists import (
    ListChoice,
    ListRow,
    PageList,
    PagingControl,
    ScrollState,
    ScrollWay,
    move_scroll,
    read_list,
    read_list_again,
    renumber_rows,
)
from pilotfish.browser.perception.row_merge import fill_sight, merge_rows
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.browser.sessions.tab import Tab
from pilotfish.browser.sessions.waiting import MENU_MILLISECONDS, wait_until_quiet, wait_until_settled
from pilotfish.core.errors import ToolError

LOST_SHARE = 0.3
"""Of a list that draws only what is in sight, more than this part of its rows goes when it is scrolled to its end."""
SCROLL_SHARE = 0.8
DRAW_TRIES = 3
"""Moments that a list may take to draw what was scrolled into sight."""
SCROLL_TRIES = 2
"""How often the page is scrolled to where it was; a browser that goes back scrolls it once more by itself."""
MOST_BACK_CLICKS = 12


@dataclass(frozen=True, slots=True)
class CollectLimits:
    """At most so many rows, pages and seconds."""

    rows: int = 200
    pages: int = 10
    seconds: float = 120.0


@dataclass(frozen=True)
class CollectedList:
    """All rows that were found, in their order, and what there is to know about how they were found."""

    first: PageList
    rows: tuple[ListRow, ...]
    pages: int = 1
    doubles: int = 0
    more: str = ""
    left_at: str = ""


@dataclass
class StartPlace:
    """Where the page was before: the document, its address and entry in the history, and the list's scroll box."""

    documents: int
    url: str
    entry: int
    scroll: ScrollState


@dataclass
class ListCollector:
    """Collects one list."""

    session: BrowserSession
    tab: Tab
    limits: CollectLimits
    pages: list[list[ListRow]] = field(default_factory=list[list[ListRow]])
    moved: int = 0
    redrawn: bool = False
    more: str = ""
    deadline: float = field(init=False, default=0.0)

    async def collect(self, choice: ListChoice) -> CollectedList:
        """Read the list that is meant, and all further rows within the limits."""
        self.deadline = asyncio.get_running_loop().time() + self.limits.seconds
        if self.tab.last_snapshot is None:
            await self.tab.look()
        self.tab.count_scroll()
        first = await self.tab.guard.call(read_list(self.tab.observer, choice), "reading a list")
        start = StartPlace(self.tab.activity.documents, self.tab.url, await current_entry(self.tab), first.scroll)
        seen = await self._read_page(first)
        while (control := seen.paging.onward) and self._has_room(bool(self.pages)):
            if (found := await self._turn(seen, control)) is None:
                break
            seen = await self._read_page(found)
        left_at, present = await self._return(first, start)
        return self._sum_up(first, present, left_at)

    def _has_room(self, another_page: bool = False) -> bool:
        """Whether more may be read; notes which limit was reached."""
        if sum(map(len, self.pages)) >= self.limits.rows:
            self.more = f"stopped at the limit of {self.limits.rows} rows"
        elif another_page and len(self.pages) >= self.limits.pages:
            self.more = f"stopped at the limit of {self.limits.pages} pages"
        elif asyncio.get_running_loop().time() > self.deadline:
            self.more = f"stopped after {self.limits.seconds:g} s"
        return not self.more

    async def _again(self, known: PageList) -> PageList | None:
        return await self.tab.guard.call(read_list_again(self.tab.observer, known), "reading a list")

    async def _scroll(self, known: PageList, way: ScrollWay, top: int = 0, y: int = -1) -> ScrollState | None:
        mark, visits = self.tab.activity.mark, self.tab.activity.visits
        state = await self.tab.guard.call(move_scroll(self.tab.observer, known, way, top, y), "scrolling a list")
        await wait_until_settled(self.tab, mark, visits)
        return state

    async def _read_page(self, seen: PageList) -> PageList:
        """All rows of the page of a list that is shown now, also those that come when it is scrolled."""
        self.pages.append(list(seen.rows))
        turns = seen.paging.onward is not None and seen.paging.onward.way != "more"
        if seen.scroll.total <= seen.scroll.height + 8 or (seen.scroll.page and turns):
            return seen
        while self._has_room():
            longer = await self._lengthen(seen)
            if longer is None:
                break
            if self._is_redrawn(seen, longer):
                self.redrawn = True
                return await self._read_redrawn(longer)
            seen = longer
            self.pages[-1] = list(seen.rows)
        return seen

    async def _lengthen(self, seen: PageList) -> PageList | None:
        """The list after its end was scrolled into sight, if that changed its rows; tries again after a moment."""
        known = [row.key for row in seen.rows]
        ways: tuple[ScrollWay | None, ...] = ("last", "end", None)
        for way in ways:
            if way is None:
                await wait_until_quiet(self.tab, MENU_MILLISECONDS)
            elif await self._scroll(seen, way) is None:
                return None
            found = await self._again(seen)
            if found is not None and [row.key for row in found.rows] != known:
                return found if self._is_redrawn(seen, found) or len(found.rows) > len(known) else None
        return None

    @staticmethod
    def _is_redrawn(before: PageList, after: PageList) -> bool:
        """Whether rows that were there are gone: then the list draws only those in sight."""
        now = {(row.key, row.text) for row in after.rows}
        lost = sum((row.key, row.text) not in now for row in before.rows)
        return lost > LOST_SHARE * len(before.rows)

    async def _read_redrawn(self, seen: PageList) -> PageList:
        """Read a list that draws only the rows in sight, one screen after the other from its beginning."""
        rows: list[ListRow] = []
        top = 0
        while True:
            state = await self._scroll(seen, "to", top)
            found = await self._read_in_sight(seen, state) if state else None
            if state is None or found is None:
                break
            self.pages[-1] = rows = merge_rows(rows, found.rows)
            seen = found
            last = max((row.offset for row in found.rows), default=0)
            if (state.at_end and found.scroll.at_end) or not self._has_room():
                break
            top = min(max(state.top + int(SCROLL_SHARE * state.height), last - state.height // 4), found.scroll.total)
        return seen

    async def _read_in_sight(self, seen: PageList, state: ScrollState) -> PageList | None:
        """The list as it is now; where no rows are drawn in sight yet, after a moment."""
        found = await self._again(seen)
        for _ in range(DRAW_TRIES):
            if found is None or fill_sight(found.rows, state):
                break
            await wait_until_quiet(self.tab, MENU_MILLISECONDS)
            found = await self._again(seen)
        return found

    async def _turn(self, seen: PageList, control: PagingControl) -> PageList | None:
        """Click what leads on; the list with its new rows, or None where there are none."""
        try:
            change = await click(self.session, control.id)
        except ToolError as error:
            self.more = f"“{control.name}” was not followed: {error.message}"
            return None
        if change.tab != self.tab.number:
            self.more = f"“{control.name}” opened another tab"
            return None
        found = await self._again(seen)
        if found is None or not self._is_new(seen, found):
            await wait_until_quiet(self.tab, MENU_MILLISECONDS)
            found = await self._again(seen)
        if found is None:
            self.more = f"after “{control.name}” there was no such list"
            return None
        if not self._is_new(seen, found):
            return None
        if self._is_redrawn(seen, found):
            self.moved += 1
        else:
            self.pages.pop()
        return found

    @staticmethod
    def _is_new(before: PageList, after: PageList) -> bool:
        known = {(row.key, row.text) for row in before.rows}
        return any((row.key, row.text) not in known for row in after.rows)

    async def _return(self, first: PageList, start: StartPlace) -> tuple[str, PageList | None]:
        """Bring the page back to where it was; what it shows otherwise, and the list as it is there."""
        if self.tab.activity.documents != start.documents or (self.moved and self.tab.url != start.url):
            await go_to_entry(self.tab, start.entry)
            self.redrawn = True
        elif self.moved:
            await self._turn_back(first)
        present = await self._again(first)
        if present is None:
            return f"the page is at {self.tab.url[:200]} now", None
        for _ in range(SCROLL_TRIES):
            await self._scroll(present, "to", start.scroll.top, start.scroll.y)
            present = await self._again(first) or present
            if present.scroll.y == start.scroll.y:
                break
        known = {(row.key, row.text) for row in self.pages[0]}
        if any((row.key, row.text) in known for row in present.rows):
            return "", present
        return f"the page shows page {present.paging.here or len(self.pages)} of the list now", present

    async def _turn_back(self, first: PageList) -> None:
        """Click the number of the page that was shown first, or "previous" as often as "next" was."""
        wanted = first.paging.here
        for _ in range(min(self.moved, MOST_BACK_CLICKS)):
            seen = await self._again(first)
            ways = seen.paging.ways if seen else ()
            number = next((each for each in ways if each.way == "number" and each.number == wanted), None)
            back = number or next((each for each in ways if each.way == "previous"), None)
            if back is None:
                return
            try:
                await click(self.session, back.id)
            except ToolError:
                return
            if number:
                return

    def _sum_up(self, first: PageList, present: PageList | None, left_at: str) -> CollectedList:
        """All rows once, with the numbers of those that are on the page now."""
        kept: dict[tuple[object, ...], ListRow] = {}
        every = [replace(row, page=at) for at, page in enumerate(self.pages, 1) for row in page]
        for row in every:
            kept.setdefault(row.key if row.key[0] == "named" else (row.page, *row.key), row)
        rows = list(kept.values())[: self.limits.rows]
        if self.moved or self.redrawn:
            rows = list(renumber_rows(rows, present.rows if present else (), len(self.pages) if left_at else 1))
        if len(kept) > self.limits.rows:
            self.more = self.more or f"stopped at the limit of {self.limits.rows} rows"
        return CollectedList(first, tuple(rows), len(self.pages), len(every) - len(kept), self.more, left_at)


async def collect_list(session: BrowserSession, choice: ListChoice, limits: CollectLimits) -> CollectedList:
    """Collect the rows of a list of the active tab."""
    return await ListCollector(session, await session.tab(), limits).collect(choice)
