"""What every request passes before anything else sees it: where it comes from, how much, how often, and who it is.

Host and Origin are checked, so that no other site, and no name that was made to point here, can speak to the server.
Everything but the pages of the UI, the way in and the health checks needs a token.
"""

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection

from pilotfish.interfaces.buckets import Buckets
from pilotfish.interfaces.problems import Refusal, problem, response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from pilotfish.core.people import User
    from pilotfish.parts.people import People

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
CLOSED = re.compile(r"/(api|v1|ws|mcp|agui|metrics)(/|$)")
OPEN = frozenset({"/api/session", "/api/health", "/api/ready", "/api/openapi.json"})
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
BODY = 1_000_000
PICTURES = 20_000_000
BIG = re.compile(r"/(v1|agui|api/runs|api/audit|api/conversations)(/|$)")
NUMERIC = re.compile(r"[0-9.]+|\[[0-9a-fA-F:.]+\]")
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Gate:
    """An ASGI middleware; `hosts` are the names under which the server may be called besides loopback's."""

    def __init__(self, app: "ASGIApp", people: "People", host: str, hosts: Collection[str]) -> None:
        self.app = app
        self.people = people
        self.hosts = {*LOOPBACK, host, *hosts}
        self.wide = host not in ("127.0.0.1", "localhost", "::1")
        self.pace = Buckets(rate=100, burst=400)
        self.guesses = Buckets(rate=0.2, burst=20)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        try:
            address = self.placed(scope, headers)
            await self.known(scope, headers, address)
            if scope["type"] == "http":
                receive = await bounded(scope, headers, receive)
        except Refusal as refusal:
            return await self.refuse(refusal, scope, receive, send)

        async def dressed(message: "Message") -> None:
            if message["type"] == "http.response.start":
                dress(MutableHeaders(scope=message), address, scope["path"])
            await send(message)

        return await self.app(scope, receive, dressed)

    def placed(self, scope: "Scope", headers: Headers) -> str:
        """The address by which the server was called, once it is sure that no other site is calling."""
        if len(headers.getlist("host")) > 1:
            raise Refusal(400, "two_hosts", "A request names one host.", "Send one Host header.")
        address = headers.get("host", "").lower()
        name, _, port = address.partition(":") if not address.startswith("[") else address.rpartition(":")
        served = scope.get("server") or ("", 0)
        known = name in self.hosts or (self.wide and bool(NUMERIC.fullmatch(name)))
        if not known or (port and port != str(served[1]) and name in LOOPBACK):
            raise Refusal(421, "wrong_host", "This server is not known by that name.", "Add it to server.hosts.")
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in (f"http://{address}", f"https://{address}"):
            raise Refusal(
                403, "foreign_origin", "Other sites may not speak to this server.", "Use a token, no browser."
            )
        visits = headers.get("sec-fetch-mode") == "navigate" and scope.get("method") in SAFE
        away = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if away and (not visits or CLOSED.match(scope["path"])):
            raise Refusal(403, "foreign_site", "Other sites may not speak to this server.", "Open it in a new tab.")
        return address

    async def known(self, scope: "Scope", headers: Headers, address: str) -> None:
        """Find out who it is; refuse who must be known and is not."""
        token, carried = presented(scope, headers)
        client = (scope.get("client") or ("",))[0]
        user = await self.people.who(token) if token else None
        if not self.pace.take(user.id if user else client):
            raise Refusal(429, "too_many", "That is too much at once.", "Wait a moment.")
        if user is None and token and not self.guesses.take(client):
            raise Refusal(429, "too_many", "Too many wrong tokens.", "Wait a minute.")
        scope.setdefault("state", {})["user"] = user
        if not CLOSED.match(scope["path"]) or scope["path"] in OPEN:
            return
        if user is None:
            raise Refusal(
                401, "no_token", "Say who you are.", "Open the address that `pilotfish` printed, or send a token."
            )
        changing = scope["type"] == "websocket" or scope["method"] not in SAFE
        ours = headers.get("origin") is not None or headers.get("sec-fetch-site") == "same-origin"
        if carried and changing and not ours:
            raise Refusal(403, "no_origin", "A cookie alone is not enough here.", "Send the token as Bearer.")

    async def refuse(self, refusal: Refusal, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "websocket":
            await receive()
            return await send({"type": "websocket.close", "code": 1008, "reason": refusal.message})
        answer = response(problem(refusal), scope["path"])
        dress(answer.headers, "", scope["path"])
        return await answer(scope, receive, send)


def cookie(scope: "Scope") -> str:
    """The session cookie's name. Cookies are shared by all ports of a host, so the port is part of it."""
    return f"pilotfish_{(scope.get('server') or ('', 0))[1]}"


def presented(scope: "Scope", headers: Headers) -> tuple[str, bool]:
    """The token that came with a request, and whether a cookie carried it."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return token.strip(), False
    if "x-api-key" in headers:
        return headers["x-api-key"].strip(), False
    return HTTPConnection(scope).cookies.get(cookie(scope), ""), True


def whose(connection: HTTPConnection) -> "User":
    """Who the gate found."""
    user: User | None = connection.scope["state"].get("user")
    if user is None:
        raise Refusal(401, "no_token", "Say who you are.", "Open the address that `pilotfish` printed.")
    return user


def dress(headers: MutableHeaders, address: str, path: str) -> None:
    """The headers that keep browsers careful."""
    for name, value in HEADERS.items():
        headers[name] = value
    connect = f"'self' ws://{address} wss://{address}" if address else "'self'"
    headers.setdefault(
        "content-security-policy",
        f"default-src 'self'; img-src 'self' data: blob:; connect-src {connect}; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    if CLOSED.match(path):
        headers.setdefault("cache-control", "no-store")


async def bounded(scope: "Scope", headers: Headers, receive: "Receive") -> "Receive":
    """Refuse a body that is too large, also one whose size was not told beforehand."""
    limit = PICTURES if BIG.match(scope["path"]) else BODY
    told = headers.get("content-length", "")
    if told.isdigit() and int(told) > limit:
        raise Refusal(413, "too_large", f"That is more than {limit // 1_000_000} MB.", "Send less.")
    if "transfer-encoding" not in headers:
        return receive
    held: list[Message] = []
    size = 0
    while True:
        message = await receive()
        held.append(message)
        size += len(message.get("body", b""))
        if size > limit:
            raise Refusal(413, "too_large", f"That is more than {limit // 1_000_000} MB.", "Send less.")
        if not message.get("more_body"):
            break

    async def again() -> "Message":
        return held.pop(0) if held else await receive()

    return again
