"""The chain of providers."""

from typing import ClassVar, get_args

import pytest

from pilotfish.core.errors import ToolError
from pilotfish.core.settings import SearchSettings
from pilotfish.web.cache import MemoryCache
from pilotfish.web.search.base import HitKind, SearchHit, SearchProvider, SearchQuery
from pilotfish.web.search.chain import SearchChain, SearchRequest, loosen_query, phrase_query
from pilotfish.web.search.sites import SITES, SourceCategory


class Engine:
    """A provider that answers by a rule and remembers what it was asked."""

    name: ClassVar[str] = "engine"
    kinds: ClassVar[frozenset[HitKind]] = frozenset({"web"})

    def __init__(self, empty_until: int = 0) -> None:
        self.asked: list[SearchQuery] = []
        self._empty = empty_until

    async def search(self, query: SearchQuery) -> list[SearchHit]:
        self.asked.append(query)
        if len(self.asked) <= self._empty:
            return []
        return [SearchHit(title=query.text, url="https://example.org/", provider=self.name, kind=query.kind)]


class Dead(Engine):
    name: ClassVar[str] = "dead"

    async def search(self, query: SearchQuery) -> list[SearchHit]:
        self.asked.append(query)
        raise ToolError("dead cannot be reached.")


class Pictures(Engine):
    name: ClassVar[str] = "pictures"
    kinds: ClassVar[frozenset[HitKind]] = frozenset({"images", "videos"})


def chain(*engines: SearchProvider, **settings: int) -> SearchChain:
    return SearchChain(SearchSettings.model_validate(settings), engines)


async def test_a_dead_provider_is_passed_over_with_a_note() -> None:
    found = await chain(Dead(), Engine()).search(SearchRequest(query="tide"))
    assert found.provider == "engine"
    assert found.notes == ("dead cannot be reached.",)


async def test_a_provider_that_finds_nothing_gives_way_to_the_next() -> None:
    found = await chain(Engine(empty_until=9), Engine()).search(SearchRequest(query="tide"))
    assert len(found.hits) == 1
    assert not found.rephrased


async def test_with_nothing_found_the_query_is_rephrased_once() -> None:
    engine = Engine(empty_until=1)
    found = await chain(engine).search(SearchRequest(query='what is the "slack water" at Saint-Malo?', category="tech"))
    assert found.rephrased
    assert found.query == "slack water Saint-Malo"
    assert engine.asked[1].sites == ()
    silent = Engine(empty_until=99)
    assert (await chain(silent).search(SearchRequest(query="what is a tide"))).hits == ()
    assert len(silent.asked) == 2


async def test_all_dead_is_an_empty_answer_with_notes() -> None:
    found = await chain(Dead()).search(SearchRequest(query="tide"))
    assert found.hits == ()
    assert found.notes


async def test_the_same_question_is_answered_from_the_cache() -> None:
    engine = Engine()
    searcher = SearchChain(SearchSettings(), [engine], cache=MemoryCache())
    await searcher.search(SearchRequest(query="tide"))
    again = await searcher.search(SearchRequest(query="tide"))
    assert again.cached
    assert len(engine.asked) == 1


async def test_a_provider_is_asked_only_for_what_it_has() -> None:
    engine, pictures = Engine(), Pictures()
    found = await chain(engine, pictures).search(SearchRequest(query="tide", kind="images"))
    assert found.provider == "pictures"
    assert engine.asked == []


async def test_the_limit_of_a_day_holds_for_each_user() -> None:
    searcher = chain(Engine(), per_day=2)
    for n in range(2):
        await searcher.search(SearchRequest(query=f"tide {n}", user="ines"))
    refused = await searcher.search(SearchRequest(query="tide 3", user="ines"))
    assert refused.hits == ()
    assert "2 times today" in refused.notes[0]
    assert refused.usage == {"engine": 2}
    assert (await searcher.search(SearchRequest(query="tide 4", user="otto"))).hits


async def test_the_limit_of_a_minute_passes_on_to_the_next_provider() -> None:
    searcher = chain(Engine(), Dead(), per_minute=1)
    await searcher.search(SearchRequest(query="one"))
    found = await searcher.search(SearchRequest(query="two"))
    assert "within a minute" in found.notes[0]


@pytest.mark.parametrize("category", [name for name in get_args(SourceCategory) if name != "any"])
def test_every_category_stands_for_sites(category: SourceCategory) -> None:
    assert len(SITES[category]) >= 3
    assert phrase_query(SearchRequest(query="tide", category=category)).sites == SITES[category]


def test_what_is_wanted_is_added_where_it_says_something_new() -> None:
    assert (
        phrase_query(SearchRequest(query="tide  times", target="the exact times in Brest")).text
        == "tide times exact Brest"
    )


async def test_loosening_never_leaves_nothing() -> None:
    assert (await loosen_query(SearchQuery(text="what is the"))).text == "what is the"
    assert (await loosen_query(SearchQuery(text="site:a.org +tide -boat intitle:sea"))).text == "tide boat"
