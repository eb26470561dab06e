"""Sets sliders that are no inputs: with arrow keys if they suffice, else by dragging the knob."""

from typing import TYPE_CHECKING

from pilotfish.browser.actions.pointer import PageAction, describe_element, drag_pointer, page_box_of
from pilotfish.core.errors import ToolError

if TYPE_CHECKING:
    from pilotfish.browser.perception.element_spot import ElementSpot

NUDGES = 20
"""If the goal is further than so many key presses, the knob is dragged first."""
PULLS = 3
"""How often the knob is dragged: the first comes near, the others correct it."""
KEYS = ("ArrowLeft", "ArrowRight")


async def set_slider(action: PageAction, id: int, spot: "ElementSpot", text: str) -> str:
    try:
        goal = float(text)
    except ValueError:
        raise ToolError(f"{describe_element(id, spot)} is a slider; it wants a number.") from None
    low, high, now = await action.run_script(id, "read_slider")
    if now is None:
        raise ToolError(f"{describe_element(id, spot)} does not tell its value; click or drag it, and look.")
    if low is not None and not low <= goal <= high:
        raise ToolError(f"{describe_element(id, spot)} goes from {low:g} to {high:g}.")
    now, step = await press_arrows(action, id, now, goal, 1)
    if low is None or abs(goal - now) <= NUDGES * abs(step):
        now, _ = await press_arrows(action, id, now, goal)
    if low is not None and now != goal:
        now, _ = await press_arrows(action, id, await drag_knob(action, id, low, high, goal), goal)
    return f"Moved {describe_element(id, spot)} to {now:g}"


async def press_arrows(action: PageAction, id: int, now: float, goal: float, most: int = 200) -> tuple[float, float]:
    """Move to the goal with arrow keys, as near as they allow; return the value and the last step."""
    await action.tab.input.focus(id)
    step = 0.0
    for _ in range(most):
        if now == goal:
            break
        on, back = KEYS if goal < now else reversed(KEYS)
        before, now = now, await press_arrow(action, id, on)
        step = now - before
        if abs(now - goal) > abs(before - goal):
            now = await press_arrow(action, id, back)
        if not step or now == before or (before - goal) * (now - goal) < 0:
            break
    return now, step


async def press_arrow(action: PageAction, id: int, key: str) -> float:
    await action.tab.input.press(key, "moving a slider")
    return (await action.run_script(id, "read_slider"))[2]


async def drag_knob(action: PageAction, id: int, low: float, high: float, goal: float) -> float:
    """Drag the knob along its track, or click if there is only a track; return the value."""
    now: float = (await action.run_script(id, "read_slider"))[2]
    for _ in range(PULLS):
        if now == goal:
            break
        left, top, width, height = page_box_of(await action.locate(id))
        wide, tall = await action.run_script(id, "measure_track")
        x, y = left + width / 2, top + height / 2
        away, share = ((goal - at) / ((high - low) or 1) for at in (now, low))
        if wide > 2 * width or tall > 2 * height:
            end = (x + away * wide, y) if wide > tall else (x, y - away * tall)
            await drag_pointer(action, (x, y), end, "moving a slider")
        else:
            end = (left + share * width, y) if wide > tall else (x, top + (1 - share) * height)
            await action.tab.input.click(end, "moving a slider")
        now = (await action.run_script(id, "read_slider"))[2]
    return now
