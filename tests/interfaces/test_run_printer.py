"""How a run is told in a terminal."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from pilotfish.core.events import FileSaved, ModelFailed, Noted, RunFinished, StateChanged, TextDelta
from pilotfish.core.usage import Usage
from pilotfish.interfaces.terminal.inline_picture import inline_picture
from pilotfish.interfaces.terminal.run_printer import JsonPrinter, TextPrinter, usage_summary


@pytest.fixture
def notes() -> Console:
    return Console(file=io.StringIO(), width=100)


def read_console(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def piece(text: str, call: str = "1") -> TextDelta:
    return TextDelta(run="r", call=call, text=text)


def test_the_answer_is_written_once_though_it_was_streamed(notes: Console, capsys: pytest.CaptureFixture[str]) -> None:
    story = TextPrinter(notes)
    for item in (piece("14 "), piece("crowns."), RunFinished(run="r", outcome="completed", text="14 crowns.")):
        story.print_event(item)
    assert capsys.readouterr().out == "14 crowns.\n"


def test_an_answer_that_was_not_streamed_is_written_whole(notes: Console, capsys: pytest.CaptureFixture[str]) -> None:
    TextPrinter(notes).print_event(RunFinished(run="r", outcome="completed", text="There is no page."))
    assert capsys.readouterr().out == "There is no page.\n"


def test_a_second_answer_begins_on_a_new_line(notes: Console, capsys: pytest.CaptureFixture[str]) -> None:
    story = TextPrinter(notes)
    story.print_event(piece("Let me look.", "1"))
    story.print_event(piece("It is red.", "2"))
    story.print_event(RunFinished(run="r", outcome="completed", text="It is red."))
    assert capsys.readouterr().out == "Let me look.\nIt is red.\n"


def test_a_pause_is_told_with_its_reason(notes: Console) -> None:
    story = TextPrinter(notes)
    story.print_event(StateChanged(run="r", state="paused", why="It was begun by another version of Pilotfish."))
    story.print_event(StateChanged(run="r", state="paused"))
    assert read_console(notes).split("\n")[:2] == [
        "· paused: It was begun by another version of Pilotfish.",
        "· paused",
    ]


def test_everything_but_the_answer_goes_beside_it(notes: Console, capsys: pytest.CaptureFixture[str]) -> None:
    story = TextPrinter(notes)
    story.print_event(Noted(run="r", topic="recovery", text="Taken up again."))
    story.print_event(ModelFailed(run="r", call="1", model="m", error="out of reach"))
    assert capsys.readouterr().out == ""
    assert "Taken up again." in read_console(notes)
    assert "m: out of reach" in read_console(notes)


def test_a_failure_says_what_to_do(notes: Console) -> None:
    TextPrinter(notes).print_event(RunFinished(run="r", outcome="failed", error="No key.", fix="Set one."))
    assert "No key.\n→ Set one.\n" in read_console(notes)


def test_text_in_square_brackets_is_not_taken_for_markup(notes: Console) -> None:
    TextPrinter(notes).print_event(Noted(run="r", topic="page", text="[bold]x[/bold]"))
    assert "[bold]x[/bold]" in read_console(notes)


def test_reasoning_is_shown_only_where_it_is_wanted(notes: Console) -> None:
    thought = TextDelta(run="r", call="1", text="hm", kind="reasoning")
    TextPrinter(notes).print_event(thought)
    assert "hm" not in read_console(notes)
    printer = TextPrinter(notes, reasoning=True)
    printer.print_event(thought)
    printer.print_event(Noted(run="r", topic="page", text="a note"))
    assert "hm\n· a note\n" in read_console(notes)


def test_for_scripts_each_event_is_a_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    lines = JsonPrinter()
    lines.print_event(piece("14\ncrowns"))
    lines.print_event(RunFinished(run="r", outcome="completed"))
    assert [json.loads(line)["type"] for line in capsys.readouterr().out.splitlines()] == ["delta", "run_finished"]


def test_an_unknown_price_is_not_called_nothing() -> None:
    end = RunFinished(run="r", outcome="completed", usage=Usage(input=10, output=2, priced=False))
    assert "price unknown" in usage_summary(end)


def test_a_picture_is_named_with_its_path_after_the_answer(
    notes: Console, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    story = TextPrinter(notes, folder=tmp_path)
    for name, media in (("picture.png", "image/png"), ("picture.svg", "image/svg+xml")):
        story.print_event(FileSaved(run="r", name=name, media=media, size=3, purpose="image_generate"))
    story.print_event(RunFinished(run="r", outcome="completed", text="Here it is."))
    told = "".join(read_console(notes).split())
    assert capsys.readouterr().out == "Here it is.\n"
    assert f"picture:{tmp_path / 'picture.png'}" in told and "picture.svg" not in told


def test_a_terminal_that_can_draws_the_picture(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"red" * 2000)
    assert inline_picture(picture, {"TERM_PROGRAM": "iTerm.app"}).startswith("\x1b]1337;File=inline=1")
    pieces = inline_picture(picture, {"KITTY_WINDOW_ID": "1"}).split("\x1b\\")
    assert pieces[0].startswith("\x1b_Ga=T,f=100,m=1;") and pieces[1].startswith("\x1b_Gm=0;")
    assert inline_picture(picture, {}) == inline_picture(tmp_path / "a.svg", {"KITTY_WINDOW_ID": "1"}) == ""


def test_only_what_is_added_to_a_streamed_answer_is_written(notes: Console, capsys: pytest.CaptureFixture[str]) -> None:
    story = TextPrinter(notes)
    for item in (piece("14 crowns."), RunFinished(run="r", outcome="completed", text="14 crowns. (tab 1)")):
        story.print_event(item)
    assert capsys.readouterr().out == "14 crowns.\n(tab 1)\n"
