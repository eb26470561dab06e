"""Decides one action at a time with a decision model and an executor model. One model for both is asked once."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, Field

from pilotfish.core.messages import Message, ModelFacts, ToolCall, ToolSpec
from pilotfish.core.pages import ObservedPage
from pilotfish.core.values import Value
from pilotfish.loop_support.evidence import EvidenceCheck, contains_words
from pilotfish.loop_support.page_updates import PageUpdates
from pilotfish.loop_support.run_history import RunHistory
from pilotfish.loop_support.tool_calling import closed_schema, offer_page_tools, with_schema
from pilotfish.loop_support.turn import TEXT, CompletionClaim, TurnAction, action_schema, describe_signatures
from pilotfish.runtime.run import Run
from pilotfish.tools.base import ToolResult

ACTION_TOOLS = (
    "click", "type", "select", "press_key", "hover", "drag", "scroll", "navigate", "manage_tabs", "wait_for",
    "get_text", "find",
)  # fmt: skip
EARLIER_MESSAGES, MESSAGE_LENGTH = 6, 1500
"""How many earlier messages of the conversation a request has, and how many characters of each."""


class PickedStep(Value):
    """What comes next: a call, a question, or, with neither, the end; `sure` if that need not be held."""

    words: str = ""
    act: str = ""
    call: ToolCall | None = None
    ask: str = ""
    sure: bool = False


class NextDecision(BaseModel):
    """What to do next; `call` is the action as a tool call, where one model gives both."""

    reasoning: str = ""
    needs_action: bool
    action: str = ""
    call: TurnAction | None = None
    message: str = ""
    evidence: str = ""
    ask_user: str | None = Field(default="")


class TwoModelDecider:
    """Decides with a decision model and an executor model, which may be the same."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.specs = [run.context.tools[name].spec for name in ACTION_TOOLS if name in run.tools]
        self._history: RunHistory | None = None
        self._updates = PageUpdates(run.untrusted)
        self._lines_copied = self._calls = self._turn = 0
        self._earlier = run.untrusted.recount(run.messages[-EARLIER_MESSAGES:-1], MESSAGE_LENGTH)

    async def next(self, page: ObservedPage, history: list[str]) -> PickedStep:
        """Ask for the next step, with the goal, the history, the last results and the page."""
        run = self.run
        self.specs += [spec for spec in offer_page_tools(run, page) if spec not in self.specs]
        facts = await run.facts("decision")
        run_history = self._history = self._history or RunHistory(run, facts.window)
        for line in history[self._lines_copied :]:
            run_history.remark(line)
        self._lines_copied = len(history)
        same_model = await run.model_name("decision") == await run.model_name("executor")
        messages = await self._messages(page, run_history, facts, same_model)
        shape = decision_shape(self.specs if same_model else (), facts)
        choice = await run.decide(shape, messages, purpose="decide", tier="decision", thought="reasoning")
        await run.reason(choice.reasoning, "decide")
        run_history.begin_turn(choice.reasoning)
        run_history.see_page(page)
        if choice.ask_user or not (choice.needs_action and (choice.action or choice.call)):
            shown = bool(choice.evidence) and contains_words(choice.evidence, [page.text, *run_history.results])
            claim = CompletionClaim(answer=choice.message or choice.reasoning, evidence=[choice.evidence])
            sure = (shown or not run_history.results) and not EvidenceCheck(run, run_history).find_doubt(claim, page)
            return PickedStep(words=claim.answer, ask=choice.ask_user or "", sure=sure)
        if choice.message:
            await run.report("executing_tools", "started", choice.message, said=True)
        action = choice.call or await self._ask_executor(choice.action, page)
        self._calls += 1
        offered = action.tool in {spec.name for spec in self.specs}
        call = ToolCall(id=f"c{self._calls}", tool=action.tool, args=action.args, offered=offered)
        return PickedStep(words=choice.action or action.tool, call=call)

    async def record_step(self, step: PickedStep, result: ToolResult) -> None:
        """Add a call and its result to the history."""
        assert step.call and self._history
        await self._history.record(step.call, {}, result)

    async def _messages(
        self, page: ObservedPage, run_history: RunHistory, facts: ModelFacts, same_model: bool
    ) -> list[Message]:
        run = self.run
        calling = run.prompt("pilot_call", tools=describe_signatures(self.specs)) if same_model else ""
        results = run_history.fresh_results(facts.window // 4)
        self._turn += 1
        if run_history.troubled:
            self._updates.forget()
        turns, changes = self._updates.arrange(page, self._turn, run_history.messages(), run_history.turn_count)
        parts = [f"Results:\n{results}" if results else "", changes, f"This is turn {self._turn}."]
        return [
            Message(role="system", text=run.prompt("pilot_decide", calling=calling)),
            *([Message(role="user", text=f"Earlier in this conversation:\n{self._earlier}")] if self._earlier else []),
            Message(role="user", text=f"Goal: {run.task}\nToday is {run.day}.", stable=True),
            *turns,
            Message(role="user", text="\n".join(filter(None, parts)), images=await run.page_picture("decision")),
        ]

    async def _ask_executor(self, action: str, page: ObservedPage) -> TurnAction:
        """Let the executor model turn the decided action into a tool call. It sees what the last action brought."""
        run, facts = self.run, await self.run.facts("executor")
        system = run.prompt("pilot_execute", tools=describe_signatures(self.specs))
        done = f"What was done last:\n{self._history.last_turn}\n" if self._history and self._history.last_turn else ""
        request = f"Page:\n{run.untrusted.wrap(page.text)}\n{done}Action: {action}"
        messages = [Message(role="system", text=system), Message(role="user", text=request)]
        shape = with_schema(TurnAction, action_schema(self.specs) if facts.local and facts.shapes else {})
        return await run.decide(shape, messages, purpose="execute", tier="executor")


def decision_shape(specs: Sequence[ToolSpec], facts: ModelFacts) -> type[NextDecision]:
    """`NextDecision`. For a local model its schema admits calls of these tools only."""
    if not (facts.local and facts.shapes):
        return with_schema(NextDecision, {})
    call: dict[str, Any] = {"call": action_schema(specs)} if specs else {}
    schema = closed_schema(
        reasoning=TEXT,
        needs_action={"type": "boolean"},
        action=TEXT,
        **call,
        message=TEXT,
        evidence=TEXT,
        ask_user=TEXT,
    )
    return with_schema(NextDecision, {**schema, "required": ["reasoning", "needs_action"]})
