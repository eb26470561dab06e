"""What tests of loops share: a practice site, what was shown to the model, how a story ended."""

import json
import re
from collections.abc import Sequence
from typing import Any

from fish import Line
from pilotfish import Pilotfish
from pilotfish.core import events
from pilotfish.core.messages import Facts, Request
from pilotfish.llm.facts import EMBEDDED
from pilotfish.llm.scripted import Scripted
from pilotfish.practice.server import Practice


def page_of(request: Request) -> str:
    return request.messages[-1].text


def id_of(page: str, name: str) -> int:
    """The number of the element of that name on the page that the model was shown."""
    found = re.search(rf'\[(\d+)\] \w+ "{re.escape(name)}', page)
    assert found, f"{name} is not on the page:\n{page}"
    return int(found[1])


def end(story: Sequence[events.Live]) -> events.RunFinished:
    assert isinstance(story[-1], events.RunFinished)
    return story[-1]


def carted(site: Practice, world: str) -> int:
    return sum("cart" in e.kind for e in site.log(world))


def said(**fields: Any) -> str:
    return json.dumps(fields)


def modest(fish: Pilotfish, replies: Sequence[Line], facts: Facts = EMBEDDED) -> Scripted:
    """A scripted model that can do no more than the embedded one."""
    model = Scripted(replies, facts=facts)
    fish.minds.pretend("scripted", model)
    return model


async def turn(fish: Pilotfish, task: str, loop: str, conversation: str = "", tabs: Sequence[str] = ()) -> str:
    """One turn of a conversation; its id."""
    record = await fish.start(task, loop=loop, conversation=conversation, tabs=tabs)
    story = [e async for e in fish.follow(record.id)]
    assert end(story).outcome == "completed", end(story)
    return record.conversation
