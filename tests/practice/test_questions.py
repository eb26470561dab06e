import html
import re

import httpx2
import pytest

from pilotfish.practice.questions import PracticeQuestion, questions

PAIRS = [pytest.param(question, id=question.name) for question in questions()]


def words(reply: httpx2.Response) -> str:
    """A page's text, without its markup and without the layout round it."""
    if reply.headers["content-type"] == "application/pdf":
        import pypdfium2

        with pypdfium2.PdfDocument(reply.content) as document:
            return "\n".join(document[n].get_textpage().get_text_range() for n in range(len(document)))
    body = reply.text.split("<main", 1)[1].split("</main>", 1)[0]
    return html.unescape(re.sub(r"<script.*?</script>|<[^>]+>", " ", body, flags=re.S))


@pytest.mark.parametrize("question", PAIRS)
async def test_the_answer_stands_on_the_page(visitor: httpx2.AsyncClient, question: PracticeQuestion) -> None:
    text = words(await visitor.get(question.page))
    assert question.check(text), text


def test_there_are_forty_questions_over_ten_pages_and_none_twice() -> None:
    names = [question.name for question in questions()]
    assert len(names) == len(set(names)) >= 40
    assert len({question.page for question in questions()}) >= 10


def test_no_answer_is_given_away_by_its_question() -> None:
    assert [q.name for q in questions() if q.check(q.question)] == []


def test_an_empty_or_evasive_reply_is_never_right() -> None:
    for reply in ("", "I do not know.", "The page does not say.", "yes", "no"):
        assert [q.name for q in questions() if q.check(reply)] == []


@pytest.mark.parametrize(
    ("answer", "reply", "right"),
    [
        ("9", "It took 9 nights.", True),
        ("9", "It took 9.", True),
        ("9", "It took 9.2 metres.", False),
        ("9", "It took 19 nights.", False),
        ("re:164000", "It cost 164,000 euros", True),
        ("re:164000", "It cost **164 000** euros", True),
        ("re:164000", "It cost 1,164,000 euros", False),
        ("Petra Sund", "The harbour master is petra sund.", True),
        ("re:12 ?欧元", "成人票：12欧元", True),
        ("re:0?6[:.]50", "at 06:50", True),
        ("re:0?6[:.]50", "at 16:50", False),
    ],
)
def test_answers_are_matched_strictly_but_fairly(answer: str, reply: str, right: bool) -> None:
    assert PracticeQuestion(name="x", page="/", question="?", answers=(answer,)).check(reply) is right
