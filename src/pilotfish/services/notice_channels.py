"""The channels over which people are told: desktop, web push, signed webhook, e-mail and ntfy."""

import asyncio
import hashlib
import hmac
import json
import shutil
import smtplib
import ssl
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from email.message import EmailMessage
from email.utils import format_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pilotfish.core.errors import PersonError
from pilotfish.core.schedules import Channel, Notice
from pilotfish.core.settings import NoticeSettings
from pilotfish.core.users import LOCAL
from pilotfish.services.notice_delivery import TIMEOUT, UndeliverableNotice, write_title

if TYPE_CHECKING:
    from pilotfish.safety.secrets import SecretVault
    from pilotfish.services.web_push import WebPush

APPLE_SCRIPT = "on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run"


Send = Callable[[Notice, str], Awaitable[None]]
"""Sends a notice, with the whole address of its link."""


class NoticeChannels:
    """Sends notices as the settings say."""

    def __init__(self, settings: NoticeSettings, vault: "SecretVault", push: "WebPush") -> None:
        self.settings = settings
        self.vault = vault
        self.push = push

    async def send(self, notice: Notice, link: str) -> None:
        """Send a notice over its channel; raises UndeliverableNotice."""
        ways: Mapping[Channel, Send] = {
            "page": self._page,
            "desktop": self._desktop,
            "webhook": self._webhook,
            "email": self._email,
            "ntfy": self._ntfy,
        }
        await ways[notice.channel](notice, link)

    async def _desktop(self, notice: Notice, link: str) -> None:
        title, text = write_title(notice), notice.text[:300]
        if sys.platform == "darwin" and shutil.which("osascript"):
            # What begins with a dash would be read as an option, and could be a script of its own.
            words = ["osascript", "-e", APPLE_SCRIPT, title.lstrip("- "), text.lstrip("- ")]
        elif shutil.which("notify-send"):
            words = ["notify-send", "--app-name=Pilotfish", "--", title, text]
        else:
            raise UndeliverableNotice("Skipped: this machine has neither notify-send nor osascript.", final=True)
        try:
            async with asyncio.timeout(TIMEOUT):
                done = await asyncio.create_subprocess_exec(
                    *words, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
                )
                _, said = await done.communicate()
        except (OSError, TimeoutError) as error:
            raise UndeliverableNotice(f"The desktop did not take it: {error}.") from error
        if done.returncode:
            raise UndeliverableNotice(f"The desktop did not take it: {said.decode(errors='replace')[:200].strip()}")

    async def _page(self, notice: Notice, link: str) -> None:
        """An open page reads its notices itself; browsers that want them without one are sent them."""
        await self.push.send(notice, self.settings)

    async def _webhook(self, notice: Notice, link: str) -> None:
        url = _require(self.settings.webhook_url, "notices.webhook_url")
        shown = notice.model_dump(mode="json", include={"id", "kind", "title", "text", "run", "schedule", "at"})
        body = json.dumps({**shown, "link": link}, ensure_ascii=False).encode()
        secret = self.settings.webhook_secret.get_secret_value()
        await _post(url, body, {"content-type": "application/json", **sign_body(secret, body, notice.id)})

    async def _ntfy(self, notice: Notice, link: str) -> None:
        url = _require(self.settings.ntfy_url, "notices.ntfy_url").rstrip("/")
        address, _, topic = url.rpartition("/")
        if not topic or not urlsplit(url).path.strip("/"):
            raise UndeliverableNotice("Skipped: notices.ntfy_url names no topic.", final=True)
        message: dict[str, str | int] = {
            "topic": topic,
            "title": write_title(notice),
            "message": notice.text or notice.title,
            "click": link,
        }
        message["priority"] = 3 if notice.kind == "result" else 4
        token = self.settings.ntfy_token.get_secret_value()
        await _post(address, json.dumps(message).encode(), {"authorization": f"Bearer {token}"} if token else {})

    async def _email(self, notice: Notice, link: str) -> None:
        settings = self.settings
        host, to = _require(settings.smtp_host, "notices.smtp_host"), _require(settings.mail_to, "notices.mail_to")
        message = EmailMessage()
        message["Subject"] = " ".join(write_title(notice).split())[:200]
        message["From"] = settings.mail_from or settings.smtp_user or "pilotfish@localhost"
        message["To"] = to
        message["Date"] = format_datetime(notice.at)
        # The same for repeated tries, so that mail programs show one message.
        message["Message-ID"] = f"<{hashlib.sha256(notice.id.encode()).hexdigest()[:32]}@pilotfish.invalid>"
        message["X-Pilotfish-Delivery"] = notice.id
        message.set_content(f"{notice.text}\n\n{link}\n")
        password = await self._read_password(host)
        try:
            await asyncio.to_thread(send_mail, settings, message, password)
        except (OSError, smtplib.SMTPException) as error:
            raise UndeliverableNotice(f"The mail server did not take it: {error}."[:300]) from error

    async def _read_password(self, host: str) -> str:
        """The password of the mail account: a kept secret that is bound to the mail server's name."""
        name = self.settings.smtp_password
        if not name:
            return ""
        try:
            secret = await self.vault.get(LOCAL, name)
        except PersonError as error:
            raise UndeliverableNotice(f"Skipped: {error.message}", final=True) from error
        if host.lower() not in {(urlsplit(origin).hostname or "").lower() for origin in secret.origins}:
            raise UndeliverableNotice(f"Skipped: the secret {name!r} is not bound to {host}.", final=True)
        return secret.value.get_secret_value()


def sign_body(secret: str, body: bytes, id: str) -> dict[str, str]:
    """Headers by which a receiver knows that a request is ours, and not an old one: HMAC-SHA256 of time and body."""
    at = str(int(time.time()))
    headers = {"x-pilotfish-delivery": id, "x-pilotfish-timestamp": at}
    if secret:
        digest = hmac.digest(secret.encode(), f"{at}.".encode() + body, "sha256").hex()
        headers["x-pilotfish-signature"] = f"sha256={digest}"
    return headers


def send_mail(settings: NoticeSettings, message: EmailMessage, password: str) -> None:
    """Hand a message to the mail server."""
    host, port = settings.smtp_host, settings.smtp_port
    trusted = ssl.create_default_context()
    secured = settings.smtp_security == "tls"
    opened = smtplib.SMTP_SSL(host, port, timeout=TIMEOUT, context=trusted) if secured else None
    with opened or smtplib.SMTP(host, port, timeout=TIMEOUT) as server:
        if settings.smtp_security == "starttls":
            server.starttls(context=trusted)
        if password:
            server.login(settings.smtp_user, password)
        server.send_message(message)


async def _post(url: str, body: bytes, headers: Mapping[str, str]) -> None:
    import httpx2

    try:
        async with httpx2.AsyncClient(timeout=TIMEOUT, follow_redirects=False) as client:
            answer = await client.post(url, content=body, headers=dict(headers))
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise UndeliverableNotice(f"{urlsplit(url).hostname} could not be reached: {type(error).__name__}.") from error
    if not answer.is_success:
        raise UndeliverableNotice(f"{urlsplit(url).hostname} answered {answer.status_code}.")


def _require(value: str, setting: str) -> str:
    if not value:
        raise UndeliverableNotice(f"Skipped: {setting} is not set.", final=True)
    return value
