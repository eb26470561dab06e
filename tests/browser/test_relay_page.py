"""A tab of the person's Chrome as a page of its own: its mouse, its keys and its code travel without the driver."""

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.async_api import Error

from pilotfish.browser.sessions.relay_inputs import InputQueue
from pilotfish.browser.sessions.relay_page import RelayPage
from pilotfish.browser.sessions.relay_sessions import Json, RelaySession, SessionTable

TARGET = {"targetId": "t"}
POINT = (3, 4)


class TabLog:
    """What a tab was sent: in each message the inputs, and then the command that came with them or alone."""

    def __init__(self) -> None:
        self.messages: list[list[str]] = []
        self.inputs: list[Mapping[str, Any]] = []
        self.sessions = SessionTable()
        self.sessions.in_use = True
        self.sessions.add_tab(1, TARGET)
        self.page = RelayPage(self.sessions.add_second("t"), self.sessions, InputQueue(self.send), self.forward)

    async def send(self, place: tuple[int, str], inputs: list[Json], then: Json | None) -> Json:
        self.inputs += [each["params"] for each in inputs]
        kinds = [str(each["params"].get("type", "insert")) for each in inputs]
        self.messages.append([*kinds, *([then["method"]] if then else [])])
        return {"value": 1}

    async def forward(self, session: RelaySession, method: str, params: Json) -> Json:
        self.messages.append([method])
        return {"value": 1}


async def test_a_click_travels_with_the_question_after_it_and_moves_the_mouse_once() -> None:
    log = TabLog()
    await log.page.mouse.move(*POINT)
    await log.page.evaluate({"expression": "1"})
    await log.page.mouse.click(*POINT, click_count=2)
    await log.page.evaluate({"expression": "1"})
    await log.page.mouse.click(*POINT, button="right")
    await log.page.evaluate({"expression": "1"})
    pressed = ["mousePressed", "mouseReleased"]
    assert log.messages == [
        ["mouseMoved", "Runtime.evaluate"],
        [*pressed, *pressed, "Runtime.evaluate"],
        ["mouseMoved", *pressed, "Runtime.evaluate"],
    ]
    assert [each["clickCount"] for each in log.inputs[1:5]] == [1, 1, 2, 2]
    assert [each["buttons"] for each in log.inputs] == [0, 1, 0, 1, 0, 0, 2, 0]


async def test_text_is_typed_by_its_keys_and_what_no_key_has_is_inserted() -> None:
    log = TabLog()
    await log.page.keyboard.type("aA?é")
    await log.page.evaluate({"expression": "1"})
    downs = [each for each in log.inputs if each.get("type") == "keyDown"]
    assert [(each["code"], each["windowsVirtualKeyCode"], each["text"]) for each in downs] == [
        ("KeyA", 65, "a"),
        ("KeyA", 65, "A"),
        ("Slash", 191, "?"),
    ]
    assert log.inputs[-1] == {"text": "é"}


async def test_without_the_driver_nothing_is_sent() -> None:
    log = TabLog()
    log.sessions.in_use = False
    for work in (log.page.mouse.move(*POINT), log.page.keyboard.insert_text("a"), log.page.evaluate({})):
        with pytest.raises(Error, match="closed"):
            await work
    log.sessions.in_use = True
    log.sessions.remove_tab(1)
    with pytest.raises(Error, match="closed"):
        await log.page.mouse.click(*POINT)
    assert log.messages == []
