"""Reads pages within a run: a snapshot to act on, or the text to answer from."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from pilotfish.browser.perception.element_search import ElementSearch, merge_links
from pilotfish.context.fitting import token_estimate
from pilotfish.core import events
from pilotfish.core.errors import PersonError, ToolError
from pilotfish.core.page_tools import PAGE_TOOL, PageTool, list_page_tools
from pilotfish.core.pages import ElementQuery, NumberedElement, ObservedPage, SharedPage, TabText
from pilotfish.enforcement.run_secrets import RunSecrets
from pilotfish.runtime.answer_cache import AnswerCache
from pilotfish.runtime.page_waiting import wait_until
from pilotfish.runtime.run_base import RunBase
from pilotfish.runtime.run_context import Json
from pilotfish.web.search.chain import SearchChain
from pilotfish.web.search.local import IndexedPage

if TYPE_CHECKING:
    from pilotfish.browser.perception.element import ElementView
    from pilotfish.browser.sessions.tab import Tab

EMPTY_PAGE = "(This page is empty: it shows no text.)"
NOT_OPENED = "This page could not be opened"


LONGEST_SEARCH = 200


class PageReader:
    """One reading of the page; `key` is its step's number in the journal."""

    def __init__(self, run: RunBase, secrets: RunSecrets, key: str) -> None:
        self.run = run
        self.secrets = secrets
        self.key = key

    async def observe(self, marks: bool, room: int | None, tools: bool, how: Mapping[str, Any]) -> ObservedPage:
        return ObservedPage.model_validate(
            await self.run.step("observe", lambda: self._observe(marks, room, tools, how))
        )

    async def _observe(self, marks: bool, room: int | None, tools: bool, how: Mapping[str, Any]) -> Json:
        await self._open_given_tabs()
        session = await self.run.browser.session()
        tab = await session.tab()
        kept = tab.last_snapshot  # attached to the action that noticed it
        view = await (tab.look(**how) if how else tab.recent_snapshot())
        if view is not kept:
            await self.run.browser.save()
        view = view if marks else view.without_new_marks()
        notices = [notice.text for notice in session.take_notices()]
        if marks and len(session.tabs) > 1:
            notices.append(f"Open tabs: {'; '.join(f'{n} {one.url[:80]}' for n, one in session.tabs.items())}.")
        offered = await self._page_tools(tab) if tools else ()
        shown = (await self.secrets.describe_secrets(view.url), view.render(room), list_page_tools(offered))
        said = "\n".join(filter(None, (*notices, *shown)))
        url, title, text = await self.secrets.redact((view.url, view.title, said))
        page = ObservedPage(
            url=url,
            title=title,
            tab=tab.number,
            text=text,
            tokens=token_estimate(text),
            mark=view.hash,
            tools=tuple(tool.label for tool in offered),
        )
        self.run.context.journal.post(self._page_seen_event(page.url, page.title, page.tab, page.text))
        return page.model_dump(mode="json")

    async def _page_tools(self, tab: "Tab") -> "tuple[PageTool, ...]":
        """The tools that the page offers, if the run may call them; kept as what the model was shown."""
        allowed = self.run.settings.browser.page_tools and PAGE_TOOL in self.run.tools
        offered = await tab.tools() if allowed else ()
        tab.page_tools.keep_shown(offered)
        return offered

    async def describe_elements(self, ids: Sequence[int]) -> dict[int, ElementQuery]:
        """Role, name and row of the elements that have these numbers; unknown numbers are left out."""

        async def describe() -> Json:
            tab = await (await self.run.browser.session()).tab()
            search = ElementSearch(tab.last_snapshot or await tab.look())
            known = {str(id): found.model_dump() for id in ids if (found := search.describe(id))}
            return await self.secrets.redact(known)

        found = await self.run.step("describe elements", describe)
        return {int(id): ElementQuery.model_validate(each) for id, each in found.items()}

    async def search_elements(self, query: ElementQuery, seconds: float) -> list[NumberedElement]:
        """The elements that fit: on the screen, else anywhere on the page. Waits so many seconds for the first."""

        async def search() -> Json:
            tab = await (await self.run.browser.session()).tab()

            async def find() -> "list[ElementView]":
                found = ElementSearch(await tab.recent_snapshot()).find(query)
                for words in filter(None, (query.row,) if query.row else query.names):
                    found = found or ElementSearch(await tab.look(find=words)).find(query)
                return await pick_nth(tab, query, found) if query.nth and found else merge_links(found)

            found = await wait_until(find, tab, seconds)
            listed = [{"id": each.id, "role": each.role, "name": each.name} for each in found]
            return {"found": await self.secrets.redact(listed)}

        outcome = await self.run.step("search elements", search)
        return [NumberedElement.model_validate(each) for each in outcome["found"]]

    async def has_text(self, words: str, seconds: float) -> bool:
        """Whether words stand anywhere on the page in front, also out of sight, or come within so many seconds."""

        return await self._find_words(words, seconds, there=True)

    async def is_gone(self, words: str, seconds: float) -> bool:
        """Whether words stand nowhere on the page in front, or go within so many seconds."""
        return not await self._find_words(words, seconds, there=False)

    async def _find_words(self, words: str, seconds: float, *, there: bool) -> bool:
        """Whether words stand on the page; looks again until that is as wanted, or the time is over."""

        async def search() -> Json:
            tab = await (await self.run.browser.session()).tab()

            async def find() -> bool:
                return bool((await tab.look(find=words[:LONGEST_SEARCH])).nodes) == there

            return {"found": await wait_until(find, tab, seconds) == there}

        return (await self.run.step("find words", search))["found"]

    async def read(self) -> list[TabText]:
        outcome = await self.run.step("read", self._read)
        return [TabText.model_validate(each) for each in outcome["tabs"]]

    async def read_part(self, selector: str) -> TabText:
        """The text of the first given page, or of what a CSS selector matches on it. Fails where there is none."""

        async def read() -> Json:
            tab = (await self._open_given_tabs())[0]
            try:
                page = await tab.text(selector or None)
            except ToolError as error:
                raise explain_unreadable(error) from None
            url, title, text = await self.secrets.redact((page.url, page.title, page.text.strip()))
            self.run.context.journal.post(self._page_seen_event(url, title, tab.number, text[:200]))
            return TabText(id=tab.number, url=url, title=title, text=text).model_dump(mode="json")

        return TabText.model_validate(await self.run.step("read part", read))

    async def read_with_answer(self) -> tuple[list[TabText], str | None]:
        """The text of the tabs, and the stored answer to the same question about them."""
        outcome = await self.run.unrecorded_step(self._consult)
        return [TabText.model_validate(each) for each in outcome["tabs"]], outcome["known"]

    async def _read(self) -> Json:
        texts = await self.read_tabs()
        for text in texts:
            self.run.context.journal.post(self._page_seen_event(text.url, text.title, text.id, text.text[:200]))
        return {"tabs": [text.model_dump(mode="json") for text in texts]}

    async def _consult(self) -> Json:
        read = await self._read()
        texts = [TabText.model_validate(each) for each in read["tabs"]]
        return {**read, "known": await AnswerCache(self.run, texts).find() if texts else None}

    async def read_tabs(self) -> list[TabText]:
        """Read all tabs at the same time; unchanged texts are not stored again."""
        shown = [await self._read_shared_page(page) for page in self.run.options.get("pages", ())]
        if not self.run.options.get("tabs") and (shown or not self.run.browser.has_session):
            return shown
        tabs, dead = await self._open_reachable_tabs()
        tabs = tabs or [await (await self.run.browser.session()).tab()]
        texts = [*await asyncio.gather(*(self._read_text(tab) for tab in tabs)), *dead]
        if self.run.browser.read != (read := {text.id: text for text in texts}):
            await self.run.browser.save()
            self.run.browser.read = read
        return [*shown, *texts]

    async def _read_shared_page(self, page: Mapping[str, Any]) -> TabText:
        """A page that came with the question, from the person's own browser."""
        from pilotfish.browser.perception.page_text import join_documents

        shared = SharedPage.model_validate(page)
        text = join_documents([frame.model_dump() for frame in shared.frames])
        main = shared.frames[0]
        url, title, text = await self.secrets.redact((main.url, main.title, text))
        return TabText(id=shared.tab, url=url, title=title, text=text)

    async def _open_reachable_tabs(self) -> "tuple[list[Tab], list[TabText]]":
        """The tabs that the run was given, and a line for each that cannot be opened. Fails where none can be."""
        tabs: list[Tab] = []
        dead: list[TabText] = []
        failure: ToolError | None = None
        for wanted in self.run.options.get("tabs", ()):
            try:
                tabs.append(await self.run.browser.tab(wanted))
            except ToolError as error:
                failure = error
                dead.append(TabText(id=0, url=str(wanted), title="", text=f"({NOT_OPENED}: {error.message})"))
        if failure and not tabs:
            raise explain_unreadable(failure)
        return tabs, dead

    async def _open_given_tabs(self) -> "list[Tab]":
        """The tabs that the run was given; opens those that are not open yet."""
        try:
            return [await self.run.browser.tab(each) for each in self.run.options.get("tabs", ())]
        except ToolError as error:
            raise explain_unreadable(error) from None

    async def _read_text(self, tab: "Tab") -> TabText:
        try:
            page = await tab.text()
        except ToolError as error:
            return TabText(id=tab.number, url=tab.url, title="", text=f"(This page could not be read: {error.message})")
        url, title, text = await self.secrets.redact((page.url, page.title, page.text.strip() or EMPTY_PAGE))
        read = TabText(id=tab.number, url=url, title=title, text=text, warning=tab.bad_status.get(tab.url, ""))
        if self.run.browser.read.get(read.id) != read:
            record = self.run.record
            searcher = cast(SearchChain, self.run.context.services[SearchChain])
            page = IndexedPage(
                url=url, title=title, text=text, user=record.user, reader=record.id or record.conversation
            )
            await searcher.index.add(page)
        return read

    def _page_seen_event(self, url: str, title: str, tab: int, text: str) -> events.PageSeen:
        key = f"{self.key}.{tab}.seen"
        return events.PageSeen(
            run=self.run.id, key=key, url=url, title=title, tab=tab, tokens=token_estimate(text), text=text
        )


async def pick_nth(tab: "Tab", query: ElementQuery, found: "list[ElementView]") -> "list[ElementView]":
    """The one that is meant of several. The list around the first or last on the screen is counted whole."""
    edge = found[0] if query.nth > 0 else found[-1]
    listed = ElementSearch(await tab.look(scope=edge.id)).find(query)
    listed = listed if any(each.id == edge.id for each in listed) else [edge]
    others = [each for each in found if all(each.id != one.id for one in listed)]
    whole = [*listed, *others] if query.nth > 0 else [*others, *listed]
    place = query.nth - 1 if query.nth > 0 else len(whole) + query.nth
    return whole[place : place + 1] if place >= 0 else []


def explain_unreadable(error: ToolError) -> PersonError:
    """Why none of the given pages can be read, for the person."""
    return PersonError(error.message, error.fix or "Check the address, and that the page opens elsewhere.")
