"""Protocols: what the policy needs of a run, its browser and its model. `RunBase` in the runtime provides them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from pydantic import BaseModel

if TYPE_CHECKING:
    from pilotfish.browser.sessions.downloads import DownloadedFile
    from pilotfish.browser.sessions.session import BrowserSession
    from pilotfish.core.events import Event, InputKind
    from pilotfish.core.messages import Message
    from pilotfish.core.records import RunRecord
    from pilotfish.core.settings import Settings
    from pilotfish.safety.secret_redactor import SecretRedactor
    from pilotfish.safety.untrusted_text import UntrustedText
    from pilotfish.store.base import Store

Shape = TypeVar("Shape", bound=BaseModel)


class LightModel(Protocol):
    """Asks the light model for a value of a type, within a step."""

    async def __call__(self, key: str, purpose: str, prompt: str, shape: type[Shape]) -> Shape: ...


class PolicedBrowser(Protocol):
    """The browser of a run's conversation."""

    @property
    def has_session(self) -> bool: ...

    async def session(self) -> "BrowserSession": ...

    def take_downloads(self) -> "list[DownloadedFile]": ...


class RecordedRun(Protocol):
    """A run with its record, its messages, and the store of its journal."""

    @property
    def id(self) -> str: ...

    @property
    def record(self) -> "RunRecord": ...

    @property
    def messages(self) -> "Sequence[Message]": ...

    @property
    def store(self) -> "Store": ...

    async def flush_events(self, run: str) -> None: ...

    async def emit(self, key: str, event: "Event") -> None: ...


class AskingRun(Protocol):
    """A run that can ask its person."""

    @property
    def id(self) -> str: ...

    async def ask_person(
        self,
        key: str,
        question: str,
        choices: tuple[str, ...] = (),
        timeout: float | None = None,
        *,
        kind: "InputKind" = "question",
        **details: Any,
    ) -> str | None: ...


class PolicedRun(RecordedRun, AskingRun, Protocol):
    """All that the policy needs of a run."""

    @property
    def task(self) -> str: ...

    @property
    def options(self) -> Mapping[str, Any]: ...

    @property
    def settings(self) -> "Settings": ...

    @property
    def home(self) -> Path: ...

    @property
    def folder(self) -> Path: ...

    @property
    def redactor(self) -> "SecretRedactor": ...

    @property
    def untrusted(self) -> "UntrustedText": ...

    @property
    def browser(self) -> PolicedBrowser: ...
