"""Web push: browsers that want notices also while no page is open, and the messages to their push services."""

import asyncio
import hashlib
import json
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import Field

from pilotfish.core.errors import NotFoundError, PersonError
from pilotfish.core.events import current_time
from pilotfish.core.schedules import Notice
from pilotfish.core.settings import NoticeSettings
from pilotfish.core.values import Value
from pilotfish.safety.push_encryption import (
    check_receiver,
    decode,
    encode,
    encrypt_push,
    make_push_key,
    read_point,
    sign_push,
)
from pilotfish.services.notice_delivery import TIMEOUT, UndeliverableNotice, write_title

if TYPE_CHECKING:
    from pilotfish.store.base import Store

KIND = "push"
MOST_BROWSERS = 20
KEPT_SECONDS = 24 * 3600
"""For so many seconds a push service keeps a message for a browser that is not running."""
TEXT_LENGTH = 300
LOOPBACK = ("127.0.0.1", "::1", "localhost")
GONE_CODES = (404, 410)


class PushTarget(Value):
    """Where a browser takes messages, as its push service said, and the keys that they are encrypted with."""

    endpoint: str = Field(max_length=1000)
    p256dh: str = Field(max_length=200, description="the browser's public key")
    auth: str = Field(max_length=100, description="a secret of the browser and this server")
    name: str = Field(default="", max_length=100, description="what a person knows the browser by")


class PushBrowser(Value):
    """A browser that gets notices, as people see it in a list."""

    id: str
    name: str
    service: str = Field(description="the host that passes messages on; it cannot read them")
    since: datetime


class _KeptTarget(PushTarget):
    """A target with the time when it was added."""

    since: datetime = Field(default_factory=current_time)


class WebPush:
    """The browsers of all users, and sending to them."""

    def __init__(self, store: "Store", home: Path) -> None:
        self.store = store
        self.home = home

    def read_key(self) -> str:
        """The public key that a browser must name to its push service."""
        return encode(read_point(make_push_key(self.home)))

    async def add(self, target: PushTarget, user: str, settings: NoticeSettings) -> PushBrowser:
        """Send notices to a browser from now on. One that is known is kept with its new keys."""
        if not check_receiver(decode(target.p256dh), decode(target.auth)):
            raise PersonError("These are no keys of a browser.", "Turn notifications off and on again on the page.")
        if not is_service(target.endpoint, settings.push_services):
            host = urlsplit(target.endpoint).hostname or target.endpoint[:100]
            raise PersonError(f"{host!r} is no push service that the settings name.", "See notices.push_services.")
        known = await self.store.entries(KIND, f"{user}:")
        key = f"{user}:{hash_endpoint(target.endpoint)}"
        if key not in known and len(known) >= MOST_BROWSERS:
            raise PersonError(f"{MOST_BROWSERS} browsers get your notices already.", "Take one of them out first.")
        kept = _KeptTarget.model_validate(target.model_dump())
        await self.store.put(KIND, key, kept.model_dump_json().encode())
        return describe_target(kept)

    async def list(self, user: str) -> Sequence[PushBrowser]:
        """The browsers of a user, oldest first."""
        return sorted(map(describe_target, await self._targets(user)), key=lambda each: each.since)

    async def drop(self, id: str, user: str) -> None:
        """Send nothing to a browser any more."""
        if not await self.store.drop(KIND, f"{user}:{id}"):
            raise NotFoundError("There is no such browser.", "See /api/push for those that get notices.")

    async def send(self, notice: Notice, settings: NoticeSettings) -> int:
        """Send a notice to all browsers of its user, and say how many; raises an error if one did not take it."""
        targets = await self._targets(notice.user)
        sent = await asyncio.gather(
            *(self._send_one(target, notice, settings) for target in targets), return_exceptions=True
        )
        for failure in sent:
            if isinstance(failure, BaseException):
                raise failure
        return len(targets)

    async def _send_one(self, target: PushTarget, notice: Notice, settings: NoticeSettings) -> None:
        import httpx2

        host = urlsplit(target.endpoint).hostname or ""
        if not is_service(target.endpoint, settings.push_services):
            raise UndeliverableNotice(
                f"Skipped: {host} is no push service that notices.push_services names.", final=True
            )
        body = encrypt_push(write_message(notice), decode(target.p256dh), decode(target.auth))
        headers = {
            "authorization": sign_push(make_push_key(self.home), target.endpoint, name_contact(settings), time.time()),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(KEPT_SECONDS),
            "urgency": "normal" if notice.kind == "result" else "high",
            # A message with the same topic takes the place of one that was not delivered yet.
            "topic": hash_endpoint(notice.id),
        }
        try:
            async with httpx2.AsyncClient(timeout=TIMEOUT, follow_redirects=False) as client:
                answer = await client.post(target.endpoint, content=body, headers=headers)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise UndeliverableNotice(f"{host} could not be reached: {type(error).__name__}.") from error
        if answer.status_code in GONE_CODES:
            await self.store.drop(KIND, f"{notice.user}:{hash_endpoint(target.endpoint)}")
        elif not answer.is_success:
            raise UndeliverableNotice(f"{host} answered {answer.status_code}.")

    async def _targets(self, user: str) -> Sequence[_KeptTarget]:
        kept = await self.store.entries(KIND, f"{user}:")
        return [_KeptTarget.model_validate_json(each) for each in kept.values()]


def is_service(endpoint: str, services: Sequence[str]) -> bool:
    """Whether an endpoint belongs to one of these hosts or a host below them. Nothing else is ever sent to."""
    try:
        parts = urlsplit(endpoint)
        host = (parts.hostname or "").lower()
    except ValueError:
        return False
    secured = parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK)
    return secured and any(host == each.lower() or host.endswith(f".{each.lower()}") for each in services)


def describe_target(target: _KeptTarget) -> PushBrowser:
    service = urlsplit(target.endpoint).hostname or ""
    return PushBrowser(id=hash_endpoint(target.endpoint), name=target.name, service=service, since=target.since)


def write_message(notice: Notice) -> bytes:
    """What the browser gets, as JSON. Its link is a path of the server that the browser got its page from."""
    shown = {"title": write_title(notice), "text": notice.text[:TEXT_LENGTH], "link": notice.link}
    return json.dumps({**shown, "tag": notice.id}, ensure_ascii=False).encode()


def name_contact(settings: NoticeSettings) -> str:
    """Whom a push service may ask about messages of this server."""
    mail = settings.mail_from or settings.mail_to.partition(",")[0].strip()
    if mail:
        return f"mailto:{mail}"
    return settings.address if settings.address.startswith("https://") else "mailto:nobody@example.com"


def hash_endpoint(text: str) -> str:
    """A name of at most 32 letters for a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]
