"""Stores the logins of users: cookies and local storage by site, encrypted with the key of the secrets.

Runs that choose the remembered profile begin with them. Nothing of them is ever shown but the names of the sites.
"""

import time
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pydantic import Field

from pilotfish.core.errors import PersonError
from pilotfish.core.events import current_time
from pilotfish.core.values import Value
from pilotfish.safety.address import normalize_host, parse_address
from pilotfish.safety.public_suffixes import registrable_domain
from pilotfish.safety.secrets import CipherStore, make_cipher

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

KIND = "login"
Json = Mapping[str, Any]


class SiteLogin(Value):
    """A site of which something is remembered, as people see it in a list."""

    site: str
    cookies: int
    items: int = Field(description="entries of its local storage")
    saved: datetime


class SiteState(Value):
    """What a browser holds of one site. `saved` is when it was written."""

    site: str
    cookies: tuple[Json, ...] = ()
    origins: tuple[Json, ...] = ()
    saved: datetime = Field(default_factory=current_time)

    def is_same(self, other: "SiteState | None") -> bool:
        """Whether both hold the same, whenever they were written."""
        return other is not None and (self.cookies, self.origins) == (other.cookies, other.origins)


class LoginVault:
    """The logins of all users, each site an entry of its own."""

    def __init__(self, store: CipherStore, home: Path) -> None:
        self.store = store
        self.home = home

    async def read(self, user: str) -> dict[str, SiteState]:
        """What is remembered of a user, by site; cookies that expired are left out."""
        kept = await self.store.entries(KIND, f"{user}:")
        return {state.site: _without_expired(state) for state in map(self._open, kept.values())}

    async def sites(self, user: str) -> set[str]:
        """The sites of which something is remembered."""
        return {key.partition(":")[2] for key in await self.store.entries(KIND, f"{user}:")}

    async def keep(self, user: str, state: SiteState) -> None:
        """Store what is remembered of a site, or replace it."""
        sealed = self._cipher.encrypt(state.model_dump_json().encode())
        await self.store.put(KIND, f"{user}:{state.site}", sealed)

    async def list(self, user: str) -> list[SiteLogin]:
        """The sites, without anything of what is remembered."""
        return [
            SiteLogin(
                site=state.site,
                cookies=len(state.cookies),
                items=sum(len(origin["localStorage"]) for origin in state.origins),
                saved=state.saved,
            )
            for _, state in sorted((await self.read(user)).items())
        ]

    async def forget(self, user: str, site: str) -> bool:
        """Forget a site; whether something was remembered of it."""
        return await self.store.drop(KIND, f"{user}:{site}")

    def _open(self, kept: bytes) -> SiteState:
        from cryptography.fernet import InvalidToken

        try:
            return SiteState.model_validate_json(self._cipher.decrypt(kept))
        except InvalidToken:
            fix = f"Bring back {self.home / 'secret.key'}, or choose the fresh profile."
            raise PersonError("The logins were encrypted with another key.", fix) from None

    @cached_property
    def _cipher(self) -> "Fernet":
        return make_cipher(self.home)


def login_site(host: str) -> str:
    """The site that cookies of a host belong to: its registrable domain, without a port, for cookies have none."""
    name = normalize_host(host.removeprefix("."))
    labels = name.split(".")
    return name if len(labels) < 2 or labels[-1].isdigit() or name.startswith("[") else registrable_domain(name)


def named_site(words: str) -> str:
    """The site that a person names by an address or a host name."""
    place = parse_address(words if "://" in words else f"https://{words}")
    if place is None or not place.host:
        raise PersonError(f"{words!r} is not a site.", "Write it as shop.example or https://shop.example/login.")
    return login_site(place.host)


def split_state(state: Json) -> dict[str, SiteState]:
    """A browser's storage state by site."""
    cookies: dict[str, list[Json]] = {}
    origins: dict[str, list[Json]] = {}
    for cookie in cast(Iterable[Json], state.get("cookies", ())):
        if site := login_site(str(cookie["domain"])):
            cookies.setdefault(site, []).append(cookie)
    for origin in cast(Iterable[Json], state.get("origins", ())):
        place = parse_address(str(origin["origin"]))
        if place and (site := login_site(place.host)):
            origins.setdefault(site, []).append(origin)
    return {
        site: SiteState(
            site=site, cookies=tuple(_sort_cookies(cookies.get(site, ()))), origins=tuple(origins.get(site, ()))
        )
        for site in (*cookies, *(site for site in origins if site not in cookies))
    }


def join_states(states: Iterable[SiteState]) -> dict[str, Any]:
    """The storage state that a browser begins with."""
    found = list(states)
    return {
        "cookies": [dict(cookie) for state in found for cookie in state.cookies],
        "origins": [dict(origin) for state in found for origin in state.origins],
    }


def _sort_cookies(cookies: Iterable[Json]) -> list[Json]:
    return sorted(cookies, key=lambda cookie: (cookie["domain"], cookie["path"], cookie["name"]))


def _without_expired(state: SiteState) -> SiteState:
    now = time.time()
    held = tuple(cookie for cookie in state.cookies if not 0 < float(cookie.get("expires", -1)) < now)
    return state if len(held) == len(state.cookies) else state.model_copy(update={"cookies": held})
