"""Fitting conversations into windows."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pilotfish.core.messages import Call, Facts, Message
from pilotfish.runtime.context import fit, room, shorten, tokens, weight

words = st.text(alphabet="abc xyz.\n漢字", max_size=400)


@st.composite
def conversations(draw: st.DrawFn) -> list[Message]:
    messages = [Message(role="system", text=draw(st.text(alphabet="s", max_size=200)))]
    for _ in range(draw(st.integers(1, 12))):
        if draw(st.booleans()):
            calls = tuple(Call(id=str(n), tool="t", args={"n": n}) for n in range(draw(st.integers(1, 3))))
            messages.append(Message(role="assistant", text=draw(words), calls=calls))
            messages += [Message(role="tool", call=c.id, tool="t", text=draw(words)) for c in calls]
        else:
            messages.append(Message(role=draw(st.sampled_from(["user", "assistant"])), text=draw(words)))
    return messages


@given(conversations(), st.integers(200, 2000))
@settings(max_examples=300, deadline=None)
def test_what_is_fitted_never_exceeds_the_window_nor_parts_a_call_from_its_result(
    messages: list[Message], limit: int
) -> None:
    fitted = fit(messages, limit)
    assert sum(map(weight, fitted)) <= limit + 64
    assert fitted[0].role == "system"
    asked = {c.id for m in fitted for c in m.calls}
    answered = {m.call for m in fitted if m.role == "tool"}
    assert answered <= asked
    kept = [m for m in fitted if m.role == "assistant" and m.calls]
    for message in kept:
        place = fitted.index(message)
        following = [m.call for m in fitted[place + 1 : place + 1 + len(message.calls)]]
        assert following == [c.id for c in message.calls]


@given(conversations())
def test_a_conversation_that_fits_is_left_alone(messages: list[Message]) -> None:
    assert list(fit(messages, 100_000)) == messages


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
