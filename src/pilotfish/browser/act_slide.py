"""Sliders that are no inputs: with the arrow keys where these suffice, else by dragging the knob."""

from typing import TYPE_CHECKING

from pilotfish.browser.act import Deed, carry, frame_of, named
from pilotfish.core.errors import ToolError

if TYPE_CHECKING:
    from pilotfish.browser.spot import Spot

NUDGES = 20
"""What is further away than so many arrow keys is dragged there first."""
PULLS = 3
"""The first comes near, the others put right what it missed."""
KEYS = ("ArrowLeft", "ArrowRight")


async def slide(deed: Deed, id: int, spot: "Spot", text: str) -> str:
    try:
        goal = float(text)
    except ValueError:
        raise ToolError(f"{named(id, spot)} is a slider; it wants a number.") from None
    low, high, now = await deed.run(id, "range")
    if now is None:
        raise ToolError(f"{named(id, spot)} does not tell its value; click or drag it, and look.")
    if low is not None and not low <= goal <= high:
        raise ToolError(f"{named(id, spot)} goes from {low:g} to {high:g}.")
    now, step = await nudge(deed, id, now, goal, 1)
    if low is None or abs(goal - now) <= NUDGES * abs(step):
        now, _ = await nudge(deed, id, now, goal)
    if low is not None and now != goal:
        now, _ = await nudge(deed, id, await pull(deed, id, low, high, goal), goal)
    return f"Moved {named(id, spot)} to {now:g}"


async def nudge(deed: Deed, id: int, now: float, goal: float, most: int = 200) -> tuple[float, float]:
    """As near to the goal as the arrow keys bring it; where it is then, and the last step."""
    await deed.run(id, "focus")
    step = 0.0
    for _ in range(most):
        if now == goal:
            break
        on, back = KEYS if goal < now else reversed(KEYS)
        before, now = now, await press(deed, id, on)
        step = now - before
        if abs(now - goal) > abs(before - goal):
            now = await press(deed, id, back)
        if not step or now == before or (before - goal) * (now - goal) < 0:
            break
    return now, step


async def press(deed: Deed, id: int, key: str) -> float:
    await deed.input(deed.tab.page.keyboard.press(key), "moving a slider")
    return (await deed.run(id, "range"))[2]


async def pull(deed: Deed, id: int, low: float, high: float, goal: float) -> float:
    """Drag the knob along its track, or click where there is only a track; where it is then."""
    now: float = (await deed.run(id, "range"))[2]
    for _ in range(PULLS):
        if now == goal:
            break
        left, top, width, height = frame_of(await deed.spot(id))
        wide, tall = await deed.run(id, "track")
        x, y = left + width / 2, top + height / 2
        away, share = ((goal - at) / ((high - low) or 1) for at in (now, low))
        if wide > 2 * width or tall > 2 * height:
            end = (x + away * wide, y) if wide > tall else (x, y - away * tall)
            await deed.input(carry(deed, (x, y), end), "moving a slider")
        else:
            end = (left + share * width, y) if wide > tall else (x, top + (1 - share) * height)
            await deed.input(deed.tab.page.mouse.click(*end), "moving a slider")
        now = (await deed.run(id, "range"))[2]
    return now
