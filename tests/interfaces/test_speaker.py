"""How a run is told in a terminal."""

import io
import json

import pytest
from rich.console import Console

from pilotfish.core.events import Delta, ModelFailed, Noted, RunFinished
from pilotfish.core.usage import Usage
from pilotfish.interfaces.terminal.speaker import Lines, Story, summary


@pytest.fixture
def notes() -> Console:
    return Console(file=io.StringIO(), width=100)


def said(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def piece(text: str, call: str = "1") -> Delta:
    return Delta(run="r", call=call, text=text)


def test_the_answer_is_written_once_though_it_was_streamed(notes: Console, capsys: pytest.CaptureFixture[str]) -> None:
    story = Story(notes)
    for item in (piece("14 "), piece("crowns."), RunFinished(run="r", outcome="completed", text="14 crowns.")):
        story.tell(item)
    assert capsys.readouterr().out == "14 crowns.\n"


def test_an_answer_that_was_not_streamed_is_written_whole(notes: Console, capsys: pytest.CaptureFixture[str]) -> None:
    Story(notes).tell(RunFinished(run="r", outcome="completed", text="There is no page."))
    assert capsys.readouterr().out == "There is no page.\n"


def test_a_second_answer_begins_on_a_new_line(notes: Console, capsys: pytest.CaptureFixture[str]) -> None:
    story = Story(notes)
    story.tell(piece("Let me look.", "1"))
    story.tell(piece("It is red.", "2"))
    story.tell(RunFinished(run="r", outcome="completed", text="It is red."))
    assert capsys.readouterr().out == "Let me look.\nIt is red.\n"


def test_everything_but_the_answer_goes_beside_it(notes: Console, capsys: pytest.CaptureFixture[str]) -> None:
    story = Story(notes)
    story.tell(Noted(run="r", topic="recovery", text="Taken up again."))
    story.tell(ModelFailed(run="r", call="1", model="m", error="out of reach"))
    assert capsys.readouterr().out == ""
    assert "Taken up again." in said(notes)
    assert "m: out of reach" in said(notes)


def test_a_failure_says_what_to_do(notes: Console) -> None:
    Story(notes).tell(RunFinished(run="r", outcome="failed", error="No key.", fix="Set one."))
    assert "No key.\n→ Set one.\n" in said(notes)


def test_text_in_square_brackets_is_not_taken_for_markup(notes: Console) -> None:
    Story(notes).tell(Noted(run="r", topic="page", text="[bold]x[/bold]"))
    assert "[bold]x[/bold]" in said(notes)


def test_reasoning_is_shown_only_where_it_is_wanted(notes: Console) -> None:
    thought = Delta(run="r", call="1", text="hm", kind="reasoning")
    Story(notes).tell(thought)
    assert "hm" not in said(notes)
    Story(notes, reasoning=True).tell(thought)
    assert "hm" in said(notes)


def test_for_scripts_each_event_is_a_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines()
    lines.tell(piece("14\ncrowns"))
    lines.tell(RunFinished(run="r", outcome="completed"))
    assert [json.loads(line)["type"] for line in capsys.readouterr().out.splitlines()] == ["delta", "run_finished"]


def test_an_unknown_price_is_not_called_nothing() -> None:
    end = RunFinished(run="r", outcome="completed", usage=Usage(input=10, output=2, priced=False))
    assert "price unknown" in summary(end)
