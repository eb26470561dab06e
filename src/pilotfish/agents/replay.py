"""Repeats an earlier run without a model; a model is asked only for elements that cannot be found."""

from pydantic import BaseModel, Field

from pilotfish.core.errors import PersonError
from pilotfish.core.messages import Message, ToolCall
from pilotfish.core.recipe import ElementRef, RecordedAction
from pilotfish.loop_support.recorded_actions import (
    Replacements,
    describe_found,
    locate_elements,
    make_call,
    read_recipe,
    save_replacements,
)
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run
from pilotfish.tools.base import ToolResult


class FoundElement(BaseModel):
    """The element that replaces a recorded one."""

    why: str = Field(default="", max_length=160)
    id: int = Field(ge=0)


@loop("replay", steerable=False)
async def replay(run: Run) -> None:
    """Find the elements of each recorded action and repeat the action; ask a model for missing elements."""
    recipe = await read_recipe(run, str(run.options.get("of", "")))
    await go_to_start(run, recipe.start)
    replaced, replacements = 0, Replacements()
    for number, action in enumerate(recipe.actions):
        await run.plan([(a.text or a.tool, describe_state(n, number)) for n, a in enumerate(recipe.actions)])
        page = await run.observe()
        found = await locate_elements(run, action, page)
        missing = {name: element for name, element in action.elements.items() if name not in found}
        replaced += bool(missing)
        for name, element in missing.items():
            found[name] = await find_replacement(run, action, element, replacements, (number, name))
        result = (await run.act(make_call(action, found, number)))[0]
        lost = not result.ok and not result.data.get("refused")
        if lost and not missing and action.elements:
            replaced += 1
            result = await retry_action(run, action, number, result, replacements)
        if not result.ok:
            step = f"Step {number + 1} ({action.text or action.tool})"
            raise PersonError(f"{step} could not be done again: {result.error}", "Do the task by another loop.")
    await run.plan([(action.text or action.tool, "done") for action in recipe.actions])
    await save_replacements(run, replacements)
    tail = f"; {replaced} of them had to be found anew" if replaced else ""
    await run.finish(f"Done again: {len(recipe.actions)} step{'s' * (len(recipe.actions) != 1)}{tail}.")


async def go_to_start(run: Run, start: str) -> None:
    """Go to the page where the earlier run began; tabs of the conversation may show another page now."""
    if not start or (await run.observe()).url == start:
        return
    result = (await run.act(ToolCall(id="start", tool="navigate", args={"action": "goto", "url": start})))[0]
    if not result.ok:
        raise PersonError(f"{start} could not be opened again: {result.error}", "See whether the page is still there.")


def describe_state(number: int, now: int) -> str:
    """The state of an action in the todo list."""
    return "done" if number < now else "doing" if number == now else "open"


async def retry_action(
    run: Run, action: RecordedAction, number: int, result: ToolResult, replacements: Replacements
) -> ToolResult:
    """Repeat a failed action on the elements that a model chooses."""
    await run.note("replacement", f"{result.error} Looking for what takes its place.")
    found = {
        name: await find_replacement(run, action, element, replacements, (number, name))
        for name, element in action.elements.items()
    }
    return (await run.act(make_call(action, found, number)))[0]


async def find_replacement(
    run: Run, action: RecordedAction, element: ElementRef, replacements: Replacements, place: tuple[int, str]
) -> int:
    """Ask a model for the number of the element that replaces the recorded one; keep what it is in `replacements`."""
    page = await run.observe()
    described = run.untrusted.wrap(f"What was done: {action.text or action.tool}\nElement: {element}", "done")
    text = f"Task: {run.task}\n{described}\n{run.untrusted.wrap(page.text)}"
    messages = [Message(role="system", text=run.prompt("replay")), Message(role="user", text=text)]
    found = await run.decide(FoundElement, messages, purpose="replace", tier="executor")
    if f"[{found.id}]" not in page.text:
        raise PersonError(
            f"{element} is not on {page.url} any more.", "Do the task by another loop; the page has changed."
        )
    if new := await describe_found(run, page, found.id):
        replacements[place] = new
    await run.note("replacement", f"{element} is now [{found.id}]: {found.why}", element=str(element))
    return found.id
