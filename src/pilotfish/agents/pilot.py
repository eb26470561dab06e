"""Two models, one action at a time: one decides in words what to do next, the other turns the words into a call.
A small model does both in one, by picking from the list of what the page allows (`runtime/aids/picker.py`)."""

from typing import Any

from pydantic import BaseModel, Field

from pilotfish.core.messages import Call, Message
from pilotfish.runtime.aids.focus import choices
from pilotfish.runtime.aids.picker import Picker, Step, told
from pilotfish.runtime.aids.wording import parse
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run
from pilotfish.runtime.seeing import Page

TOOLS = ("click", "type", "select", "press_key", "hover", "drag", "scroll", "navigate", "manage_tabs", "wait_for")
KEPT = 8


class Decision(BaseModel):
    """What to do next."""

    reasoning: str = Field(max_length=240)
    needs_action: bool
    action: str = Field(default="", max_length=200)
    message: str = Field(default="", max_length=600)
    ask_user: str | None = Field(default="", max_length=240)


class Wish(BaseModel):
    """A tool call as the executor writes it."""

    tool: str
    inputs: dict[str, Any] = Field(default_factory=dict)


@loop("pilot")
async def pilot(run: Run) -> None:
    """Decide one action, carry it out, look again."""
    history: list[str] = []
    small, held = (await run.facts("decision")).small, False
    mind = Picker(run) if small else Decider(run)
    while run.open:
        page = await run.observe(marks=not small)
        step = await mind.next(page, history)
        if step.ask:
            answer = await run.request_input(step.ask, choices(step.ask, page.text))
            history.append(f"asked: {step.ask} → the person says: {answer or 'nothing'}")
            if answer is None:
                await run.finish(f"I asked “{step.ask}” and got no answer.")
        elif step.call:
            result = (await run.act(step.call))[0]
            history.append(told(step.words, result))
            mind.done(page, step, result)
            held = False
        elif not held and not step.sure:
            # A claim right after an action is held for one more look at the page.
            held = True
            history.append(f"you said: {step.words} → check on the page that this is true")
        else:
            await run.finish(step.words)


class Decider:
    """A decision model and an executor model, which may be the same."""

    def __init__(self, run: Run) -> None:
        self.run = run

    async def next(self, page: Page, history: list[str]) -> Step:
        run = self.run
        done = run.fence.told([f"{n}. {line}" for n, line in enumerate(history[-KEPT:], 1)])
        earlier = "\n".join(f"{m.role}: {m.text[:300]}" for m in run.messages[-5:-1])
        text = f"Goal: {run.task}\nDone so far: {done}\nPage:\n{run.fence.wrap(page.text)}"
        messages = [
            Message(role="system", text=run.prompt("pilot_decide")),
            *([Message(role="user", text=f"Earlier in this conversation:\n{earlier}")] if earlier else []),
            Message(role="user", text=text, images=await run.sight("decision")),
        ]
        decision = await run.decide(Decision, messages, purpose="decide", tier="decision")
        await run.reason(decision.reasoning, "decide")
        if decision.ask_user or not (decision.needs_action and decision.action):
            return Step(words=decision.message or decision.reasoning, ask=decision.ask_user or "", sure=not history)
        return Step(words=decision.action, call=await self._call(decision.action, page, history))

    def done(self, *_: object) -> None:
        """The history tells it all."""

    async def _call(self, action: str, page: Page, history: list[str]) -> Call:
        """The action as a call: read by rule where its words are plain, else by the executor model."""
        run, number = self.run, f"c{len(history)}"
        if call := parse(action, page.text, number):
            return call
        specs = (run.kit.tools[name].spec for name in TOOLS if name in run.kit.tools)
        tools = "\n".join(f"{s.name}({', '.join(s.parameters.get('properties', {}))}): {s.description}" for s in specs)
        last = run.fence.told(history[-2:])
        text = f"Page:\n{run.fence.wrap(page.text)}\nLast results: {last}\nAction: {action}"
        system = Message(role="system", text=run.prompt("pilot_execute", tools=tools))
        wish = await run.decide(Wish, [system, Message(role="user", text=text)], purpose="execute", tier="executor")
        return Call(id=number, tool=wish.tool, args=wish.inputs)
