"""Questions of a run at the terminal: what is printed, what may be typed, and what happens without an answer."""

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
from pilotfish.interfaces.terminal.command_target import RunControls
from pilotfish.interfaces.terminal.keyboard import Keyboard, WatcherKeyboard

ASKED = InputRequested(
    run="r",
    request="r:1",
    kind="approval",
    question="May I click the button “Pay” on shop.example? This would buy or pay: it says “pay”.",
    choices=("Allow once", "Deny"),
    details={"where": "https://shop.example/cart"},
)
LIMIT = 5


class RecordingControls:
    """Controls that keep the commands they receive."""

    def __init__(self) -> None:
        self.commands: asyncio.Queue[tuple[str, str]] = asyncio.Queue()

    async def command(self, run: str, verb: str, *, text: str = "", request: str = "") -> None:
        self.commands.put_nowait((verb, text))


@pytest.fixture
def notes() -> Console:
    return Console(file=io.StringIO(), width=200)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The side of a pseudo-terminal that a test types into."""
    screen, keyboard = pty.openpty()
    with os.fdopen(keyboard) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield screen
    os.close(screen)


def make_keyboard(kind: type[Keyboard], notes: Console) -> tuple[Keyboard, RecordingControls]:
    controls = RecordingControls()
    return kind(cast(RunControls, controls), "r", notes), controls


def read_notes(notes: Console) -> str:
    return cast(Any, notes.file).getvalue()


async def next_command(controls: RecordingControls) -> tuple[str, str]:
    return await asyncio.wait_for(controls.commands.get(), LIMIT)


@pytest.mark.parametrize(
    ("keys", "answer"),
    [(b"1\n", "Allow once"), (b"\n\n2\n", "Deny"), (b"not today\n", "not today"), (b"\x04", "Deny")],
    ids=["a number", "an empty line is no answer", "a reason", "the end of input is a no"],
)
async def test_what_is_typed_becomes_the_answer(terminal: int, notes: Console, keys: bytes, answer: str) -> None:
    keyboard, controls = make_keyboard(Keyboard, notes)
    keyboard.ask_question(ASKED)
    os.write(terminal, keys)
    assert await next_command(controls) == ("answer", answer)
    keyboard.end_question(InputReceived(run="r", request="r:1", answer=answer))
    output = read_notes(notes)
    assert (
        "This would buy or pay" in output and "page: https://shop.example/cart" in output and "1. Allow once" in output
    )
    assert "→" not in output


async def test_an_answer_that_was_given_elsewhere_is_printed(terminal: int, notes: Console) -> None:
    keyboard, controls = make_keyboard(Keyboard, notes)
    keyboard.ask_question(ASKED)
    keyboard.end_question(InputReceived(run="r", request="r:1", answer="Deny", by="ada"))
    assert "→ Deny" in read_notes(notes) and controls.commands.empty()


async def test_where_nobody_types_who_began_the_run_denies_and_who_watches_leaves_it_to_others(
    monkeypatch: pytest.MonkeyPatch, notes: Console
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    began, controls = make_keyboard(Keyboard, notes)
    began.ask_question(ASKED)
    assert await next_command(controls) == ("answer", "Deny")
    watches, other = make_keyboard(WatcherKeyboard, notes)
    watches.ask_question(ASKED)
    await asyncio.sleep(0)
    assert other.commands.empty() and "pilotfish answer r TEXT" in read_notes(notes)


async def test_what_is_typed_while_no_question_is_open_is_said_to_the_run(terminal: int, notes: Console) -> None:
    keyboard, controls = make_keyboard(Keyboard, notes)
    with keyboard:
        os.write(terminal, b"take the red one\n")
        assert await next_command(controls) == ("say", "take the red one")
        keyboard.ask_question(ASKED)
        os.write(terminal, b"yes\n")
        assert await next_command(controls) == ("answer", "Allow once")
        keyboard.end_question(InputReceived(run="r", request="r:1", answer="Allow once"))
        os.write(terminal, b"and hurry\n")
        assert await next_command(controls) == ("say", "and hurry")
    await asyncio.sleep(0)
