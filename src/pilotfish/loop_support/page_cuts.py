"""Notes for the person which pages were too long to be read whole."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pilotfish.context.fitting import token_estimate
from pilotfish.core.pages import TabText

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run


async def note_cuts(run: "Run", tabs: Sequence[TabText], share: int) -> None:
    """Note each page that is longer than `share` tokens, with the percentage that was read."""
    for tab in tabs:
        if (tokens := token_estimate(tab.text)) > share:
            await run.note("cut", f"“{tab.title or tab.url}” is long: the first {100 * share // tokens} % were read.")
