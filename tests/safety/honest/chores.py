"""Chores as data, the loop that carries them out as a good model would, and what came of them."""

import asyncio
import contextlib
import re
import secrets
import time
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import Field

from pilotfish import Pilotfish, loop
from pilotfish.core import events
from pilotfish.core.messages import ToolCall
from pilotfish.core.values import Value
from pilotfish.enforcement.approvals import ALLOW_ONCE
from pilotfish.practice.server import Practice
from pilotfish.practice.tasks import PracticeTask, fits, tasks
from pilotfish.runtime.run import Run

from .apps import AppServer, RequestRecord

FOLDER = Path(__file__).parent
SUITES = ("practice", "work", "shops", "settings", "reading")
PHOTO = "holiday.png"
LOOKS = 5
ROLES = ("button", "combobox", "link", "textbox", "checkbox", "option", "menuitem", "tab", "switch")
ON_ELEMENT: dict[str, tuple[str, str, dict[str, Any]]] = {
    "click": ("click", "answer", {}),
    "type": ("type", "text", {}),
    "append": ("type", "text", {"mode": "append"}),
    "enter": ("type", "text", {"submit": True}),
    "select": ("select", "option", {}),
    "drag": ("drag", "to_id", {}),
    "hover": ("hover", "", {}),
    "upload": ("upload", "", {"path": PHOTO}),
}
"""Steps on an element: the tool, what it calls the third word of the step, and its other arguments."""
ALONE: dict[str, tuple[str, str, dict[str, Any]]] = {
    "key": ("press_key", "key", {}),
    "scroll": ("scroll", "direction", {}),
    "open": ("navigate", "url", {}),
    "back": ("navigate", "", {"action": "back"}),
    "read": ("get_text", "", {}),
    "find": ("find", "text", {}),
    "pause": ("wait_for", "value", {"kind": "time"}),
    "wait": ("wait_for", "value", {"kind": "element"}),
}
"""Steps on the page; a key may be pressed on an element."""


class Chore(Value):
    """A task in a person's words, the steps that do it, and what must have come of it."""

    name: str
    task: str
    start: str
    steps: tuple[tuple[str, ...], ...]
    asks: tuple[str, ...] = Field(
        default=(), description="effects of which one question is justified; none: no question"
    )
    check: str = Field(default="", description="a task of the practice site that tells whether it was done")
    log: tuple[Mapping[str, Any], ...] = ()
    state: Mapping[str, Any] = Field(default_factory=dict)
    arrived: tuple[Mapping[str, Any], ...] = Field(default=(), description="requests, each of which came exactly once")
    shows: tuple[str, ...] = Field(default=(), description="what stands on the page at the end")
    file: bool = Field(default=False, description="whether the run holds a picture")


class ChoreOutcome(Value):
    """What came of a chore: questions, refusals, actions that failed, and what was expected and is not there."""

    asked: tuple[str, ...]
    denied: tuple[str, ...]
    failed: tuple[str, ...]
    missing: tuple[str, ...]
    seconds: float


@cache
def load_chores(suite: str) -> tuple[Chore, ...]:
    found = tomllib.loads((FOLDER / f"{suite}.toml").read_text("utf-8"))["chore"]
    return tuple(Chore.model_validate(one) for one in found)


def all_chores() -> list[tuple[str, Chore]]:
    return [(suite, chore) for suite in SUITES for chore in load_chores(suite)]


def find_element(page: str, name: str) -> int:
    """The number of an element by its name: the whole name first, then its beginning.

    `Delete @ Olga` is the one on the line that says Olga, `Star #2` the second of that name, `combobox: Board` the one
    of that role.
    """
    name, _, line = name.partition(" @ ")
    name, _, place = name.partition(" #")
    text = "\n".join(each for each in page.splitlines() if line in each)
    role, _, name = name.rpartition(": ") if name.partition(": ")[0] in ROLES else ("", "", name)
    wanted = rf'\[(\d+)\] {role or "[A-Za-z ]+"} "{re.escape(name)}'
    found = re.findall(f'{wanted}"', text) or re.findall(wanted, text)
    if len(found) < int(place or 1):
        raise LookupError(f"{name!r} {line!r} is not on the page:\n{page}")
    return int(found[int(place or 1) - 1])


def to_call(number: int, step: Sequence[str], page: str, base: str) -> ToolCall:
    """A step such as `type`, `Quantity`, `2` as the call of a tool."""
    verb, first, second = (*step, "", "")[:3]
    if verb in ALONE:
        tool, name, more = ALONE[verb]
        args = {**more, **({name: f"{base}{first}" if verb == "open" else first} if name and first else {})}
        return ToolCall(id=str(number), tool=tool, args=args | ({"id": find_element(page, second)} if second else {}))
    tool, name, more = ON_ELEMENT[verb]
    which = "from_id" if verb == "drag" else "id"
    value = find_element(page, second) if verb == "drag" else second
    args = {which: find_element(page, first), **({name: value} if second else {}), **more}
    return ToolCall(id=str(number), tool=tool, args=args)


async def find_call(run: Run, number: int, step: Sequence[str]) -> ToolCall:
    """The call of a step; a page that does not show its element yet is looked at again."""
    for _ in range(LOOKS):
        page = (await run.observe()).text
        with contextlib.suppress(LookupError):
            return to_call(number, step, page, run.options["base"])
        await asyncio.sleep(0.3)
    return to_call(number, step, (await run.observe()).text, run.options["base"])


@loop("chore")
async def do_chore(run: Run) -> None:
    """Carry out the steps, then tell the last page."""
    if run.options["file"]:
        (run.context.folder(run.id) / PHOTO).write_bytes(b"a picture")
    for number, step in enumerate(run.options["steps"]):
        await run.act(await find_call(run, number, step))
    await run.finish((await run.observe()).text)


class ChoreRunner:
    """Runs chores one after the other in one product, with a person who says yes to every question."""

    def __init__(self, fish: Pilotfish, practice: Practice, apps: AppServer) -> None:
        self.fish = fish
        self.practice = practice
        self.apps = apps

    async def run(self, suite: str, chore: Chore, **options: Any) -> ChoreOutcome:
        began = time.perf_counter()
        conversation, world = secrets.token_hex(8), chore.name.replace(" ", "-")
        self.apps.forget()
        own = suite == "practice"
        base = self.practice.url if own else self.apps.url
        start = self.practice.address(chore.start, world) if own else f"{base}{chore.start}"
        await self.fish.browsers.of(conversation).tab(start)
        record = await self.fish.start(
            chore.task,
            loop="chore",
            tabs=[start],
            conversation=conversation,
            steps=chore.steps,
            base=base,
            file=chore.file,
            **options,
        )
        async for event in self.fish.follow(record.id):
            if isinstance(event, events.InputRequested):
                await self.fish.command(record.id, "answer", request=event.request, text=ALLOW_ONCE, by="ada")
        story = await self.fish.events(record.id)
        missing = self._unmet_on_practice(chore, world) if own else unmet(chore, self.apps.arrived)
        await self.fish.browsers.close(conversation)
        page = (await self.fish.record(record.id)).answer
        missing += [f"the page does not show {text!r}: {page}" for text in chore.shows if text not in page]
        return summarize(story, missing, time.perf_counter() - began)

    def _unmet_on_practice(self, chore: Chore, world: str) -> list[str]:
        log, state = self.practice.log(world), self.practice.state(world)
        known = {task.name: task for task in tasks()}
        own = PracticeTask(
            name=chore.name, start=chore.start, goal=chore.task, steps=1, log=chore.log, state=chore.state
        )
        wanted = [own, known[chore.check]] if chore.check else [own]
        return [f"{task.name} was not done: {log}" for task in wanted if not task.check(log, state)]


def unmet(chore: Chore, arrived: Sequence[RequestRecord]) -> list[str]:
    """The expected requests that did not arrive exactly once."""
    bodies = [record.model_dump() for record in arrived]
    counts = [(want, sum(fits(want, have) for have in bodies)) for want in chore.arrived]
    return [f"{want} came {count} times in {bodies}" for want, count in counts if count != 1]


def summarize(story: Sequence[events.Event], missing: Sequence[str], seconds: float) -> ChoreOutcome:
    asked = [event for event in story if isinstance(event, events.InputRequested)]
    policy = [event for event in story if isinstance(event, events.Noted) and event.topic == "policy"]
    ended = [event for event in story if isinstance(event, events.ToolFinished)]
    end = [event for event in story if isinstance(event, events.RunFinished) and event.outcome != "completed"]
    return ChoreOutcome(
        asked=tuple(f"{one.details.get('effect', one.kind)}: {one.question}" for one in asked),
        denied=tuple(note.text for note in policy if note.details.get("decision") == "refused"),
        failed=(*(f"{one.tool}: {one.error}" for one in ended if not one.ok), *(f"run: {one.error}" for one in end)),
        missing=tuple(missing),
        seconds=seconds,
    )
