"""Looks up what is known about the person where their question depends on it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from pilotfish.core.messages import Message, ToolCall
from pilotfish.loop_support.tool_stages import act_in_stages
from pilotfish.memory.text_terms import speaks_of_person

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run
    from pilotfish.runtime.run_context import Json

LOOKUP = "memory_retrieve"


async def consult_memory(run: "Run") -> str:
    """What is known about the person, as data for a prompt.

    Empty where the question does not speak of the person, where nothing is known, or where memory is switched off.
    """
    if LOOKUP not in run.tools or not speaks_of_person(run.task):
        return ""
    if not (await run.step("known", lambda: _count_facts(run)))["count"]:
        return ""
    [found] = await act_in_stages(run, ToolCall(id="known", tool=LOOKUP))
    if not found.ok or not found.data.get("facts"):
        return ""
    return f"Known about the person; use what matters for the question:\n{run.untrusted.wrap(found.output, 'memory')}"


def put_beside_question(messages: Sequence[Message], known: str) -> list[Message]:
    """The messages with what is known within the last one, which asks; a small model overlooks it elsewhere."""
    if not known or not messages:
        return list(messages)
    return [*messages[:-1], messages[-1].model_copy(update={"text": f"{messages[-1].text}\n\n{known}"})]


async def _count_facts(run: "Run") -> "Json":
    from pilotfish.memory.memory import UserMemory

    memory = cast(UserMemory, run.context.services[UserMemory])
    return {"count": len(await memory.facts(run.record.user))}
