"""Stores secrets: named, bound to origins, and encrypted. Models never see a value.

A model writes `<secret:name>`; the value is typed only into a field of a page that it is bound to.
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

from pilotfish.core.errors import NotFoundError, PersonError, SettingsError, ToolError
from pilotfish.core.policy import ActionTarget
from pilotfish.core.values import Value
from pilotfish.safety.address import parse_address

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

SecretKind = Literal["password", "text", "totp"]
KIND = "secret"
REFERENCE = re.compile(r"<secret:([\w.-]{1,64})>")
CODE_FIELDS = frozenset({"", "text", "tel", "number", "password"})
TEXT_FIELDS = CODE_FIELDS | {"email", "search", "url", "textarea"}


class Secret(Value):
    """One secret. `value` of a `totp` is its base32 seed or its otpauth address."""

    name: str = Field(pattern=r"^[\w.-]{1,64}$")
    value: SecretStr = Field(min_length=4)
    origins: tuple[str, ...] = Field(min_length=1, description="where it may be typed, such as https://shop.example")
    kind: SecretKind = "password"

    def is_bound_to(self, origin: str) -> bool:
        """Whether it may be typed at an origin."""
        return origin in {address.origin for each in self.origins if (address := parse_address(each))}

    def text_to_type(self, target: ActionTarget, now: float | None = None) -> str:
        """The text to type into this field; raises if the page or the field is not the right one."""
        if not self.is_bound_to(target.origin):
            raise ToolError(f"<secret:{self.name}> is for {', '.join(self.origins)} only, not for {target.origin}.")
        fits = {"password": {"password"}, "totp": CODE_FIELDS, "text": TEXT_FIELDS}[self.kind]
        if not target.editable or target.type not in fits:
            field = (target.label or target.name)[:60]
            raise ToolError(f"<secret:{self.name}> is a {self.kind}; “{field}” is not a field for one.")
        clear = self.value.get_secret_value()
        return one_time_code(clear, time.time() if now is None else now) if self.kind == "totp" else clear


class SecretInfo(Value):
    """A secret as people see it in a list."""

    name: str
    origins: tuple[str, ...]
    kind: SecretKind


class CipherStore(Protocol):
    """Where the ciphertext is kept."""

    async def put(self, kind: str, key: str, value: bytes, ttl: float | None = None) -> None: ...
    async def get(self, kind: str, key: str, /) -> bytes | None: ...
    async def entries(self, kind: str, prefix: str = "") -> dict[str, bytes]: ...
    async def drop(self, kind: str, key: str) -> bool: ...


class PlainSecret(Value):
    """A secret as plain text, to be encrypted."""

    name: str
    value: str
    origins: tuple[str, ...]
    kind: SecretKind


PLAIN_TYPE: TypeAdapter[PlainSecret] = TypeAdapter(PlainSecret)


class SecretVault:
    """The secrets of all users."""

    def __init__(self, store: CipherStore, home: Path) -> None:
        self.store = store
        self.home = home

    async def keep(self, user: str, secret: Secret) -> None:
        """Store or replace a secret; its origins and its one-time-code seed must be valid."""
        for origin in secret.origins:
            if parse_address(origin) is None:
                raise PersonError(f"{origin!r} is not an origin.", "Write it as https://shop.example.")
        if secret.kind == "totp":
            one_time_code(secret.value.get_secret_value(), 0.0)
        plain = PlainSecret(**secret.model_dump(exclude={"value"}), value=secret.value.get_secret_value())
        await self.store.put(KIND, f"{user}:{secret.name}", make_cipher(self.home).encrypt(PLAIN_TYPE.dump_json(plain)))

    async def get(self, user: str, name: str) -> Secret:
        found = await self.store.get(KIND, f"{user}:{name}")
        if found is None:
            raise NotFoundError(f"There is no secret named {name!r}.", "Keep it first, or choose another.")
        return self._open(found)

    async def all(self, user: str) -> list[Secret]:
        return [self._open(kept) for kept in (await self.store.entries(KIND, f"{user}:")).values()]

    async def list(self, user: str) -> list[SecretInfo]:
        """Names, kinds and origins; never a value."""
        return [SecretInfo(name=one.name, origins=one.origins, kind=one.kind) for one in await self.all(user)]

    async def drop(self, user: str, name: str) -> bool:
        return await self.store.drop(KIND, f"{user}:{name}")

    def _open(self, kept: bytes) -> Secret:
        from cryptography.fernet import InvalidToken

        try:
            return Secret.model_validate(PLAIN_TYPE.validate_json(make_cipher(self.home).decrypt(kept)).model_dump())
        except InvalidToken:
            raise PersonError(
                "A secret was encrypted with another key.", f"Bring back {self.home / 'secret.key'}, or keep it anew."
            ) from None


def make_cipher(home: Path) -> "Fernet":
    """Encrypts with the key of this installation."""
    from cryptography.fernet import Fernet

    return Fernet(installation_key(home))


def installation_key(home: Path) -> bytes:
    """The key of this installation: the system's keyring if there is one, else a file that only its owner can read."""
    return _read_keyring(home) or _read_key_file(home / "secret.key")


def _read_keyring(home: Path) -> bytes:
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
            found = _make_key().decode()
            keyring.set_password("pilotfish", str(home.resolve()), found)
            # A disabled keyring accepts values and stores nothing.
            found = keyring.get_password("pilotfish", str(home.resolve())) or ""
        return str(found).encode()
    except KeyringError:
        return b""


def _read_key_file(path: Path) -> bytes:
    try:
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise SettingsError(f"Others can read the key {path}.", f"Run `chmod 600 {path}`.")
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(_make_key())
        try:
            # Linking fails if another process was first, so both use one key.
            with contextlib.suppress(FileExistsError):
                path.hardlink_to(part)
        finally:
            part.unlink()
    return path.read_bytes()


def _make_key() -> bytes:
    from cryptography.fernet import Fernet

    return Fernet.generate_key()


def one_time_code(seed: str, now: float) -> str:
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
