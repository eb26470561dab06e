"""How long it takes to fit a conversation of 200 messages into a window, seen before or not.

Run: python bench/context.py [MESSAGES]
"""

import statistics
import sys
import time
from collections.abc import Callable

from pilotfish.context.fitting import token_estimate
from pilotfish.context.windowed_model import TokenRatios, WindowedModel
from pilotfish.core.messages import Message, ModelRequest, ToolCall, ToolSpec
from pilotfish.llm.scripted import ScriptedModel
from pilotfish.safety.untrusted_text import UntrustedText

ROUNDS = 40
TEXT = "The ferry to Gull Island leaves at nine and comes back in the evening; a ticket costs 14 crowns. "


def conversation(count: int) -> tuple[Message, ...]:
    """Questions, tool calls with their results, and page snapshots, as a long run has them."""
    untrusted = UntrustedText("bench")
    messages = [Message(role="system", text=TEXT * 10)]
    for n in range(count // 4):
        messages.append(Message(role="user", text=f"{n}: {TEXT * 3}"))
        messages.append(
            Message(role="assistant", text=TEXT, calls=(ToolCall(id=str(n), tool="click", args={"id": n}),))
        )
        messages.append(Message(role="tool", call=str(n), tool="click", text=untrusted.wrap(f"{n} " + TEXT * 20)))
        messages.append(Message(role="assistant", text=f"{n}. {TEXT * 2}"))
    return tuple(messages)


def take_time(work: Callable[[], object], before: Callable[[], object]) -> str:
    spent: list[float] = []
    for _ in range(ROUNDS):
        before()
        start = time.process_time()
        work()
        spent.append((time.process_time() - start) * 1000)
    return f"median {statistics.median(spent):6.2f} ms   best {min(spent):6.2f} ms"


def main(count: int) -> None:
    messages = conversation(count)
    schema = {"type": "object", "properties": {"id": {"type": "integer"}, "text": {"type": "string"}}}
    tools = tuple(ToolSpec(name=f"tool_{n}", description=TEXT, parameters=schema) for n in range(20))
    request = ModelRequest(messages=messages, tools=tools)
    model = ScriptedModel([])
    fitted = WindowedModel(model, TokenRatios(), messages[1].text)
    sent = fitted.fit_request(request)
    print(f"{len(messages)} messages, {fitted.measure(request):,} tokens, into a window of {model.facts.window:,}:")
    print(f"{len(sent.messages)} messages, {fitted.measure(sent):,} tokens go out")
    print("seen before:", take_time(lambda: fitted.fit_request(request), lambda: None))
    print("all new:    ", take_time(lambda: fitted.fit_request(request), token_estimate.cache_clear))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
