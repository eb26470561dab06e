"""Secrets within a run: typed by the runtime where they belong, taken out of everything that is read or kept."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from pilotfish.core import events
from pilotfish.core.errors import ToolError
from pilotfish.core.messages import Message
from pilotfish.core.policy import Deed, Target
from pilotfish.safety.address import parse
from pilotfish.safety.scrub import Scrubber
from pilotfish.safety.secrets import REFERENCE, Secret, Vault

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

T = TypeVar("T")


class Seal:
    """Knows the values; nobody else in the run does."""

    def __init__(self, run: "Run") -> None:
        self.run = run
        self._known: dict[str, Secret] | None = None
        self._codes: dict[str, str] = {}
        self._scrubber = Scrubber({})
        self._ready: dict[str, tuple[Secret, Target]] = {}

    async def check(self, deed: Deed, key: str) -> None:
        """Refuse a reference that is not alone in a field, unknown, or out of place."""
        used = REFERENCE.findall(str(dict(deed.args)))
        if not used:
            return
        alone = REFERENCE.fullmatch(str(deed.args.get("text", "")).strip())
        if deed.tool != "type" or alone is None or not deed.targets:
            raise ToolError("A secret can only be typed into a field of a page, with nothing beside it.")
        known = await self._secrets(fresh=alone[1] not in (self._known or {}))
        if alone[1] not in known:
            there = ", ".join(f"<secret:{name}>" for name in sorted(known)) or "none"
            raise ToolError(f"There is no {alone[0]}. There are: {there}.")
        known[alone[1]].typed(deed.targets[0])
        self._ready[key] = known[alone[1]], deed.targets[0]

    async def fill(self, key: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """The arguments with the value in them, and a line in the journal that it was used."""
        ready = self._ready.pop(key, None)
        if ready is None:
            return args
        secret, target = ready
        value = secret.typed(target)
        await (await (await self.run.browsing.session()).tab()).veil(args["id"], target.origin, value)
        if secret.kind == "totp":
            self._codes[secret.name] = value
            self._scrubber = self._made()
        field = (target.label or target.name)[:60]
        told = f"Typed <secret:{secret.name}> into “{field}” at {target.origin}."
        details = {"name": secret.name, "origin": target.origin, "field": field}
        await self.run.emit(f"{key}.secret", events.Noted(run=self.run.id, topic="secret", text=told, details=details))
        return {**args, "text": value}

    async def clean(self, value: T) -> T:
        """The same without any secret in it."""
        await self._secrets()
        return self._scrubber.value(value) if self._scrubber else value

    async def offers(self, url: str) -> str:
        """What a model may type on this page without knowing it."""
        where, known = parse(url), await self._secrets()
        bound = [one for one in known.values() if where and one.bound(where.origin)]
        named = ", ".join(f"<secret:{one.name}> ({one.kind})" for one in bound)
        return f"Secrets that can be typed here by their names: {named}." if named else ""

    async def heard(self, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        """What a model is told: a secret that a person wrote themselves becomes its name."""
        texts = await self.clean([message.text for message in messages])
        return tuple(
            message if message.text == text else message.model_copy(update={"text": text})
            for message, text in zip(messages, texts, strict=True)
        )

    async def _secrets(self, fresh: bool = False) -> dict[str, Secret]:
        if self._known is None or fresh:
            vault = Vault(self.run.kit.journal.store, self.run.kit.home)
            self._known = {secret.name: secret for secret in await vault.all(self.run.record.user)}
            self._scrubber = self._made()
        return self._known

    def _made(self) -> Scrubber:
        values = {name: secret.value.get_secret_value() for name, secret in (self._known or {}).items()}
        made = Scrubber(values | {f"{name}.code": code for name, code in self._codes.items()})
        self.run.kit.journal.hush.learn(self.run.id, made)
        return made
