"""Secrets: kept encrypted, typed only where they belong, never seen again."""

import base64
import html
import json
import sys
import time
from pathlib import Path
from types import ModuleType
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from pilotfish.core.errors import PersonError, SettingsError, ToolError
from pilotfish.core.policy import ActionTarget
from pilotfish.safety.scrubber import Scrubber
from pilotfish.safety.secrets import Secret, SecretVault, installation_key, one_time_code

pytestmark = pytest.mark.anyio
SHOP = "https://shop.example"
FIELD = ActionTarget(name="Password", tag="input", type="password", editable=True, origin=SHOP)


class MemoryStore:
    """A store in memory."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], bytes] = {}

    async def put(self, kind: str, key: str, value: bytes, ttl: float | None = None) -> None:
        self.kept[kind, key] = value

    async def get(self, kind: str, key: str) -> bytes | None:
        return self.kept.get((kind, key))

    async def entries(self, kind: str, prefix: str = "") -> dict[str, bytes]:
        return {name: value for (its, name), value in self.kept.items() if its == kind and name.startswith(prefix)}

    async def drop(self, kind: str, key: str) -> bool:
        return self.kept.pop((kind, key), None) is not None


def secret(value: str = "hunter2!", **more: object) -> Secret:
    fields = {"name": "shop", "value": SecretStr(value), "origins": (SHOP,), **more}
    return Secret.model_validate(fields)


async def test_a_secret_is_kept_encrypted_and_listed_without_its_value(tmp_path: Path) -> None:
    store = MemoryStore()
    vault = SecretVault(store, tmp_path)
    await vault.keep("ada", secret())
    assert all(b"hunter2" not in kept for kept in store.kept.values())
    assert (await vault.get("ada", "shop")).value.get_secret_value() == "hunter2!"
    assert "hunter2" not in str(await vault.list("ada")) + str(await vault.all("ada"))
    assert await vault.list("bob") == []
    assert await vault.drop("ada", "shop") and not await vault.drop("ada", "shop")


async def test_the_key_file_is_its_owners_alone_and_another_key_opens_nothing(tmp_path: Path) -> None:
    store = MemoryStore()
    await SecretVault(store, tmp_path).keep("ada", secret())
    path = tmp_path / "secret.key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert installation_key(tmp_path) == path.read_bytes()
    with pytest.raises(PersonError, match="another key"):
        await SecretVault(store, tmp_path / "other").get("ada", "shop")
    path.chmod(0o644)
    with pytest.raises(SettingsError, match="Others can read"):
        await SecretVault(store, tmp_path).get("ada", "shop")


@pytest.mark.parametrize(("keeps", "files"), [(True, []), (False, ["secret.key"])])
def test_the_key_lies_in_the_systems_keyring_or_in_a_file_if_that_keeps_nothing(
    keeps: bool, files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: dict[tuple[str, str], str] = {}
    ring = ModuleType("keyring")
    ring.__dict__["get_password"] = lambda *place: held.get(place)  # pyright: ignore[reportUnknownLambdaType]
    ring.__dict__["set_password"] = lambda app, name, text: held.update({(app, name): text} if keeps else {})  # pyright: ignore
    errors = ModuleType("keyring.errors")
    errors.__dict__["KeyringError"] = OSError
    monkeypatch.setitem(sys.modules, "keyring", ring)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    assert installation_key(tmp_path) == installation_key(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == files


async def test_what_is_no_origin_or_no_seed_is_not_kept(tmp_path: Path) -> None:
    vault = SecretVault(MemoryStore(), tmp_path)
    with pytest.raises(PersonError, match="not an origin"):
        await vault.keep("ada", secret(origins=("shop",)))
    with pytest.raises(PersonError, match="not the seed"):
        await vault.keep("ada", secret("not base32 at all!", kind="totp"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://shop.example"},
        {"origin": "https://www.shop.example"},
        {"type": "text"},
        {"type": "textarea", "tag": "textarea"},
        {"editable": False},
    ],
)
def test_a_password_goes_only_into_a_password_field_of_its_origin(wrong: dict[str, object]) -> None:
    assert secret().text_to_type(FIELD) == "hunter2!"
    with pytest.raises(ToolError) as refused:
        secret().text_to_type(FIELD.model_copy(update=wrong))
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(("now", "digits"), [(59, "94287082"), (1111111109, "07081804"), (20000000000, "65353130")])
def test_one_time_codes_are_those_of_the_standard(now: int, digits: str) -> None:
    seed = base64.b32encode(b"12345678901234567890").decode()
    assert one_time_code(f"otpauth://totp/x?secret={seed}&digits=8", now) == digits
    assert one_time_code(seed.lower(), now) == digits[2:]


VALUE = 'p&ss "w/rd" ü+1'
BASED = [base64.b64encode(f"{user}:{VALUE}".encode()).decode() for user in ("", "a", "ad", "ada", "ada@shop.example")]
SPELLINGS = [
    VALUE,
    VALUE.upper(),
    VALUE.lower().title(),
    quote(VALUE, safe=""),
    quote(VALUE, safe="").lower(),
    quote_plus(VALUE),
    quote(quote(VALUE, safe=""), safe=""),
    "".join(f"%{byte:02X}" for byte in VALUE.encode()),
    html.escape(VALUE),
    "".join(f"&#{ord(sign)};" for sign in VALUE),
    "".join(f"&#x{ord(sign):x}" + ";" for sign in VALUE),
    json.dumps(VALUE)[1:-1],
    json.dumps(json.dumps(VALUE))[3:-3],
    "".join(f"\\u{ord(sign):04x}" for sign in VALUE),
    VALUE.replace("/", "\\/"),
    "\u200b".join(VALUE),
    "\u2060\ufeff".join(VALUE),
    "\u00ad".join(VALUE.upper()),
    VALUE.encode().hex(),
    VALUE.encode().hex().upper(),
    *BASED,
    *(text.replace("+", "-").replace("/", "_").rstrip("=") for text in BASED),
    *(quote(text, safe="") for text in BASED),
    base64.b64encode(f'{{"user": "ada", "password": {VALUE!r}, "x": 1}}'.encode()).decode(),
]


@pytest.mark.parametrize("spelled", SPELLINGS)
def test_values_are_taken_out_however_they_are_spelled(spelled: str) -> None:
    scrubber = Scrubber({"shop": VALUE})
    for text in (f"x {spelled} y", "long " * 1000 + f"é{spelled} é" + " text" * 1000, f'{{"a": "{spelled}"}}'):
        clean = scrubber.scrub_text(text)
        assert "<secret:shop>" in clean and spelled not in clean
        assert clean.startswith(text[:2]) and clean.endswith(text[-2:])


def test_values_are_taken_out_of_lists_and_of_both_sides_of_mappings() -> None:
    scrubber = Scrubber({"shop": VALUE})
    assert scrubber.scrub_value({"a": [f"<{VALUE}>", 1], "b": (VALUE,), VALUE: 2}) == {
        "a": ["<<secret:shop>>", 1],
        "b": ("<secret:shop>",),
        "<secret:shop>": 2,
    }


def test_short_values_and_those_within_each_other_are_told_apart() -> None:
    scrubber = Scrubber({"pin": "4711", "long": "4711-hunter2", "pin word": "pin word"})
    assert (
        scrubber.scrub_text("pin 4711, 4711-HUNTER2 and Pin Word")
        == "pin <secret:pin>, <secret:long> and <secret:pin word>"
    )
    assert scrubber.scrub_text("471 1, hunter") == "471 1, hunter"


def test_text_full_of_signs_takes_no_longer_than_it_is() -> None:
    scrubber = Scrubber({"a": "a" * 40, "b": "%25" * 4})
    started = time.process_time()
    for text in ("%25" * 60_000, "a" * 200_000, "\\u0061" * 30_000, "&amp;" * 40_000, "\u200b" * 60_000):
        scrubber.scrub_text(text)
    assert time.process_time() - started < 8


@given(st.text(max_size=3000), st.lists(st.text(min_size=4, max_size=12), min_size=1, max_size=5), st.integers(0, 3000))
def test_no_value_survives_wherever_it_stands(text: str, values: list[str], at: int) -> None:
    clear = [value for value in values if not value.startswith("<sec") and "secret" not in value]
    scrubber = Scrubber({f"n{n}": value for n, value in enumerate(clear)})
    for value in clear:
        for length in (1, 40):
            clean = scrubber.scrub_text((text * length)[:at] + value + (text * length)[at:])
            assert "<secret:" in clean


def test_text_without_secrets_is_left_alone() -> None:
    text = "nothing to see " * 1000
    assert Scrubber({"shop": "hunter2!"}).scrub_text(text) is text
    assert Scrubber({}).scrub_text("x") == "x"
