"""Which tabs an MCP client works in: each session has a conversation of its own, whose browser is closed when idle."""

import asyncio
import secrets
import time
from typing import TYPE_CHECKING, Any

from pilotfish.app import Pilotfish
from pilotfish.core.users import User
from pilotfish.interfaces.protocols.client_threads import name_thread

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

HEADER = "mcp-session-id"
IDLE_SECONDS = 1800.0
CHECK_PERIOD = 60.0


class McpSessions:
    """The sessions in use, by conversation, with the time of the last call of each."""

    def __init__(self, fish: Pilotfish) -> None:
        self.fish = fish
        self.own = secrets.token_hex(8)
        self._used: dict[str, float] = {}

    def find(self, context: "ServerRequestContext[Any, Any]", me: User) -> str:
        """The conversation of a request: by its session, else by the client's name; over a pipe there is one."""
        if context.request is None:
            return name_thread(me, "mcp", self.own)
        params = context.session.client_params
        session = context.request.headers.get(HEADER) or (params.client_info.name if params else "")
        return self.note(me, session)

    def note(self, me: User, session: str) -> str:
        conversation = name_thread(me, "mcp", session)
        self._used[conversation] = time.monotonic()
        return conversation

    async def end(self, me: User, session: str) -> None:
        """Close the browser of a session that its client ended."""
        conversation = name_thread(me, "mcp", session)
        if self._used.pop(conversation, None) is not None:
            await self.fish.close_browser(conversation)

    async def close_idle(self) -> None:
        """Close the browsers of sessions that are not used any more; a later call opens the tabs again."""
        while True:
            await asyncio.sleep(CHECK_PERIOD)
            long_ago = time.monotonic() - IDLE_SECONDS
            for conversation in [one for one, used in self._used.items() if used < long_ago]:
                del self._used[conversation]
                await self.fish.close_browser(conversation)
