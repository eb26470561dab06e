"""Pairs browser extensions with users, and keeps which conversation works in whose Chrome."""

import asyncio
import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pilotfish.browser.sessions.extension_browser import ExtensionPool
from pilotfish.browser.sessions.extension_link import ExtensionLink
from pilotfish.core.errors import BrowserError, PersonError
from pilotfish.core.users import TokenRecord
from pilotfish.core.values import Value

if TYPE_CHECKING:
    from pilotfish.browser.sessions.extension_link import Send
    from pilotfish.core.settings import BrowserSettings
    from pilotfish.services.users import UserDirectory
    from pilotfish.store.base import Store

CODE_LIFE = 600.0
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
RETURN = 20.0
"""Seconds for which a run waits for an extension that lost its connection."""


class PairingCode(Value):
    """A code that an extension can be paired with, once."""

    code: str
    seconds: float = CODE_LIFE


class SharedTabs(Value):
    """Which tabs of whose Chrome a conversation drives. `token` is that of the browser, for people with several."""

    user: str
    tabs: tuple[int, ...] = ()
    token: str = ""


@dataclass(frozen=True)
class ConnectedExtension:
    """An extension that is connected now, and the token it came with."""

    user: str
    token: str
    link: ExtensionLink


class ExtensionService:
    """The extensions of all users: pairing, connections, and the conversations that use them."""

    def __init__(self, store: "Store", users: "UserDirectory", settings: "BrowserSettings") -> None:
        self.store = store
        self.users = users
        self.settings = settings
        self._connected: list[ConnectedExtension] = []
        self._pools: dict[str, ExtensionPool] = {}
        self._owners: dict[str, SharedTabs] = {}
        self._arrived = asyncio.Condition()

    async def open(self) -> None:
        """Remember which conversations worked in a person's Chrome before the start."""
        for conversation, kept in (await self.store.entries("extension")).items():
            shared = SharedTabs.model_validate_json(kept)
            self._pool(conversation, shared).tabs.extend(shared.tabs)

    async def pair(self, code: str, origin: str, name: str) -> tuple[TokenRecord, str]:
        """Exchange a code for a token that is good for one extension's origin only."""
        digest = _digest("".join(code.upper().split()).replace("-", ""))
        user = await self.store.get("pairing", digest)
        if user is None or not await self.store.drop("pairing", digest):
            raise PersonError(
                "That code is not known, or it is too old.", "Ask for a new one with `pilotfish extension`."
            )
        return await self.users.grant(user.decode(), name, kind="extension", origin=origin)

    async def join(self, token: TokenRecord, send: "Send", on_touch: Callable[[str], object]) -> ConnectedExtension:
        """Register a connected extension; it replaces an older connection of the same token.

        `on_touch` is called with the conversation when the person touches one of its tabs.
        """
        for old in [one for one in self._connected if one.token == token.id]:
            await self.leave(old)
        link = ExtensionLink(send)
        link.on_touch = on_touch
        extension = ConnectedExtension(token.user, token.id, link)
        async with self._arrived:
            self._connected.append(extension)
            self._arrived.notify_all()
        return extension

    async def leave(self, extension: ConnectedExtension) -> None:
        if extension in self._connected:
            self._connected.remove(extension)
        await extension.link.close()

    def connected(self, user: str) -> list[ConnectedExtension]:
        return [one for one in self._connected if one.user == user]

    async def hand_over(self, user: str, conversation: str, tab: int, token: str = "") -> None:
        """Let a conversation drive a tab of the user's Chrome. `token` is that of the browser that the tab is in; tabs
        of another browser are let go."""
        former = self._owners.get(conversation)
        if former and former.token != token:
            await self.release(conversation)
        shared = SharedTabs(user=user, token=token)
        pool = self._pool(conversation, shared)
        await pool.hand_over(tab)
        shared = shared.model_copy(update={"tabs": tuple(pool.tabs)})
        await self.store.put("extension", conversation, shared.model_dump_json().encode())

    async def release(self, conversation: str) -> None:
        """Let all tabs of a conversation go."""
        if pool := self._pools.pop(conversation, None):
            for one in self._connected_to(self._owners.pop(conversation)):
                for tab in {*pool.tabs, *pool.driven}:
                    await one.link.request("release", tab=tab)
            await pool.end(conversation)
        await self.store.drop("extension", conversation)

    def find_pool(self, conversation: str) -> ExtensionPool | None:
        return self._pools.get(conversation)

    def _pool(self, conversation: str, owner: SharedTabs) -> ExtensionPool:
        async def find_link() -> ExtensionLink:
            return await self._link(owner)

        if conversation not in self._pools:
            self._owners[conversation] = owner
            self._pools[conversation] = ExtensionPool(self.settings, conversation, find_link)
        return self._pools[conversation]

    def _connected_to(self, owner: SharedTabs) -> list[ConnectedExtension]:
        """The connected browsers that tabs can be in, the newest last."""
        return [one for one in self.connected(owner.user) if owner.token in ("", one.token)]

    async def _link(self, owner: SharedTabs) -> ExtensionLink:
        """The browser of the tabs; waits a little for one that is coming back."""
        try:
            async with asyncio.timeout(RETURN), self._arrived:
                await self._arrived.wait_for(lambda: bool(self._connected_to(owner)))
        except TimeoutError:
            raise BrowserError(
                "Chrome is not connected.", "Open Chrome with the Pilotfish extension, then continue."
            ) from None
        return self._connected_to(owner)[-1].link


async def make_pairing_code(store: "Store", user: str) -> PairingCode:
    """A new code for a user's extension."""
    letters = "".join(secrets.choice(LETTERS) for _ in range(8))
    await store.put("pairing", _digest(letters), user.encode(), CODE_LIFE)
    return PairingCode(code=f"{letters[:4]}-{letters[4:]}")


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode(errors="replace")).hexdigest()
