"""A run that went well, as what was done to which elements: enough to do it again, or to write it down as a script."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import Field

from pilotfish.core import events as e
from pilotfish.core.events import Event
from pilotfish.core.values import Value

DEEDS = frozenset({
    "click", "type", "select", "press_key", "hover", "drag", "mark", "upload", "scroll", "navigate", "manage_tabs",
    "wait_for",
})  # fmt: skip
PLACES = ("http:", "https:", "file:")
IDS = ("id", "from_id", "to_id", "target")


class Met(Value):
    """What an element's number stood for: its role and name, and which of several that share them."""

    role: str
    name: str
    nth: int = 0

    def __str__(self) -> str:
        return f'{self.role} "{self.name}"'


class Deed(Value):
    """One action that succeeded. `met` tells by argument which element it was done to."""

    tool: str
    args: Mapping[str, Any]
    met: Mapping[str, Met] = Field(default_factory=dict[str, Met])
    changed: bool = False
    text: str = ""


class Recipe(Value):
    """Where a run began and what it did, in order. `start` is the first page that it saw."""

    task: str
    tabs: tuple[str | int, ...] = ()
    start: str = ""
    deeds: tuple[Deed, ...] = ()

    @property
    def pages(self) -> tuple[str, ...]:
        """The addresses to open first: those that it was given, else the start; a tab's number says nothing later."""
        given = tuple(tab for tab in self.tabs if isinstance(tab, str))
        return given or ((self.start,) if self.start else ())


def recipe(events: Iterable[Event]) -> Recipe:
    """What a journal's actions come to. What failed, or may have, is left out."""
    made, begun = Recipe(task=""), dict[str, e.ToolStarted]()
    deeds: list[Deed] = []
    for event in events:
        match event:
            case e.RunStarted():
                made = Recipe(task=event.task, tabs=tuple(event.options.get("tabs", ())))
            case e.PageSeen() if not (made.start or begun or deeds) and event.url.startswith(PLACES):
                made = made.model_copy(update={"start": event.url})
            case e.ToolStarted() if event.tool in DEEDS:
                begun[event.key.rpartition(".")[0]] = event
            case e.ToolFinished(ok=True) if start := begun.pop(event.key.rpartition(".")[0], None):
                deeds.append(_deed(start, event))
            case _:
                pass
    return made.model_copy(update={"deeds": tuple(deeds)})


def _deed(begun: e.ToolStarted, done: e.ToolFinished) -> Deed:
    known: Mapping[str, Any] = done.data.get("met", {})
    ids = {name: str(begun.args[name]) for name in IDS if begun.args.get(name) is not None}
    met = {name: Met.model_validate(known[id]) for name, id in ids.items() if id in known}
    changed = bool(done.data.get("changed"))
    return Deed(tool=begun.tool, args=begun.args, met=met, changed=changed, text=done.text)
