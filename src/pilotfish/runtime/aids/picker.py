"""How a small model pilots: one short answer lists the next moves, which are carried out one by one while they hold."""

import re
from collections.abc import Sequence

from pilotfish.core.messages import Call, Message
from pilotfish.core.values import Value
from pilotfish.runtime.aids.focus import body, focused, named, place, sends
from pilotfish.runtime.aids.instinct import unsent
from pilotfish.runtime.aids.mending import forgotten, hasty, unfilled, whole
from pilotfish.runtime.aids.moves import ASK, DONE, WAIT, Move, Moves, Plan, unnumbered
from pilotfish.runtime.aids.reflexes import Reflexes
from pilotfish.runtime.aids.things import things
from pilotfish.runtime.aids.trace import Trace
from pilotfish.runtime.progress import ADVICE
from pilotfish.runtime.run import Run
from pilotfish.runtime.seeing import Page
from pilotfish.tools.base import Result

FREE = ("wait_for", "type")  # these may be done again from the same page
FORM = 6
"""A page with more empty fields than these is no form to fill in at once."""
TROUBLE = re.compile(r"try again|busy|failed|went wrong|erneut|réessay|重试|稍后", re.IGNORECASE)
"""The page says that it did not work this time: the same may be done once more."""
COMING = re.compile(r"(…|\.\.\.)\"|\b(loading|please wait)\b", re.IGNORECASE)
"""The page says that something is on its way."""
DIALOG = "The page showed a dialog"
ASKING = re.compile(r"^ *(?:alert)?dialog\b", re.MULTILINE)
"""The page waits for an answer of its own."""
BLANK = ("", "about:blank")
ADDRESS = re.compile(
    r"(?:\b(?:open|visit|(?:go|navigate) to|on|at|öffne|ouvre)\s+)?(https?://[^\s,;\"'<>)]+)[\s,;.]*", re.IGNORECASE
)
THEN = re.compile(r"^(?:(?:and|then|und|et)\b\s*)+", re.IGNORECASE)
SAID = re.compile(r"→ the person says: (\S+)$")


class Step(Value):
    """What comes next: a call, a question, or, with neither, the end; `sure` if that need not be held."""

    words: str = ""
    act: str = ""
    call: Call | None = None
    ask: str = ""
    sure: bool = False


class Picker:
    """Decides by picking from the list of what can be done here."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._address, self.goal = addressed(run.task)
        self._ahead: list[Move] = []
        self._tried: dict[str, set[str]] = {}
        self._asking: set[str] = set()
        self._trace = Trace(self.goal)
        self._reflexes = Reflexes(self._trace)
        self._first = ""
        self._settled = False
        self._doubted = False

    async def next(self, page: Page, history: list[str]) -> Step:
        if page.url in BLANK and (step := self._opening(history)):
            return step
        goal, trace = self.goal, self._trace
        shown = focused(goal, body(page), trace.labels)
        self._first = self._first or page.url
        moves = Moves(shown, self._tried.get(place(page), ()), self._asking, goal, page.url != self._first)
        self._ahead = self._reflexes.over(page, moves, self._ahead)
        last = unsent(goal, page.text, trace.labels) if trace.filled else None
        hits = {thing.name for thing in named(goal, page.text)}
        most = ahead(len(hits), sum(thing.empty for thing in things(shown)))
        if not self._ahead or not moves.has(self._ahead[0]):
            reached = self._settled and not ASKING.search(page.text) and trace.reached(page)
            if reached and not last:
                return Step(words=unnumbered(f"Done: {'; '.join(history)}. The page now: {page.title}."), sure=True)
            self._ahead = [] if reached else await self._plan(shown, moves, history, most)
        if self._doubts():
            self._ahead = await self._plan(shown, moves, history, most, (DONE,))
        move = self._ahead.pop(0) if self._ahead else Move(act=DONE)
        if move.act == DONE and last:
            move = Move(act=f"click {last.label}")
        if move.act == ASK:
            self._ahead = []
            return Step(ask=move.text or "What should I do?")
        if move.act == DONE:
            echo = move.text.endswith(ADVICE)
            return Step(words="I found no way to do that here." if echo else move.text, sure=bool(history))
        return Step(words=str(move), act=move.act, call=moves.call(move, f"c{len(history)}"))

    def _opening(self, history: Sequence[str]) -> Step | None:
        """Where nothing is open: the address that the task or the person gave, else the question for it."""
        said = SAID.search(history[-1]) if history else None
        address, self._address = self._address or (said[1] if said else ""), ""
        if not address:
            return None if history else Step(ask="On which page should I begin? Tell me its address.")
        act = f"open {address}"
        return Step(words=act, act=act, call=Call(id="c0", tool="navigate", args={"action": "goto", "url": address}))

    def done(self, page: Page, step: Step, result: Result) -> None:
        """The same is not tried twice from the same page, and after a failure the rest is thought over."""
        assert step.call
        if step.call.tool == "navigate" and "url" in step.call.args:
            return  # there was nothing here before
        self._trace.note(page, step.call, step.act)
        news = " ".join(result.output.splitlines()[1:2])
        trouble, coming = TROUBLE.search(news), COMING.search(news)
        if step.call.tool not in FREE and not trouble:
            self._tried.setdefault(place(page), set()).add(step.act)
        asked = "to answer otherwise" in result.output
        self._settled = result.ok and not (asked or trouble or coming)
        if coming:
            self._ahead = [Move(act=WAIT), *self._ahead]
        if asked:
            self._asking.add(step.act)
            self._ahead = []
        if result.ok:
            self._trace.touch(page, step.call, step.words, news)
        else:
            self._ahead = []

    def _doubts(self) -> bool:
        """Whether the end comes, for the first time, before all that the goal gives was used or told."""
        if not self._ahead or self._ahead[0].act != DONE or not self._trace.acts or self._doubted:
            return False
        self._doubted = any(one.casefold() not in self._ahead[0].text.casefold() for one in self._trace.unmet)
        return self._doubted

    async def _plan(
        self, page: str, moves: Moves, history: Sequence[str], most: int, but: Sequence[str] = ()
    ) -> list[Move]:
        goal = self.goal
        done = self.run.fence.told([f"{n}. {line}" for n, line in enumerate(history, 1)])
        rest = self._trace.left if history else ()
        text = f"Goal: {goal}\nDone: {done}\nPage:\n{self.run.fence.wrap(page)}"
        text += f"\nLeft: {', '.join(rest)}" if rest else ""
        messages = [Message(role="system", text=self.run.prompt("pilot_small")), Message(role="user", text=text)]
        acts = await self._decided(moves.shape(most, but), messages, page)
        if not acts or self._trace.acts:
            return acts
        field = unfilled(goal, page, acts[0])
        if field and sum(thing.empty for thing in things(page)) == 1:
            return await self._decided(moves.wording(field), messages, page) + acts
        if lost := forgotten(goal, page, acts):
            return await self._decided(moves.wording(lost), messages, page) + acts
        if field or hasty(goal, page, acts[0]):
            waiting = [line for line in moves.calls if sends(line) or line == acts[0].act]
            first = await self._decided(moves.shape(most, waiting), messages, page)
            return [move for move in first if move.act != DONE] + acts
        return acts

    async def _decided(self, shape: type[Plan], messages: Sequence[Message], page: str) -> list[Move]:
        plan = await self.run.decide(shape, messages, purpose="decide", tier="decision")
        await self.run.reason(plan.why, "decide")
        return whole(self.goal, page, plan.acts, self._trace.labels)


def addressed(task: str) -> tuple[str, str]:
    """The address that a task begins from, if it names one, and what is to be done there."""
    found = ADDRESS.search(task)
    if found is None:
        return "", task
    return found[1].rstrip("."), THEN.sub("", task[: found.start()] + task[found.end() :]).strip() or task


def ahead(hits: int, empty: int = 0) -> int:
    """How many moves may be listed: a small model fills what it may, so few where the goal names little here and there
    is no form to fill in."""
    least = empty + 1 if 1 < empty <= FORM else 2
    return max(least, min(12, max(4, hits + 3)) if hits else 0)


def told(action: str, result: Result) -> str:
    """What was done, and what came of it where the page does not show it."""
    if not result.ok:
        return f"{action} → FAILED: {result.error[:160]}"
    news = [
        line[:160]
        for line in result.output.splitlines()[1:]
        if line.startswith(("New text:", "Nothing changed", "It looks different", DIALOG))
    ]
    return " → ".join([action, *news[:1]])
