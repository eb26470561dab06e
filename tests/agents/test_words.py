"""What the loops read from words, without a model."""

from pathlib import Path

import pytest

from pilotfish.agents import auto, chat
from pilotfish.runtime.aids.estimate import complexity, iterations, missing
from pilotfish.runtime.aids.language import language
from pilotfish.runtime.aids.sight import blind
from pilotfish.runtime.aids.todo import grounded
from pilotfish.runtime.aids.wording import parse
from pilotfish.runtime.window.context import tokens

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
        "**LOOK:** the picture",
        "The text does not say it.\nLOOK: the rest of the page",
        "I cannot see the image, so I do not know its colour.",
        "I'm sorry, but I can't view the rest of the page.",
        "I'm unable to view images.",
        "I would need to see the chart.",
        "Leider: ich kann das Bild nicht sehen.",
        "Je ne peux pas voir l'image.",
        "No puedo ver la imagen.",
        "Non riesco a vedere l'immagine.",
        "Não consigo ver a imagem.",
        "К сожалению, я не вижу картинку.",
        "我无法看到图片。",
        "抱歉,我看不到图片的颜色。",
        "申し訳ありませんが、画像を見ることができません。",
        "Obrázek bohužel nevidím.",
        "죄송하지만 이미지를 볼 수 없습니다.",
    ],
)
def test_an_answer_that_asks_to_look_goes_to_pass_two(answer: str) -> None:
    assert blind(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "The page explains how to take a screenshot and how to scroll below the fold.",
        "The article says that users cannot see the image unless they log in.",
        "A reviewer writes: “I cannot see the pictures on my phone.”",
        'Der Kunde schreibt: "Ich kann das Bild nicht sehen."',
        "> I can't see the screenshot\n\nThat is what the first comment says.",
        "Les lecteurs ne peuvent pas voir l'image.",
        "用户无法看到图片,除非登录。",
        "截图功能在第二段介绍。",
        "The heading is LOOKING AHEAD: 2027.",
        "The price is 12 EUR.",
    ],
)
def test_an_answer_about_a_page_that_talks_of_screenshots_does_not(answer: str) -> None:
    assert not blind(answer)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("What does a ticket cost?", "English"),
        ("Was kostet eine Fahrkarte nach Bergen?", "German"),
        ("Combien coûte un billet pour la Norvège et comment le payer ?", "French"),
        ("¿Cuánto cuesta el billete y dónde se compra?", "Spanish"),
        ("渡轮的票价是多少?", "Chinese"),
        ("フェリーの料金はいくらですか。", "Japanese"),
        ("Сколько стоит билет?", "Russian"),
        ("GPT 4 vs 5", "English"),
    ],
)
def test_the_language_of_a_question_is_known(text: str, name: str) -> None:
    assert language(text) == name


def test_evidence_counts_only_where_it_was_seen() -> None:
    page = 'Your cart\n[3] link "Cart (1)"\nTide kettle €48.90'
    assert grounded("Cart (1)", page) and grounded("the cart shows the Tide kettle at €48.90", page)
    assert not grounded("Order 4711 was confirmed by post", page) and not grounded("", page) and not grounded("…", page)


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
