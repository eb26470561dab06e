"""Finds the conversation that a client of another protocol goes on with, so that its tabs and open questions are kept.

A client that names its thread is recognised by that name. One that sends all messages each time is recognised by them:
after each answer a digest of what was said so far is stored with the conversation.
"""

import hashlib
from collections.abc import Iterable

from pydantic_core import to_json

from pilotfish.app import Pilotfish
from pilotfish.core.journal_reports import find_open_question
from pilotfish.core.messages import Message
from pilotfish.core.records import RunRecord
from pilotfish.core.users import User

KIND = "client_thread"
THREAD_SECONDS = 7 * 24 * 3600.0


def name_thread(me: User, protocol: str, thread: str) -> str:
    """The id of the conversation for a thread that the client names; another person's thread is another one."""
    digest = hashlib.sha256(f"{me.id}\0{protocol}\0{thread}".encode()).hexdigest()
    return f"{protocol}-{digest[:24]}"


async def recognise_thread(fish: Pilotfish, me: User, said: Iterable[Message]) -> str:
    """The conversation whose messages these are; empty where none is known."""
    found = await fish.store.get(KIND, digest_messages(me, said))
    return found.decode() if found else ""


async def remember_thread(fish: Pilotfish, me: User, said: Iterable[Message], conversation: str) -> None:
    await fish.store.put(KIND, digest_messages(me, said), conversation.encode(), THREAD_SECONDS)


def digest_messages(me: User, said: Iterable[Message]) -> str:
    """Messages as one value; what a client's system prompt says and how lines are broken makes no difference."""
    plain = [[message.role, " ".join(message.text.split())] for message in said if message.role != "system"]
    return hashlib.sha256(to_json([me.id, plain])).hexdigest()


async def find_waiting_run(fish: Pilotfish, me: User, conversation: str) -> RunRecord | None:
    """The run of a conversation that waits for the person's answer."""
    for run in await fish.runs(user=me.id, conversation=conversation):
        if not run.outcome and not run.parent and find_open_question(await fish.events(run.id)):
            return run
    return None


async def find_working_run(fish: Pilotfish, me: User, conversation: str) -> RunRecord | None:
    """The run of a conversation that has not ended."""
    runs = await fish.runs(user=me.id, conversation=conversation)
    return next((run for run in runs if not run.outcome and not run.parent), None)
