"""Finds the effects of a request from its method, its address and its body.

Pure functions of the request; they know no run. `enforcement/request_guard.py` applies the policy to them.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import takewhile
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pilotfish.browser.sessions.held_request import HeldRequest
from pilotfish.core.policy import EffectKind
from pilotfish.safety.address import site_of
from pilotfish.safety.address_words import action_word, path_words, split_words
from pilotfish.safety.effects import EffectFinding
from pilotfish.safety.request_body import RequestBody, shorten

STRONG_EFFECTS: tuple[EffectKind, ...] = ("buy", "delete", "account", "upload", "send", "publish")
VARIABLE_PART = re.compile(r"\d|^[0-9a-f-]{8,}$|^.{33,}$")
METHOD_WORDS = {"DELETE": "delete"}
DIGITS = re.compile(r"\d+")
SHOWN_ADDRESS, SHOWN_CONTENT, LONGEST_NAME = 120, 400, 32
"""Characters of the address and of the content that a person is shown, and of a part of a path that names something."""


@cache
def request_words() -> Mapping[str, frozenset[str]]:
    """The lists of `request_effects.toml` by name, such as `effects.buy`."""
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return {
        f"{table}.{name}": frozenset(word.strip() for word in re.split(r"[|\n]", text) if word.strip())
        for table, lists in tables.items()
        for name, text in lists.items()
    }


def named_words(request: HeldRequest, body: RequestBody) -> tuple[str, ...]:
    """All words that name what a request does: of its path, its operation and its action fields."""
    named = (body.operation, *body.actions)
    return (
        *path_words(request.url),
        *_hidden_words(request.url),
        *(word for name in named for word in split_words(name)),
    )


def inner_words(body: RequestBody) -> tuple[str, ...]:
    """The words of what is said within the body's values and in the address's query."""
    return tuple(word for name in body.inner for word in split_words(name))


def request_kind(request: HeldRequest, body: RequestBody) -> str:
    """The kind of a request: method, host, path without numbers, the site that sends it, and the names of the fields.

    What one site's pages send says nothing about what another's may.
    """
    said = sorted(DIGITS.sub("*", name) for name in body.inner)
    named = ",".join((*["mutation"] * bool(body.mutates), body.operation, *body.actions, *said))
    return f"{request_place(request)} {','.join(body.keys)} {named}"[:1000]


def request_place(request: HeldRequest) -> str:
    """Method, host, path without numbers, and the site that sends it: the beginning of `request_kind`."""
    parts = urlsplit(request.url)
    path = "/".join("*" if VARIABLE_PART.search(part) else part for part in parts.path[:500].split("/"))
    return f"{request.method} {parts.netloc}{path} from {sending_site(request)}"


def sending_site(request: HeldRequest) -> str:
    """The site whose document sends a request, as the browser names it; without a name, that of the tab.

    A document without an origin, such as that of a sandboxed frame, is known by its referrer, else it is nobody's:
    unless it is the page itself, whose forms have no origin either where it tells no referrer.
    """
    if request.headers.get("origin", "") == "null":
        return site_of(request.headers.get("referer", "")) or (site_of(request.page) if request.main else "")
    return site_of(request.headers.get("origin", "")) or site_of(request.page)


def names_action(request: HeldRequest) -> bool:
    """Whether a part of the path names an action."""
    return bool(set(path_words(request.url)) & request_words()["harmless.doing"])


def is_telemetry(request: HeldRequest, body: RequestBody, by_page: bool = False) -> bool:
    """Whether a request is telemetry: a report of the browser, or named so and without words of an effect.

    Words that apps also use for what they keep, such as "log", count in the name of a host, and in a path only if pages
    send there by themselves (`by_page`).
    """
    if request.kind == "CSPViolationReport":
        return True
    sure, vague = request_words()["harmless.telemetry"], request_words()["harmless.vague"]
    known = sure | vague if by_page else sure
    there, site = urlsplit(request.url).netloc, site_of(request.url)
    # The name of a site says nothing of what its own pages send.
    end = site if site == sending_site(request) else there.rpartition(".")[2]
    host = {word for label in there.partition(end)[0].split(".") for word in split_words(label)}
    named = set(named_words(request, body))
    measures = bool((sure | vague) & host) or (known & named and not _verbs() & set(inner_words(body)))
    return bool(measures) and not strong_word(named) and not body.files


def is_query(request: HeldRequest, body: RequestBody) -> bool:
    """Whether a request only reads: a GraphQL query, or an address whose last words name a query, or if nothing is sent
    with it, something that is asked for."""
    if body.files or body.mutates or body.unread or request.method != "POST" or _is_doubted(request) or _hides(body):
        return False
    said = {*inner_words(body), *_hidden_words(request.url)}
    if (said | (set(path_words(request.url)) - {"transfer"})) & _verbs() or (
        body.mutates is None and strong_word(said)
    ):
        return False
    if body.mutates is False:
        named = (*_last_path_part(request.url), *body.actions)
        return not strong_word(word for name in named for word in split_words(name))
    known = request_words()["harmless.query"]
    if not body.fields and body.size <= len("{}"):
        known = known | request_words()["harmless.asked"]
    named = (body.operation, *body.actions) if body.operation or body.actions else _last_path_part(request.url)
    said = [set(split_words(name)) for name in named if name]
    plain = all(words & known and not words & _verbs() for words in said)
    return bool(said) and plain


def is_login(request: HeldRequest) -> bool:
    """Whether the last part of an address names a sign-in."""
    words = {word for name in _last_path_part(request.url) for word in split_words(name)}
    return bool(words & request_words()["harmless.login"])


def is_undoable(request: HeldRequest, body: RequestBody) -> bool:
    """Whether a request changes something that is easily undone: a cart, a mark, a draft.

    The last part of the path names the action, the parts before it the object; a boolean field names a mark where
    nothing but numbers, identifiers and paths goes with it.
    """
    named = {*_action_words(request, body), *_hidden_words(request.url), *inner_words(body)}
    if body.unread or _hides(body) or named & request_words()["harmless.final"] or _is_doubted(request):
        return False
    values = {name: value.casefold() for name, value in body.fields}
    marks = [name.rpartition(".")[2] for name, value in values.items() if value in ("true", "false")]
    others = [value for value in values.values() if value not in ("true", "false", "")]
    marks = marks if all(value.startswith("/") or VARIABLE_PART.search(value) for value in others) else []
    removable = request_words()["harmless.removable"] | request_words()["harmless.undoable"]
    marks = marks if all(removable & set(split_words(name)) for name in marks) else []
    every = named | set(path_words(request.url)) | {word for name in marks for word in split_words(name)}
    removes = bool(every & request_words()["effects.delete"]) or request.method == "DELETE"
    known = request_words()["harmless.removable" if removes else "harmless.undoable"]
    found = {effect for effect, words in _effects().items() if words & named} - {"delete"}
    return bool(every & known) and not found and not body.files


def find_effects(request: HeldRequest, body: RequestBody) -> tuple[EffectFinding, ...]:
    """The effects of a request that changes something, each with its reason and the site that receives it."""
    receiver = site_of(request.url)
    named = named_words(request, body)
    found = list[EffectFinding]()
    if body.files:
        found.append(EffectFinding("upload", f"it holds {', '.join(body.files[:3])}", receiver))
    if body.has_hidden("password"):
        found.append(EffectFinding("secret", "it holds a password", receiver))
    if body.has_hidden("card"):
        found.append(EffectFinding("buy", "it holds payment details", receiver))
    placed = set(named) - _action_words(request, body) - _verbs() - _effects()["account"]
    strong = strong_word((*(word for word in named if word not in placed), *inner_words(body)))
    if strong:
        found.append(EffectFinding(strong[0], f"the request says “{strong[1]}”", receiver))
    elif request.method in METHOD_WORDS:
        found.append(EffectFinding("delete", f"its method is {request.method}", receiver))
    return tuple(found) or (
        EffectFinding("submit", "it sends something that may change what the site keeps", receiver),
    )


def find_visit(request: HeldRequest) -> EffectFinding | None:
    """The effect that the words of an address name; None if they name none."""
    word = action_word(request.url)
    if not word:
        return None
    strong = strong_word(split_words(word))
    return EffectFinding(strong[0] if strong else "submit", f"the address says “{word}”", site_of(request.url))


def strong_word(named: Iterable[str]) -> tuple[EffectKind, str] | None:
    """The strongest effect that a word names, and the word."""
    spelled = tuple(named)
    for effect in STRONG_EFFECTS:
        if word := next((word for word in spelled if word in _effects()[effect]), ""):
            return effect, word
    return None


def describe_request(request: HeldRequest, body: RequestBody) -> str:
    """Method, place and data in words that people can read."""
    parts = urlsplit(request.url)
    query = f"?{parts.query}" if parts.query and request.method == "GET" else ""
    place = shorten(f"{parts.netloc}{parts.path}{query}", SHOWN_ADDRESS)
    content = body.describe(request_words()["hidden.fields"])
    verb = {"MESSAGE": "a message"}.get(request.method, request.method)
    return f"{verb} to {place}{f' with {shorten(content, SHOWN_CONTENT)}' if content else ''}"


def _action_words(request: HeldRequest, body: RequestBody) -> set[str]:
    """The words that name the action: of the path's last part, the operation and the action fields."""
    return {
        word for name in (*_last_path_part(request.url), body.operation, *body.actions) for word in split_words(name)
    }


def _hides(body: RequestBody) -> bool:
    """Whether a body holds a password or payment details."""
    return body.has_hidden("password") or body.has_hidden("card")


def _is_doubted(request: HeldRequest) -> bool:
    """Whether a word that is harmless elsewhere is the last of a path that names money, an account or a card."""
    last = {word for part in _last_path_part(request.url) for word in split_words(part)}
    every = {word for part in path_words(request.url) for word in (part, *split_words(DIGITS.sub(" ", part)))}
    guarded = request_words()["harmless.guarded"] | _effects()["buy"] | _effects()["account"]
    return bool(last & request_words()["harmless.doubted"] and every & guarded)


def _hidden_words(url: str) -> list[str]:
    """The words in the last parts of a path that hold numbers, which `_last_path_part` leaves out."""
    parts = [part for part in urlsplit(url).path[:1000].split("/") if part]
    ends = [unquote(part) for part in takewhile(VARIABLE_PART.search, reversed(parts)) if len(part) <= LONGEST_NAME]
    return [word for part in ends for word in split_words(DIGITS.sub(" ", part))]


def _last_path_part(url: str) -> tuple[str, ...]:
    """The words of the last part of a path that is no number."""
    parts = [part for part in urlsplit(url).path[:1000].split("/") if part and not VARIABLE_PART.search(part)]
    return (unquote(parts[-1]),) if parts else ()


@cache
def _effects() -> Mapping[EffectKind, frozenset[str]]:
    return {effect: request_words()[f"effects.{effect}"] for effect in STRONG_EFFECTS}


@cache
def _verbs() -> frozenset[str]:
    """Words that name an action, not only an object."""
    lists = request_words()
    return lists["effects.delete"] | frozenset({"send", "pay", "buy", "publish", "approve", "transfer", "submit"})
