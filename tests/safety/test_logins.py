"""Logins: kept encrypted by site and by user, forgotten on demand."""

import time
from pathlib import Path

import pytest

from pilotfish.core.errors import PersonError
from pilotfish.safety.logins import LoginVault, join_states, login_site, named_site, split_state

from .test_secrets import MemoryStore

pytestmark = pytest.mark.anyio


def cookie(domain: str, name: str = "session", expires: float = -1) -> dict[str, object]:
    return {"domain": domain, "path": "/", "name": name, "value": "s3cr3t-token", "expires": expires}


STATE = {
    "cookies": [cookie(".shop.example"), cookie("login.shop.example", "sso"), cookie("127.0.0.1")],
    "origins": [{"origin": "https://www.shop.example", "localStorage": [{"name": "jwt", "value": "s3cr3t-token"}]}],
}


async def test_logins_are_kept_encrypted_and_listed_without_what_they_hold(tmp_path: Path) -> None:
    store = MemoryStore()
    vault = LoginVault(store, tmp_path)
    for state in split_state(STATE).values():
        await vault.keep("ada", state)
    assert all(b"s3cr3t-token" not in kept for kept in store.kept.values())
    listed = await vault.list("ada")
    assert [(one.site, one.cookies, one.items) for one in listed] == [("127.0.0.1", 1, 0), ("shop.example", 2, 1)]
    assert "s3cr3t-token" not in str(listed)
    assert await vault.list("bob") == []
    held = join_states((await LoginVault(store, tmp_path).read("ada")).values())
    assert sorted(one["name"] for one in held["cookies"]) == ["session", "session", "sso"]
    assert held["origins"] == STATE["origins"]


async def test_a_site_is_forgotten_for_one_user_only(tmp_path: Path) -> None:
    vault = LoginVault(MemoryStore(), tmp_path)
    for user in ("ada", "bob"):
        for state in split_state(STATE).values():
            await vault.keep(user, state)
    assert await vault.forget("ada", "shop.example") and not await vault.forget("ada", "shop.example")
    assert await vault.sites("ada") == {"127.0.0.1"}
    assert await vault.sites("bob") == {"127.0.0.1", "shop.example"}


async def test_a_cookie_that_expired_is_not_used(tmp_path: Path) -> None:
    vault = LoginVault(MemoryStore(), tmp_path)
    cookies = [cookie("shop.example", "old", time.time() - 10), cookie("shop.example", "new", time.time() + 1000)]
    await vault.keep("ada", split_state({"cookies": cookies})["shop.example"])
    assert [one["name"] for one in (await vault.read("ada"))["shop.example"].cookies] == ["new"]


async def test_logins_of_another_key_say_what_to_do(tmp_path: Path) -> None:
    store = MemoryStore()
    await LoginVault(store, tmp_path / "a").keep("ada", split_state(STATE)["shop.example"])
    with pytest.raises(PersonError, match="another key"):
        await LoginVault(store, tmp_path / "b").read("ada")


def test_hosts_of_one_registered_name_are_one_site() -> None:
    assert login_site(".accounts.shop.example") == login_site("shop.example") == "shop.example"
    assert login_site("a.github.io") != login_site("b.github.io")
    assert named_site("https://www.shop.example:8443/login") == named_site("shop.example") == "shop.example"
    assert named_site("http://127.0.0.1:8000/") == "127.0.0.1"
    with pytest.raises(PersonError, match="not a site"):
        named_site("no site")
