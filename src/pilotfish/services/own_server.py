"""Asks the Pilotfish that runs on this machine."""

from collections.abc import Mapping
from typing import Any

from pilotfish.core.settings import Settings

ANSWER = 5.0
"""Seconds that it has to answer."""


async def ask_server(settings: Settings, path: str, token: str) -> Mapping[str, Any] | None:
    """What the Pilotfish that runs on this machine answers; None if none runs, or another program has its port."""
    import httpx2

    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.server.host, settings.server.host)
    base = f"http://{f'[{host}]' if ':' in host else host}:{settings.server.port}"
    try:
        async with httpx2.AsyncClient(base_url=base, timeout=ANSWER, trust_env=False) as client:
            answer = await client.get(path, headers={"authorization": f"Bearer {token}"})
            return answer.json() if answer.is_success else None
    except (httpx2.HTTPError, ValueError):
        return None
