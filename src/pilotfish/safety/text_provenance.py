"""Records where texts come from: what the person said, and what was read where. Computed from a run's journal."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

from pilotfish.core import events as e
from pilotfish.core.given_pages import is_given
from pilotfish.core.policy import Provenance
from pilotfish.safety.address import parse_address, site_of
from pilotfish.safety.control_words import normalize_text
from pilotfish.safety.grounding import is_grounded
from pilotfish.safety.named_sites import find_named_sites
from pilotfish.safety.piece_streams import TOUCHED_NAME, PieceStreams
from pilotfish.safety.read_source import ReadSource
from pilotfish.safety.text_pieces import (
    NUMBER_ARGUMENTS,
    TEXT_ARGUMENTS,
    address_values,
    argument_texts,
    distinct_tokens,
    given_numbers,
    given_texts,
    joined_windows,
    list_shingles,
    named_addresses,
    spaced_codes,
    tool_texts,
)  # fmt: skip
from pilotfish.safety.text_spellings import show_tags, spelled_forms
from pilotfish.safety.wanted_words import distinctive_words

TOOL_PLACES = {"memory_retrieve": "memory", "web_search": "search", "web_fetch": "the web", "recall_details": "the web"}
INTERNAL = frozenset({"clock", "get_current_time", "planner", "done", "request_input", "image_generate", "memory_save"})
PAGE_TOOLS = {"find_lists", "collect_part"} | frozenset(
    {
        "click", "type", "select", "press_key", "hover", "drag", "mark", "upload", "scroll", "navigate", "manage_tabs",
        "wait_for", "get_schema", "get_html", "get_text", "find", "collect", "extract", "screenshot", "refresh",
        "page_tool", "console_messages", "network_requests", "resize", "emulate_media", "close_browser",
    }
)  # fmt: skip
WRITING_TOOLS = frozenset(
    {"press_key", "hover", "navigate", "manage_tabs", "web_fetch", "web_search", *TEXT_ARGUMENTS, *NUMBER_ARGUMENTS}
)
TOUCHED_ELEMENT = re.compile(
    r"(?:Clicked|Double-clicked|Chose|Moved the mouse over) (?:\[\d+\] [\w ]+)?[\"']([^\"'\n]{0,20})[\"']"
)
"""What a tool says that it touched or chose."""
OPAQUE_LENGTH = 40
"""Letters of a value without blanks that nobody can read."""
LEAST_LETTERS = 4
"""A shorter piece may be in the person's words by chance."""
MOST_COMPARED = 100
"""Tokens, codes and parts of an address that are compared closely."""


class ProvenanceLedger:
    """The person's texts, and what was read by place: a site, `memory`, `search`, `file`, an MCP tool."""

    def __init__(self) -> None:
        self.user_words = ReadSource()
        self.statements: list[str] = []
        self.streams, self.tried_streams = PieceStreams(), PieceStreams()
        self.found_addresses: set[str] = set()
        self.seen: dict[str, ReadSource] = {}
        self.task_sites, self.named_sites = list[str](), set[str]()
        self.typed: dict[str, bool] = {}
        self.uploaded: set[tuple[str, str]] = set()
        self.here = ""
        self._acted = False
        self._begun: dict[str, e.ToolStarted] = {}

    def add_user_text(self, text: str) -> None:
        """Add the person's own words; sites that they name become sites of the task."""
        self.user_words.read(text)
        self.named_sites.update(find_named_sites(text))
        if text not in self.statements:
            self.statements.append(text)
        for url in named_addresses(text):
            self._add_task_site(url)

    def add_given_pages(self, tabs: Iterable[object]) -> None:
        """Add pages that the person gave to the run."""
        for tab in tabs:
            if isinstance(tab, str):
                self._add_task_site(tab if "://" in tab else f"https://{tab}")

    def add_untrusted(self, place: str, text: str) -> None:
        """Add untrusted text that was read in a place."""
        self.seen.setdefault(place, ReadSource()).read(text)

    def add_event(self, event: e.Event) -> None:
        match event:
            case e.RunStarted():
                self.add_user_text(event.task)
                self.add_given_pages(event.options.get("tabs", ()))
                # The active page of a replayed run may be where pages led it; it does not make a site of the task.
                self._acted = any(event.options.get(name) for name in ("continues", "of", "shortcut"))
            case e.MessageAdded() if event.message.origin == "person":
                self.add_user_text(event.message.text)
            case e.InputReceived():
                self.add_user_text(event.answer)
            case e.PageSeen():
                self.here = event.url
                if not self._acted:
                    self._add_task_site(event.url)
                self.add_untrusted(source_place(event.url), f"{event.title}\n{event.text}")
            case e.ToolStarted() if event.tool not in INTERNAL:
                self._begun[event.call] = event
            case e.ToolFinished():
                self._acted = self._acted or event.tool not in INTERNAL
                self._record_written(self._begun.pop(event.call, None), event)
                self.here = str(event.data.get("url") or self.here)
                self._add_hits(event)
                if event.tool not in INTERNAL:
                    frame = site_of(str(event.data.get("origin", "")))
                    self.add_untrusted(frame or self._place(event.tool), event.output)
            case _:
                pass

    def _add_hits(self, event: e.ToolFinished) -> None:
        """Keep the addresses of a search's hits; addresses within their titles and snippets do not count as found."""
        hits = event.data.get("hits", ()) if event.tool == "web_search" else ()
        self.found_addresses.update(normalize_text(str(hit.get("url", ""))) for hit in hits)

    def add_earlier_event(self, event: e.Event) -> None:
        """Add an event of an earlier run: its texts count, but its open page is no site of the task."""
        acted, self._acted = self._acted, True
        self.add_event(event)
        self._acted = acted

    def _place(self, tool: str) -> str:
        """The place that a tool's output comes from: the page, a place of its own, or the MCP server."""
        return TOOL_PLACES.get(tool) or (source_place(self.here) if tool in PAGE_TOOLS else f"the tool {tool}")

    def _add_task_site(self, url: str) -> None:
        if (name := site_of(url)) and name not in self.task_sites:
            self.task_sites.append(name)

    def _record_written(self, begun: e.ToolStarted | None, ended: e.ToolFinished) -> None:
        """Keep what a call put into a field or an address, and separately what a refused call would have put there.

        `typed`: by site, whether all that was typed there is the person's own. `uploaded`: which files were given.
        """
        if begun is not None and begun.tool == "upload" and ended.ok:
            there = site_of(str(ended.data.get("url") or self.here))
            paths = str(begun.args.get("path", "")).splitlines()
            self.uploaded.update((there, path.rpartition("/")[2]) for path in paths)
        if begun is not None and begun.tool == "type" and ended.ok:
            there = site_of(str(ended.data.get("url") or self.here))
            self.typed[there] = self.typed.get(there, True) and self._is_own(str(begun.args.get("text", "")))
        if begun is not None and begun.tool == "page_tool" and ended.ok:
            own = all(self._is_own(text) for name, text in tool_texts(begun.args) if name != text)
            there = site_of(str(ended.data.get("origin", "")))
            self.typed[there] = self.typed.get(there, True) and own
        if begun is not None and (begun.tool in WRITING_TOOLS or begun.tool not in PAGE_TOOLS):
            touched = TOUCHED_ELEMENT.match(ended.output)
            args = {**begun.args, TOUCHED_NAME: touched[1] if touched else ""}
            self.tried_streams.add(begun.tool, args)
            if begun.tool == "click" and (led := str(ended.data.get("url", ""))) not in ("", self.here):
                self.streams.add("navigate", {"url": led})
            if not ended.data.get("refused"):
                self.streams.add(begun.tool, args)

    def _is_own(self, text: str) -> bool:
        """Whether the person said this, also in another order or with a date in another format."""
        return self.is_user_text(text) or distinctive_words(text) <= distinctive_words("\n".join(self.statements))

    def is_user_text(self, text: str) -> bool:
        """Whether the person said this, as a phrase of its own."""
        return self.user_words.states(normalize_text(text))

    def stems_from_user(self, text: str) -> bool:
        """Whether one statement of the person says this sentence."""
        return is_grounded(text, self.statements)

    def was_found(self, url: str) -> bool:
        """Whether a search of this run found this address, or a longer one of the same host."""
        searched = normalize_text(url).rstrip("/")
        return parse_address(url) is not None and any(
            hit.startswith(searched) and hit[len(searched) : len(searched) + 1] in ("", "/", "?", "#")
            for hit in self.found_addresses
        )

    def find_origins(self, args: Mapping[str, Any], here: str, hard: bool = False) -> tuple[Provenance, ...]:
        """The arguments whose text was read elsewhere than `here` and was not said by the person."""
        return tuple(
            Provenance(argument=name, place=where, text=piece[:120])
            for name, text in argument_texts(args)
            if not self.is_user_text(show_tags(text))
            for where, piece in islice(self._find_spelled(text, here, hard), 1)
        )

    def _find_spelled(self, text: str, here: str, hard: bool) -> Iterator[tuple[str, str]]:
        """What of a text was read elsewhere, also in another spelling."""
        plain = normalize_text(text)
        yield from self._find_elsewhere(plain, here, hard)
        for form in spelled_forms(text):
            yield from self._find_elsewhere(normalize_text(form), here, hard)
        known = self.seen.get(here, ReadSource())
        for window in joined_windows(plain):
            if not (window in self.user_words.packed or window in known.packed):
                others = self._list_other_sources(here)
                yield from ((where, window) for where, source in others if source.joins(window))

    def find_carried(
        self, tool: str, args: Mapping[str, Any], here: str, goal: Iterable[str] = ()
    ) -> tuple[Provenance, ...]:
        """The origins of texts that a call would carry to `here` or to the addresses of `goal`."""
        if tool in ("press_key", "hover") or tool in TEXT_ARGUMENTS or tool in NUMBER_ARGUMENTS:
            given = given_texts(tool, args) | given_numbers(tool, args)
            found = self.find_origins(given, here) or self._find_completed_origins(tool, args, here)
            leads = ({"url": url} for url in goal if site_of(url) and not self.is_user_text(url))
            return found or next(
                filter(None, (self._find_completed_origins("navigate", to, site_of(to["url"])) for to in leads)), ()
            )
        if tool == "web_search":
            query = {"query": args["query"]}
            return self.find_origins(query, "search", hard=True) or self._find_completed_origins(tool, query, "search")
        if tool in WRITING_TOOLS:
            return tuple(label for url in goal if url for label in self._find_address_origins(url))
        if tool in PAGE_TOOLS or tool in INTERNAL or tool.startswith("memory_"):
            return ()
        own = f"the tool {tool}"
        return self.find_origins(args, own) or self._find_completed_origins(tool, args, own)

    def _find_address_origins(self, url: str) -> tuple[Provenance, ...]:
        """What an address carries by itself, and what it completes; a page may list addresses to spell with."""
        if self.is_user_text(url):
            return ()
        return self.find_smuggled(url) or self._find_completed_origins("navigate", {"url": url}, site_of(url))

    def _find_completed_origins(self, tool: str, args: Mapping[str, Any], here: str) -> tuple[Provenance, ...]:
        """The origin of a text read elsewhere that a call would complete, after its other pieces in the same place."""
        known = self.seen.get(here, ReadSource())
        tried = self.tried_streams.join_pieces(tool, args) if self.streams.has_pieces(tool, args) else ()
        for piece, window in chain(self.streams.join_pieces(tool, args), tried):
            if self._said_by_person(piece) or window in self.user_words.packed:
                continue
            for where, source in self._list_other_sources(here):
                if (window in source.packed or window[::-1] in source.packed) and window not in known.packed:
                    return (Provenance(argument="pieces", place=where, text=window),)
        return ()

    def _said_by_person(self, piece: str) -> bool:
        """Whether the person said a piece; short pieces count only if they are numbers of their own."""
        return (len(piece) >= LEAST_LETTERS or (len(piece) > 1 and piece.isdigit())) and self.user_words.states(piece)

    def _list_other_sources(self, here: str) -> Iterator[tuple[str, ReadSource]]:
        return ((where, source) for where, source in self.seen.items() if where not in (here, "search"))

    def _find_elsewhere(self, text: str, here: str, hard: bool) -> Iterator[tuple[str, str]]:
        known = self.seen.get(here, ReadSource())
        if len(text) >= 8 and not hard and not known.contains(text):
            yield from ((where, text) for where, source in self._list_other_sources(here) if source.contains(text))
        for number, token in enumerate(distinct_tokens(text)):
            closely = number < MOST_COMPARED
            if self.user_words.states(token) if closely else self.user_words.holds_word(token):
                continue
            if not known.holds_token(token, closely):
                others = self._list_other_sources(here)
                yield from ((where, token) for where, source in others if source.holds_token(token, closely))
        for code in islice(spaced_codes(text), MOST_COMPARED):
            if code not in self.user_words.packed and code not in known.packed:
                yield from ((where, code) for where, source in self._list_other_sources(here) if code in source.packed)
        for shingle in () if hard else list_shingles(text):
            if not (self.user_words.holds_shingle(shingle) or known.holds_shingle(shingle)):
                yield from (
                    (where, shingle)
                    for where, source in self._list_other_sources(here)
                    if source.holds_shingle(shingle)
                )

    def find_smuggled(self, url: str) -> tuple[Provenance, ...]:
        """The origins of what an address would carry to its site: text read elsewhere, or an unreadable part."""
        if self.is_user_text(url) or any(source.contains(normalize_text(url)) for source in self.seen.values()):
            return ()
        goal, values = site_of(url), address_values(url)
        carried = {f"part {n}": text for n, text in enumerate(values[:MOST_COMPARED])}
        found = self.find_origins(carried, goal)
        opaque = [text for text in values if len(text) >= OPAQUE_LENGTH and " " not in text] or values[MOST_COMPARED:]
        known = goal in self.seen and bool(opaque) and self.seen[goal].contains(opaque[0].casefold())
        if not found and opaque and not known:
            found = (Provenance(argument="url", place="an unreadable part of the address", text=opaque[0][:120]),)
        return found


def source_place(url: str) -> str:
    return "file" if is_given(url) else site_of(url) or "the page"
