"""The recorded actions of a run and the elements they were done to, for replay or for a script."""

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import Field

from pilotfish.core import events as e
from pilotfish.core.events import Event
from pilotfish.core.values import Value

RECORDED_TOOLS = frozenset({
    "click", "type", "select", "press_key", "hover", "drag", "mark", "upload", "scroll", "navigate", "manage_tabs",
    "wait_for", "page_tool",
})  # fmt: skip
ADDRESS_STARTS = ("http:", "https:", "file:")
ELEMENT_ARGUMENTS = ("id", "from_id", "to_id", "target")


class ElementRef(Value):
    """What an element's number stood for: its role and name, and which of several that share them."""

    role: str
    name: str
    nth: int = 0

    def __str__(self) -> str:
        return f'{self.role} "{self.name}"'


class RecordedAction(Value):
    """One action that succeeded. `elements` has what it was done to, by argument."""

    tool: str
    args: Mapping[str, Any]
    elements: Mapping[str, ElementRef] = Field(default_factory=dict[str, ElementRef])
    changed: bool = False
    text: str = ""


class ActionRecipe(Value):
    """Where a run began and what it did, in order. `start` is the first page that it saw."""

    task: str
    tabs: tuple[str | int, ...] = ()
    start: str = ""
    actions: tuple[RecordedAction, ...] = ()

    @property
    def pages(self) -> tuple[str, ...]:
        """The addresses to open first: those that the run was given, else the first page that it saw."""
        given = tuple(tab for tab in self.tabs if isinstance(tab, str))
        return given or ((self.start,) if self.start else ())


def build_recipe(events: Iterable[Event]) -> ActionRecipe:
    """Build the recipe from a journal. Actions that failed, or may have failed, are left out."""
    recipe, begun = ActionRecipe(task=""), dict[str, e.ToolStarted]()
    actions: list[RecordedAction] = []
    for event in events:
        match event:
            case e.RunStarted():
                recipe = ActionRecipe(task=event.task, tabs=tuple(event.options.get("tabs", ())))
            case e.PageSeen() if not (recipe.start or begun or actions) and event.url.startswith(ADDRESS_STARTS):
                recipe = recipe.model_copy(update={"start": event.url})
            case e.ToolStarted() if event.tool in RECORDED_TOOLS:
                begun[event.key.rpartition(".")[0]] = event
            case e.ToolFinished(ok=True) if start := begun.pop(event.key.rpartition(".")[0], None):
                actions.append(read_action(start, event))
            case _:
                pass
    return recipe.model_copy(update={"actions": tuple(actions)})


def read_touched(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The elements that an action touched, by number, from its result; former journals call them `met`."""
    return data.get("touched", data.get("met", {}))


def read_action(begun: e.ToolStarted, done: e.ToolFinished) -> RecordedAction:
    known = read_touched(done.data)
    ids = {name: str(begun.args[name]) for name in ELEMENT_ARGUMENTS if begun.args.get(name) is not None}
    elements = {name: ElementRef.model_validate(known[id]) for name, id in ids.items() if id in known}
    changed = bool(done.data.get("changed"))
    return RecordedAction(tool=begun.tool, args=begun.args, elements=elements, changed=changed, text=done.text)
