"""Chooses a loop: by the options, the open tabs and a question mark, else with one call of the light model."""

from typing import Literal

from pydantic import BaseModel

from pilotfish.core.messages import Message
from pilotfish.loop_support.hand_over import is_question
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run


class LoopChoice(BaseModel):
    """What the person wants."""

    way: Literal["chat", "browse", "research", "talk"]


class PagelessChoice(BaseModel):
    """The same, where no page is open that they could ask about."""

    way: Literal["browse", "research", "talk"]


@loop("auto")
async def auto(run: Run) -> None:
    """Choose a loop, report why, and continue as that loop."""
    await choose_and_continue(run)


async def choose_and_continue(run: Run) -> None:
    way, why = await choose_way(run)
    name = {"chat": "chat", "research": "react", "talk": "talk", "browse": await choose_browsing_loop(run)}[way]
    await run.note("loop", f"Using {name}: {why}.", loop=name)
    await run.continue_as(name)


async def choose_way(run: Run) -> tuple[str, str]:
    """What the person wants (chat, browse, research or talk), and the reason for it as the person reads it."""
    if run.options.get("chore"):
        return "browse", "it was given as a chore"
    has_tabs = await run.has_tabs()
    if has_tabs and is_question(run.task) and not (await run.facts()).small:
        return "chat", "it is a question, and pages are open"
    pages = "Pages are open." if has_tabs else "No page is open."
    short = (await run.facts("light")).small
    prompt, said = (run.prompt("auto_short"), run.messages[-1:]) if short else (run.prompt("auto"), run.messages[-3:])
    messages = [Message(role="system", text=f"{prompt}\n{pages}"), *said]
    shape = LoopChoice if has_tabs else PagelessChoice
    choice = await run.attempt(shape, messages, purpose="choose", tier="light", adapted=short, tries=2)
    if isinstance(choice, str):
        # Neither opens a page nor searches, and chat may hand over.
        return "chat" if has_tabs else "talk", "the model did not choose"
    return choice.way, "the model chose it"


async def choose_browsing_loop(run: Run) -> str:
    """The loop that acts on pages: `pilot` for small models, `horizon` for others."""
    return "pilot" if (await run.facts()).small else "horizon"
