"""Doing again what an earlier run did: its actions from the journal, and its elements found by role and name."""

import re
from typing import TYPE_CHECKING

from pilotfish.core.errors import PersonError
from pilotfish.core.messages import Call
from pilotfish.core.recipe import Deed, Met, Recipe, recipe
from pilotfish.runtime.kit import Json

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run
    from pilotfish.runtime.seeing import Page


async def recall(run: "Run", of: str) -> Recipe:
    """What the earlier run did, as one step of this one."""

    async def read() -> Json:
        store = run.kit.journal.store
        past = await store.run(of)
        if past is None or past.user != run.record.user:
            raise PersonError(f"There is no run {of!r}.", "List them: pilotfish runs")
        made = recipe(await store.events(past.id))
        if not made.deeds:
            raise PersonError(f"Run {of} did nothing in the browser, so there is nothing to do again.")
        return made.model_dump(mode="json")

    return Recipe.model_validate(await run.step("recall", read))


def numbered(met: Met, page: "Page") -> int | None:
    """The number that such an element has on this page."""
    line = re.compile(rf'\[(\d+)\] {re.escape(met.role)} "{re.escape(met.name)}"')
    found = [int(number) for number in line.findall(page.text)]
    return found[met.nth] if met.nth < len(found) else found[0] if found else None


async def located(run: "Run", deed: Deed, page: "Page") -> dict[str, int]:
    """The elements of a deed by argument: those on the screen, else those found anywhere on the page."""
    found: dict[str, int] = {}
    for name, met in deed.met.items():
        number = numbered(met, page)
        if number is None and met.name:
            number = numbered(met, await run.observe(find=met.name))
        if number is not None:
            found[name] = number
    return found


def again(deed: Deed, found: dict[str, int], number: int) -> Call:
    """The deed as a call on today's elements."""
    return Call(id=f"again{number}", tool=deed.tool, args={**deed.args, **found})
