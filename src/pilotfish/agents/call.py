"""Runs the tool calls of an outside client without a model, with the same runtime, journal and policy."""

from collections.abc import Mapping
from typing import Any

from pilotfish.core.messages import ToolCall
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run

IN_BROWSER = frozenset({"page", "browser", "read", "inspect"})
ON_STATES = frozenset({"checked", "on", "pressed", "selected"})


@loop("_call", steerable=False)
async def call(run: Run) -> None:
    """Carry out the call that the options name; `fill_form` is one call for each field, until one fails."""
    from pilotfish.browser.sessions.page_log import keep_logs

    tool = run.context.tools.get(run.options["tool"])
    if tool is None or tool.group in IN_BROWSER:
        keep_logs((await (await run.browser.session()).tab()).page.context)
    if run.options["tool"] != "fill_form":
        [result] = await run.act(ToolCall(id="1", tool=run.options["tool"], args=run.options["args"]))
        return await run.finish(result.output if result.ok else result.error)
    said: list[str] = []
    for number, field in enumerate(run.options["args"]["fields"], 1):
        name, args = await choose_call(run, field)
        if not name:
            said.append(f"[{field['id']}] was so already.")
            continue
        [result] = await run.act(ToolCall(id=str(number), tool=name, args=args))
        said.append(result.output if result.ok else f"[{field['id']}]: {result.error}")
        if not result.ok:
            break
    return await run.finish("\n".join(said))


async def choose_call(run: Run, field: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The call that gives a field its value; no tool for a box that has it."""
    id, value = field["id"], field["value"]
    if isinstance(value, bool):

        async def look() -> dict[str, Any]:
            view = await (await (await run.browser.session()).tab()).look()
            held = next((element.states for element in view.elements if element.id == id), ())
            return {"on": bool(ON_STATES & set(held))}

        return ("", {}) if value == (await run.step("look", look))["on"] else ("click", {"id": id})
    if field.get("kind") == "option":
        return "select", {"id": id, "option": value}
    return "type", {"id": id, "text": value}
