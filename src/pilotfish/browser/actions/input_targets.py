"""Finds what an input would really reach: at a point, at the focus, or behind an access key; in any frame."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pilotfish.core.errors import ToolError
from pilotfish.core.page_tools import DESCRIPTION_LENGTH, check_arguments, cut_line
from pilotfish.core.policy import ActionTarget, FormInfo

if TYPE_CHECKING:
    from playwright.async_api import Page

    from pilotfish.browser.perception.observer import PageObserver
    from pilotfish.browser.perception.page_tools import OfferedTool, PageToolReader
    from pilotfish.browser.sessions.call_guard import CallGuard

UNKNOWN_FRAME = ActionTarget(tag="iframe", role="unknown", name="a frame that cannot be looked into")
MOST_FRAME_DEPTH = 8
"""Frames within frames that are followed."""
CONTROL_TAGS = frozenset({"a", "area", "button", "input", "summary", "label", "select", "option", "iframe"})
CONTROL_ROLES = frozenset(
    {"button", "link", "menuitem", "menuitemradio", "menuitemcheckbox", "tab", "switch", "option", "checkbox", "radio"}
)
CLICK_LISTENERS = frozenset({"click", "onclick", "dblclick", "ondblclick"})


class InputTab(Protocol):
    """What sending input needs of a tab."""

    driver: Literal["agent", "person"]

    @property
    def page(self) -> "Page": ...

    @property
    def guard(self) -> "CallGuard": ...

    @property
    def observer(self) -> "PageObserver": ...

    @property
    def page_tools(self) -> "PageToolReader": ...

    def count_input(self) -> None: ...


async def target_of(tab: InputTab, id: int) -> ActionTarget:
    """The target that an input on a numbered element reaches."""
    known = tab.observer.counter.known(id)

    async def ask() -> Any:
        try:
            return await tab.observer.world.ask(known.key, "target", known.handle)
        except LookupError:
            return None

    found = await tab.guard.call(ask(), f"looking at [{id}]")
    if found is None:
        raise ToolError(f'[{id}] {known.role} "{known.name}" is no longer on the page; look again.')
    target = ActionTarget.model_validate(found)
    return target.model_copy(update={"role": target.role or known.role, "name": target.name or known.name})


async def target_of_tool(tab: InputTab, label: str, given: Mapping[str, Any]) -> ActionTarget:
    """The target that a call of a page's tool reaches: a script of the page, or a form with these values.

    Raises an error if the tool is not what the model was shown, or does not take these arguments.
    """
    return (await find_tool(tab, label, given))[1]


async def find_tool(tab: InputTab, label: str, given: Mapping[str, Any]) -> "tuple[OfferedTool, ActionTarget]":
    """A page's tool, with the target that a call of it reaches."""
    offered = await tab.guard.call(tab.page_tools.find(label), f"looking for page.{label}")
    tool = offered.tool
    if wrong := check_arguments(tool, given):
        raise ToolError(wrong)
    form = await tab.guard.call(tab.page_tools.form_of(offered), f"looking at page.{label}")
    target = ActionTarget(
        ref=tool.fingerprint,
        role="tool",
        name=tool.label,
        tag="form" if form else "script",
        type="reads" if tool.read_only and not tool.consequential else "",
        about=cut_line(tool.description, DESCRIPTION_LENGTH),
        origin=tool.origin,
        submits=tool.form == "sends",
        form=form and fill_form(form, given),
    )
    return offered, target


def fill_form(form: FormInfo, given: Mapping[str, Any]) -> FormInfo:
    """The form with the fields of these names filled in."""
    fields = (one.model_copy(update={"filled": one.filled or one.name in given}) for one in form.fields)
    return form.model_copy(update={"fields": tuple(fields)})


async def target_at(tab: InputTab, x: float, y: float) -> ActionTarget | None:
    """The target of a click at a point of the page."""
    return await tab.guard.call(_follow(tab.observer, "hit", x, y), "looking at the page")


async def target_focused(tab: InputTab) -> ActionTarget | None:
    """The focused element, in any frame."""
    return await tab.guard.call(_follow(tab.observer, "focused"), "looking at the page")


async def target_by_key(tab: InputTab, letter: str) -> ActionTarget | None:
    """The target that an access key activates, in the page or one of its frames."""
    answers = await tab.guard.call(tab.observer.world.call("accesskey", letter), "looking at the page")
    return next((ActionTarget.model_validate(one.data) for one in answers if one.data), None)


async def _follow(observer: "PageObserver", method: str, *args: float) -> ActionTarget | None:
    """Ask the main document, then the frame that it points to."""
    found = await _main(observer, method, *args)
    for _ in range(MOST_FRAME_DEPTH):
        if "frame" not in found:
            return ActionTarget.model_validate(found["target"]) if found["target"] else None
        path = ".".join(filter(None, (found["path"], found["frame"])))
        frames = {one.data["path"]: one.key for one in await observer.world.call("frames")}
        if path not in frames:
            return UNKNOWN_FRAME
        try:
            found = await observer.world.ask(frames[path], method, *((found["x"], found["y"]) if args else ()))
        except LookupError:
            return UNKNOWN_FRAME
    return UNKNOWN_FRAME


async def _main(observer: "PageObserver", method: str, *args: float) -> Any:
    try:
        return await observer.world.ask(observer.main, method, *args)
    except LookupError:
        return (await observer.world.call(method, *args))[0].data


def is_idle(target: ActionTarget) -> bool:
    """Whether the target is text and no control."""
    return target.editable or not any(
        one.tag in CONTROL_TAGS or one.role in CONTROL_ROLES or CLICK_LISTENERS & set(one.handlers)
        for one in target.all
    )
