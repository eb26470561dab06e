"""What others wrote cannot steer the terminal."""

import io

import pytest
from rich.table import Table

from pilotfish.core.events import Noted, RunFinished, TextDelta, ToolFinished
from pilotfish.interfaces.terminal.clean_console import clean_console
from pilotfish.interfaces.terminal.printable_text import printable
from pilotfish.interfaces.terminal.run_printer import JsonPrinter, TextPrinter

HOSTILE = "a\x1b]0;title\x07b\x1b[2Jc\x9b31md\r\x08e\u202ef\x7f"


def test_control_characters_are_left_out_and_lines_and_tabs_stay() -> None:
    assert printable(HOSTILE) == "a]0;titleb[2Jc31mdef"
    assert printable("one\n\ttwo – 你好 é 👋") == "one\n\ttwo – 你好 é 👋"


def test_a_run_told_in_the_terminal_steers_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    notes = clean_console(stderr=True)
    for printer in (TextPrinter(notes, reasoning=True), JsonPrinter()):
        printer.print_event(TextDelta(run="r", call="c", text=HOSTILE))
        printer.print_event(TextDelta(run="r", call="c", text=HOSTILE, kind="reasoning"))
        printer.print_event(Noted(run="r", topic="x", text=HOSTILE))
        printer.print_event(ToolFinished(run="r", call="c", tool="t", ok=False, error=HOSTILE))
        printer.print_event(RunFinished(run="r", outcome="failed", text=HOSTILE, error=HOSTILE, fix=HOSTILE))
    told = capsys.readouterr()
    for text in (told.out, told.err):
        assert "title" in text
        assert not set(text) & set("\x1b\x07\x9b\r\x08\u202e\x7f")


def test_a_table_prints_no_steering_of_others() -> None:
    screen = clean_console(stderr=False)
    screen.file = io.StringIO()
    table = Table("name")
    table.add_row(HOSTILE)
    screen.print(table)
    screen.print(HOSTILE)
    assert not set(screen.file.getvalue()) & set("\x1b\x07\x9b\r\x08\u202e\x7f")
