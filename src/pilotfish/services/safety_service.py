"""The safety functions for people: secrets, previews of policy decisions, audits and their export."""

import asyncio
import hmac
from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING, Any

from pydantic import Field, SecretStr

from pilotfish.core.events import Event
from pilotfish.core.policy import Action, ActionTarget, PolicyDecision, PolicyPreset, PolicyRule
from pilotfish.core.settings import Settings
from pilotfish.core.users import LOCAL
from pilotfish.core.values import Value
from pilotfish.safety.address import site_of
from pilotfish.safety.audit import AuditReport, build_audit, export_chain, find_tampering
from pilotfish.safety.policy_judge import describe_decision, judge_action
from pilotfish.safety.secrets import Secret, SecretInfo, SecretKind, SecretVault, installation_key

if TYPE_CHECKING:
    from pilotfish.store.base import Store

__all__ = ["AuditReport", "PolicyPreview", "SafetyService", "SecretInfo", "SecretKind", "SupposedAction"]

SEARCHED_RUNS = 1000
# Tools with other names belong to MCP servers.
OWN_TOOLS = frozenset({
    "click", "type", "select", "press_key", "hover", "drag", "mark", "upload", "download", "scroll", "navigate",
    "manage_tabs", "wait_for", "get_schema", "get_html", "get_text", "find", "extract", "screenshot", "refresh",
    "collect", "collect_part", "find_lists", "web_search", "web_fetch", "memory_retrieve", "memory_save",
    "image_generate", "get_current_time", "recall_details", "planner", "done", "request_input", "page_tool",
    "console_messages", "network_requests", "resize", "emulate_media", "close_browser",
})  # fmt: skip


class SupposedAction(Value):
    """An action to test against the policy. Without `sites` the task is about the page of the action."""

    action: str = Field(default="click", max_length=64, description="the tool: click, type, navigate, upload, …")
    page: str = Field(default="", max_length=4000, description="the page that it happens on")
    element: ActionTarget | None = Field(default=None, description="what is clicked or typed into")
    text: str = Field(default="", max_length=10_000, description="what is typed, chosen or pressed")
    to: str = Field(default="", max_length=4000, description="the address that is opened")
    sites: tuple[str, ...] | None = Field(default=None, max_length=50, description="what the task is about")
    preset: PolicyPreset | None = None
    rules: tuple[PolicyRule, ...] | None = Field(
        default=None, max_length=200, description="instead of those that are set"
    )


class PolicyPreview(Value):
    """The decision that would be made, as a sentence and in its parts."""

    words: str
    decision: PolicyDecision


class SafetyService:
    """Secrets, policy previews and audits of all users."""

    def __init__(self, store: "Store", settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.vault = SecretVault(store, settings.home)

    async def put_secret(
        self, user: str, name: str, value: SecretStr, origins: Iterable[str], kind: SecretKind
    ) -> SecretInfo:
        """Keep a secret, or replace the one of that name."""
        secret = Secret(name=name, value=value, origins=tuple(origins), kind=kind)
        await self.vault.keep(user, secret)
        return SecretInfo(name=name, origins=secret.origins, kind=kind)

    def preview_policy(self, action: SupposedAction, user: str = LOCAL) -> PolicyPreview:
        """The policy's decision about a supposed action."""
        policy = self.settings.policy
        if action.rules is not None:
            policy = policy.model_copy(update={"rules": action.rules})
        decision = judge_action(_make_action(action, user), policy, action.preset)
        return PolicyPreview(words=describe_decision(decision), decision=decision)

    async def audit(self, run: str) -> AuditReport:
        """The report of a run and its sub-runs."""
        events = [event for each in await self._run_and_children(run) async for event in self._read_events(each)]
        return await asyncio.to_thread(build_audit, run, sorted(events, key=lambda event: event.at))

    async def export(self, run: str) -> str:
        """A run's journal as a signed chain."""
        events = [event async for event in self._read_events(run)]
        return await asyncio.to_thread(self._write_chain, events)

    async def verify(self, text: str) -> str:
        """What is wrong with an export of this installation; empty if nothing is."""
        return await asyncio.to_thread(lambda: find_tampering(text.splitlines(), self._signing_key))

    def _write_chain(self, events: list[Event]) -> str:
        return "".join(f"{line}\n" for line in export_chain(events, self._signing_key))

    @property
    def _signing_key(self) -> bytes:
        return hmac.digest(installation_key(self.settings.home), b"audit", "sha256")

    async def _run_and_children(self, run: str) -> list[str]:
        """A run and all its sub-runs, at any depth."""
        record = await self.store.run(run)
        talk = await self.store.runs(conversation=record.conversation, limit=SEARCHED_RUNS) if record else []
        family = [run]
        for one in sorted(talk, key=lambda one: one.created):
            family += [one.id] if one.parent in family else []
        return family

    async def _read_events(self, run: str) -> AsyncIterator[Event]:
        after = 0
        while events := await self.store.events(run, after):
            for event in events:
                after = event.seq
                yield event


def _make_action(supposed: SupposedAction, user: str) -> Action:
    args: dict[str, Any] = {"url": supposed.to, "urls": [supposed.to] if supposed.to else []}
    args |= {name: supposed.text for name in ("text", "key", "option") if supposed.text}
    args |= {"action": "open"} if supposed.action == "manage_tabs" else {}
    element = supposed.element
    if element is not None and not element.origin:
        element = element.model_copy(update={"origin": supposed.page})
    home = (
        (site_of(supposed.page),)
        if supposed.sites is None
        else tuple(site_of(one) or site_of(f"https://{one}") for one in supposed.sites)
    )
    return Action(
        tool=supposed.action,
        args=args,
        user=user,
        page=supposed.page,
        targets=(element,) if element else (),
        task_sites=tuple(filter(None, home)),
        from_mcp=supposed.action not in OWN_TOOLS,
    )
