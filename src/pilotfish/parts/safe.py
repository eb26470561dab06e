"""What a person does about safety: keeps secrets, asks what the policy would say, reads and takes away audits."""

import hmac
from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING, Any

from pydantic import Field, SecretStr

from pilotfish.core.events import Event
from pilotfish.core.people import LOCAL
from pilotfish.core.policy import Deed, Preset, Rule, Target, Verdict
from pilotfish.core.settings import Settings
from pilotfish.core.values import Value
from pilotfish.safety.address import site
from pilotfish.safety.audit import Audit, audit, broken, export
from pilotfish.safety.judge import judge, worded
from pilotfish.safety.secrets import Kind, Listed, Secret, Vault, key

if TYPE_CHECKING:
    from pilotfish.store.base import Store

__all__ = ["Audit", "Kind", "Listed", "Safe", "Supposed", "Told"]

FAMILY = 1000
# What is called otherwise is a tool of another server.
OURS = frozenset({
    "click", "type", "select", "press_key", "hover", "drag", "mark", "upload", "download", "scroll", "navigate",
    "manage_tabs", "wait_for", "get_schema", "get_html", "get_text", "find", "extract", "screenshot", "refresh",
    "web_search", "web_fetch", "memory_retrieve", "memory_save", "image_generate", "get_current_time", "recall_details",
    "planner", "done", "request_input",
})  # fmt: skip


class Supposed(Value):
    """A deed that somebody wonders about. Without `sites` the task is about the page that it happens on."""

    action: str = Field(default="click", max_length=64, description="the tool: click, type, navigate, upload, …")
    page: str = Field(default="", max_length=4000, description="the page that it happens on")
    element: Target | None = Field(default=None, description="what is clicked or typed into")
    text: str = Field(default="", max_length=10_000, description="what is typed, chosen or pressed")
    to: str = Field(default="", max_length=4000, description="the address that is opened")
    sites: tuple[str, ...] | None = Field(default=None, max_length=50, description="what the task is about")
    preset: Preset | None = None
    rules: tuple[Rule, ...] | None = Field(default=None, max_length=200, description="instead of those that are set")


class Told(Value):
    """What would happen, in a sentence and in its parts."""

    words: str
    verdict: Verdict


class Safe:
    """Secrets, rules and audits of everybody."""

    def __init__(self, store: "Store", settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.vault = Vault(store, settings.home)

    async def keep(self, user: str, name: str, value: SecretStr, origins: Iterable[str], kind: Kind) -> Listed:
        """Keep a secret, or replace the one of that name."""
        secret = Secret(name=name, value=value, origins=tuple(origins), kind=kind)
        await self.vault.keep(user, secret)
        return Listed(name=name, origins=secret.origins, kind=kind)

    def suppose(self, deed: Supposed, user: str = LOCAL) -> Told:
        """What the policy would say."""
        policy = self.settings.policy
        if deed.rules is not None:
            policy = policy.model_copy(update={"rules": deed.rules})
        verdict = judge(_deed(deed, user), policy, deed.preset)
        return Told(words=worded(verdict), verdict=verdict)

    async def audit(self, run: str) -> Audit:
        """The report of a run and its sub-runs."""
        events = [event for each in await self._family(run) async for event in self._story(each)]
        return audit(run, sorted(events, key=lambda event: event.at))

    async def export(self, run: str) -> str:
        """A run's journal as a signed chain."""
        lines = export([event async for event in self._story(run)], self._seal)
        return "".join(f"{line}\n" for line in lines)

    def verify(self, text: str) -> str:
        """What is wrong with an export of this installation; empty where nothing is."""
        return broken(text.splitlines(), self._seal)

    @property
    def _seal(self) -> bytes:
        return hmac.digest(key(self.settings.home), b"audit", "sha256")

    async def _family(self, run: str) -> list[str]:
        """A run and all that it began, however deep."""
        record = await self.store.run(run)
        talk = await self.store.runs(conversation=record.conversation, limit=FAMILY) if record else []
        family = [run]
        for one in sorted(talk, key=lambda one: one.created):
            family += [one.id] if one.parent in family else []
        return family

    async def _story(self, run: str) -> AsyncIterator[Event]:
        after = 0
        while events := await self.store.events(run, after):
            for event in events:
                after = event.seq
                yield event


def _deed(told: Supposed, user: str) -> Deed:
    args: dict[str, Any] = {"url": told.to, "urls": [told.to] if told.to else []}
    args |= {name: told.text for name in ("text", "key", "option") if told.text}
    args |= {"action": "open"} if told.action == "manage_tabs" else {}
    element = told.element
    if element is not None and not element.origin:
        element = element.model_copy(update={"origin": told.page})
    home = (
        (site(told.page),) if told.sites is None else tuple(site(one) or site(f"https://{one}") for one in told.sites)
    )
    return Deed(
        tool=told.action,
        args=args,
        user=user,
        page=told.page,
        targets=(element,) if element else (),
        home=tuple(filter(None, home)),
        guest=told.action not in OURS,
    )
