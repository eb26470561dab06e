"""Attacks tried several at a time, each until it shows something."""

import asyncio
from collections.abc import Iterable, Sequence
from itertools import chain

from httpx2 import HTTPError
from playwright.async_api import Error
from websockets.exceptions import WebSocketException

from pilotfish.core.errors import PilotfishError

from .attack_arena import Arena
from .attack_cases import Case, Outcome, Scripted, single

Trial = tuple[Case | Scripted, str]
NO_END = "NO END"
LONGEST = 180.0
FAILURES = (
    AssertionError,
    PilotfishError,
    OSError,
    LookupError,
    ValueError,
    RuntimeError,
    Error,
    HTTPError,
    WebSocketException,
)
"""How a trial may break off; who waits for it hears of it, and its lane goes on with the next."""
WAITS = (1, 4, 12)
"""How often orders are given that come to nothing, and how much longer each time they wait: on a busy machine a worker
or a socket may not be there yet, and a frame of another site may lose a click while it is painted."""


class Trials:
    """Cases under presets, several at a time; who waits for one gets its outcome when it is there."""

    def __init__(self, lanes: Sequence[Arena], wanted: Sequence[Trial]) -> None:
        self.lanes = lanes
        self.found = {(case.name, preset): asyncio.get_running_loop().create_future() for case, preset in wanted}
        self.task = asyncio.create_task(self._all(wanted))

    async def _all(self, wanted: Sequence[Trial]) -> None:
        """Try all in all lanes, then by itself what measures the product."""
        alone, shared = ([one for one in wanted if is_alone(one) is yes] for yes in (True, False))
        left = iter([trial for trial in shared if not single(trial[0])])
        first = chain((trial for trial in shared if single(trial[0])), left)
        await asyncio.gather(self._lane(self.lanes[0], first), *(self._lane(lane, left) for lane in self.lanes[1:]))
        await self._lane(self.lanes[0], alone)

    async def _lane(self, lane: Arena, left: Iterable[Trial]) -> None:
        for case, preset in left:
            await self._try(lane, case, preset)

    async def _try(self, lane: Arena, case: Case | Scripted, preset: str) -> None:
        outcome = self.found[case.name, preset]
        try:
            async with asyncio.timeout(LONGEST):
                outcome.set_result(await self._conclusive(lane, case, preset))
        except TimeoutError:
            outcome.set_result(Outcome(through=(f"{NO_END} within {LONGEST:g} s",)))
            await lane.abandon()
        except FAILURES as error:
            outcome.set_exception(error)
            await lane.abandon()

    async def _conclusive(self, lane: Arena, case: Case | Scripted, preset: str) -> Outcome:
        """Try a case; again where nothing happened and nobody stopped it, or where a page had not come yet. What got
        through is never tried again."""
        found = Outcome()
        for times in WAITS:
            found = await lane.run(case.slower(times), preset)
            stopped = found.refused or ((found.asked or case.quiet) and not found.absent)
            if found.through or (stopped and preset != "allow"):
                break
        return found

    async def outcome(self, case: Case | Scripted, preset: str) -> Outcome:
        return await self.found[case.name, preset]


def is_alone(trial: Trial) -> bool:
    return isinstance(trial[0], Scripted) and trial[0].alone
