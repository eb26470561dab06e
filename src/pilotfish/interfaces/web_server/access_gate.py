"""Checks every request first: its origin, size and rate, and the user.

Host and Origin are checked, so that no other site, and no foreign name that resolves to this server, can use it.
Everything but the pages of the UI, the sign-in and the health checks needs a token. Pages of the sites in
`server.origins` may connect to `/ws`: their token stands in the subprotocol or the first message, never in a cookie.
"""

import re
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection

from pilotfish.interfaces.web_server.problems import RequestRefused, problem_for, problem_response
from pilotfish.interfaces.web_server.rate_limit import RateLimiter

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from pilotfish.core.settings import ServerSettings
    from pilotfish.core.users import User
    from pilotfish.services.users import UserDirectory

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
SOCKET_PATH = "/ws"
PROTECTED_PATHS = re.compile(r"/(api|v1|ws|mcp|agui|metrics)(/|$)")
PAIRING_PATH = "/api/extension/pair"
EXTENSION = re.compile(r"chrome-extension://[a-p]{32}")
OPEN_PATHS = frozenset({"/api/session", "/api/health", "/api/ready", "/api/openapi.json"})
METHOD_HEADER = "x-pilotfish-method"
READING_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
LARGEST_BODY = 1_000_000
LARGEST_WITH_PICTURES = 20_000_000
LARGE_BODY_PATHS = re.compile(r"/(v1|agui|mcp|api/runs|api/audit|api/conversations)(/|$)")
NUMERIC_HOST = re.compile(r"[0-9.]+|\[[0-9a-fA-F:.]+\]")
SECURITY_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class AccessGate:
    """An ASGI middleware; `hosts` are the names under which the server may be called besides loopback's."""

    def __init__(self, app: "ASGIApp", people: "UserDirectory", server: "ServerSettings") -> None:
        host = server.host
        self.app = app
        self.users = people
        self.hosts = {*LOOPBACK, host, *server.hosts}
        self.origins = {origin.lower().rstrip("/") for origin in server.origins}
        self.wide = host not in ("127.0.0.1", "localhost", "::1")
        self.pace = RateLimiter(rate=100, burst=400)
        self.guesses = RateLimiter(rate=0.2, burst=20)

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        headers = Headers(scope=scope)
        try:
            unmask_method(scope, headers)
            address = self.check_origin(scope, headers)
            await self.identify(scope, headers, address)
            if scope["type"] == "http":
                receive = await limit_body(scope, headers, receive)
        except RequestRefused as refusal:
            return await self.refuse(refusal, scope, receive, send)

        async def send_with_headers(message: "Message") -> None:
            if message["type"] == "http.response.start":
                add_headers(MutableHeaders(scope=message), address, scope["path"])
            await send(message)

        return await self.app(scope, receive, send_with_headers)

    def check_origin(self, scope: "Scope", headers: Headers) -> str:
        """The address by which the server was called; refuses requests of other sites."""
        if len(headers.getlist("host")) > 1:
            raise RequestRefused(400, "two_hosts", "A request names one host.", "Send one Host header.")
        address = headers.get("host", "").lower()
        name, _, port = address.partition(":") if not address.startswith("[") else address.rpartition(":")
        served = scope.get("server") or ("", 0)
        known = name in self.hosts or (self.wide and bool(NUMERIC_HOST.fullmatch(name)))
        elsewhere = port and port != str(served[1]) and name in LOOPBACK
        if address not in self.hosts and (elsewhere or not known):
            raise RequestRefused(421, "wrong_host", "This server is not known by that name.", "Add it to server.hosts.")
        origin = headers.get("origin")
        if origin is not None and (EXTENSION.fullmatch(origin) or self.is_admitted(scope, origin)):
            return address
        if origin is not None and origin.lower() not in (f"http://{address}", f"https://{address}"):
            raise RequestRefused(
                403, "foreign_origin", "Other sites may not speak to this server.", "Use a token, no browser."
            )
        visits = headers.get("sec-fetch-mode") == "navigate" and scope.get("method") in READING_METHODS
        away = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if away and (not visits or PROTECTED_PATHS.match(scope["path"])):
            raise RequestRefused(
                403, "foreign_site", "Other sites may not speak to this server.", "Open it in a new tab."
            )
        return address

    async def identify(self, scope: "Scope", headers: Headers, address: str) -> None:
        """Find the user of a request; refuse a request that needs one and has none."""
        token, carried = presented_token(scope, headers)
        admitted = self.is_admitted(scope, headers.get("origin") or "")
        if carried and admitted:
            token = ""
        client = (scope.get("client") or ("",))[0]
        if not await self.knows_extension(scope["path"], headers, token, carried):
            raise RequestRefused(
                403, "foreign_origin", "This extension is not paired with Pilotfish.", "Pair it first."
            )
        user = await self.find_user(token, client)
        if not self.pace.take(user.id if user else client):
            raise RequestRefused(429, "too_many", "That is too much at once.", "Wait a moment.")
        scope.setdefault("state", {}).update(user=user, token=token, find_user=self.find_user)
        pairs = scope["path"] == PAIRING_PATH and EXTENSION.fullmatch(headers.get("origin") or "")
        if not PROTECTED_PATHS.match(scope["path"]) or scope["path"] in OPEN_PATHS or pairs:
            return
        if user is None and (token or not admitted):
            raise RequestRefused(
                401, "no_token", "Say who you are.", "Open the address that `pilotfish` printed, or send a token."
            )
        changing = scope["type"] == "websocket" or scope["method"] not in READING_METHODS
        ours = headers.get("origin") is not None or headers.get("sec-fetch-site") == "same-origin"
        if carried and changing and not ours:
            raise RequestRefused(403, "no_origin", "A cookie alone is not enough here.", "Send the token as Bearer.")

    def is_admitted(self, scope: "Scope", origin: str) -> bool:
        """Whether a page of this other origin may open the socket."""
        return scope["type"] == "websocket" and scope["path"] == SOCKET_PATH and origin.lower() in self.origins

    async def find_user(self, token: str, client: str) -> "User | None":
        """The user of a token; None without one. Too many wrong ones of a client are refused."""
        user = await self.users.find_by_token(token) if token else None
        if user is None and token and not self.guesses.take(client):
            raise RequestRefused(429, "too_many", "Too many wrong tokens.", "Wait a minute.")
        return user

    async def knows_extension(self, path: str, headers: Headers, token: str, carried: bool) -> bool:
        """Whether an extension may speak: to pair, or with the token that its own origin was given; others may.

        Chrome names no origin where an extension only reads, so such a request is refused: see `unmask_method`.
        """
        origin = headers.get("origin") or ""
        record = await self.users.token_record(token) if token and not carried else None
        if record is not None and record.origin:
            return record.origin == origin
        reads = not origin and headers.get("sec-fetch-site") == "none" and headers.get("sec-fetch-mode") != "navigate"
        foreign = EXTENSION.fullmatch(origin) or (reads and PROTECTED_PATHS.match(path) and path not in OPEN_PATHS)
        return not foreign or path == PAIRING_PATH

    async def refuse(self, refusal: RequestRefused, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["type"] == "websocket":
            await receive()
            return await send({"type": "websocket.close", "code": 1008, "reason": refusal.message})
        answer = problem_response(problem_for(refusal), scope["path"])
        add_headers(answer.headers, "", scope["path"])
        return await answer(scope, receive, send)


def unmask_method(scope: "Scope", headers: Headers) -> None:
    """An extension posts what it reads, since Chrome names its origin only then, and says which method it means."""
    posts = scope["type"] == "http" and scope["method"] == "POST"
    if posts and EXTENSION.fullmatch(headers.get("origin") or "") and headers.get(METHOD_HEADER) == "GET":
        scope["method"] = "GET"


def cookie_name(scope: "Scope") -> str:
    """The session cookie's name. Cookies are shared by all ports of a host, so the port is part of it."""
    return f"pilotfish_{(scope.get('server') or ('', 0))[1]}"


def presented_token(scope: "Scope", headers: Headers) -> tuple[str, bool]:
    """The token that came with a request, and whether a cookie carried it."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return token.strip(), False
    if "x-api-key" in headers:
        return headers["x-api-key"].strip(), False
    if offered := [each.strip() for each in headers.get("sec-websocket-protocol", "").split(",")][1:]:
        return offered[0], False
    return HTTPConnection(scope).cookies.get(cookie_name(scope), ""), True


def user_of(connection: HTTPConnection) -> "User":
    """The user that the gate found for a request."""
    user: User | None = connection.scope["state"].get("user")
    if user is None:
        raise RequestRefused(401, "no_token", "Say who you are.", "Open the address that `pilotfish` printed.")
    return user


def add_headers(headers: MutableHeaders, address: str, path: str) -> None:
    """Add the security headers."""
    for name, value in SECURITY_HEADERS.items():
        headers[name] = value
    connect = f"'self' ws://{address} wss://{address}" if address else "'self'"
    headers.setdefault(
        "content-security-policy",
        f"default-src 'self'; img-src 'self' data: blob:; connect-src {connect}; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    if PROTECTED_PATHS.match(path):
        headers.setdefault("cache-control", "no-store")


async def limit_body(scope: "Scope", headers: Headers, receive: "Receive") -> "Receive":
    """Refuse a body that is too large, also one without a Content-Length."""
    limit = LARGEST_WITH_PICTURES if LARGE_BODY_PATHS.match(scope["path"]) else LARGEST_BODY
    announced = headers.get("content-length", "")
    if announced.isdigit() and int(announced) > limit:
        raise RequestRefused(413, "too_large", f"That is more than {limit // 1_000_000} MB.", "Send less.")
    if "transfer-encoding" not in headers:
        return receive
    held: list[Message] = []
    size = 0
    while True:
        message = await receive()
        held.append(message)
        size += len(message.get("body", b""))
        if size > limit:
            raise RequestRefused(413, "too_large", f"That is more than {limit // 1_000_000} MB.", "Send less.")
        if not message.get("more_body"):
            break

    async def receive_held() -> "Message":
        return held.pop(0) if held else await receive()

    return receive_held
