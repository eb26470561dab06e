"""Two models, one action at a time: one decides in words what to do next, the other turns the words into a call."""

from typing import Any

from pydantic import BaseModel, Field

from pilotfish.core.messages import Call, Message
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run
from pilotfish.runtime.seeing import Page
from pilotfish.runtime.wording import parse
from pilotfish.tools.base import Result

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
    held = False
    while run.open:
        page = await run.observe()
        decision = await decide(run, page, history)
        if decision.ask_user:
            answer = await run.request_input(decision.ask_user)
            history.append(f"asked: {decision.ask_user} → the person says: {answer or 'nothing'}")
            if answer is None:
                await run.finish(f"I asked “{decision.ask_user}” and got no answer.")
        elif decision.needs_action and decision.action:
            call = await translate(run, decision.action, page, history)
            result = (await run.act(call))[0]
            history.append(told(decision.action, result))
            held = False
        elif run.progress.unseen or (history and not held):
            # A claim right after an action is held for one more look at the page.
            held = True
            history.append(f"you said: {decision.message or decision.reasoning} → check on the page that this is true")
        else:
            await run.finish(decision.message or decision.reasoning)


async def decide(run: Run, page: Page, history: list[str]) -> Decision:
    done = "\n".join(f"{n}. {line}" for n, line in enumerate(history[-KEPT:], 1)) or "nothing"
    hints = run.progress.hints()
    earlier = "\n".join(f"{m.role}: {m.text[:300]}" for m in run.messages[-5:-1])
    text = (
        f"Goal: {run.task}\nDone so far: {done}\n{hints}\nPage: {page.title} ({page.url})\n{run.fence.wrap(page.text)}"
    )
    messages = [
        Message(role="system", text=run.prompt("pilot_decide")),
        *([Message(role="user", text=f"Earlier in this conversation:\n{earlier}")] if earlier else []),
        Message(role="user", text=text, images=await run.sight("decision")),
    ]
    decision = await run.decide(Decision, messages, purpose="decide", tier="decision")
    await run.reason(decision.reasoning, "decide")
    return decision


async def translate(run: Run, action: str, page: Page, history: list[str]) -> Call:
    """The action as a call: read by rule where its words are plain, else by the executor model."""
    number = f"c{len(history)}"
    if call := parse(action, page.text, number):
        return call
    specs = (run.kit.tools[name].spec for name in TOOLS if name in run.kit.tools)
    tools = "\n".join(f"{s.name}({', '.join(s.parameters.get('properties', {}))}): {s.description}" for s in specs)
    last = "\n".join(history[-2:])
    text = f"Page:\n{run.fence.wrap(page.text)}\nLast results: {last}\nAction: {action}"
    messages = [Message(role="system", text=run.prompt("pilot_execute", tools=tools)), Message(role="user", text=text)]
    wish = await run.decide(Wish, messages, purpose="execute", tier="executor")
    return Call(id=number, tool=wish.tool, args=wish.inputs)


def told(action: str, result: Result) -> str:
    outcome = result.output if result.ok else f"FAILED: {result.error}"
    return f"{action} → {outcome[:300]}"
