"""Sends calls to tools of pages: the part of the input gate for them. Each call is checked like any other input."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pilotfish.browser.actions.input_gate import InputGate
from pilotfish.browser.actions.input_targets import find_tool, target_of_tool
from pilotfish.browser.sessions.call_guard import Unresponsive
from pilotfish.core.errors import ToolError
from pilotfish.core.policy import InputEvent

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

ANSWER_TIMEOUT = 20.0
"""Seconds in which a tool of the page must answer. While a request is held for a person the time does not count."""


async def call_tool(gate: InputGate, label: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Call a tool that the page offers; return what the browser tells of its answer.

    A form that is only filled in answers when somebody sends it, so nothing is waited for.
    """
    doing = f"calling page.{label}"
    await gate.check_events(lambda: _reach(gate, label, given))
    offered, _ = await find_tool(gate.tab, label, given)
    gate.count_input()
    call = {"frameId": offered.place.at[0], "toolName": offered.tool.name, "input": dict(given)}
    invocation = ToolInvocation(offered.session)
    try:
        await gate.tab.guard.call(invocation.start(call), doing)
        if offered.tool.form == "fills":
            return {}
        return await gate.tab.guard.call(invocation.answer(), doing, ANSWER_TIMEOUT)
    except Unresponsive:
        await gate.tab.guard.call(invocation.cancel(), doing)
        raise ToolError(
            f"page.{label} did not answer within {ANSWER_TIMEOUT:g} s and was cancelled. It may have done something: "
            "look at the page."
        ) from None
    finally:
        invocation.end()


async def _reach(gate: InputGate, label: str, given: Mapping[str, Any]) -> list[InputEvent]:
    return [InputEvent(kind="tool", target=await target_of_tool(gate.tab, label, given))]


class ToolInvocation:
    """One call of a page's tool over the DevTools protocol."""

    def __init__(self, session: "CDPSession") -> None:
        self.session = session
        self._id = ""
        self._answers: dict[str, Mapping[str, Any]] = {}
        self._came = asyncio.Event()
        session.on("WebMCP.toolResponded", self._on_event)

    async def start(self, call: Mapping[str, Any]) -> None:
        self._id = (await self.session.send("WebMCP.invokeTool", dict(call)))["invocationId"]

    async def answer(self) -> Mapping[str, Any]:
        """Wait for the answer. A document that is left answers, too."""
        while self._id not in self._answers:
            self._came.clear()
            await self._came.wait()
        return self._answers[self._id]

    async def cancel(self) -> None:
        await self.session.send("WebMCP.cancelInvocation", {"invocationId": self._id})

    def end(self) -> None:
        """Stop listening."""
        self.session.remove_listener("WebMCP.toolResponded", self._on_event)

    def _on_event(self, event: dict[str, Any]) -> None:
        self._answers[str(event.get("invocationId", ""))] = event
        self._came.set()
