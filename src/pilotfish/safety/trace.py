"""Where words come from: what the person said, and what was read where. A fold over a run's journal."""

import base64
import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote_plus, urlsplit

from pilotfish.core import events as e
from pilotfish.core.policy import Label
from pilotfish.safety.address import parse, site
from pilotfish.safety.source import Source
from pilotfish.safety.words import plain

HARD = re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+|https?://\S+|(?=\S*\d)[\w./:+-]{6,}|\S{20,}")
URL = re.compile(r"https?://[^\s<>\"')\]]+|(?<![\w@.])(?:[\w-]+\.)+[a-z]{2,12}(?![\w@])", re.IGNORECASE)
PLACES = {"memory_retrieve": "memory", "web_search": "search", "web_fetch": "the web", "recall_details": "the web"}
OWN = frozenset({"clock", "get_current_time", "planner", "done", "request_input", "image_generate", "memory_save"})
PAGE = frozenset(
    {
        "click", "type", "select", "press_key", "hover", "drag", "mark", "upload", "scroll", "navigate", "manage_tabs",
        "wait_for", "get_schema", "get_html", "get_text", "find", "extract", "screenshot", "refresh",
    }
)  # fmt: skip
FILLERS = frozenset(
    {"user", "person", "their", "they", "that", "with", "likes", "prefers", "wants", "uses", "lives", "works"}
)
OPAQUE = 40
SHINGLE = 4


class Ledger:
    """Grows with the journal. What was read is known by place: a site, `memory`, `search`, `file`, another's tool."""

    def __init__(self) -> None:
        self.said = ""
        self.seen: dict[str, Source] = {}
        self.home: list[str] = []
        self.here = ""
        self._acted = False

    def heard(self, text: str) -> None:
        """The person's own words; sites that they name are what the task is about."""
        self.said = f"{self.said}\n{plain(text)}"
        for name in URL.findall(text):
            self._at_home(name if "://" in name else f"https://{name}")

    def given(self, tabs: Iterable[object]) -> None:
        """Pages that the person gave to the run."""
        for tab in tabs:
            if isinstance(tab, str):
                self._at_home(tab if "://" in tab else f"https://{tab}")

    def read(self, place: str, text: str) -> None:
        """Untrusted text."""
        self.seen.setdefault(place, Source()).read(text)

    def add(self, event: e.Event) -> None:
        match event:
            case e.RunStarted():
                self.heard(event.task)
                self.given(event.options.get("tabs", ()))
            case e.MessageAdded() if event.message.role == "user":
                self.heard(event.message.text)
            case e.InputReceived():
                self.heard(event.answer)
            case e.PageSeen():
                self.here = event.url
                if not self._acted:
                    self._at_home(event.url)
                self.read(place(event.url), f"{event.title}\n{event.text}")
            case e.ToolFinished():
                self._acted = True
                self.here = str(event.data.get("url") or self.here)
                if event.tool not in OWN:
                    self.read(self._place(event.tool), event.output)
            case _:
                pass

    def recall(self, event: e.Event) -> None:
        """An event of an earlier run: its words count, but the task is not about whatever page was open then."""
        acted, self._acted = self._acted, True
        self.add(event)
        self._acted = acted

    def _place(self, tool: str) -> str:
        """Where a tool's words come from: the page, a place of its own, or a server that lends it."""
        return PLACES.get(tool) or (place(self.here) if tool in PAGE else f"the tool {tool}")

    def _at_home(self, url: str) -> None:
        if (name := site(url)) and name not in self.home:
            self.home.append(name)

    def told(self, text: str) -> bool:
        """Whether the person said this."""
        return plain(text) in self.said if text.strip() else True

    def stems(self, text: str) -> bool:
        """Whether a sentence stems from the person: most of its words of weight are theirs."""
        weighty = set(re.findall(r"\w{4,}|\d+", plain(text))) - FILLERS
        return bool(weighty) and sum(word[:5] in self.said for word in weighty) >= 0.6 * len(weighty)

    def found(self, url: str) -> bool:
        """Whether a search of this run brought up this very address."""
        return "search" in self.seen and self.seen["search"].holds(plain(url))

    def labels(self, args: Mapping[str, Any], here: str, hard: bool = False) -> tuple[Label, ...]:
        """The arguments whose text was read elsewhere than `here` and was not said by the person."""
        return tuple(
            Label(argument=name, place=where, text=piece[:120])
            for name, text in _texts(args)
            if not self.told(text)
            for where, piece in self._elsewhere(pieces(text, hard), here)
        )

    def _elsewhere(self, parts: Iterable[str], here: str) -> Iterator[tuple[str, str]]:
        known = self.seen.get(here, Source())
        for part in parts:
            if part in self.said or known.holds(part):
                continue
            for where, source in self.seen.items():
                if where not in (here, "search") and source.holds(part):
                    yield where, part
                    return

    def smuggled(self, url: str) -> tuple[Label, ...]:
        """What an address would carry to its site: text read elsewhere, or something that nobody can read."""
        if self.told(url) or any(source.holds(plain(url)) for source in self.seen.values()):
            return ()
        goal = site(url)
        carried = {f"part {n}": text for n, text in enumerate(_values(url))}
        found = self.labels(carried, goal)
        opaque = [text for text in carried.values() if len(text) >= OPAQUE and " " not in text]
        known = goal in self.seen and bool(opaque) and self.seen[goal].holds(opaque[0].casefold())
        if not found and opaque and not known:
            found = (Label(argument="url", place="an unreadable part of the address", text=opaque[0][:120]),)
        return found


def place(url: str) -> str:
    return site(url) or ("file" if url.startswith("file:") else "the page")


def pieces(text: str, hard: bool = False) -> Iterator[str]:
    """Parts of a text that are its own: the whole, addresses and numbers, and runs of some words."""
    whole = plain(text)
    if len(whole) >= 8 and not hard:
        yield whole
    yield from (piece.strip(".,;:") for piece in HARD.findall(whole))
    if not hard:
        words = whole.split()
        for start in range(len(words) - SHINGLE + 1):
            yield " ".join(words[start : start + SHINGLE])


def _texts(args: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in args.items():
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, Mapping):
            yield from _texts(value)
        elif isinstance(value, list | tuple):
            yield from _texts({f"{name}.{n}": each for n, each in enumerate(value)})


def _values(url: str) -> Iterator[str]:
    """The readable parts of an address: names before the site, path, query; unwrapped where they are encoded."""
    parts = urlsplit(url) if parse(url) else urlsplit("")
    head = (parts.hostname or "").split(".")[:-2]
    for text in (*head, *re.split(r"[/&?=;#]", f"{parts.path}&{parts.query}&{parts.fragment}")):
        if clear := unquote_plus(text):
            yield clear
            yield from _unwrapped(clear)


def _unwrapped(text: str) -> Iterator[str]:
    """What a text says if it is base64 or hexadecimal."""
    if not re.fullmatch(r"[\w+/=-]{12,}", text):
        return
    for decode in (_unbased, bytes.fromhex):
        with contextlib.suppress(ValueError):
            yield decode(text).decode()


def _unbased(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.replace("+", "-").replace("/", "_") + "=" * (-len(text) % 4))
