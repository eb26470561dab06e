"""Broken JSON of every kind that models write, and the ladder that climbs out of it."""

import contextlib
import json
from enum import StrEnum
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as some
from json_repair import repair_json
from pydantic import BaseModel, ConfigDict, ValidationError

from pilotfish.core.messages import Message, ModelReply, ModelRequest
from pilotfish.core.usage import Usage
from pilotfish.llm.json_decoding import decode_values
from pilotfish.llm.scripted import ScriptedModel
from pilotfish.llm.structured import InvalidAnswer, ask_for_shape, parse_answer

QUESTION = ModelRequest(messages=(Message(role="user", text="What next?"),))


class Step(BaseModel):
    model_config = ConfigDict(extra="forbid")

    action: str
    ids: list[int]
    sure: bool = False


WANTED = Step(action="click it", ids=[3, 4], sure=True)
GOOD = '{"action": "click it", "ids": [3, 4], "sure": true}'

CORPUS = {
    "plain": GOOD,
    "fenced": f"```json\n{GOOD}\n```",
    "fenced without a language": f"Here:\n```\n{GOOD}\n```\nThat is all.",
    "fence that never closes": f"```json\n{GOOD}",
    "fence within a fence": f"````markdown\n```json\n{GOOD}\n```\n````",
    "fence after a fence of code": f"```python\nprint({{1: 2}})\n```\nand\n```json\n{GOOD}\n```",
    "prose around": f"Sure! I think this is best: {GOOD} Let me know.",
    "prose with braces": f"The set {{a, b}} is small. {GOOD} And {{c}}.",
    "thinking before": f'<think>Maybe {{"action": "wait", "ids": []}}?</think>{GOOD}',
    "thinking that was never opened": f'I could {{"action": "wait", "ids": [1]}} or not.</think>\n{GOOD}',
    "single quotes": "{'action': 'click it', 'ids': [3, 4], 'sure': true}",
    "python literals": "{'action': 'click it', 'ids': (3, 4), 'sure': True}",
    "python literal of nothing": "{'action': 'click it', 'ids': [3, 4], 'sure': True, }",
    "trailing commas": '{"action": "click it", "ids": [3, 4,], "sure": true,}',
    "comments": '{\n  "action": "click it", // the button\n  "ids": [3, 4], /* both */\n  "sure": true\n}',
    "hash comments": '{\n  "action": "click it", # the button\n  "ids": [3, 4],\n  "sure": true\n}',
    "keys without quotes": '{action: "click it", ids: [3, 4], sure: true}',
    "smart quotes": "{“action”: “click it”, “ids”: [3, 4], “sure”: true}",
    "full-width punctuation": "｛“action”：“click it”，“ids”：［3，4］，“sure”：true｝",
    "full-width punctuation, plain quotes": '｛"action"："click it"，"ids"：［3，4］，"sure"：true｝',
    "missing end": '{"sure": true, "action": "click it", "ids": [3, 4',
    "missing end in a fence": '```json\n{"sure": true, "action": "click it", "ids": [3, 4]\n```',
    "missing comma": '{"action": "click it" "ids": [3, 4] "sure": true}',
    "missing comma between lines": '{"action": "click it"\n"ids": [3, 4]\n"sure": true}',
    "twice the same": f"{GOOD}\n{GOOD}",
    "wrapped in a name": f'{{"step": {GOOD}}}',
    "wrapped in a list": f"[{GOOD}]",
    "numbers as text": '{"action": "click it", "ids": ["3", "4"], "sure": "true"}',
    "list as text": '{"action": "click it", "ids": "[3, 4]", "sure": true}',
    "keys in camel case": '{"Action": "click it", "IDs": [3, 4], "sure": true}',
    "a key too many": '{"action": "click it", "ids": [3, 4], "sure": true, "note": "hello"}',
    "tags": "<action>click it</action>\n<ids>[3, 4]</ids>\n<sure>true</sure>",
    "tags within a tag": "<step><action>click it</action><ids>[3, 4]</ids><sure>true</sure></step>",
    "JSON within a tag": f"<answer>{GOOD}</answer>",
    "escaped as text": '{\\"action\\": \\"click it\\", \\"ids\\": [3, 4], \\"sure\\": true}',
    "a brace too many": GOOD + "}",
    "upper-case literals": '{"action": "click it", "ids": [3, 4], "sure": TRUE}',
    "byte order mark": "\ufeff" + GOOD,
    "a label before": f"json\n{GOOD}",
}


@pytest.mark.parametrize("text", CORPUS.values(), ids=CORPUS.keys())
def test_broken_json_is_understood(text: str) -> None:
    assert parse_answer(text, Step) == WANTED


def test_the_ladder_understands_all_that_repair_alone_does_and_more() -> None:
    def alone(text: str) -> bool:
        try:
            value: Any = repair_json(text, return_objects=True)
            return Step.model_validate(value) == WANTED
        except ValidationError:
            return False

    ours = {name for name, text in CORPUS.items() if parse_answer(text, Step) == WANTED}
    theirs = {name for name, text in CORPUS.items() if alone(text)}
    assert theirs < ours


class Report(BaseModel):
    title: str = ""
    steps: list[Step] = []


def test_an_answer_that_was_cut_off_is_not_mistaken_for_a_part_of_it() -> None:
    report = parse_answer('{"title": "T", "steps": [{"action": "a", "ids": [1]}, {"action": "b", "i', Report)
    assert report == Report(title="T", steps=[Step(action="a", ids=[1])])


def test_defaults_do_not_make_an_answer_out_of_something_else() -> None:
    with pytest.raises(ValueError, match="none of title, steps"):
        parse_answer('{"weather": "fine"}', Report)


def test_a_stray_brace_in_prose_hides_nothing() -> None:
    assert parse_answer(f"Use {{ to open. {GOOD}", Step) == WANTED


def test_line_breaks_within_strings_are_kept() -> None:
    text = '{"action": "first\nsecond", "ids": [1]}'
    assert parse_answer(text, Step).action == "first\nsecond"


def test_text_within_strings_keeps_its_full_width_punctuation() -> None:
    text = '｛"action"："点击：确定，然后等"，"ids"：［1］｝'
    assert parse_answer(text, Step).action == "点击：确定，然后等"


def test_one_where_many_are_wanted_becomes_a_list() -> None:
    assert parse_answer('{"action": "a", "ids": 7}', Step).ids == [7]


def test_nothing_where_there_is_a_default_takes_the_default() -> None:
    assert parse_answer('{"action": "a", "ids": [], "sure": null}', Step) == Step(action="a", ids=[])


class Colour(StrEnum):
    DARK_RED = "dark_red"
    BLUE = "blue"


class Paint(BaseModel):
    colour: Colour
    kind: Literal["matt", "gloss"]
    litres: float
    label: str = ""
    parts: list[Step] = []


def test_words_that_differ_only_in_case_or_hyphens_are_the_allowed_ones() -> None:
    paint = parse_answer('{"colour": "Dark-Red", "kind": "MATT", "litres": "about 2.5 l", "label": 12}', Paint)
    assert paint == Paint(colour=Colour.DARK_RED, kind="matt", litres=2.5, label="12")


def test_nested_values_are_corrected_too() -> None:
    paint = parse_answer('{"colour":"blue","kind":"matt","litres":1,"parts":{"action":"stir","ids":"5","x":1}}', Paint)
    assert paint.parts == [Step(action="stir", ids=[5])]


@pytest.mark.parametrize(
    "text", ["", "I do not know.", "{}", "[]", "42", '{"other": 1}', "<action></action>", "{" * 300]
)
def test_where_there_is_nothing_to_find_nothing_is_invented(text: str) -> None:
    with pytest.raises(ValueError):
        parse_answer(text, Step)


@given(some.text())
def test_no_text_whatever_makes_the_ladder_stumble(text: str) -> None:
    with contextlib.suppress(ValueError):
        parse_answer(text, Step)


class Loose(BaseModel):
    """Every field has a default, so a reading that loses one is not noticed by validation."""

    note: str = ""
    ids: list[int] = []
    last: str = ""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            '{"note": "press "Send" now", "ids": [3], "last": "end"}',
            Loose(note='press "Send" now', ids=[3], last="end"),
        ),
        ('{"ids": [3] /* it */ "note": "a", "last": "end"}', Loose(note="a", ids=[3], last="end")),
        ('{"note": "a", "ids": [3, 4}, "last": "end"}', Loose(note="a", ids=[3, 4], last="end")),
        ('{"note": 1/3, "last": "end"}', Loose(note="1/3", last="end")),
        ('{"note": "a"}, "last": "end"}', Loose(note="a", last="end")),
    ],
)
def test_a_fault_in_the_midst_loses_nothing_that_comes_after_it(text: str, wanted: Loose) -> None:
    assert parse_answer(text, Loose) == wanted


JSON = some.dictionaries(
    some.text("abcdé ", min_size=1, max_size=6),
    some.one_of(some.text(max_size=12), some.integers(), some.booleans(), some.lists(some.integers(), max_size=3)),
    min_size=1,
    max_size=4,
)


@given(JSON, some.data())
def test_what_repair_alone_reads_out_of_spoilt_json_is_among_our_readings(value: dict[str, Any], data: Any) -> None:
    text = json.dumps(value, ensure_ascii=False)
    for _ in range(data.draw(some.integers(1, 3))):
        at = data.draw(some.integers(0, len(text)))
        put = data.draw(some.sampled_from(["", ",", '"', "'", "}", "]", "\n", " // so\n", "```", "\\"]))
        text = text[:at] + put + text[at + data.draw(some.integers(0, 2)) :]
    alone: Any = repair_json(text, return_objects=True)
    if isinstance(alone, dict | list) and alone:
        assert alone in list(decode_values(text))


@given(some.integers(min_value=1, max_value=len(GOOD) - 1))
def test_an_answer_cut_anywhere_is_either_understood_or_refused(end: int) -> None:
    try:
        step = parse_answer(GOOD[:end], Step)
    except ValueError:
        return
    assert WANTED.action.startswith(step.action)
    assert step.ids in ([3, 4], [3], [])


async def test_a_wrong_answer_is_asked_for_again_with_what_was_wrong() -> None:
    first = ModelReply(text='{"action": "click"}', usage=Usage(input=10, output=1))
    model = ScriptedModel([first, ModelReply(text=GOOD, usage=Usage(input=20, output=2))])
    step, reply = await ask_for_shape(model, QUESTION, Step)
    assert step == WANTED
    assert (reply.usage.input, reply.usage.output) == (30, 3)
    hint = model.requests[1].messages[-1].text
    assert "ids" in hint
    assert "required" in hint.lower()


async def test_after_two_more_tries_the_raw_text_comes_back_in_an_error() -> None:
    model = ScriptedModel(["no", "no way", "never"])
    with pytest.raises(InvalidAnswer) as caught:
        await ask_for_shape(model, QUESTION, Step)
    assert caught.value.text == "never"
    assert caught.value.usage.tokens > 0
    assert len(model.requests) == 3


async def test_the_shape_travels_with_the_request() -> None:
    model = ScriptedModel([GOOD])
    await ask_for_shape(model, QUESTION, Step)
    assert model.requests[0].shape == Step.model_json_schema()
