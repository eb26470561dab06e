"""Reads the actions of an earlier run from its journal, and finds their elements by role and name."""

import re
from typing import TYPE_CHECKING

from pilotfish.core.errors import PersonError
from pilotfish.core.messages import ToolCall
from pilotfish.core.recipe import ActionRecipe, ElementRef, RecordedAction, build_recipe
from pilotfish.core.shortcut import fill_shortcut, replace_elements
from pilotfish.runtime.run_context import Json
from pilotfish.store.shortcuts import ShortcutStore

if TYPE_CHECKING:
    from pilotfish.core.pages import ObservedPage
    from pilotfish.runtime.run import Run


Replacements = dict[tuple[int, str], ElementRef]
"""Elements that were found anew, by action and argument."""


async def read_recipe(run: "Run", of: str) -> ActionRecipe:
    """Read the actions of the earlier run, or of the shortcut that the run is for, as one step of this one."""

    async def read() -> Json:
        store = run.context.journal.store
        if name := run.options.get("shortcut"):
            shortcut = await ShortcutStore(store).get(run.record.user, str(name))
            return fill_shortcut(shortcut, run.options.get("values", {})).model_dump(mode="json")
        earlier = await store.run(of)
        if earlier is None or earlier.user != run.record.user:
            raise PersonError(f"There is no run {of!r}.", "List them: pilotfish runs")
        recipe = build_recipe(await store.events(earlier.id))
        if not recipe.actions:
            raise PersonError(f"Run {of} did nothing in the browser, so there is nothing to do again.")
        return recipe.model_dump(mode="json")

    return ActionRecipe.model_validate(await run.step("recall", read))


async def save_replacements(run: "Run", found: Replacements) -> None:
    """Keep elements that were found anew in the shortcut that the run is for, as one step."""

    async def keep() -> Json:
        kept, user = ShortcutStore(run.context.journal.store), run.record.user
        shortcut = await kept.find(user, str(run.options.get("shortcut", "")))
        if shortcut is not None:
            await kept.put(user, replace_elements(shortcut, found, run.options.get("values", {})))
        return {"kept": shortcut is not None}

    if found and (await run.step("keep mending", keep))["kept"]:
        await run.note("replacement", f"Kept in the shortcut {run.options['shortcut']}.")


async def describe_found(run: "Run", page: "ObservedPage", number: int) -> ElementRef | None:
    """What an element's number stands for on this page, as it is recorded; None where it has no name."""
    known = (await run.describe_elements([number])).get(number)
    if known is None or not known.name:
        return None
    line = re.compile(rf'\[(\d+)\] {re.escape(known.role)} "{re.escape(known.name)}"')
    numbers = [int(each) for each in line.findall(page.text)]
    return ElementRef(role=known.role, name=known.name, nth=numbers.index(number) if number in numbers else 0)


def find_number(element: ElementRef, page: "ObservedPage") -> int | None:
    """The number of a recorded element on this page, by role, name and position; None if it is not there."""
    line = re.compile(rf'\[(\d+)\] {re.escape(element.role)} "{re.escape(element.name)}"')
    found = [int(number) for number in line.findall(page.text)]
    return found[element.nth] if element.nth < len(found) else found[0] if found else None


async def locate_elements(run: "Run", action: RecordedAction, page: "ObservedPage") -> dict[str, int]:
    """The current numbers of an action's elements by argument: from the screen, else from the whole page."""
    found: dict[str, int] = {}
    for name, element in action.elements.items():
        number = find_number(element, page)
        if number is None and element.name:
            number = find_number(element, await run.observe(find=element.name))
        if number is not None:
            found[name] = number
    return found


def make_call(action: RecordedAction, found: dict[str, int], number: int) -> ToolCall:
    """The action as a tool call with the current element numbers."""
    return ToolCall(id=f"again{number}", tool=action.tool, args={**action.args, **found})
