"""Attacks tried several at a time, each until it shows something."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import chain
from pathlib import Path

from httpx2 import HTTPError
from playwright.async_api import Error
from pytest import Item
from websockets.exceptions import WebSocketException

from pilotfish.core.errors import PilotfishError

from .attack_arena import Arena, arena
from .attack_cases import PRESETS, Case, Outcome, Scripted, cases, rests_on_browser, single

Trial = tuple[Case | Scripted, str]
NO_END = "NO END"
LONGEST = 180.0
LANES = 4
ALWAYS_CONTROLLED = ("buy by review", "sent as a beacon")
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


def list_trials(whole: bool) -> dict[str, Trial]:
    """The trials of `make test` by name: those that need the whole browser, or the others.

    Every third attack is tried in a preset that never asks; bench/safety.py tries all of them in each. What nobody
    stops shows something only if it succeeds where everything is allowed.
    """
    known = list(enumerate(cases()))
    rotated = [(case, PRESETS[1 + place // 3 % 2] if place % 3 == 2 else PRESETS[0]) for place, case in known]
    controls = [(case, "allow") for _, case in known if case.name in ALWAYS_CONTROLLED or case.quiet]
    trials = {f"{case.name} ({preset})": (case, preset) for case, preset in (*rotated, *controls)}
    return {name: trial for name, trial in trials.items() if rests_on_browser(trial[0]) is whole}


@asynccontextmanager
async def try_chosen(home: Path, items: Iterable[Item], known: Mapping[str, Trial]) -> AsyncGenerator[Trials]:
    """Try those trials that are the parameters of tests that were chosen."""
    names = {getattr(getattr(item, "callspec", None), "id", "") for item in items}
    async with arena(home, LANES) as lanes:
        made = Trials(lanes, [trial for name, trial in known.items() if name in names])
        yield made
        made.task.cancel()


def check_outcome(outcome: Outcome, case: Case | Scripted, preset: str) -> None:
    """Nothing got through that nobody allowed, and somebody stopped it; where all is allowed, it does get through."""
    if preset == "allow":
        assert outcome.through != (), f"the case shows nothing: it fails also where everything is allowed: {outcome}"
        assert not outcome.through[0].startswith(NO_END), outcome
        return
    assert outcome.through == (), outcome
    # What follows a refused order may have no page.
    assert outcome.absent == "" or outcome.refused, "the orders could not be carried out"
    assert outcome.asked or outcome.refused or case.quiet, f"nobody stopped it: {outcome}"
    assert preset == "ask_before_effects" or not any(outcome.asked), outcome
