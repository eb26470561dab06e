"""A request that a page wants to send, as it is judged, which of them are intercepted, and whether one only reads."""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from urllib.parse import parse_qsl, unquote, urlsplit

from pydantic import Field

from pilotfish.core.values import Value

HELD_TYPES = ("Document", "XHR", "Fetch", "Ping", "Other", "CSPViolationReport")
ENCODED_LETTERS = ("%25", "%4", "%5", "%6", "%7")
"""How letters in percent signs begin."""
COMPARED_LETTERS = 4
READING_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class HeldRequest(Value):
    """A request that a page wants to send."""

    method: str
    url: str
    kind: str = Field(default="XHR", description="the protocol's resource type: Document, XHR, Ping, WebSocket …")
    media: str = Field(default="", description="the body's content type")
    body: bytes = Field(default=b"", description="what is known of the body; files in it are left out")
    headers: Mapping[str, str] = Field(default_factory=dict)
    page: str = Field(default="", description="the address of the tab that sends it")
    tab: int = 0
    main: bool = Field(default=False, description="whether it loads a document into the tab itself, not into a frame")
    popup: bool = Field(default=False, description="whether it loads the first document of a tab that a page opened")
    redirected: bool = False
    resent: bool = Field(default=False, description="whether the agent's reload or move in the history sends it again")
    first: str = Field(default="", description="the address that redirects led here from")
    first_method: str = "GET"
    after_input: bool = Field(default=False, description="whether the agent touched the document that sends it")
    follows_input: bool = Field(default=False, description="whether the agent touched anything in the session before")
    driver: str = Field(default="agent", description="who used the tab last: agent or person")
    inputs: int = Field(default=0, description="how many inputs of the agent the tab has had")

    @property
    def reads(self) -> bool:
        return is_reading(self.method, self.url, self.headers)


RequestCheck = Callable[[HeldRequest], Awaitable[str]]


@dataclass(frozen=True)
class AddressDoubts:
    """Which requests that only read are judged all the same: those whose address says that it does something.

    `judges` says so of an address and a resource type; an address without any of `words` is not doubted. `verbs` are
    those that say so wherever they stand in an address.
    """

    judges: Callable[[str, str], bool] = lambda url, kind: False
    words: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()


def held_patterns(words: Iterable[str]) -> list[Mapping[str, str]]:
    """What is intercepted: all of some types, and of the others what may hold a doubted word in its address.

    A pattern tells capitals from small letters, so the first letters of each word stand in all their forms, and the
    others are any; letters in percent signs may hide one.
    """
    spelled = {form for word in words for form in _letter_forms(word)}
    doubted = [f"*{text}*" for text in (*sorted(spelled), *ENCODED_LETTERS)] if spelled else []
    return [
        *({"urlPattern": "*", "resourceType": kind} for kind in HELD_TYPES),
        *({"urlPattern": text} for text in doubted),
    ]


def _letter_forms(word: str) -> Iterator[str]:
    """A word with capitals and small letters in each way, as far as its first letters; a sign stands for any other."""
    beginning = [{sign, sign.upper()} for sign in word[:COMPARED_LETTERS]]
    return ("".join(signs) + "?" * len(word[COMPARED_LETTERS:]) for signs in product(*beginning))


def is_reading(method: str, url: str, headers: Mapping[str, str]) -> bool:
    """Whether a request only reads: by its method, which no header replaces, and with no GraphQL mutation in its
    address."""
    if method not in READING_METHODS:
        return False
    named = [value.upper() for name, value in headers.items() if value and _names_method(name.lower())]
    return all(value in READING_METHODS for value in named) and not find_mutation(url)


def find_mutation(url: str) -> str:
    """The GraphQL document with a mutation that an address holds; empty if it holds none."""
    if "mutation" not in unquote(url):
        return ""
    values = (value for _, value in parse_qsl(urlsplit(url).query))
    return next((text for text in values if "{" in text and "mutation" in re.findall(r"\w+", text)), "")


def _names_method(header: str) -> bool:
    """Whether a header names a method, such as X-HTTP-Method-Override; those of preflights only ask about one."""
    return "method" in header.split("-") and not header.startswith("access-control-")
