"""A sense of progress, for all loops: it notices going round in circles, and claims made too early."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json

from pilotfish.core.errors import PilotfishError
from pilotfish.core.messages import Call
from pilotfish.tools.base import Result

TOLD = 3
ENDED = 6
ADVICE = ("Try another way.", "Do something else.")
"""How hints end; no answer to give to a person."""
LOOKS = frozenset(
    {"screenshot", "get_text", "get_schema", "get_html", "find", "refresh", "wait_for", "planner", "done"}
)


class Stuck(PilotfishError):
    """The same thing came out the same way too often."""


class Progress:
    """Watches actions, their outcomes and the pages between them."""

    def __init__(self) -> None:
        self.unseen = False
        self._tried = False
        self._pairs: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._page = ""
        self._still = 0
        self._hints: list[str] = []

    def acted(self, call: Call, result: Result, *, touched: bool = True) -> None:
        """Take note of an action. The same one with the same outcome is told the third time; the sixth ends the run.

        `touched` says that it may have changed the page, so that nothing should be claimed before the next look.
        """
        if call.tool in LOOKS:
            return
        self.unseen = self.unseen or touched
        self._tried = self._tried or touched
        if result.data.get("changed"):
            # What only looks different is not in the text of the page.
            self._page = ""
        times = self._count(self._pairs, digest(call.tool, call.args, result.ok, result.output or result.error))
        what = f"{call.tool} {dict(call.args)}"
        if times >= ENDED:
            raise Stuck(
                f"The same action came out the same way {times} times: {what[:120]}.",
                "Say the task in other words, or take over in the browser.",
            )
        if times >= TOLD:
            self._hints.append(f"You did this {times} times with the same outcome: {what[:120]}. {ADVICE[1]}")
        self._failures[call.tool] = 0 if result.ok else self._failures[call.tool] + 1
        if self._failures[call.tool] >= TOLD:
            self._hints.append(f"{call.tool} has failed {self._failures[call.tool]} times in a row. {ADVICE[0]}")

    def saw(self, mark: str) -> None:
        """Take note of a look at the page. One that shows the same after something was tried is counted."""
        if mark and mark == self._page:
            self._still += self._tried
        else:
            self._still = 0
        if self._tried and self._still >= TOLD:
            self._hints.append(f"The page has not changed in your last {self._still} actions. {ADVICE[0]}")
        self._page = mark
        self._tried = self.unseen = False

    def hints(self) -> str:
        """What the model should be told now; each thing once."""
        told, self._hints = self._hints, []
        return "\n".join(dict.fromkeys(told))

    def _count(self, counter: Counter[str], key: str) -> int:
        counter[key] += 1
        return counter[key]


def digest(tool: str, args: Mapping[str, Any], ok: bool, outcome: str) -> str:
    return hashlib.sha256(to_json([tool, dict(args), ok, outcome[:500]])).hexdigest()[:16]
