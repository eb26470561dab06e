"""The reply of the short form: its schema admits what the page shows, and its acts are calls of tools."""

from typing import Any

import pytest

from pilotfish.core.messages import ModelReply, TokenChance
from pilotfish.llm.schema import simplify_schema
from pilotfish.llm.structured import parse_answer
from pilotfish.small_model.short_reply import MOST_ACTS, VERBS, ShortReply, list_shown, read_certainty, reply_shape

TOOLS = [tool for tool, _ in VERBS.values()]
PAGE = """Shop — http://shop/
(screen 1 of 2)
[3] textbox "Search"
[4] combobox "Sort" = "Name" options: Name, Price
[7] button "Save" (disabled)
- Kettle | €48 | [5] link "Kettle" | [6] button "Add to cart"
[9] list (scrolls, at 0 %, 3 more rows below):
 [10] combobox "Town"
"""


def acts(page: str = PAGE, tools: list[str] = TOOLS, **how: Any) -> dict[str, list[list[Any]]]:
    """The forms of an act that the schema admits, by verb: what may follow it."""
    schema = simplify_schema(reply_shape(page, tools, **how).model_json_schema())
    found: dict[str, list[list[Any]]] = {}
    for one in schema["anyOf"][0]["properties"]["acts"]["items"]["anyOf"]:
        verb, *rest = one["prefixItems"]
        assert one["minItems"] == one["maxItems"] == len(one["prefixItems"])
        found.setdefault(verb["const"], []).append([part.get("enum", "text") for part in rest])
    return found


def test_the_schema_admits_only_numbers_of_the_page_with_the_verbs_that_they_take() -> None:
    found = acts()
    assert found["click"] == [[[3, 5, 6, 9, 10]]]
    assert found["double"] == found["right"] == found["hover"] == found["click"]
    assert found["type"] == [[[3, 10], "text"]]
    assert found["select"] == [[[4, 10], "text"]]
    assert found["scroll"] == [[["down", "up"]], [["down", "up"], [9]]]
    assert found["back"] == [[]] and found["note"] == [["text"]]


def test_a_click_is_given_an_answer_only_after_a_dialog() -> None:
    assert len(acts()["click"]) == 1
    assert acts(dialog=True)["click"][1] == [[3, 5, 6, 9, 10], "text"]


def test_verbs_whose_tool_the_run_lacks_or_that_nothing_takes_are_not_admitted() -> None:
    assert set(acts("Empty — http://x/\n(screen 1 of 1)", ["click", "type", "scroll"])) == {"scroll", "note"}


def test_every_form_of_the_reply_begins_with_why_so_that_the_choice_comes_after_it() -> None:
    ways = simplify_schema(reply_shape(PAGE, TOOLS).model_json_schema())["anyOf"]
    assert [list(way["properties"]) for way in ways] == [["why", each] for each in ("acts", "done", "ask", "give_up")]
    assert all(way["required"] == list(way["properties"]) for way in ways)


def test_the_kind_of_a_click_is_its_verb() -> None:
    reply = ShortReply(why="x", acts=[["click", 6], ["double", 6], ["right", 6]])
    assert [(act.tool, act.args) for act in reply.actions] == [
        ("click", {"id": 6}),
        ("click", {"kind": "double", "id": 6}),
        ("click", {"kind": "right", "id": 6}),
    ]


def test_acts_are_calls_of_tools_and_notes_are_apart() -> None:
    text = '{"why":"x","acts":[["type",3,"Anna"],["note","two are red"],["click",6,"ok"],["back"]]}'
    reply = parse_answer(text, ShortReply)
    assert reply.notes == ["two are red"]
    assert [(each.tool, each.args) for each in reply.actions] == [
        ("type", {"id": 3, "text": "Anna"}),
        ("click", {"id": 6, "answer": "ok"}),
        ("navigate", {"action": "back"}),
    ]
    assert ShortReply.model_validate(reply.model_dump(mode="json")) == reply


@pytest.mark.parametrize(
    "wrong",
    [
        {"why": "x"},
        {"why": "x", "done": "a", "give_up": "b"},
        {"why": "x", "acts": [["click", 1]], "done": "a"},
        {"why": "x", "acts": [["fly", 1]]},
        {"why": "x", "acts": [["type", 1]]},
        {"why": "x", "acts": [[]]},
        {"why": "x", "acts": [["back"]] * (MOST_ACTS + 1)},
    ],
)
def test_a_reply_is_exactly_one_of_four_and_its_acts_are_known(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        ShortReply.model_validate(wrong)


def test_an_element_that_is_shown_twice_is_listed_once() -> None:
    assert [each.id for each in list_shown('[3] link "A" | [3] link "A"\n[4] button')] == [3, 4]


@pytest.mark.parametrize(
    ("chances", "certainty"),
    [
        pytest.param([1.0, 0.5, 0.5, 1.0, 0.1], 0.25, id="what comes after the kind does not count"),
        pytest.param([1.0, 1.0, 1.0, 0.125, 1.0], 0.125, id="the kind counts"),
        pytest.param([], 1.0, id="a model that does not tell"),
    ],
)
def test_a_reply_is_as_certain_as_its_reason_and_its_kind(chances: list[float], certainty: float) -> None:
    parts = ['{"why":"', "the page ", 'says \\"done\\"', '","done', '":"Done."}']
    tokens = tuple(TokenChance(text=text, chance=chance) for text, chance in zip(parts, chances, strict=False))
    assert read_certainty(ModelReply(text="".join(parts), tokens=tokens)) == certainty
