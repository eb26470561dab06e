"""Fitting conversations into windows."""

from itertools import pairwise
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pilotfish.core.errors import PersonError, TooLong
from pilotfish.core.messages import Call, Facts, Image, Message, Reply, Request, ToolSpec
from pilotfish.core.usage import Usage
from pilotfish.llm.scripted import Scripted
from pilotfish.llm.tokens import count
from pilotfish.runtime.guard.fence import Fence
from pilotfish.runtime.window.context import abridged, faded, fit, room, shorten, slide, tokens, total
from pilotfish.runtime.window.door import Fitted, Gauge, extras

pytestmark = pytest.mark.anyio
TEXT = st.text(alphabet="abc xyz.\n漢字яж{}0189🙂", max_size=400)
words = TEXT | st.builds(lambda text, often: text * often, TEXT, st.integers(1, 30))
FENCE = Fence("run")


@st.composite
def conversations(draw: st.DrawFn) -> list[Message]:
    messages = [Message(role="system", text=draw(st.text(alphabet="s", max_size=200)))]
    for _ in range(draw(st.integers(1, 12))):
        if draw(st.booleans()):
            args = st.dictionaries(st.sampled_from(["a", "b"]), words, max_size=2)
            calls = tuple(Call(id=str(n), tool="t", args=draw(args)) for n in range(draw(st.integers(1, 3))))
            messages.append(Message(role="assistant", text=draw(words), calls=calls))
            messages += [Message(role="tool", call=c.id, tool="t", text=draw(words)) for c in calls]
        else:
            images = (Image(data=b"AAAA"),) * draw(st.integers(0, 2))
            role: Literal["user", "assistant"] = draw(st.sampled_from(["user", "assistant"]))
            text = FENCE.wrap(draw(words)) if draw(st.booleans()) else draw(words)
            messages.append(Message(role=role, text=text, images=images if role == "user" else ()))
    return messages


def whole(fitted: tuple[Message, ...]) -> bool:
    """Whether every call is followed by its own results, and no result stands alone."""
    open_calls: list[str] = []
    for message in fitted:
        if message.role == "tool":
            if not open_calls or open_calls.pop(0) != message.call:
                return False
            continue
        if open_calls:
            return False
        open_calls = [call.id for call in message.calls]
    return not open_calls


@given(conversations(), st.integers(400, 4000), st.sampled_from([0, 100, 300]))
@settings(max_examples=300, deadline=None)
def test_what_is_fitted_never_exceeds_the_limit_nor_parts_a_call_from_its_result(
    messages: list[Message], limit: int, stride: int
) -> None:
    fitted = fit(messages, limit, stride=stride)
    assert total(fitted) <= limit
    assert fitted[0].role == "system" and whole(fitted)


@given(conversations(), st.integers(0, 6), st.booleans())
@settings(max_examples=100, deadline=None)
async def test_no_request_exceeds_the_window_whatever_tools_pictures_and_retries_it_carries(
    messages: list[Message], tools: int, shaped: bool
) -> None:
    model = Scripted(["fine"], facts=Facts(window=6000, answer=1000))
    schema: dict[str, Any] = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(9)}}
    specs = tuple(ToolSpec(name=f"t{n}", description="does things " * 20, parameters=schema) for n in range(tools))
    await Fitted(model, Gauge()).reply(Request(messages=tuple(messages), tools=specs, shape=schema if shaped else None))
    [sent] = model.asked
    assert total(sent.messages) + extras(sent) + 1000 <= 6000 and sent.tools == specs


@given(conversations().filter(lambda messages: not any(m.text.count("<data-") for m in messages)))
@settings(max_examples=50, deadline=None)
def test_a_conversation_that_fits_is_left_alone(messages: list[Message]) -> None:
    assert list(fit(messages, 1_000_000)) == messages


def test_pictures_stay_with_messages_that_say_the_same() -> None:
    picture = Image(data=b"aGk=", media="image/png")
    said = [Message(role="user", text="".join(["lo", "ok"]), images=(picture,)) for _ in range(8)]
    assert list(fit(said, 1_000_000)) == said


def test_what_cannot_fit_is_said_to_the_person() -> None:
    calls = tuple(Call(id=str(n), tool="a_tool_with_a_name") for n in range(200))
    with pytest.raises(PersonError, match="does not fit"):
        fit([Message(role="assistant", calls=calls)], 300)


def test_the_task_stays_when_all_around_it_goes() -> None:
    talk = [Message(role="user", text=f"old {n} " * 40) for n in range(20)]
    rounds = [Message(role="assistant", text=f"found {n} " * 60) for n in range(20)]
    fitted = fit([*talk, Message(role="user", text="the task"), *rounds], 900, keep="the task")
    assert Message(role="user", text="the task") in fitted
    assert fitted[-1] == rounds[-1] and talk[-1] not in fitted


def test_turns_go_in_strides_so_that_the_beginning_stays_the_same_for_a_while() -> None:
    talk = [Message(role="user", text=f"turn number {n} is said here. " * 10) for n in range(80)]
    firsts = [fit(talk[:n], 2000, stride=500)[0] for n in range(40, 80)]
    changes = sum(one != other for one, other in pairwise(firsts))
    assert 2 <= changes <= 10
    assert sum(fit(talk[:n], 2000)[0] != fit(talk[: n + 1], 2000)[0] for n in range(40, 79)) > 30


def test_old_page_snapshots_become_a_line_in_batches() -> None:
    looks = [Message(role="tool", call=str(n), text=FENCE.wrap(f"page {n}: " + "content " * 200)) for n in range(20)]
    left = [sum("content" in m.text for m in faded(looks[:n])) for n in range(1, 21)]
    assert left[:6] == [1, 2, 3, 4, 5, 2] and max(left) == 5 and left[9] == 2
    first = faded(looks[:8])[0].text
    assert "look again" in first and first.endswith(f"</data-{FENCE.nonce}>")
    short = [Message(role="tool", call="1", text=FENCE.wrap("a short page"))] * 20
    assert list(faded(short)) == short


def test_a_page_that_is_cut_keeps_its_closing_mark() -> None:
    text = f"Task: buy it\n{FENCE.wrap('a long page. ' * 500)}\nStep: press the button"
    cut = abridged(text, 200)
    assert tokens(cut) <= 200 and f"</data-{FENCE.nonce}>\nStep: press the button" in cut and "[cut:" in cut


def test_history_slides_by_whole_turns() -> None:
    call = Message(role="assistant", calls=(Call(id="1", tool="t"),))
    turns = [Message(role="user", text="first " * 50), call, Message(role="tool", call="1", text="result " * 30)]
    assert slide(turns, 80) == turns[1:] and slide(turns, 10_000) == turns and slide(turns, 1) == turns[1:]


class Strict(Scripted):
    """A model that counts three tokens where others count one, and refuses what is too long."""

    async def reply(self, request: Request, hear: Any = None) -> Reply:
        counted = 3 * total(request.messages)
        if counted > self.facts.window:
            raise TooLong("too long")
        reply = await super().reply(request, hear)
        return reply.model_copy(update={"usage": Usage(input=counted, output=1)})


async def test_a_model_that_counts_more_is_given_less_and_next_time_at_once() -> None:
    model, gauge = Strict(["one", "two"], facts=Facts(window=6000, answer=500)), Gauge()
    talk = tuple(Message(role="user", text=f"message {n} of many " * 20) for n in range(60))
    await Fitted(model, gauge).reply(Request(messages=talk))
    assert gauge.ratio(model.name) == pytest.approx(3)
    assert total(Fitted(model, gauge).fitted(Request(messages=talk)).messages) * 3 <= 5500
    with pytest.raises(PersonError, match="does not fit"):
        await Fitted(model, Gauge()).reply(Request(messages=(), shape={"long": "x" * 99_999}))


@pytest.mark.parametrize(
    "text",
    [
        "The ferry to Gull Island leaves at nine and comes back in the evening, except on Sundays. ",
        "Паром на остров отправляется утром и возвращается вечером, кроме воскресенья. ",
        "渡轮每天早上九点开往海鸥岛，晚上返回，星期日除外。",
        '{"name": "ferry", "times": [9, 12.5, 17], "price": {"adult": 14, "child": null}}, ',
        "def price(days: int) -> float:\n    return sum(RATES[d % 7] for d in range(days)) * 1.19\n",
        "https://ferry.example/timetable/2026/gull-island?from=lantern-bay&day=1#outward ",
        "Die Fähre zur Möweninsel fährt um neun Uhr ab und kehrt abends zurück. ",
    ],
)
def test_the_estimate_is_near_what_a_tokenizer_counts(text: str) -> None:
    many = text * 20
    assert 0.65 <= tokens(many) / count(many, "openai:gpt-4o") <= 2.2


@given(words, st.integers(5, 60))
@settings(deadline=None)
def test_a_cut_text_is_short_enough_and_says_that_it_was_cut(text: str, limit: int) -> None:
    cut = shorten(text, limit)
    assert cut == text if tokens(text) <= limit else cut.endswith("[cut: the text goes on]")
    assert tokens(cut.removesuffix("[cut: the text goes on]")) <= limit + 1


def test_a_text_is_cut_where_a_sentence_ends_if_one_is_near() -> None:
    assert shorten("One sentence that ends here. Another that goes on", 8).startswith("One sentence that ends here.\n")


@pytest.mark.parametrize(("window", "least"), [(8192, 6000), (128_000, 90_000)])
def test_the_answer_has_its_share_of_the_window(window: int, least: int) -> None:
    assert least < room(Facts(window=window), None) < window
