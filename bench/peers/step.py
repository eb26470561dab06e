"""browser-use's seconds and prompt characters a step, with a model that answers at once; run by bench/harness.py.

python bench/peers/step.py URL STEPS
"""

import asyncio
import statistics
import sys
import time
from typing import Any

from session import open_session, tell


class Instant:
    """Scrolls down and up, then is done."""

    model = provider = name = model_name = "instant"
    _verified_api_keys = True

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.times: list[float] = []
        self.sizes: list[int] = []

    async def ainvoke(self, messages: Any, output_format: Any = None, **_: Any) -> Any:
        from browser_use.llm.views import ChatInvokeCompletion

        self.times.append(time.perf_counter())
        self.sizes.append(sum(len(getattr(m, "text", "") or str(m.content)) for m in messages))
        count = len(self.times)
        act: dict[str, Any] = {"done": {"text": "Seen.", "success": True}}
        if count <= self.steps:
            act = {"scroll": {"down": count % 2 == 1, "pages": 0.5}}
        told = {"thinking": "", "evaluation_previous_goal": "", "memory": "", "next_goal": "look", "action": [act]}
        known = {name: value for name, value in told.items() if name in output_format.model_fields}
        return ChatInvokeCompletion(completion=output_format.model_validate(known), usage=None)


async def main(url: str, steps: int) -> None:
    from browser_use import Agent

    model: Any = Instant(steps)
    async with open_session() as session:
        await session.navigate_to(url)
        agent = Agent(
            task="Look around on this page",
            llm=model,
            browser_session=session,
            use_judge=False,
            directly_open_url=False,
            use_vision=False,
        )
        await agent.run(max_steps=steps + 2)
        gaps = [b - a for a, b in zip(model.times, model.times[1:], strict=False)][: steps - 1]
        tell({"seconds": statistics.median(gaps), "chars": model.sizes[steps - 1]})


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
