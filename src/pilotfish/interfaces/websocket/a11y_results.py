"""Tool calls in the words of accessibility-tree clients: `a11yId`, `clickType`, values before and after, positions.

A client asks for it with `"vocabulary": "a11y"`. Tools without such a name keep their own.
"""

from collections.abc import Mapping
from typing import Any

from pilotfish.core import events as e
from pilotfish.core.recipe import read_touched

Json = dict[str, Any]
NAMES: Mapping[str, str] = {
    "press_key": "pressKey",
    "manage_tabs": "manageTabs",
    "wait_for": "waitFor",
    "get_schema": "getSchema",
    "get_html": "getHTML",
}
INPUTS: Mapping[str, Mapping[str, str]] = {
    "click": {"id": "a11yId", "kind": "clickType"},
    "type": {"id": "a11yId"},
    "select": {"id": "a11yId"},
    "press_key": {"id": "a11yId"},
    "manage_tabs": {"tab_id": "tabId"},
    "wait_for": {"kind": "waitType"},
}
DEFAULTS: Mapping[str, Json] = {"click": {"kind": "single"}, "type": {"mode": "replace"}}
VALUES: Mapping[str, str] = {"to_element": "toElement", "network_idle": "networkIdle"}


def describe_inputs(event: e.ToolStarted) -> Json:
    """The name and the inputs of a call."""
    names = INPUTS.get(event.tool, {})
    given = {**DEFAULTS.get(event.tool, {}), **event.args}
    inputs = {names.get(name, name): VALUES.get(value, value) if isinstance(value, str) else value
              for name, value in given.items()}  # fmt: skip
    return {"tool": NAMES.get(event.tool, event.tool), "inputs": inputs}


def describe_outputs(event: e.ToolFinished, args: Mapping[str, Any]) -> Json:
    """The outputs of a call; those of a failed one are its error."""
    if not event.ok:
        return {"success": False, "error": event.error}
    return {"success": True, **_outputs(event, args)}


def _outputs(event: e.ToolFinished, args: Mapping[str, Any]) -> Json:
    data, id = event.data, str(args.get("id", ""))
    element: Mapping[str, Any] = read_touched(data).get(id, {})
    values: Mapping[str, Any] = data.get("values", {}).get(id, {})
    match event.tool:
        case "click":
            clicked = f"{element.get('role', '')} {element.get('name', '')}".strip()
            return {"elementText": element.get("name", ""), "elementClicked": clicked}
        case "type":
            return {"valueBefore": values.get("before", ""), "finalValue": values.get("after", "")}
        case "select":
            after = values.get("after", "")
            chosen = args.get("option", "") if args.get("by") == "value" else after
            return {"valueBefore": values.get("before", ""), "selectedValue": chosen, "selectedText": after}
        case "press_key":
            return {"keyPressed": args.get("key", "")}
        case "scroll":
            return {"scrollPosition": data.get("scroll", 0)}
        case "navigate":
            return {"currentUrl": data.get("url", ""), "title": data.get("title", "")}
        case "manage_tabs":
            return {"activeTabId": data.get("tab"), "tabs": event.output}
        case "wait_for":
            return {"elementFound": True, "timeWaited": round(event.seconds * 1000)}
        case "get_schema":
            return {"schema": data.get("elements", [])}
        case "get_html":
            return {"html": event.output}
        case _:
            return {"output": event.output}
