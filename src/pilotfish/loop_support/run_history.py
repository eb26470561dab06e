"""The history of a run for the model: one line per action, long results for one turn, old turns left out."""

from typing import TYPE_CHECKING

from pilotfish.context.fitting import shorten_text, token_estimate
from pilotfish.core.messages import Message, ToolCall
from pilotfish.core.pages import ElementQuery, ObservedPage
from pilotfish.core.recipe import ELEMENT_ARGUMENTS, read_touched
from pilotfish.runtime.progress import LOOKING_TOOLS
from pilotfish.runtime.steering import quote_said
from pilotfish.tools.base import ToolResult

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pilotfish.runtime.run import Run

OUTCOME_LENGTH, ERROR_LENGTH, ARGUMENT_LENGTH = 220, 500, 120
SHORT_RESULT = 400
"""A shorter result stands in its line. A longer one is shown for one turn and can be recalled."""
FOLDED_TURNS = "Turns 1 to {} ({} actions) are left out here; what matters of them stands in your notes."


class RunHistory:
    """The actions of a run with their outcomes, and the pages that were read. `troubled`: in this turn an action failed
    or the actions ended early; `failed`: the last action failed."""

    def __init__(self, run: "Run", window: int) -> None:
        self.run = run
        self.effects = 0
        self.results: list[str] = []
        self.pages: list[str] = []
        self.fresh: list[tuple[str, ToolResult]] = []
        self.pictured: list[ToolResult] = []
        self.troubled = self.failed = False
        self._seen_before: tuple[int, int] | None = None
        self._room = window // 3
        self._messages_read = len(run.messages)
        self._count = 0
        self._lines: list[str] = []
        self._turns: list[tuple[Message, int]] = []
        self._folded = 0

    def begin_turn(self, assessment: str) -> None:
        """Close the last turn, and begin one with the model's assessment of the last actions."""
        self.close_turn()
        self.fresh, self.pictured, self.troubled = [], [], False
        self._lines = [f"You: {' '.join(assessment.split())[:OUTCOME_LENGTH]}"] if assessment.strip() else []

    def close_turn(self) -> None:
        """Make one message of the turn's lines, and one of each message that the person has sent since."""
        if self._lines:
            text = self.run.untrusted.wrap_results(self._lines)
            self._turns.append((Message(role="user", text=text), self._count))
            self._lines = []
        for message in self.run.messages[self._messages_read :]:
            if message.origin == "person":
                self._turns.append((message.model_copy(update={"text": quote_said(message)}), self._count))
        self._messages_read = len(self.run.messages)

    def see_page(self, page: ObservedPage) -> None:
        if page.text not in self.pages[-1:]:
            self.pages.append(page.text)

    def remark(self, text: str) -> None:
        """Add a line that is no action, such as why the actions ended early."""
        self.troubled = self.troubled or bool(text)
        self._lines += [f"! {text}"] if text else []

    async def record(self, call: ToolCall, elements: "Mapping[str, ElementQuery]", result: ToolResult) -> None:
        """Add an action. A long result is kept under an id so that it can be recalled."""
        self._count += 1
        number = self._count
        tool = self.run.context.tools.get(call.tool)
        acts = bool(tool and tool.effect) and call.tool not in LOOKING_TOOLS
        effect = result.ok and acts and bool(result.data.get("changed", True))
        if effect or (acts and not result.ok):
            self.failed = not result.ok
            # Before the first effect, or before the last failure.
            if self.failed or self._seen_before is None:
                self._seen_before = len(self.pages), len(self.results)
        self.effects += effect
        self.troubled = self.troubled or not result.ok
        self.results.append(report_body(result))
        self.pictured += [result] if result.files else []
        outcome = write_outcome(result)
        if result.ok and not is_page_report(result) and len(result.output) > SHORT_RESULT:
            await self.run.results.keep(self.run.id, f"r{number}", result.output)
            self.fresh.append((f"r{number}", result))
            outcome = f"{len(result.output):,} characters (recall_details r{number}): {outcome}"
        known = dict(elements)
        known |= {name: each for name, each in touched_elements(call, result).items() if is_open(known.get(name))}
        self._lines.append(f"{number}. {describe_call(call, known)} → {outcome}")

    @property
    def texts_before(self) -> list[str]:
        """The pages and results that were seen before the first effect or the last failure; without either, all."""
        pages, results = self._seen_before or (len(self.pages), len(self.results))
        return [*self.pages[:pages], *self.results[:results]]

    @property
    def last_turn(self) -> str:
        """The last turn, as it stands in requests; what the person said aside."""
        return next((message.text for message, _ in reversed(self._turns) if message.origin != "person"), "")

    @property
    def turn_count(self) -> int:
        """How many messages there are of turns, those that are folded included."""
        return len(self._turns)

    def messages(self) -> list[Message]:
        """The turns as messages. If they no longer fit, one line replaces the oldest, up to half the room."""
        self.close_turn()
        size = sum(token_estimate(message.text) for message, _ in self._turns[self._folded :])
        if size > self._room:
            while size > self._room // 2 and self._folded < len(self._turns) - 1:
                size -= token_estimate(self._turns[self._folded][0].text)
                self._folded += 1
        shown = [message for message, _ in self._turns[self._folded :]]
        if not self._folded:
            return shown
        folded = FOLDED_TURNS.format(self._folded, self._turns[self._folded - 1][1])
        return [Message(role="user", text=folded), *shown]

    def fresh_results(self, room: int) -> str:
        """The long results of the last turn, each cut to its share of the room."""
        share = room // max(1, len(self.fresh))
        parts = [self._quote(id, result, share) for id, result in self.fresh]
        return "\n".join(parts)

    def _quote(self, id: str, result: ToolResult, share: int) -> str:
        return self.run.untrusted.wrap(shorten_text(result.output, share), f"result {id}")


def describe_call(call: ToolCall, elements: "Mapping[str, ElementQuery]") -> str:
    """A call in a few words: the tool, its elements by role, name and row, and its other arguments."""
    parts = [call.tool]
    for name, value in call.args.items():
        if name in ELEMENT_ARGUMENTS:
            parts.append(f"{'to ' if name == 'to_id' else ''}{elements.get(name) or f'[{value}]'}")
        else:
            text = " ".join(str(value).split())
            parts.append(f'{name}="{text[:ARGUMENT_LENGTH]}{"…" * (len(text) > ARGUMENT_LENGTH)}"')
    return " ".join(parts)


def touched_elements(call: ToolCall, result: ToolResult) -> dict[str, ElementQuery]:
    """The elements of a call by argument, as the tool found them."""
    touched = read_touched(result.data)
    ids = {name: str(value) for name, value in call.args.items() if name in ELEMENT_ARGUMENTS}
    found = {name: touched[id] for name, id in ids.items() if id in touched}
    return {name: ElementQuery(role=each["role"], name=each["name"]) for name, each in found.items()}


def is_open(query: ElementQuery | None) -> bool:
    """Whether a query leaves open what the element is called."""
    return query is None or query.focused or bool(query.other_names)


def is_page_report(result: ToolResult) -> bool:
    """Whether a result reports what an action changed on the page; the next turn shows that page anyway."""
    return "changed" in result.data


def report_body(result: ToolResult) -> str:
    """The content of a result. Of a page report: all but the first line, which repeats the action."""
    if not result.ok:
        return ""
    return result.output.partition("\n")[2] if is_page_report(result) else result.output


def write_outcome(result: ToolResult) -> str:
    """The most important part of a result, in one line, with what the policy adds to it."""
    added = str(result.data.get("added", ""))
    if not result.ok or added:
        said = str(result.data.get("headline", "")) if result.ok else f"FAILED: {result.error}"
        return " ".join(f"{said[:ERROR_LENGTH]} {added[:ERROR_LENGTH]}".split())
    if headline := str(result.data.get("headline", "")):
        return headline[:OUTCOME_LENGTH]
    text = report_body(result).partition("\n\n")[0] if is_page_report(result) else result.output
    line = " ".join(text.split())
    limit = OUTCOME_LENGTH if is_page_report(result) else SHORT_RESULT if len(line) <= SHORT_RESULT else ARGUMENT_LENGTH
    return (line if len(line) <= limit else f"{line[:limit]}…") or "done"
