"""Fitting conversations into windows."""

from itertools import pairwise
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pilotfish.context.fitting import (
    abridge_text,
    drop_old_snapshots,
    fit_messages,
    newest_turns,
    request_room,
    shorten_text,
    token_estimate,
    total_tokens,
)
from pilotfish.context.windowed_model import TokenRatios, WindowedModel, extra_tokens
from pilotfish.core.errors import PersonError, RequestTooLong
from pilotfish.core.messages import Image, Message, ModelFacts, ModelReply, ModelRequest, ToolCall, ToolSpec
from pilotfish.core.usage import Usage
from pilotfish.llm.scripted import ScriptedModel
from pilotfish.llm.tokens import count_tokens
from pilotfish.safety.untrusted_text import UntrustedText

pytestmark = pytest.mark.anyio
TEXT = st.text(alphabet="abc xyz.\n漢字яж{}0189🙂", max_size=400)
words = TEXT | st.builds(lambda text, often: text * often, TEXT, st.integers(1, 30))
FENCE = UntrustedText("run")


@st.composite
def conversations(draw: st.DrawFn) -> list[Message]:
    messages = [Message(role="system", text=draw(st.text(alphabet="s", max_size=200)))]
    for _ in range(draw(st.integers(1, 12))):
        if draw(st.booleans()):
            args = st.dictionaries(st.sampled_from(["a", "b"]), words, max_size=2)
            calls = tuple(ToolCall(id=str(n), tool="t", args=draw(args)) for n in range(draw(st.integers(1, 3))))
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
@settings(max_examples=100, deadline=None)
def test_what_is_fitted_never_exceeds_the_limit_nor_parts_a_call_from_its_result(
    messages: list[Message], limit: int, stride: int
) -> None:
    fitted = fit_messages(messages, limit, stride=stride)
    assert total_tokens(fitted) <= limit
    assert fitted[0].role == "system" and whole(fitted)


@given(conversations(), st.integers(0, 6), st.booleans())
@settings(max_examples=50, deadline=None)
async def test_no_request_exceeds_the_window_whatever_tools_pictures_and_retries_it_carries(
    messages: list[Message], tools: int, shaped: bool
) -> None:
    model = ScriptedModel(["fine"], facts=ModelFacts(window=6000, answer=1000))
    schema: dict[str, Any] = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(9)}}
    specs = tuple(ToolSpec(name=f"t{n}", description="does things " * 20, parameters=schema) for n in range(tools))
    await WindowedModel(model, TokenRatios()).reply(
        ModelRequest(messages=tuple(messages), tools=specs, shape=schema if shaped else None)
    )
    [sent] = model.requests
    assert total_tokens(sent.messages) + extra_tokens(sent) + 1000 <= 6000 and sent.tools == specs


@given(conversations().filter(lambda messages: not any(m.text.count("<data-") for m in messages)))
@settings(max_examples=25, deadline=None)
def test_a_conversation_that_fits_is_left_alone(messages: list[Message]) -> None:
    assert list(fit_messages(messages, 1_000_000)) == messages


def test_pictures_stay_with_messages_that_say_the_same() -> None:
    picture = Image(data=b"aGk=", media="image/png")
    said = [Message(role="user", text="".join(["lo", "ok"]), images=(picture,)) for _ in range(8)]
    assert list(fit_messages(said, 1_000_000)) == said


def test_what_cannot_fit_is_said_to_the_person() -> None:
    calls = tuple(ToolCall(id=str(n), tool="a_tool_with_a_name") for n in range(200))
    with pytest.raises(PersonError, match="does not fit"):
        fit_messages([Message(role="assistant", calls=calls)], 300)


def test_the_task_stays_when_all_around_it_goes() -> None:
    talk = [Message(role="user", text=f"old {n} " * 40) for n in range(20)]
    rounds = [Message(role="assistant", text=f"found {n} " * 60) for n in range(20)]
    fitted = fit_messages([*talk, Message(role="user", text="the task"), *rounds], 900, keep="the task")
    assert Message(role="user", text="the task") in fitted
    assert fitted[-1] == rounds[-1] and talk[-1] not in fitted


def test_what_is_pinned_stays_when_older_and_newer_turns_go() -> None:
    talk = [Message(role="user", text=f"turn {n} " * 60) for n in range(20)]
    page = Message(role="user", text="the page", pinned=True)
    fitted = fit_messages([*talk[:5], page, *talk[5:]], 900)
    assert page in fitted and talk[6] not in fitted and fitted[-1] == talk[-1]


def test_turns_go_in_strides_so_that_the_beginning_stays_the_same_for_a_while() -> None:
    talk = [Message(role="user", text=f"turn number {n} is said here. " * 10) for n in range(80)]
    firsts = [fit_messages(talk[:n], 2000, stride=500)[0] for n in range(40, 80)]
    changes = sum(one != other for one, other in pairwise(firsts))
    assert 2 <= changes <= 10
    assert sum(fit_messages(talk[:n], 2000)[0] != fit_messages(talk[: n + 1], 2000)[0] for n in range(40, 79)) > 30


def test_old_page_snapshots_become_a_line_in_batches() -> None:
    looks = [Message(role="tool", call=str(n), text=FENCE.wrap(f"page {n}: " + "content " * 200)) for n in range(20)]
    left = [sum("content" in m.text for m in drop_old_snapshots(looks[:n])) for n in range(1, 21)]
    assert left[:6] == [1, 2, 3, 4, 5, 2] and max(left) == 5 and left[9] == 2
    first = drop_old_snapshots(looks[:8])[0].text
    assert "look again" in first and first.endswith(f"</data-{FENCE.nonce}>")
    short = [Message(role="tool", call="1", text=FENCE.wrap("a short page"))] * 20
    assert list(drop_old_snapshots(short)) == short


def test_a_page_that_is_cut_keeps_its_closing_mark() -> None:
    text = f"Task: buy it\n{FENCE.wrap('a long page. ' * 500)}\nStep: press the button"
    cut = abridge_text(text, 200)
    assert token_estimate(cut) <= 200 and f"</data-{FENCE.nonce}>\nStep: press the button" in cut and "[cut:" in cut


def test_history_slides_by_whole_turns() -> None:
    call = Message(role="assistant", calls=(ToolCall(id="1", tool="t"),))
    turns = [Message(role="user", text="first " * 50), call, Message(role="tool", call="1", text="result " * 30)]
    assert (
        newest_turns(turns, 80) == turns[1:]
        and newest_turns(turns, 10_000) == turns
        and newest_turns(turns, 1) == turns[1:]
    )


class Strict(ScriptedModel):
    """A model that counts three tokens where others count one, and refuses what is too long."""

    async def reply(self, request: ModelRequest, on_text: Any = None) -> ModelReply:
        counted = 3 * total_tokens(request.messages)
        if counted > self.facts.window:
            raise RequestTooLong("too long")
        reply = await super().reply(request, on_text)
        return reply.model_copy(update={"usage": Usage(input=counted, output=1)})


async def test_a_model_that_counts_more_is_given_less_and_next_time_at_once() -> None:
    model, token_ratios = Strict(["one", "two"], facts=ModelFacts(window=6000, answer=500)), TokenRatios()
    talk = tuple(Message(role="user", text=f"message {n} of many " * 20) for n in range(60))
    await WindowedModel(model, token_ratios).reply(ModelRequest(messages=talk))
    assert token_ratios.ratio(model.name) == pytest.approx(3)
    assert (
        total_tokens(WindowedModel(model, token_ratios).fit_request(ModelRequest(messages=talk)).messages) * 3 <= 5500
    )
    with pytest.raises(PersonError, match="does not fit"):
        await WindowedModel(model, TokenRatios()).reply(ModelRequest(messages=(), shape={"long": "x" * 99_999}))


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
    assert 0.65 <= token_estimate(many) / count_tokens(many, "openai:gpt-4o") <= 2.2


@given(words, st.integers(5, 60))
@settings(deadline=None)
def test_a_cut_text_is_short_enough_and_says_that_it_was_cut(text: str, limit: int) -> None:
    cut = shorten_text(text, limit)
    assert cut == text if token_estimate(text) <= limit else cut.endswith("[cut: the text goes on]")
    assert token_estimate(cut.removesuffix("[cut: the text goes on]")) <= limit + 1


def test_a_text_is_cut_where_a_sentence_ends_if_one_is_near() -> None:
    assert shorten_text("One sentence that ends here. Another that goes on", 8).startswith(
        "One sentence that ends here.\n"
    )


@pytest.mark.parametrize(("window", "least"), [(8192, 6000), (128_000, 90_000)])
def test_the_answer_has_its_share_of_the_window(window: int, least: int) -> None:
    assert least < request_room(ModelFacts(window=window), None) < window


def test_a_text_that_is_cut_within_its_marks_closes_them() -> None:
    untrusted = UntrustedText("talk")
    text = "\n".join(untrusted.wrap(f"page {n} " + "tells of tea " * 30) for n in range(12))
    cut = abridge_text(text, 60)
    assert cut.count(f"<data-{untrusted.nonce} from") == cut.count(f"</data-{untrusted.nonce}>") >= 1
    assert token_estimate(cut) <= 60
