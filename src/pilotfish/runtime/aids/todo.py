"""What a planned run has done, is doing and still has to do; and whether a claim stands on what was seen."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from pilotfish.core.messages import Call
from pilotfish.runtime.aids.wording import parse
from pilotfish.tools.plan import Step

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run
    from pilotfish.runtime.seeing import Page

KEPT = 8
LONG = 250
RESEARCH = "research:"
SAME = 80
WORDS = re.compile(r"\w{2,}|\d")


class Todo:
    """The list that people see, and the log that the model reads."""

    def __init__(self, run: "Run") -> None:
        self.run = run
        self.log: list[str] = []
        self._ended: list[tuple[str, str]] = []

    async def show(self, ahead: Sequence[str]) -> None:
        """The list as it stands: what is over, what is being done, what comes."""
        now = [(ahead[0], "doing"), *((text, "open") for text in ahead[1:])] if ahead else []
        await self.run.plan([*self._ended, *now])

    async def carried(self, step: Step, calls: Sequence[Call]) -> str:
        """Carry out a step by these calls; what failed, or nothing."""
        failure = ""
        for call in calls:
            result = (await self.run.act(call))[0]
            told = result.output if result.ok else f"FAILED: {result.error}"
            self.log.append(f"{call.tool} {dict(call.args)} → {told[:LONG]}")
            if not result.ok:
                failure = f"{call.tool} failed: {result.error[:LONG]}"
                break
        self._ended.append((step.action, "failed" if failure else "done"))
        return failure

    async def researched(self, step: Step) -> bool:
        """Whether the step was a question that this site cannot answer, looked up in a sub-run."""
        if not step.action.lower().startswith(RESEARCH):
            return False
        child = await self.run.fork(step.action[len(RESEARCH) :].strip(), "react")
        self.log.append(f"{step.action} → {child.answer[:600]}")
        self._ended.append((step.action, "done"))
        return True

    @property
    def told(self) -> str:
        return self.run.fence.told([f"- {line}" for line in self.log[-KEPT:]])

    def cause(self, why: str) -> list[str]:
        """Why a new plan is needed: an error or a title, so a page's words too."""
        return ["Plan anew, because:", self.run.fence.wrap(why, "reason")] if why else []


class Foresight:
    """Compares the page with what the plan said it would show. While it comes true, plain steps need no model."""

    def __init__(self) -> None:
        self._true = True
        self._after = ""
        self._url = ""

    def surprised(self, page: "Page") -> str:
        """What happened that the last step did not foresee: another page; empty where nothing did."""
        came = shows(page.text, self._after)
        self._true = self._true and (came or not self._after)
        moved = bool(self._url) and page.url != self._url
        return f"the page is now {page.title or page.url}" if moved and not came else ""

    def direct(self, step: Step, page: "Page", id: str) -> list[Call]:
        """The step as a call, where its words are plain and the page shows what it needs; else nothing."""
        conditions = step.before or step.after
        ready = self._true and conditions and (not step.before or shows(page.text, step.before))
        call = parse(step.action, page.text, id) if ready else None
        return [call] if call else []

    def expect(self, step: Step, page: "Page") -> None:
        """The step was done; words that the page showed before prove nothing."""
        self._after = "" if shows(page.text, step.after) else step.after
        self._url = page.url


def shows(page: str, words: str) -> bool:
    """Whether a page says something, small differences aside."""
    return bool(words) and (words.lower() in page.lower() or fuzz.partial_ratio(words.lower(), page.lower()) >= 95)


def grounded(evidence: str, *seen: str) -> bool:
    """Whether what is called evidence was really seen: nearly literally, or in most of its words."""
    place = "\n".join(seen).lower()
    words = set(WORDS.findall(evidence.lower()))
    if not words:
        return False
    if fuzz.partial_ratio(evidence.lower(), place) >= SAME:
        return True
    return len(words & set(WORDS.findall(place))) >= 0.6 * len(words)
