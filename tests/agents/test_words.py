"""What the loops read from words, without a model."""

from pathlib import Path

import pytest

from pilotfish.agents import chat
from pilotfish.context.fitting import token_estimate
from pilotfish.core.pages import TabText
from pilotfish.loop_support import hand_over
from pilotfish.loop_support.citations import credit_tabs
from pilotfish.loop_support.estimates import allowed_rounds, find_missing_tools, rate_complexity
from pilotfish.loop_support.language import detect_language
from pilotfish.loop_support.look_signal import asks_to_look, drop_signal
from pilotfish.loop_support.page_questions import speaks_of_page


@pytest.mark.parametrize(
    "answer",
    [
        "LOOK: the picture of the chart",
        "**LOOK:** the picture",
        "The text does not say it.\nLOOK: the rest of the page",
        "The text does not say which colour. LOOK: the picture of the chart",
        "文本没有说明。LOOK: 图表",
        "Je ne peux malheureusement pas voir cette image.",
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
    assert asks_to_look(answer)


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
        "The button is labelled “Please LOOK: here”.",
        "Je ne suis pas sûr, mais le billet coûte 12 EUR.",
        "The price is 12 EUR.",
    ],
)
def test_an_answer_about_a_page_that_talks_of_screenshots_does_not(answer: str) -> None:
    assert not asks_to_look(answer)


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("LOOK: the picture", ""),
        ("It is there.\n**LOOK: the picture**", "It is there."),
        ("It costs 14. LOOK: the sign\nIt sails daily.", "It costs 14.\nIt sails daily."),
        ("The button is labelled “Please LOOK: here”.", "The button is labelled “Please LOOK: here”."),
    ],
)
def test_the_look_signal_is_no_part_of_an_answer(answer: str, left: str) -> None:
    assert drop_signal(answer) == left


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
        ("Draw a red circle as a picture", "English"),
        ("Zeichne einen roten Kreis", "German"),
        ("Dibuja un círculo rojo como imagen", "Spanish"),
    ],
)
def test_the_language_of_a_question_is_known(text: str, name: str) -> None:
    assert detect_language(text) == name


@pytest.mark.parametrize(
    "task",
    [
        "What does it cost?",
        "Was kostet das? ",
        "多少钱？",
        "كم السعر؟",
        "¿Cuánto cuesta?",
        "Is it “new”?\n",
        "Τι κάνει\u037e",
    ],
)
def test_a_question_mark_of_any_script_tells_a_question(task: str) -> None:
    assert hand_over.is_question(task)


@pytest.mark.parametrize("task", ["Click Save", "What? Never mind.", "http://a.example/?q=1", "", "请点击登录按钮"])
def test_what_ends_otherwise_is_none(task: str) -> None:
    assert not hand_over.is_question(task)


@pytest.mark.parametrize(
    ("reply", "way"),
    [
        ("HAND OVER: browse", "browse"),
        (" **HAND OVER: research**", "research"),
        ("hand over: Browse.", "browse"),
        ("You can hand over: research is done", ""),
        ("HAND OVER: everything", ""),
        ("The price is 12 EUR.", ""),
    ],
)
def test_a_reply_hands_over_only_with_the_agreed_line(reply: str, way: str) -> None:
    assert hand_over.read_hand_over(reply) == way


def test_harder_questions_get_more_rounds() -> None:
    easy, hard = "What time is it?", "Compare A and B, analyse the trade-offs, and explain why each of them costs more."
    assert rate_complexity(easy) == "simple" and rate_complexity(hard) == "complex"
    assert allowed_rounds(easy, 5) < allowed_rounds(hard, 5) == 5
    assert allowed_rounds(easy, 1) == allowed_rounds(hard, 1) == 1


def test_a_switched_off_tool_that_would_have_helped_is_named() -> None:
    assert "web_search" in find_missing_tools("What is the latest news?", ["web_fetch"], ("web_search",))
    assert find_missing_tools("What is two and two", [], ("web_search",)) == ""


PROMPTS = Path(chat.__file__).parent / "prompts"


@pytest.mark.parametrize("path", sorted(PROMPTS.glob("*.md")), ids=lambda p: p.stem)
def test_the_fixed_part_of_a_prompt_is_short_enough_for_a_small_model(path: Path) -> None:
    assert token_estimate(path.read_text("utf-8")) <= 900


@pytest.mark.parametrize(
    "answer", ["I do not know.", "Das weiß ich nicht.", "Je ne sais pas.", "No lo sé.", "我不知道。"]
)
def test_an_answer_that_only_denies_is_credited_to_no_tab(answer: str) -> None:
    tabs = [TabText(id=n, url="", title="", text=text) for n, text in ((1, f"{answer} know weiß sais"), (2, "Tickets"))]
    assert credit_tabs(answer, tabs) == answer


@pytest.mark.parametrize(
    "text",
    [
        "What does this page say?",
        "Fasse die offene Seite zusammen",
        "Résume cette page",
        "¿Qué dice el artículo?",
        "这篇文章讲什么？",
        "What is it?",
        "Was ist das?",
        "这是什么？",
    ],
)
def test_a_message_about_a_page_is_recognised(text: str) -> None:
    assert speaks_of_page(text)


@pytest.mark.parametrize(
    "text",
    [
        "Good evening",
        "How is it going?",
        "Wie geht es dir?",
        "Guten Abend, wie geht es dir heute?",
        "Which site is best for maps?",
        "¿Quién eres?",
        "你好",
    ],
)
def test_a_greeting_is_not_about_a_page(text: str) -> None:
    assert not speaks_of_page(text)
