"""A clock that tests turn, and an app that lives by it."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest

from pilotfish import Pilotfish
from pilotfish.core.schedules import ScheduleFire
from pilotfish.core.settings import Settings
from pilotfish.llm.scripted import ScriptLine
from pilotfish.runtime import queue
from scripted_app import script

PATIENCE = 120


class TurnedClock:
    """Shows the time to which it was turned."""

    def __init__(self, now: str) -> None:
        self.now = datetime.fromisoformat(now).replace(tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def turn(self, to: str = "", **forward: float) -> None:
        """Turn it to a time of UTC, or forward."""
        self.now = datetime.fromisoformat(to).replace(tzinfo=UTC) if to else self.now + timedelta(**forward)


@asynccontextmanager
async def open_at(
    home: Path, clock: TurnedClock, replies: Sequence[ScriptLine] = (), **settings: Any
) -> AsyncGenerator[Pilotfish]:
    """An app whose schedules live by a turned clock."""
    with pytest.MonkeyPatch.context() as patch:
        # A turned clock is looked at soon.
        patch.setattr(queue, "LEASE_PERIOD", 0.1)
        async with Pilotfish(Settings(home=home, **settings), clock=clock) as fish:
            script(fish, replies)
            yield fish


async def wait_for_fires(fish: Pilotfish, schedule: str, ended: int) -> list[ScheduleFire]:
    """Wait until so many times of a schedule have ended; all its times, oldest first."""
    with anyio.fail_after(PATIENCE):
        while True:
            fires = list(await fish.schedules.history(schedule, limit=500))[::-1]
            if sum(fire.state == "ended" for fire in fires) >= ended:
                return fires
            await anyio.sleep(0.05)
