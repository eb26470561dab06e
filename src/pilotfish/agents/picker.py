"""How a small model pilots: one short answer lists the next moves; they are carried out one by one, each after a new
look, for as long as the page still has them and they do what they should."""

from collections.abc import Sequence

from pilotfish.core.messages import Call, Message
from pilotfish.core.values import Value
from pilotfish.runtime.moves import ASK, DONE, WAIT, Move, Moves, things
from pilotfish.runtime.run import Run
from pilotfish.runtime.seeing import Page
from pilotfish.tools.base import Result

SHOWN = 6


class Step(Value):
    """What comes next: a call, a question, or, with neither, the end. `sure` means that the end need not be held."""

    words: str = ""
    act: str = ""
    call: Call | None = None
    ask: str = ""
    sure: bool = False


class Picker:
    """Decides by picking from the list of what can be done here."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._ahead: list[Move] = []
        self._tried: dict[str, set[str]] = {}

    async def next(self, page: Page, history: list[str]) -> Step:
        moves = Moves(page.text, self._tried.get(page.mark, ()))
        fresh = not self._ahead or not moves.has(self._ahead[0])
        if fresh:
            self._ahead = await self._plan(page, moves, history)
        move = self._ahead.pop(0)
        if move.act == ASK:
            self._ahead = []
            return Step(ask=move.text or "What should I do?")
        if move.act == DONE:
            return Step(words=move.text, sure=bool(history))
        return Step(words=str(move), act=move.act, call=moves.call(move, f"c{len(history)}"))

    def done(self, page: Page, step: Step, result: Result) -> None:
        """The same is not tried twice from the same page, and after a failure the rest is thought over."""
        if step.call and step.call.tool not in ("wait_for", "type"):
            self._tried.setdefault(page.mark, set()).add(step.act)
        if not result.ok:
            self._ahead = []

    async def _plan(self, page: Page, moves: Moves, history: Sequence[str]) -> list[Move]:
        done = "\n".join(f"{n}. {line}" for n, line in enumerate(history, 1)) or "nothing"
        text = f"Goal: {self.run.task}\nDone: {done}\nPage:\n{self.run.fence.wrap(body(page))}"
        messages = [Message(role="system", text=self.run.prompt("pilot_small")), Message(role="user", text=text)]
        plan = await self.run.decide(moves.shape(), messages, purpose="decide", tier="decision")
        await self.run.reason(plan.why, "decide")
        return plan.acts or [Move(act=WAIT)]


def body(page: Page) -> str:
    """The page without its address, which would cost a small model a second of reading."""
    _, position, *lines = page.text.split("\n")
    return "\n".join([page.title, *([] if position.endswith("1 of 1)") else [position]), *lines])


def told(action: str, result: Result) -> str:
    """What was done, and what came of it where the page does not show it."""
    if not result.ok:
        return f"{action} → FAILED: {result.error[:160]}"
    news = [line[:160] for line in result.output.splitlines()[1:] if line.startswith(("New text:", "Nothing changed"))]
    return " → ".join([action, *news[:1]])


def choices(question: str, page: str) -> tuple[str, ...]:
    """The things on the page that a question names, for the person to choose from."""
    asked = question.casefold()
    names = dict.fromkeys(thing.name for thing in things(page) if len(thing.name) > 1)
    return tuple(name for name in names if name.casefold() in asked)[:SHOWN]
