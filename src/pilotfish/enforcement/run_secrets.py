"""Types secrets into the fields they are bound to, and removes them from all that a run reads or stores."""

from collections.abc import Mapping
from typing import Any, TypeVar

from pilotfish.core import events
from pilotfish.core.errors import ToolError
from pilotfish.core.messages import Message
from pilotfish.core.policy import Action, ActionTarget
from pilotfish.enforcement.policed_run import PolicedRun
from pilotfish.safety.address import parse_address
from pilotfish.safety.hidden_text import strip_hidden
from pilotfish.safety.scrubber import Scrubber
from pilotfish.safety.secrets import REFERENCE, Secret, SecretVault

T = TypeVar("T")


class RunSecrets:
    """The only part of a run that has the secrets' values."""

    def __init__(self, run: PolicedRun) -> None:
        self.run = run
        self._known: dict[str, Secret] | None = None
        self._codes: dict[str, str] = {}
        self._scrubber = Scrubber({})
        self._ready: dict[str, tuple[Secret, ActionTarget]] = {}

    async def check(self, action: Action, key: str) -> None:
        """Refuse a secret's reference that is unknown, mixed with other text, or not for this page."""
        used = REFERENCE.findall(str(dict(action.args)))
        if not used:
            return
        alone = REFERENCE.fullmatch(str(action.args.get("text", "")).strip())
        if action.tool != "type" or alone is None or not action.targets:
            raise ToolError("A secret can only be typed into a field of a page, with nothing beside it.")
        known = await self._secrets(fresh=alone[1] not in (self._known or {}))
        if alone[1] not in known:
            there = ", ".join(f"<secret:{name}>" for name in sorted(known)) or "none"
            raise ToolError(f"There is no {alone[0]}. There are: {there}.")
        known[alone[1]].text_to_type(action.targets[0])
        self._ready[key] = known[alone[1]], action.targets[0]

    async def fill(self, key: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """The arguments with the secret's value filled in; its use is written to the journal."""
        ready = self._ready.pop(key, None)
        if ready is None:
            return args
        secret, target = ready
        value = secret.text_to_type(target)
        await (await (await self.run.browser.session()).tab()).mask_secret(args["id"], target.origin, value)
        if secret.kind == "totp":
            self._codes[secret.name] = value
            self._scrubber = self._redactor()
        field = (target.label or target.name)[:60]
        text = f"Typed <secret:{secret.name}> into “{field}” at {target.origin}."
        details = {"name": secret.name, "origin": target.origin, "field": field}
        await self.run.emit(f"{key}.secret", events.Noted(run=self.run.id, topic="secret", text=text, details=details))
        return {**args, "text": value}

    async def redact(self, value: T) -> T:
        """The value with all secrets removed."""
        await self._secrets()
        return self._scrubber.scrub_value(value) if self._scrubber else value

    async def describe_secrets(self, url: str) -> str:
        """A line for the model about the secrets that can be typed on this page."""
        where, known = parse_address(url), await self._secrets()
        bound = [one for one in known.values() if where and one.is_bound_to(where.origin)]
        named = ", ".join(f"<secret:{one.name}> ({one.kind})" for one in bound)
        return f"Secrets that can be typed here by their names: {named}." if named else ""

    async def redact_messages(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """Messages for a model, without invisible characters and with secrets replaced by their names."""
        texts = [strip_hidden(text) for text in await self.redact([message.text for message in messages])]
        return tuple(
            message if message.text == text else message.model_copy(update={"text": text})
            for message, text in zip(messages, texts, strict=True)
        )

    async def _secrets(self, fresh: bool = False) -> dict[str, Secret]:
        if self._known is None or fresh:
            vault = SecretVault(self.run.store, self.run.home)
            self._known = {secret.name: secret for secret in await vault.all(self.run.record.user)}
            self._scrubber = self._redactor()
        return self._known

    def _redactor(self) -> Scrubber:
        values = {name: secret.value.get_secret_value() for name, secret in (self._known or {}).items()}
        made = Scrubber(values | {f"{name}.code": code for name, code in self._codes.items()})
        self.run.redactor.learn(self.run.id, made)
        return made
