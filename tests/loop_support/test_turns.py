"""What a model says in a turn is read, its notes are kept, its history is told, and its evidence is checked."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import ValidationError

from pilotfish.core.messages import Message, ModelFacts, ToolCall, ToolSpec
from pilotfish.core.pages import ElementQuery
from pilotfish.loop_support.evidence import contains_words
from pilotfish.loop_support.run_history import RunHistory, describe_call, write_outcome
from pilotfish.loop_support.run_notes import NOTES_FULL, RunNotes
from pilotfish.loop_support.turn import NoteEdits, Turn, describe_signatures, turn_shape
from pilotfish.safety.untrusted_text import UntrustedText
from pilotfish.tools.base import ToolResult
from pilotfish.tools.page import click, drag

PAGE = 'Your cart\n*[3] link "Cart (1)"\nTide kettle €48.90'


def run() -> Any:
    """What notes and history need of a run."""

    async def note(topic: str, text: str, **details: Any) -> None:
        noted.append((topic, text, details))

    async def keep(*_: str) -> None: ...

    noted: list[Any] = []
    tools = {"click": click, "drag": drag}
    context, results = SimpleNamespace(tools=tools), SimpleNamespace(keep=keep)
    return SimpleNamespace(
        id="r", note=note, noted=noted, messages=[], untrusted=UntrustedText("x"), context=context, results=results
    )


def test_a_turn_is_exactly_one_of_four() -> None:
    Turn.model_validate({"actions": [{"tool": "scroll"}], "done": {"answer": "x"}})
    for wrong in ({}, {"ask": {"question": "?"}, "give_up": {"reason": "x"}}, {"actions": []}):
        with pytest.raises(ValidationError, match="exactly one"):
            Turn.model_validate({"assessment": "", **wrong})


def test_an_element_is_a_number_or_words_that_name_it() -> None:
    turn = Turn.model_validate(
        {"actions": [{"tool": "drag", "from_id": "[12]", "to_id": {"role": "row", "name": "Anna"}, "expect": None}]}
    )
    assert turn.actions[0].ids == [12] and turn.actions[0].queries == {"to_id": ElementQuery(role="row", name="Anna")}
    with pytest.raises(ValidationError, match="number of the page"):
        Turn.model_validate({"actions": [{"tool": "click", "id": "the save button"}]})


def test_only_a_local_model_is_held_to_a_schema_of_its_tools() -> None:
    foreign = ToolSpec(name="lend", description="Lend.", parameters={"properties": {"id": {"type": "string"}}})
    local = turn_shape([click.spec, foreign], 3, ModelFacts(local=True, shapes=True)).model_json_schema()
    action = local["properties"]["actions"]
    single, repeated = action["items"]["anyOf"]
    assert action["maxItems"] == 3 and single["properties"]["tool"]["enum"] == ["click", "lend"]
    assert {"answer", "kind", "expect"} < set(single["properties"])
    assert repeated["properties"]["actions"]["items"] == single
    assert turn_shape([click.spec], 3, ModelFacts(shapes=True)).model_json_schema() == {}


def test_a_tool_is_told_in_a_line_with_all_its_arguments() -> None:
    assert describe_signatures([click.spec]).startswith(
        "- click(id, kind? = single|double|right, answer? = for a dialog"
    )


def test_notes_are_bounded_and_say_what_does_not_fit() -> None:
    mine = run()
    notes = RunNotes(mine)
    assert asyncio.run(notes.edit(NoteEdits(add=["Anna", " ", "Bob"], tick=[7]))) == "There is no note 7."
    asyncio.run(notes.edit(NoteEdits(tick=[1])))
    assert notes.text == "1. [x] Anna\n2. Bob" and mine.noted[-1][1] == "✓ Anna"
    assert asyncio.run(notes.edit(NoteEdits(add=["x" * 5000] * 9))) == "" and "Anna" in notes.text
    assert asyncio.run(notes.edit(NoteEdits(add=["z" * 995]))) == ""
    assert asyncio.run(notes.edit(NoteEdits(add=["y" * 900]))) == NOTES_FULL
    assert "Anna" not in notes.text and "2. Bob" in notes.text, "what is ticked makes room first"
    asyncio.run(notes.edit(NoteEdits()))
    assert len(mine.noted) == 4, "notes that did not change are not journalled again"


def test_a_line_of_the_history_names_the_element_its_row_and_what_matters() -> None:
    call = ToolCall(id="1", tool="type", args={"id": 4, "text": "Ann"})
    row = ElementQuery(role="textbox", name="Name", row="Guest 1")
    assert describe_call(call, {"id": row}) == 'type textbox "Name" in "Guest 1" text="Ann"'
    report = 'Clicked [4] button "Save".\nNew text: "Saved".\nGone: [4] button "Save".\n\nThe page — http://x\n[9] link'
    assert (
        write_outcome(ToolResult(output=report, data={"changed": True}))
        == 'New text: "Saved". Gone: [4] button "Save".'
    )
    assert write_outcome(ToolResult(output=report, data={"changed": True, "headline": "Saved"})) == "Saved"
    assert write_outcome(ToolResult(ok=False, error="It is covered.")) == "FAILED: It is covered."


def test_all_turns_are_told_while_they_fit_and_then_the_oldest_are_folded() -> None:
    mine = run()
    history = RunHistory(mine, 3000)
    for number in range(30):
        history.begin_turn(f"turn {number} " + "word " * 30)
        asyncio.run(history.record(ToolCall(id="1", tool="click", args={"id": number}), {}, ToolResult(output="x")))
        assert number > 2 or len(history.messages()) == number + 1
    told = history.messages()
    assert told[0].text.startswith("Turns 1 to ") and "stands in your notes" in told[0].text
    assert "turn 29" in told[-1].text and "turn 0 " not in "".join(message.text for message in told)
    mine.messages.append(Message(role="user", text="Only the red ones", origin="person"))
    assert history.messages()[-1].text == "While you work, the person says: Only the red ones"


def test_words_count_as_seen_only_where_they_stand() -> None:
    assert (
        contains_words("Cart (1)", [PAGE])
        and contains_words("tide kettle  €48.90", [PAGE])
        and contains_words('[3] link "Cart (1)"', [PAGE])
    )
    assert not contains_words("Cart (2)", [PAGE]) and not contains_words("Order 4711 was confirmed by post", [PAGE])
    raised = "Anna Berg now earns 1,000 more.\nRow: Bruno Berg 38,000"
    assert contains_words("Anna Berg earns now 1,000 more", [raised]) and not contains_words(
        "Bruno Berg now earns 1,000 more", [raised]
    )
    assert not contains_words("", [PAGE]) and not contains_words("…", [PAGE])


def test_actions_under_each_are_written_out_for_each_thing_and_count_once() -> None:
    rename = [{"tool": "click", "id": {"role": "row", "name": "{1}"}}, {"tool": "type", "id": 9, "text": "{2} of {1}"}]
    group = {"each": [["a.txt", "b.txt"], ["c.txt", "d.txt"]], "actions": rename}
    turn = Turn.model_validate({"actions": [{"tool": "scroll"}, group, {"tool": "click", "id": 3}]})
    assert [action.tool for action in turn.actions] == ["scroll", "click", "type", "click", "type", "click"]
    assert turn.actions[3].queries == {"id": ElementQuery(role="row", name="c.txt")}
    assert [action.args.get("text") for action in turn.actions[2:5:2]] == ["b.txt of a.txt", "d.txt of c.txt"]
    assert [action.written for action in turn.actions] == [0, 2, 2, 2, 2, 3]
    assert Turn.model_validate(turn.model_dump()) == turn, "a reply that was kept is read as it was"
    numbered = Turn.model_validate({"actions": [{"each": [7, 8], "actions": [{"tool": "click", "id": "{1}"}]}]})
    assert [action.ids for action in numbered.actions] == [[7], [8]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"each": [], "actions": [{"tool": "scroll"}]},
        {"each": ["a"] * 41, "actions": [{"tool": "scroll"}]},
        {"each": [{"a": 1}], "actions": [{"tool": "scroll"}]},
        {"each": ["a"]},
        {"each": ["a"], "actions": [{"each": ["b"], "actions": [{"tool": "scroll"}]}]},
        {"each": ["a"], "actions": [{"tool": "find", "text": "{2}"}]},
    ],
)
def test_an_each_that_cannot_be_written_out_is_not_a_reply(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=r"each|thing"):
        Turn.model_validate({"actions": [wrong]})
