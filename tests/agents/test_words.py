"""What the loops read from words, without a model."""

from pathlib import Path

import pytest

from pilotfish.agents import auto, chat
from pilotfish.runtime.context import tokens
from pilotfish.runtime.estimate import complexity, iterations, missing
from pilotfish.runtime.wording import parse

PAGE = """Search the shop
[1] link "Home"
[2] searchbox "Search the shop"
[3] button "Search"
  [4] link "Pelican arm"
  [5] button "Add Pelican arm to cart"
[6] combobox "Colour" value="Red" options: Red, Blue
[7] checkbox "I agree" (not checked)
[8] button "Add"
[9] button "Add"
"""


@pytest.mark.parametrize(
    ("action", "tool", "args"),
    [
        ('click [5] button "Add Pelican arm to cart"', "click", {"id": 5}),
        ('Click the "Pelican arm" link', "click", {"id": 4}),
        ('click button "pelican arm to cart"', "click", {"id": 5}),
        ("click [7]", "click", {"id": 7}),
        ('check "I agree"', "click", {"id": 7}),
        ('type "gripper" into [2] searchbox', "type", {"id": 2, "text": "gripper", "submit": False}),
        ('Enter "grip" in "Search the shop" and press Enter', "type", {"id": 2, "text": "grip", "submit": True}),
        ('select "Blue" in [6] combobox "Colour"', "select", {"id": 6, "option": "Blue"}),
        ("press Enter", "press_key", {"key": "Enter"}),
        ("press the Search button", "click", {"id": 3}),
        ("scroll down", "scroll", {"direction": "down"}),
        ("scroll to the bottom", "scroll", {"direction": "bottom"}),
        ("go to https://shop.example/cart.", "navigate", {"action": "goto", "url": "https://shop.example/cart"}),
        ("go back", "navigate", {"action": "back"}),
    ],
)
def test_plain_words_become_a_call(action: str, tool: str, args: dict[str, object]) -> None:
    call = parse(action, PAGE, "c1")
    assert call is not None and (call.tool, dict(call.args)) == (tool, args)


@pytest.mark.parametrize("action", ['click "Add"', "click [99]", "do something clever", 'type "x" into the box', ""])
def test_words_that_are_not_plain_are_left_to_the_executor(action: str) -> None:
    assert parse(action, PAGE, "c1") is None


@pytest.mark.parametrize(
    "answer",
    [
        "LOOK: the picture of the chart",
        "I cannot see the image, so I do not know its colour.",
        "I'm sorry, but I can't view the rest of the page.",
        "Leider: ich kann das Bild nicht sehen.",
        "No puedo ver la imagen.",
        "我无法看到图片。",
    ],
)
def test_an_answer_that_asks_to_look_goes_to_pass_two(answer: str) -> None:
    assert chat.needs_look(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "The page explains how to take a screenshot and how to scroll below the fold.",
        "The article says that users cannot see the image unless they log in.",
        "截图功能在第二段介绍。",
        "The price is 12 EUR.",
    ],
)
def test_an_answer_about_a_page_that_talks_of_screenshots_does_not(answer: str) -> None:
    assert not chat.needs_look(answer)


@pytest.mark.parametrize(
    ("task", "tabs", "way"),
    [
        ("Click the Save button", True, "browse"),
        ("Add the Pelican arm to the cart", True, "browse"),
        ("请点击登录按钮", True, "browse"),
        ("Summarize this page", True, "chat"),
        ("How much does the Pelican arm cost?", True, "chat"),
        ("这个页面讲了什么", True, "chat"),
        ("What is the latest news about Bergen?", False, "research"),
        ("Who founded Pelican Robotics?", False, "research"),
        ("hm, interesting", True, ""),
    ],
)
def test_auto_reads_the_way_from_the_words(task: str, tabs: bool, way: str) -> None:
    assert auto.rule(task, tabs)[0] == way


def test_harder_questions_get_more_rounds() -> None:
    easy, hard = "What time is it?", "Compare A and B, analyse the trade-offs, and explain why each of them costs more."
    assert complexity(easy) == "simple" and complexity(hard) == "complex"
    assert iterations(easy, 5) < 5 < iterations(hard, 5) <= 10


def test_a_switched_off_tool_that_would_have_helped_is_named() -> None:
    assert "web_search" in missing("What is the latest news?", ["web_fetch"], ("web_search",))
    assert missing("What is two and two", [], ("web_search",)) == ""


PROMPTS = Path(chat.__file__).parent / "prompts"


@pytest.mark.parametrize("path", sorted(PROMPTS.glob("*.md")), ids=lambda p: p.stem)
def test_the_fixed_part_of_a_prompt_is_short_enough_for_a_small_model(path: Path) -> None:
    assert tokens(path.read_text("utf-8")) <= 900
