"""What clients get that read one text: each word once."""

from pilotfish.core.events import Reasoned, TextDelta
from pilotfish.interfaces.protocols.answer_text import AnswerText


def thought(text: str) -> TextDelta:
    return TextDelta(run="r", call="1", text=text, kind="reasoning")


def test_thinking_that_was_streamed_is_not_told_again_when_it_is_whole() -> None:
    text = AnswerText()
    assert text.add_thought(thought("To the ")) + text.add_thought(thought("cart.")) == "To the cart."
    assert text.add_thought(Reasoned(run="r", text="To the cart.", phase="turn")) == ""
    assert text.add_thought(Reasoned(run="r", text="Then pay.", phase="turn")) == "Then pay."
