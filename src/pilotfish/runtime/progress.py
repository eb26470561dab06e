"""Detects repeated actions without progress, for all loops, and hints at them to the model."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json

from pilotfish.core.errors import PilotfishError
from pilotfish.core.messages import ToolCall
from pilotfish.tools.base import ToolResult

HINT_AFTER = 3
END_AFTER = 6
ADVICE = ("Try another way.", "Do something else.")
"""How hints end; a model must not give them as its answer."""
LOOKING_TOOLS = frozenset(
    {"screenshot", "get_text", "get_schema", "get_html", "find", "find_lists", "collect", "collect_part"}
    | {"refresh", "wait_for", "planner", "done"}
)


class NoProgress(PilotfishError):
    """The same action had the same outcome too often."""


class ProgressWatch:
    """Watches actions, their outcomes and the pages between them."""

    def __init__(self) -> None:
        self.unseen = False
        self._tried = False
        self._pairs: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._page = ""
        self._still = 0
        self._hints: list[str] = []

    def record_action(self, call: ToolCall, result: ToolResult, *, touched: bool = True) -> None:
        """Count an action. The third time with the same outcome gives a hint; the sixth ends the run.

        `touched`: it may have changed the page, so the model must look again before it claims success.
        """
        if call.tool in LOOKING_TOOLS:
            return
        self.unseen = self.unseen or touched
        self._tried = self._tried or touched
        if result.data.get("changed"):
            # A change of appearance does not show in the page's text.
            self._page = ""
        times = self._count(self._pairs, digest(call.tool, call.args, result.ok, result.output or result.error))
        what = f"{call.tool} {dict(call.args)}"
        if times >= END_AFTER:
            raise NoProgress(
                f"The same action came out the same way {times} times: {what[:120]}.",
                "Say the task in other words, or take over in the browser.",
            )
        if times >= HINT_AFTER:
            self._hints.append(f"You did this {times} times with the same outcome: {what[:120]}. {ADVICE[1]}")
        self._failures[call.tool] = 0 if result.ok else self._failures[call.tool] + 1
        if self._failures[call.tool] >= HINT_AFTER:
            self._hints.append(f"{call.tool} has failed {self._failures[call.tool]} times in a row. {ADVICE[0]}")

    def record_page(self, mark: str) -> None:
        """Count a reading of the page that shows the same after an action was tried."""
        if mark and mark == self._page:
            self._still += self._tried
        else:
            self._still = 0
        if self._tried and self._still >= HINT_AFTER:
            self._hints.append(f"The page has not changed in your last {self._still} actions. {ADVICE[0]}")
        self._page = mark
        self._tried = self.unseen = False

    def take_hints(self) -> str:
        """The hints for the model since the last call, each once."""
        hints, self._hints = self._hints, []
        return "\n".join(dict.fromkeys(hints))

    def _count(self, counter: Counter[str], key: str) -> int:
        counter[key] += 1
        return counter[key]


def digest(tool: str, args: Mapping[str, Any], ok: bool, outcome: str) -> str:
    return hashlib.sha256(to_json([tool, dict(args), ok, outcome[:500]])).hexdigest()[:16]
