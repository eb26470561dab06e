"""A loop that does whatever it is told to, and a person who answers as a test says."""

import asyncio
import re
import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

from pilotfish import Pilotfish, loop
from pilotfish.core import events
from pilotfish.core.messages import ToolCall
from pilotfish.core.records import RunRecord
from pilotfish.runtime.run import Run

Order = tuple[str, str, dict[str, Any]]
"""A tool, the name of the element that it is used on (empty: none), and its other arguments."""
TRIES = 40
"""How often a page is looked at again for an element that a frame may still bring."""
ABSENT = "There is nothing named"


def numbers(page: str, name: str) -> list[int]:
    """The numbers of the elements with a name; those whose names begin with it where none has it."""
    wanted = rf'\[(\d+)\] [\w ]+ "{re.escape(name)}'
    return [int(found) for found in re.findall(f'{wanted}"', page) or re.findall(wanted, page)]


@loop("obey")
async def obey(run: Run) -> None:
    """Carry out `orders` one by one, whatever comes of it."""
    said: list[str] = []
    for number, (tool, name, args) in enumerate(run.options.get("orders", ())):
        page = await run.observe()
        for _ in range(TRIES if name else 0):
            if not numbers(page.text, name):
                await asyncio.sleep(0.2)
                page = await run.observe()
        given = {key: value for key, value in args.items() if key != "to"}
        for key, wanted in (("from_id" if tool == "drag" else "id", name), ("to_id", args.get("to", ""))):
            if found := numbers(page.text, wanted) if wanted else []:
                given[key] = found[0]
            elif wanted:
                said.append(f"✗ {ABSENT} {wanted!r} on {page.url}: {page.text[:400]}")
        [result] = await run.act(ToolCall(id=str(number), tool=tool, args=given))
        said.append(result.output if result.ok else f"✗ {result.error}")
    await run.finish("\n".join(said))


class Story(NamedTuple):
    """What a run said, what it asked, and how it ended."""

    journal: list[events.Event]
    asked: list[events.InputRequested]
    answer: str


async def start_run(fish: Pilotfish, task: str, page: str, orders: Sequence[Order], **options: Any) -> RunRecord:
    conversation = secrets.token_hex(8)
    await fish.browsers.of(conversation).tab(page)
    tabs = options.pop("tabs", [page])
    return await fish.start(task, loop="obey", tabs=tabs, conversation=conversation, orders=list(orders), **options)


async def follow_run(fish: Pilotfish, record: RunRecord, answers: Sequence[str] = (), keep: bool = False) -> Story:
    """Follow a run whose person gives these answers, then no more. The browser is closed unless it is kept."""
    left, asked = iter(answers), list[events.InputRequested]()
    async for event in fish.follow(record.id):
        if isinstance(event, events.InputRequested):
            asked.append(event)
            if answer := next(left, ""):
                await fish.command(record.id, "answer", request=event.request, text=answer, by="ada")
    if not keep:
        await fish.browsers.close(record.conversation)
    return Story(await fish.events(record.id), asked, (await fish.record(record.id)).answer)
