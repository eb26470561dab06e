"""What tools did, in the words of accessibility-tree clients, where they ask for them."""

from typing import Any

import pytest

from browser.stage import Site
from pilotfish.core.events import ToolFinished, ToolStarted
from pilotfish.interfaces.websocket.contract import ContractTranslator
from pilotfish.tools.base import ToolResult

from .conftest import Hand

pytestmark = pytest.mark.slow
PAGE = """<h1>Order</h1><label>Name <input value=Ann></label>
<label>Size <select><option value=s>Small<option value=l>Large</select></label>
<button>Send</button><div style="height:5000px">long</div>"""


def translate_call(tool: str, args: dict[str, Any], result: ToolResult, *, asked: bool = True) -> list[dict[str, Any]]:
    """The messages of a call: its start and its end."""
    translator = ContractTranslator("run", shown=False, a11y=asked)
    fields = {name: getattr(result, name) for name in ("ok", "output", "error", "data", "text", "seconds")}
    story = (
        ToolStarted(run="run", call="c", tool=tool, args=args),
        ToolFinished(run="run", call="c", tool=tool, **fields),
    )
    return [message for event in story for message in translator.translate(event)]


async def test_a_client_may_have_calls_in_the_words_of_the_accessibility_tree(hand: Hand, site: Site) -> None:
    await hand("navigate", url=site.html(PAGE))
    ids = await hand.ids()
    name, size, send = (ids[label][0] for label in ("Name", "Size", "Send"))
    start, end = translate_call("type", {"id": name, "text": "Bob"}, await hand("type", id=name, text="Bob"))
    assert start["inputs"] == {"a11yId": name, "text": "Bob", "mode": "replace"}
    assert end["outputs"] == {"success": True, "valueBefore": "Ann", "finalValue": "Bob"}
    _, end = translate_call("select", {"id": size, "option": "Large"}, await hand("select", id=size, option="Large"))
    assert (end["outputs"]["valueBefore"], end["outputs"]["selectedText"]) == ("Small", "Large")
    start, end = translate_call("click", {"id": send}, await hand("click", id=send))
    assert start["inputs"] == {"a11yId": send, "clickType": "single"}
    assert end["outputs"] == {"success": True, "elementText": "Send", "elementClicked": "button Send"}
    _, end = translate_call("scroll", {"amount": 700}, await hand("scroll", amount=700))
    assert end["outputs"] == {"success": True, "scrollPosition": 700}
    start, end = translate_call("get_schema", {}, await hand("get_schema"))
    assert start["tool"] == "getSchema" and isinstance(end["outputs"]["schema"], list)


async def test_a_failed_call_says_so_and_nobody_gets_these_words_unasked(hand: Hand, site: Site) -> None:
    await hand("navigate", url=site.html(PAGE))
    failed = await hand("click", id=999)
    _, end = translate_call("click", {"id": 999}, failed)
    assert end["type"] == "tool_error" and end["outputs"]["success"] is False
    assert all("outputs" not in message for message in translate_call("click", {"id": 999}, failed, asked=False))
