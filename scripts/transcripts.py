"""Writes docs/transcripts: each loop on a real task, from its journal. The model is the one that this machine has.

python scripts/transcripts.py [LOOP]...
"""

import asyncio
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pilotfish import Pilotfish
from pilotfish.core import events
from pilotfish.core.records import RunRecord
from pilotfish.core.settings import AgentSettings, PolicySettings, Settings
from pilotfish.practice.server import Practice

FOLDER = Path(__file__).parents[1] / "docs" / "transcripts"
LONG = 220


@dataclass(frozen=True)
class Scene:
    """A task, and the page of the practice site that it begins on."""

    loop: str
    tasks: Sequence[str]
    page: str = ""


SCENES = (
    Scene("chat", ("What does the Storm lantern cost, and how long does it burn?", "And the Tea tin?"), "/shop"),
    Scene("horizon", ("Put the Tide kettle into the cart.",), "/shop"),
    Scene("pilot", ("Put the Tide kettle into the cart.",), "/shop"),
    Scene("react", ("What is the date in three working days?",)),
    Scene("strict", ("What time is it in Tokyo now?",)),
    Scene("auto", ("Search the shop for lantern",), "/shop"),
)


async def main(loops: Sequence[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for scene in SCENES:
        if not loops or scene.loop in loops:
            with tempfile.TemporaryDirectory() as home:
                await play(scene, Path(home))


async def play(scene: Scene, home: Path) -> None:
    settings = Settings(
        home=home, agent=AgentSettings(steps=12), policy=PolicySettings(preset="trusted_sites", trusted=("127.0.0.1",))
    )
    async with Practice() as site, Pilotfish(settings) as fish:
        model = await fish.models.name()
        lines = [f"# {scene.loop}", "", f"Model: `{model}`, written by `scripts/transcripts.py`.", ""]
        conversation = ""
        for task in scene.tasks:
            tabs = [f"{site.url}{scene.page}"] if scene.page and not conversation else []
            record = await fish.start(task, loop=scene.loop, tabs=tabs, conversation=conversation)
            async for _ in fish.follow(record.id):
                pass
            conversation = record.conversation
            lines += describe_run(record, await fish.events(record.id))
        text = re.sub(re.escape(site.url), "http://practice", "\n".join(lines))
        (FOLDER / f"{scene.loop}.md").write_text(f"{text.rstrip()}\n", "utf-8")
        print(text, flush=True)


def describe_run(record: RunRecord, journal: Sequence[events.Event]) -> Iterator[str]:
    """A run in Markdown: the task, a line for each thing that happened, the answer and what it took."""
    yield f"**Task:** {record.task}"
    yield ""
    for event in journal:
        if line := said(event):
            yield f"- {line}"
    end = journal[-1]
    assert isinstance(end, events.RunFinished)
    yield ""
    yield f"**Answer ({end.outcome}):** {end.text or end.error}"
    yield ""
    yield f"{end.seconds:.0f} s, {end.steps} actions, {end.usage.input:,} tokens read, {end.usage.output:,} written."
    yield ""


def said(event: events.Event) -> str:
    match event:
        case events.Noted() | events.Progressed():
            return event.text
        case events.PageSeen():
            return f"looks at *{event.title}*"
        case events.ModelReplied():
            words = event.text or "; ".join(f"{call.tool} {dict(call.args)}" for call in event.calls)
            return f"{event.purpose} ({event.seconds:.1f} s): `{short(words)}`"
        case events.ToolFinished():
            return f"{event.tool}: {short(event.output if event.ok else event.error)}"
        case _:
            return ""


def short(text: str) -> str:
    plain = " ".join(text.replace("`", "'").split())
    return plain if len(plain) <= LONG else f"{plain[:LONG]} …"


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
