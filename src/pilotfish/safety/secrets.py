"""Secrets that only the runtime knows: named, bound to origins, encrypted where they are kept.

A model writes `<secret:name>`; the value goes from here into a field of a page that it is bound to, and nowhere else.
"""

import base64
import binascii
import contextlib
import hmac
import os
import re
import stat
import struct
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol
from urllib.parse import parse_qs, urlsplit

from pydantic import Field, SecretStr, TypeAdapter

from pilotfish.core.errors import Missing, PersonError, SettingsError, ToolError
from pilotfish.core.policy import Target
from pilotfish.core.values import Value
from pilotfish.safety.address import parse

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

Kind = Literal["password", "text", "totp"]
KIND = "secret"
REFERENCE = re.compile(r"<secret:([\w.-]{1,64})>")
CODES = frozenset({"", "text", "tel", "number", "password"})
TEXTS = CODES | {"email", "search", "url", "textarea"}


class Secret(Value):
    """One secret. `value` of a `totp` is its base32 seed or its otpauth address."""

    name: str = Field(pattern=r"^[\w.-]{1,64}$")
    value: SecretStr = Field(min_length=4)
    origins: tuple[str, ...] = Field(min_length=1, description="where it may be typed, such as https://shop.example")
    kind: Kind = "password"

    def bound(self, origin: str) -> bool:
        """Whether it may be typed at an origin."""
        return origin in {address.origin for each in self.origins if (address := parse(each))}

    def typed(self, target: Target, now: float | None = None) -> str:
        """What goes into this field; refused where the page or the field is not the right one."""
        if not self.bound(target.origin):
            raise ToolError(f"<secret:{self.name}> is for {', '.join(self.origins)} only, not for {target.origin}.")
        fits = {"password": {"password"}, "totp": CODES, "text": TEXTS}[self.kind]
        if not target.editable or target.type not in fits:
            field = (target.label or target.name)[:60]
            raise ToolError(f"<secret:{self.name}> is a {self.kind}; “{field}” is not a field for one.")
        clear = self.value.get_secret_value()
        return code(clear, time.time() if now is None else now) if self.kind == "totp" else clear


class Listed(Value):
    """A secret as people see it in a list."""

    name: str
    origins: tuple[str, ...]
    kind: Kind


class Shelf(Protocol):
    """Where the ciphertext is kept."""

    async def put(self, kind: str, key: str, value: bytes, ttl: float | None = None) -> None: ...
    async def get(self, kind: str, key: str, /) -> bytes | None: ...
    async def entries(self, kind: str, prefix: str = "") -> dict[str, bytes]: ...
    async def drop(self, kind: str, key: str) -> bool: ...


class Plain(Value):
    """A secret on its way into the cipher."""

    name: str
    value: str
    origins: tuple[str, ...]
    kind: Kind


PLAIN: TypeAdapter[Plain] = TypeAdapter(Plain)


class Vault:
    """Every person's secrets."""

    def __init__(self, shelf: Shelf, home: Path) -> None:
        self.shelf = shelf
        self.home = home

    async def keep(self, user: str, secret: Secret) -> None:
        """Store or replace one; its origins must be real ones, and its seed must be one."""
        for origin in secret.origins:
            if parse(origin) is None:
                raise PersonError(f"{origin!r} is not an origin.", "Write it as https://shop.example.")
        if secret.kind == "totp":
            code(secret.value.get_secret_value(), 0.0)
        plain = Plain(**secret.model_dump(exclude={"value"}), value=secret.value.get_secret_value())
        await self.shelf.put(KIND, f"{user}:{secret.name}", self._cipher().encrypt(PLAIN.dump_json(plain)))

    async def get(self, user: str, name: str) -> Secret:
        found = await self.shelf.get(KIND, f"{user}:{name}")
        if found is None:
            raise Missing(f"There is no secret named {name!r}.", "Keep it first, or choose another.")
        return self._open(found)

    async def all(self, user: str) -> list[Secret]:
        return [self._open(kept) for kept in (await self.shelf.entries(KIND, f"{user}:")).values()]

    async def list(self, user: str) -> list[Listed]:
        """Names, kinds and origins; never a value."""
        return [Listed(name=one.name, origins=one.origins, kind=one.kind) for one in await self.all(user)]

    async def drop(self, user: str, name: str) -> bool:
        return await self.shelf.drop(KIND, f"{user}:{name}")

    def _open(self, kept: bytes) -> Secret:
        from cryptography.fernet import InvalidToken

        try:
            return Secret.model_validate(PLAIN.validate_json(self._cipher().decrypt(kept)).model_dump())
        except InvalidToken:
            raise PersonError(
                "A secret was encrypted with another key.", f"Bring back {self.home / 'secret.key'}, or keep it anew."
            ) from None

    def _cipher(self) -> "Fernet":
        from cryptography.fernet import Fernet

        return Fernet(key(self.home))


def key(home: Path) -> bytes:
    """The key of this installation: the system's keyring if there is one, else a file that only its owner can read."""
    return _ring(home) or _file(home / "secret.key")


def _ring(home: Path) -> bytes:
    try:
        import keyring  # pyright: ignore[reportMissingImports]
        from keyring.errors import KeyringError  # pyright: ignore[reportMissingImports]
    except ImportError:
        return b""
    if (home / "secret.key").exists():
        return b""
    try:
        found = keyring.get_password("pilotfish", str(home.resolve()))
        if not found:
            found = _fresh().decode()
            keyring.set_password("pilotfish", str(home.resolve()), found)
            # A ring that is switched off takes everything and keeps nothing.
            found = keyring.get_password("pilotfish", str(home.resolve())) or ""
        return str(found).encode()
    except KeyringError:
        return b""


def _file(path: Path) -> bytes:
    try:
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise SettingsError(f"Others can read the key {path}.", f"Run `chmod 600 {path}`.")
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(_fresh())
        try:
            # A link fails where another process was first, so both use one key.
            with contextlib.suppress(FileExistsError):
                path.hardlink_to(part)
        finally:
            part.unlink()
    return path.read_bytes()


def _fresh() -> bytes:
    from cryptography.fernet import Fernet

    return Fernet.generate_key()


def code(seed: str, now: float) -> str:
    """The one-time code of this half minute (RFC 6238), from a base32 seed or an otpauth address."""
    options: dict[str, str] = {}
    if seed.startswith("otpauth:"):
        options = {name: values[-1] for name, values in parse_qs(urlsplit(seed).query).items()}
        seed = options.get("secret", "")
    try:
        raw = base64.b32decode(re.sub(r"[\s-]", "", seed).upper() + "=" * (-len(re.sub(r"[\s-]", "", seed)) % 8))
        digits, period = int(options.get("digits", 6)), int(options.get("period", 30))
        digest = hmac.digest(raw, struct.pack(">Q", int(now) // period), options.get("algorithm", "SHA1").lower())
    except (binascii.Error, ValueError) as error:
        raise PersonError("That is not the seed of a one-time code.", "Copy the base32 text from the site.") from error
    offset = digest[-1] & 15
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)
