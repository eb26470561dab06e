"""What tests of loops share: a practice site, what was shown to the model, how a story ended."""

import asyncio
import json
import re
from collections.abc import Sequence
from typing import Any

from pilotfish import Pilotfish
from pilotfish.core import events
from pilotfish.core.messages import ModelFacts, ModelReply, ModelRequest
from pilotfish.llm.base import TextListener
from pilotfish.llm.model_facts import EMBEDDED_MODEL
from pilotfish.llm.scripted import ScriptedModel
from pilotfish.practice.server import Practice
from scripted_app import ScriptLine


class Halting(ScriptedModel):
    """Says its lines, and then thinks for as long as it is let."""

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        if len(self.requests) == len(self._replies):
            await asyncio.Event().wait()
        return await super().reply(request, on_text)


def page_of(request: ModelRequest) -> str:
    """What a request says of the present: its last message, and what stands from the last whole page on."""
    texts = [message.text for message in request.messages]
    whole = [place for place, text in enumerate(texts) if re.match(r"The page at turn \d+:", text)]
    return "\n".join(texts[whole[-1] if whole else -1 :])


def id_of(page: str, name: str) -> int:
    """The number of the element of that name on the page that the model was shown."""
    found = re.search(rf'\[(\d+)\] \w+ "{re.escape(name)}', page)
    assert found, f"{name} is not on the page:\n{page}"
    return int(found[1])


def end(story: Sequence[events.StreamItem]) -> events.RunFinished:
    assert isinstance(story[-1], events.RunFinished)
    return story[-1]


def cart_count(site: Practice, world: str) -> int:
    return sum("cart" in e.kind for e in site.log(world))


def as_json(**fields: Any) -> str:
    return json.dumps(fields)


def click(request: ModelRequest, name: str) -> dict[str, Any]:
    return {"tool": "click", "id": id_of(page_of(request), name)}


def acts(*wanted: str | dict[str, Any], **beside: Any) -> Any:
    """A reply with actions; a name stands for a click on the element of that name."""
    return lambda r: as_json(
        assessment="", actions=[click(r, one) if isinstance(one, str) else one for one in wanted], **beside
    )


def history(request: ModelRequest) -> str:
    return "\n".join(message.text for message in request.messages[1:-1])


def modest(fish: Pilotfish, replies: Sequence[ScriptLine], facts: ModelFacts = EMBEDDED_MODEL) -> ScriptedModel:
    """A scripted model that can do no more than the embedded one."""
    model = ScriptedModel(replies, facts=facts)
    fish.models.set_default("scripted", model)
    return model


async def turn(fish: Pilotfish, task: str, loop: str, conversation: str = "", tabs: Sequence[str] = ()) -> str:
    """One turn of a conversation; its id."""
    record = await fish.start(task, loop=loop, conversation=conversation, tabs=tabs)
    story = [e async for e in fish.follow(record.id)]
    assert end(story).outcome == "completed", end(story)
    return record.conversation
