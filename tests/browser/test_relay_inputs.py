"""Inputs to tabs of the person's Chrome: they travel together, in order, and what follows waits for them."""

import asyncio

import pytest

from pilotfish.browser.sessions.relay_inputs import InputQueue, travels_with_others
from pilotfish.browser.sessions.relay_sessions import Json
from pilotfish.core.errors import BrowserError

PAGE, FRAME = (1, ""), (1, "frame")


class KeyLog:
    """What was sent, message by message; `refusal` is what the tab answers."""

    def __init__(self, refusal: str = "") -> None:
        self.sent: list[tuple[tuple[int, str], str]] = []
        self.refusal = refusal

    async def send(self, place: tuple[int, str], keys: list[Json], then: Json | None = None) -> Json:
        follows = f" {then['method']}" if then else ""
        self.sent.append((place, "".join(str(key["params"]["key"]) for key in keys) + follows))
        if self.refusal:
            raise BrowserError(self.refusal)
        return {"after": "keys"} if then else {}


def type_keys(queue: InputQueue, place: tuple[int, str], text: str) -> None:
    for key in text:
        queue.add(place, "Input.dispatchKeyEvent", {"key": key})


async def test_keys_of_a_moment_are_one_message_and_what_follows_waits_for_them() -> None:
    log = KeyLog()
    queue = InputQueue(log.send)
    type_keys(queue, PAGE, "Ada")
    await queue.wait(2)
    assert log.sent == []
    await queue.wait(1)
    assert log.sent == [(PAGE, "Ada")]


async def test_keys_are_sent_though_nothing_follows() -> None:
    log = KeyLog()
    queue = InputQueue(log.send)
    type_keys(queue, PAGE, "Ada")
    async with asyncio.timeout(10):
        while not log.sent:
            await asyncio.sleep(0.005)
    assert log.sent == [(PAGE, "Ada")]


async def test_keys_to_a_frame_do_not_overtake_those_to_its_page() -> None:
    log = KeyLog()
    queue = InputQueue(log.send)
    type_keys(queue, PAGE, "ab")
    type_keys(queue, FRAME, "cd")
    type_keys(queue, PAGE, "e")
    await queue.wait(1)
    assert log.sent == [(PAGE, "ab"), (FRAME, "cd"), (PAGE, "e")]


async def test_all_that_follows_waits_for_the_keys() -> None:
    arrived, log = asyncio.Event(), KeyLog()

    async def send(place: tuple[int, str], keys: list[Json], then: Json | None) -> None:
        await arrived.wait()
        await log.send(place, keys, then)

    queue, followed = InputQueue(send), list[int]()

    async def follow(number: int) -> None:
        await queue.wait(1)
        assert log.sent == [(PAGE, "Ada")]
        followed.append(number)

    type_keys(queue, PAGE, "Ada")
    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        for number in (1, 2):
            group.create_task(follow(number))
        for _ in range(5):
            await asyncio.sleep(0)
        assert not followed
        arrived.set()
    assert sorted(followed) == [1, 2]


async def test_a_command_travels_with_the_keys_before_it_where_they_go_to_the_same_place_only() -> None:
    log = KeyLog()
    queue = InputQueue(log.send)
    assert await queue.send_with(PAGE, {"method": "Look"}) is None
    type_keys(queue, PAGE, "Ada")
    assert await queue.send_with(FRAME, {"method": "Look"}) is None
    assert await queue.send_with(PAGE, {"method": "Look"}) == {"after": "keys"}
    type_keys(queue, PAGE, "a")
    queue.flush(1)
    type_keys(queue, PAGE, "b")
    assert await queue.send_with(PAGE, {"method": "Look"}) == {"after": "keys"}
    type_keys(queue, FRAME, "c")
    assert await queue.send_with(PAGE, {"method": "Look"}) is None
    await queue.wait(1)
    assert log.sent == [(PAGE, "Ada Look"), (PAGE, "a"), (PAGE, "b Look"), (FRAME, "c")]


async def test_what_follows_waits_also_for_keys_that_travel_with_a_command() -> None:
    arrived, log = asyncio.Event(), KeyLog()

    async def send(place: tuple[int, str], keys: list[Json], then: Json | None) -> Json:
        await arrived.wait()
        return await log.send(place, keys, then)

    queue = InputQueue(send)
    type_keys(queue, PAGE, "Ada")
    async with asyncio.timeout(10), asyncio.TaskGroup() as group:
        first = group.create_task(queue.send_with(PAGE, {"method": "Look"}))
        await asyncio.sleep(0)
        second = group.create_task(queue.wait(1))
        for _ in range(5):
            await asyncio.sleep(0)
        assert not second.done()
        arrived.set()
    assert (first.result(), log.sent) == ({"after": "keys"}, [(PAGE, "Ada Look")])


async def test_keys_that_did_not_arrive_fail_what_follows_once() -> None:
    queue = InputQueue(KeyLog("The tab is gone.").send)
    type_keys(queue, PAGE, "a")
    with pytest.raises(BrowserError, match="gone"):
        await queue.wait(1)
    await queue.wait(1)


def test_only_what_does_nothing_by_itself_or_is_a_click_travels_so() -> None:
    assert travels_with_others("Input.dispatchKeyEvent", {"key": "A", "modifiers": 8})
    assert travels_with_others("Input.insertText", {"text": " "})
    assert not travels_with_others("Input.dispatchKeyEvent", {"key": "a", "modifiers": 2})
    assert not travels_with_others("Input.dispatchKeyEvent", {"key": "Enter"})
    assert travels_with_others("Input.dispatchMouseEvent", {"type": "mouseMoved", "buttons": 0})
    assert travels_with_others("Input.dispatchMouseEvent", {"type": "mousePressed", "buttons": 1})
    assert not travels_with_others("Input.dispatchMouseEvent", {"type": "mouseMoved", "buttons": 1})
    assert not travels_with_others("Input.dispatchMouseEvent", {"type": "mouseWheel"})
