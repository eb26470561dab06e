"""A loop that does whatever it is told to, and a person who answers as a test says."""

import re
import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

from pilotfish import Pilotfish, loop
from pilotfish.core import events
from pilotfish.core.messages import Call
from pilotfish.core.records import RunRecord
from pilotfish.runtime.run import Run

Order = tuple[str, str, dict[str, Any]]
"""A tool, the name of the element that it is used on (empty: none), and its other arguments."""


@loop("obey")
async def obey(run: Run) -> None:
    """Carry out `orders` one by one, whatever comes of it."""
    said: list[str] = []
    for number, (tool, name, args) in enumerate(run.options["orders"]):
        page = await run.observe()
        wanted = rf'\[(\d+)\] [\w ]+ "{re.escape(name)}'
        found = (re.findall(f'{wanted}"', page.text) or re.findall(wanted, page.text)) if name else []
        which = {"id": int(found[0])} if found else {}
        [result] = await run.act(Call(id=str(number), tool=tool, args={**which, **args}))
        said.append(result.output if result.ok else f"✗ {result.error}")
    await run.finish("\n".join(said))


class Story(NamedTuple):
    """What a run said, what it asked, and how it ended."""

    told: list[events.Event]
    asked: list[events.InputRequested]
    answer: str


async def begun(fish: Pilotfish, task: str, page: str, orders: Sequence[Order], **options: Any) -> RunRecord:
    conversation = secrets.token_hex(8)
    await fish.browsers.of(conversation).tab(page)
    tabs = options.pop("tabs", [page])
    return await fish.start(task, loop="obey", tabs=tabs, conversation=conversation, orders=list(orders), **options)


async def told(fish: Pilotfish, record: RunRecord, answers: Sequence[str] = ()) -> Story:
    """Follow a run whose person gives these answers, then no more."""
    left, asked = iter(answers), list[events.InputRequested]()
    async for event in fish.follow(record.id):
        if isinstance(event, events.InputRequested):
            asked.append(event)
            if answer := next(left, ""):
                await fish.command(record.id, "answer", request=event.request, text=answer, by="ada")
    await fish.browsers.close(record.conversation)
    return Story(await fish.events(record.id), asked, (await fish.record(record.id)).answer)
