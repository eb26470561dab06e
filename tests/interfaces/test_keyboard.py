"""The person at the keyboard: what they are asked, what they may type, and what becomes of silence."""

import asyncio
import io
import os
import pty
import sys
from collections.abc import Iterator
from typing import Any, cast

import pytest
from rich.console import Console

from pilotfish.core.events import InputReceived, InputRequested
from pilotfish.interfaces.terminal.desk import Desk
from pilotfish.interfaces.terminal.keyboard import Keyboard, Onlooker

ASKED = InputRequested(
    run="r",
    request="r:1",
    kind="approval",
    question="May I click the button “Pay” on shop.example? This would buy or pay: it says “pay”.",
    choices=("Allow once", "Deny"),
    details={"where": "https://shop.example/cart"},
)
LIMIT = 5


class Told:
    """A desk that keeps what it is told."""

    def __init__(self) -> None:
        self.said: asyncio.Queue[tuple[str, str]] = asyncio.Queue()

    async def command(self, run: str, verb: str, *, text: str = "", request: str = "") -> None:
        self.said.put_nowait((verb, text))


@pytest.fixture
def notes() -> Console:
    return Console(file=io.StringIO(), width=200)


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """What types into the terminal at which the command sits."""
    screen, keyboard = pty.openpty()
    with os.fdopen(keyboard) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield screen
    os.close(screen)


def seated(seat: type[Keyboard], notes: Console) -> tuple[Keyboard, Told]:
    desk = Told()
    return seat(cast(Desk, desk), "r", notes), desk


def shown(notes: Console) -> str:
    return cast(Any, notes.file).getvalue()


async def heard(desk: Told) -> tuple[str, str]:
    return await asyncio.wait_for(desk.said.get(), LIMIT)


@pytest.mark.parametrize(
    ("keys", "answer"),
    [(b"1\n", "Allow once"), (b"\n\n2\n", "Deny"), (b"not today\n", "not today"), (b"\x04", "Deny")],
    ids=["a number", "an empty line is no answer", "a reason", "the end of input is a no"],
)
async def test_what_is_typed_becomes_the_answer(hands: int, notes: Console, keys: bytes, answer: str) -> None:
    seat, desk = seated(Keyboard, notes)
    seat.question(ASKED)
    os.write(hands, keys)
    assert await heard(desk) == ("answer", answer)
    seat.settled(InputReceived(run="r", request="r:1", answer=answer))
    told = shown(notes)
    assert "This would buy or pay" in told and "page: https://shop.example/cart" in told and "1. Allow once" in told
    assert "→" not in told


async def test_an_answer_that_was_given_elsewhere_is_told(hands: int, notes: Console) -> None:
    seat, desk = seated(Keyboard, notes)
    seat.question(ASKED)
    seat.settled(InputReceived(run="r", request="r:1", answer="Deny", by="ada"))
    assert "→ Deny" in shown(notes) and desk.said.empty()


async def test_where_nobody_types_who_began_the_run_denies_and_who_watches_leaves_it_to_others(
    monkeypatch: pytest.MonkeyPatch, notes: Console
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    began, desk = seated(Keyboard, notes)
    began.question(ASKED)
    assert await heard(desk) == ("answer", "Deny")
    watches, other = seated(Onlooker, notes)
    watches.question(ASKED)
    await asyncio.sleep(0)
    assert other.said.empty() and "pilotfish answer r TEXT" in shown(notes)
