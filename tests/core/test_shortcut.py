"""Shortcuts as values: words that become parameters, values that fill them, files that people can read."""

import json
from typing import Any

import pytest

from pilotfish.core.errors import PersonError
from pilotfish.core.recipe import ActionRecipe, ElementRef, RecordedAction
from pilotfish.core.shortcut import (
    Shortcut,
    describe_steps,
    fill_shortcut,
    make_shortcut,
    read_shortcut,
    replace_elements,
    write_shortcut,
)

RECIPE = ActionRecipe(
    task="Put the Pepper mill into the cart",
    tabs=("http://shop.example/?q=Pepper+mill",),
    start="http://shop.example/?q=Pepper+mill",
    actions=(
        RecordedAction(tool="type", args={"id": 3, "text": "Pepper mill"}, text='Typed "Pepper mill"'),
        RecordedAction(
            tool="click",
            args={"id": 7},
            elements={"id": ElementRef(role="link", name="Buy Pepper mill")},
            text='Clicked [7] link "Buy Pepper mill"',
        ),
        RecordedAction(tool="page_tool", args={"name": "add", "arguments": {"what": "Pepper mill", "n": 2}}),
        RecordedAction(tool="type", args={"id": 9, "text": "Peppermillish"}),
    ),
)


def shortcut(**parameters: str) -> Shortcut:
    return make_shortcut("mill", RECIPE, parameters or {"name": "Pepper mill"})


def test_words_become_parameters_wherever_they_stand_by_themselves() -> None:
    made = shortcut()
    assert made.task == "Put the {name} into the cart" and made.usage == 'mill name="Pepper mill"'
    filled = fill_shortcut(made, {"name": "Oat bowl & lid"})
    assert filled.task == "Put the Oat bowl & lid into the cart"
    assert filled.pages == ("http://shop.example/?q=Oat+bowl+%26+lid",) and filled.start == filled.pages[0]
    typed, clicked, called, other = filled.actions
    assert typed.args["text"] == "Oat bowl & lid" and clicked.elements["id"].name == "Buy Oat bowl & lid"
    assert called.args == {"name": "add", "arguments": {"what": "Oat bowl & lid", "n": 2}}
    assert other.args["text"] == "Peppermillish"
    assert fill_shortcut(made, {"name": "Pepper mill"}) == RECIPE


def test_a_value_is_told_once_though_the_task_does_not_name_it() -> None:
    plain = make_shortcut("mill", RECIPE.model_copy(update={"task": "Buy it"}), {"name": "Pepper mill"})
    assert fill_shortcut(plain, {"name": "Oat bowl"}).task == "Buy it (name: Oat bowl)"


@pytest.mark.parametrize(
    ("values", "said"), [({}, "name has no value"), ({"name": "a", "size": "b"}, "it has no parameter 'size'")]
)
def test_values_that_do_not_fit_are_refused_with_an_example(values: dict[str, str], said: str) -> None:
    with pytest.raises(PersonError, match=said) as caught:
        fill_shortcut(shortcut(), values)
    assert caught.value.fix == 'Such as: pilotfish do mill name="Pepper mill"'


def test_words_that_do_not_occur_and_names_that_are_none_are_refused() -> None:
    with pytest.raises(PersonError, match="does not occur") as caught:
        shortcut(name="Golden anchor")
    assert "Pepper mill; Buy Pepper mill" in caught.value.fix
    with pytest.raises(PersonError, match="cannot be a name"):
        make_shortcut("../mill", RECIPE, {})


def test_an_element_that_was_found_anew_is_kept_with_its_parameter() -> None:
    new = ElementRef(role="button", name="Order Oat bowl now", nth=2)
    changed = replace_elements(shortcut(), {(1, "id"): new}, {"name": "Oat bowl"})
    assert changed.replacements == 1
    again = fill_shortcut(changed, {"name": "Tea tin"}).actions[1].elements["id"]
    assert again == ElementRef(role="button", name="Order Tea tin now", nth=2)


def test_a_file_is_plain_json_and_reads_back_the_same() -> None:
    made = shortcut()
    text = write_shortcut(made)
    assert json.loads(text)["parameters"] == {"name": "Pepper mill"} and '  "task": "Put the {name}' in text
    assert read_shortcut(text) == made
    assert describe_steps(made.recipe)[1] == 'Clicked link "Buy {name}"'


@pytest.mark.parametrize(
    "change",
    [
        {"recipe": {"task": "x", "tabs": ["http://a.example"], "actions": [{"tool": "web_fetch", "args": {}}]}},
        {"recipe": {"task": "x", "tabs": ["file:///etc/passwd"], "actions": [{"tool": "click", "args": {}}]}},
        {"recipe": {"task": "x", "tabs": ["http://a.example"], "actions": []}},
        {"name": "A b"},
        {"parameters": {"a b": "x"}},
        {"parameters": 7},
    ],
)
def test_a_file_that_is_no_shortcut_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(PersonError, match="That is no shortcut"):
        read_shortcut(json.dumps({**json.loads(write_shortcut(shortcut())), **change}))
