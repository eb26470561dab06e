"""Calls a tool that the page offers, waits for what it causes, and reports its answer and the change of the page."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from pilotfish.browser.actions.page_tool_gate import call_tool
from pilotfish.browser.actions.pointer import begin_action
from pilotfish.browser.perception.changes import ChangeReport
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.errors import ToolError
from pilotfish.core.page_tools import PageTool, cut_line, read_answer

REASON = 300
"""Characters kept of why a tool failed."""


class PageToolOutcome(NamedTuple):
    """The tool that was called, what it answered, and what changed on the page."""

    tool: PageTool
    answer: str
    change: ChangeReport


async def call_page_tool(
    session: BrowserSession, label: str, given: Mapping[str, Any], dialog: str | None = None
) -> PageToolOutcome:
    """Call a tool of the active page. `dialog` is the answer to a dialog that it may open."""
    action = await begin_action(session, dialog)
    name = label.removeprefix("page.")
    reply = await call_tool(action.tab.input, name, given)
    tool = action.tab.page_tools.shown[name]
    did = f"Filled in the form of page.{name}; it was not sent" if tool.form == "fills" else f"Called page.{name}"
    change = await action.finish(did)
    status = reply.get("status", "Completed")
    if status != "Completed":
        raise ToolError(f"page.{name} failed: {explain_failure(reply)}. {describe_change(change)}")
    return PageToolOutcome(tool, read_answer(reply.get("output")), change)


def explain_failure(reply: Mapping[str, Any]) -> str:
    """Why a call failed, in the page's own words."""
    thrown = str((reply.get("exception") or {}).get("description", "")).partition("\n")[0]
    return cut_line(str(reply.get("errorText") or "") or thrown, REASON) or "it gave no reason"


def describe_change(change: ChangeReport) -> str:
    """The change that a call caused, without what was called; of a large one only the most important part."""
    if not change.is_large:
        return change.text().partition("\n")[2]
    page = f'The page is now "{change.title}" at {change.url[:120]}.' if change.moved else ""
    rest = replace(change, notices=()).headline
    return "\n".join(filter(None, (page, *(notice.text for notice in change.notices), rest)))
