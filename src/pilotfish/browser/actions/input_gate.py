"""The one place that sends input to pages: mouse, keys, text, options, values and files.

Before each event it finds what the event will really reach and asks the check of the run. Nothing else in the package
moves the mouse, presses a key or changes a field, except the gestures of the person in the live view.
"""

import functools
import re
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pilotfish.browser.actions.input_targets import (
    InputTab,
    is_idle,
    target_at,
    target_by_key,
    target_focused,
    target_of,
)
from pilotfish.browser.actions.keys import key_name, split_key
from pilotfish.core.errors import ToolError
from pilotfish.core.policy import ActionTarget, InputEvent, drag_events

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import FileChooser, Page

    from pilotfish.browser.perception.direct_page import DirectPage

Point = tuple[float, float]
Find = Callable[[], Awaitable[Sequence[InputEvent]]]
Evaluate = Callable[..., Awaitable[Any]]
LONGEST_TYPED = 40
"""Texts up to this length are typed key by key; longer ones are inserted, but for their last character."""
TRIES = 3
OUTSIDE_POINT: Point = (-10, -10)
CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


class CheckResult(NamedTuple):
    """Why an input may not be sent, empty if it may; and whether a person was asked meanwhile."""

    refusal: str = ""
    asked: bool = False


InputCheck = Callable[[InputEvent], Awaitable[CheckResult]]
CHECK: ContextVar[InputCheck | None] = ContextVar("pilotfish.input_check", default=None)
"""Set by the runtime around each tool call; inputs of that call are checked by it."""


class InputRefused(ToolError):
    """The policy, or the person, did not allow this input; it was not sent."""


class InputGate:
    """Sends input to one tab."""

    def __init__(self, tab: InputTab) -> None:
        self.tab = tab

    @property
    def _page(self) -> "DirectPage | Page":
        """Where the mouse clicks and text goes. Playwright's mouse does not know where that of a direct page is."""
        return self.tab.observer.world.direct or self.tab.page

    async def hover(self, point: Point, doing: str) -> None:
        """Move the mouse to a point."""
        await self.check_events(lambda: self._event_at(point, "hover"))
        await self._send(self._page.mouse.move(*point), doing)

    async def click(
        self,
        point: Point,
        doing: str,
        button: Literal["left", "right"] = "left",
        count: int = 1,
        before: Callable[[], Awaitable[Any]] | None = None,
    ) -> None:
        """Click a point. `before` is called when the click is allowed, just before it is sent."""
        await self.check_events(lambda: self._event_at(point, "click"))
        if before is not None:
            await before()
        await self._send(self._page.mouse.click(*point, button=button, click_count=count), doing)

    async def drag(self, path: Sequence[Point], rest: Callable[[], Awaitable[None]], doing: str) -> None:
        """Press at the first point, move along the others, and let go at the last after `rest`."""
        mouse, start, end = self.tab.page.mouse, path[0], path[-1]
        await self.check_events(lambda: self._drag_events_between(start, end))
        pressed = await target_at(self.tab, *start) if CHECK.get() else None
        await self._send(mouse.move(*start), doing)
        await self._send(mouse.down(), doing)
        try:
            for number, point in enumerate(path[1:-1]):
                await self._send(mouse.move(*point, steps=8 if number else 1), doing)
            await rest()
            await self._send(mouse.move(*end), doing)
            await self.check_events(lambda: self._drop_events_at(pressed, end))
        except ToolError:
            await self._send(mouse.move(*OUTSIDE_POINT), doing)
            raise
        finally:
            await self._send(mouse.up(), doing)

    async def draw(self, start: Point, end: Point, doing: str) -> bool:
        """Drag the mouse over words to mark them; not where that could press something."""
        mouse = self.tab.page.mouse
        for point in (start, end):
            target = await target_at(self.tab, *point)
            if target is not None and not await self._can_draw(target):
                return False
        await self._send(mouse.move(*start), doing)
        await self._send(mouse.down(), doing)
        await self._send(mouse.move(*end, steps=4), doing)
        await self._send(mouse.up(), doing)
        return True

    async def press(self, key: str, doing: str) -> None:
        """Press a key or a chord where the focus is."""
        chord = key_name(key)
        await self.check_events(lambda: key_events(self.tab, chord))
        await self._send(self.tab.page.keyboard.press(chord), doing)

    async def write(self, text: str, doing: str) -> None:
        """Type a text where the focus is. Keys for short texts, for pages that listen to them; but no key that could
        press something: neither Enter nor the space bar."""
        plain = CONTROL_CHARACTERS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
        await self.check_events(lambda: self._event_at_focus("text", plain))
        keyboard = self._page.keyboard
        typed = "" if "\n" in plain else plain if len(plain) <= LONGEST_TYPED else plain[-1]
        if given := plain[: len(plain) - len(typed)]:
            await self._send(keyboard.insert_text(given), doing)
        for part in re.split(r"(\s+)", typed):
            if part:
                await self._send(keyboard.insert_text(part) if part.isspace() else keyboard.type(part), doing)

    async def paste(self, text: str, doing: str) -> None:
        """Insert a text where the focus is."""
        await self.check_events(lambda: self._event_at_focus("text", text))
        await self._send(self._page.keyboard.insert_text(text), doing)

    async def find_option(self, id: int, option: str, by: str) -> dict[str, Any]:
        """The index and label of the wanted option of a select, or the options there are."""
        return await self._run(id, "option", option, by)

    async def choose(self, id: int, index: int, label: str) -> list[str]:
        """Choose an option of a select; return what is chosen then."""
        await self.check_events(lambda: self._on(id, "choose", label))
        self.count_input()
        chosen = await self._run(id, "choose", index, label)
        if chosen is None:
            raise ToolError("The list changed just as the option was to be chosen. Look again.")
        return chosen

    async def set_value(self, id: int, value: str, evaluate: Evaluate) -> Any:
        """Set a field's value as its picker would; `evaluate` runs a script on it."""
        await self.check_events(lambda: self._on(id, "text", value))
        self.count_input()
        return await evaluate(input_script("set"), value)

    async def focus(self, id: int) -> Any:
        """Focus an element; return whether it has the focus."""
        self.count_input()
        return await self._run(id, "focus")

    async def select_content(self, evaluate: Evaluate, part: str = "") -> Any:
        """Focus a field and select its content, or words that are in it once; return what the script tells of it."""
        self.count_input()
        return await (evaluate(input_script("part"), part) if part else evaluate(input_script("caret")))

    async def leave(self, evaluate: Evaluate) -> None:
        """Take the keyboard from a field, so that the page gets its change event."""
        self.count_input()
        await evaluate(input_script("leave"))

    async def refocus(self, evaluate: Evaluate) -> Any:
        """Give a field that was drawn anew the keyboard again, behind what it holds; whether it took it."""
        self.count_input()
        return await evaluate(input_script("resume"))

    async def give_files(self, chooser: "FileChooser", id: int, files: "Sequence[Path]") -> None:
        """Give files to the picker that an element opened."""
        names = ", ".join(file.name for file in files)
        await self.check_events(lambda: self._on(id, "files", names))
        await self._send(chooser.set_files(files), f"uploading {names}")

    async def _send(self, work: Awaitable[None], doing: str) -> None:
        self.count_input()
        await self.tab.guard.call(work, doing)

    def count_input(self) -> None:
        self.tab.count_input()
        self.tab.driver = "agent"

    async def _run(self, id: int, name: str, *args: object) -> Any:
        return await self.tab.guard.call(self.tab.observer.run(id, input_script(name), *args), f"acting on [{id}]")

    async def check_events(self, find: Find) -> None:
        """Refuse what the run's check refuses; after a person was asked, find the targets again."""
        check = CHECK.get()
        if check is None:
            return
        for _ in range(TRIES):
            results: list[CheckResult] = []
            for event in await find():
                results.append(await check(event))
                if results[-1].refusal:
                    raise InputRefused(results[-1].refusal)
            if not any(result.asked for result in results):
                return
        raise InputRefused("The page kept changing while the person was asked; nothing was done.")

    async def _can_draw(self, target: ActionTarget) -> bool:
        """Whether pressing the mouse there presses nothing."""
        check, event = CHECK.get(), InputEvent(kind="mark", target=target)
        return is_idle(target) and (check is None or not (await check(event)).refusal)

    async def _event_at(self, point: Point, kind: Literal["click", "hover"]) -> list[InputEvent]:
        return [InputEvent(kind=kind, target=await target_at(self.tab, *point))]

    async def _drag_events_between(self, start: Point, end: Point) -> list[InputEvent]:
        return drag_events(await target_at(self.tab, *start), await target_at(self.tab, *end))

    async def _drop_events_at(self, pressed: ActionTarget | None, end: Point) -> list[InputEvent]:
        return drag_events(pressed, await target_at(self.tab, *end))

    async def _event_at_focus(self, kind: Literal["text"], text: str) -> list[InputEvent]:
        return [InputEvent(kind=kind, target=await target_focused(self.tab), text=text)]

    async def _on(self, id: int, kind: Literal["text", "choose", "files"], text: str) -> list[InputEvent]:
        return [InputEvent(kind=kind, target=await target_of(self.tab, id), text=text)]


async def key_events(tab: InputTab, chord: str, focused: ActionTarget | None = None) -> list[InputEvent]:
    """The events of a key or chord: on the focused element, and on the element whose access key it is."""
    found = [InputEvent(kind="key", target=focused or await target_focused(tab), key=chord)]
    held, last = split_key(chord)
    if "alt" in held and len(last) == 1 and (named := await target_by_key(tab, last)):
        found.append(InputEvent(kind="click", target=named))
    return found


@functools.cache
def input_script(name: str) -> str:
    """Read one of the page scripts that only this module runs."""
    text = (files("pilotfish.browser") / "js" / "input" / f"{name}.js").read_text("utf-8")
    return text.rstrip().removesuffix(";")
