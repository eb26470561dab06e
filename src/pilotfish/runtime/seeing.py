"""Looking at pages within a run: a view to act on, or the text to answer from."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pilotfish.core import events
from pilotfish.core.errors import PersonError, ToolError
from pilotfish.core.values import Value
from pilotfish.runtime.aids.answers import Answers
from pilotfish.runtime.kit import Json
from pilotfish.runtime.window.context import tokens
from pilotfish.web.search.chain import Searcher
from pilotfish.web.search.local import Entry

if TYPE_CHECKING:
    from pilotfish.browser.tab import Tab
    from pilotfish.runtime.run import Run


class Page(Value):
    """A page as the model reads it: elements with ids, and what gives them meaning."""

    url: str
    title: str
    tab: int
    text: str
    tokens: int
    mark: str = ""


class TabText(Value):
    """A tab as a question is answered from it."""

    id: int
    url: str
    title: str
    text: str


class Seeing:
    """One look; `key` is its place in the story."""

    def __init__(self, run: "Run", key: str) -> None:
        self.run = run
        self.key = key

    async def observe(self, marks: bool, how: Mapping[str, Any]) -> Page:
        return Page.model_validate(await self.run.step("observe", lambda: self._observe(marks, how)))

    async def _observe(self, marks: bool, how: Mapping[str, Any]) -> Json:
        await self._wanted()
        session = await self.run.browsing.session()
        tab = await session.tab()
        kept = tab.view  # with the action that saw it
        view = await (tab.look(**how) if how else tab.glimpse())
        if view is not kept:
            await self.run.browsing.save()
        view = view if marks else view.unmarked()
        notices = (notice.text for notice in session.told())
        said = "\n".join(filter(None, (*notices, await self.run.warden.seal.offers(view.url), view.render())))
        url, title, text = await self.run.warden.seal.clean((view.url, view.title, said))
        page = Page(url=url, title=title, tab=tab.number, text=text, tokens=tokens(text), mark=view.hash)
        self.run.kit.journal.post(self._seen(page.url, page.title, page.tab, page.text))
        return page.model_dump(mode="json")

    async def read(self) -> list[TabText]:
        outcome = await self.run.step("read", self._read)
        return [TabText.model_validate(each) for each in outcome["tabs"]]

    async def consult(self) -> tuple[list[TabText], str | None]:
        """What the tabs say, and what was answered before to the same question about them."""
        outcome = await self.run.passing(self._consult)
        return [TabText.model_validate(each) for each in outcome["tabs"]], outcome["known"]

    async def _read(self) -> Json:
        texts = await self.glance()
        for text in texts:
            self.run.kit.journal.post(self._seen(text.url, text.title, text.id, text.text[:200]))
        return {"tabs": [text.model_dump(mode="json") for text in texts]}

    async def _consult(self) -> Json:
        read = await self._read()
        texts = [TabText.model_validate(each) for each in read["tabs"]]
        return {**read, "known": await Answers(self.run, texts).find() if texts else None}

    async def glance(self) -> list[TabText]:
        """Read the tabs, all at once; what has not changed since is not kept again."""
        if not self.run.options.get("tabs") and not self.run.browsing.known:
            return []
        tabs = await self._wanted() or [await (await self.run.browsing.session()).tab()]
        texts = await asyncio.gather(*(self._text(tab) for tab in tabs))
        if self.run.browsing.read != (read := {text.id: text for text in texts}):
            await self.run.browsing.save()
            self.run.browsing.read = read
        return texts

    async def _wanted(self) -> "list[Tab]":
        """The tabs that the run was given, opened where they are not yet."""
        try:
            return [await self.run.browsing.tab(each) for each in self.run.options.get("tabs", ())]
        except ToolError as error:
            fix = error.fix or "Check the address, and that the page opens elsewhere."
            raise PersonError(error.message, fix) from None

    async def _text(self, tab: "Tab") -> TabText:
        try:
            page = await tab.guard.call(tab.eyes.text(), "reading the page")
        except ToolError as error:
            return TabText(id=tab.number, url=tab.url, title="", text=f"(This page could not be read: {error.message})")
        url, title, text = await self.run.warden.seal.clean((page.url, page.title, page.text))
        read = TabText(id=tab.number, url=url, title=title, text=text)
        if self.run.browsing.read.get(read.id) != read:
            searcher = cast(Searcher, self.run.kit.services[Searcher])
            await searcher.index.add(Entry(url=read.url, title=read.title, text=read.text))
        return read

    def _seen(self, url: str, title: str, tab: int, text: str) -> events.PageSeen:
        key = f"{self.key}.{tab}.seen"
        return events.PageSeen(run=self.run.id, key=key, url=url, title=title, tab=tab, tokens=tokens(text), text=text)
