"""Links by which a question of an unattended run is answered: signed, valid once, and only until its deadline."""

import base64
import binascii
import hashlib
import hmac
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pilotfish.core.errors import NotFoundError
from pilotfish.core.events import InputRequested, current_time
from pilotfish.core.journal_reports import find_open_question
from pilotfish.core.values import Value
from pilotfish.safety.secrets import installation_key

if TYPE_CHECKING:
    from pilotfish.store.base import Store

KIND = "answer_link"
BAD_LINK = NotFoundError("This link is not valid any more.", "Open Pilotfish and answer there, if the run still waits.")


class LinkedQuestion(Value):
    """The question that a link leads to."""

    run: str
    request: str
    expires: datetime


class AnswerLinks:
    """Makes links for questions, and takes each of them once."""

    def __init__(self, store: "Store", home: Path) -> None:
        self.store = store
        self.home = home

    async def make(self, asked: InputRequested, expires: datetime) -> str:
        """The path of a link for a question. Only its digest is kept."""
        body = LinkedQuestion(run=asked.run, request=asked.request, expires=expires).model_dump_json().encode()
        token = f"{_encode(body)}.{_encode(self._sign(body))}"
        left = max(1.0, (expires - current_time()).total_seconds())
        await self.store.put(KIND, _digest(token), asked.run.encode(), ttl=left)
        return f"/answer/{token}"

    async def read(self, token: str) -> tuple[LinkedQuestion, InputRequested]:
        """The question of a link that is still open; raises NotFoundError for any other."""
        linked = self._open(token)
        if linked.expires <= current_time() or await self.store.get(KIND, _digest(token)) is None:
            raise BAD_LINK
        asked = find_open_question(await self.store.events(linked.run))
        if asked is None or asked.request != linked.request:
            raise BAD_LINK
        return linked, asked

    async def use_up(self, token: str) -> None:
        """Make a link invalid; raises NotFoundError if somebody else was first."""
        if not await self.store.drop(KIND, _digest(token)):
            raise BAD_LINK

    def _open(self, token: str) -> LinkedQuestion:
        body, _, signature = token.partition(".")
        try:
            plain, given = _decode(body), _decode(signature)
            if not hmac.compare_digest(given, self._sign(plain)):
                raise BAD_LINK
            return LinkedQuestion.model_validate_json(plain)
        except (binascii.Error, ValueError, ValidationError):
            raise BAD_LINK from None

    def _sign(self, body: bytes) -> bytes:
        key = hmac.digest(installation_key(self.home), b"answer links", "sha256")
        return hmac.digest(key, body, "sha256")


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    return base64.b64decode(text.encode("ascii", "replace") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
