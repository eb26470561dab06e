"""An earlier run done again without a model: the same actions on the same elements; a model mends single steps."""

from pydantic import BaseModel, Field

from pilotfish.core.errors import PersonError
from pilotfish.core.messages import Call, Message
from pilotfish.core.recipe import Deed, Met
from pilotfish.runtime.aids.repeat import again, located, recall
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run
from pilotfish.tools.base import Result


class Found(BaseModel):
    """What an element has become."""

    why: str = Field(default="", max_length=160)
    id: int = Field(ge=0)


@loop("replay")
async def replay(run: Run) -> None:
    """Find each element again and do to it what was done; what is missing, a model finds."""
    made = await recall(run, str(run.options.get("of", "")))
    await arrive(run, made.start)
    mended = 0
    for number, deed in enumerate(made.deeds):
        await run.plan([(d.text or d.tool, state(n, number)) for n, d in enumerate(made.deeds)])
        page = await run.observe()
        found = await located(run, deed, page)
        missing = {name: met for name, met in deed.met.items() if name not in found}
        mended += bool(missing)
        for name, met in missing.items():
            found[name] = await mend(run, deed, met)
        result = (await run.act(again(deed, found, number)))[0]
        lost = not result.ok and not result.data.get("refused")
        if lost and not missing and deed.met:
            mended += 1
            result = await retry(run, deed, number, result)
        if not result.ok:
            step = f"Step {number + 1} ({deed.text or deed.tool})"
            raise PersonError(f"{step} could not be done again: {result.error}", "Do the task by another loop.")
    await run.plan([(deed.text or deed.tool, "done") for deed in made.deeds])
    tail = f"; {mended} of them had to be found anew" if mended else ""
    await run.finish(f"Done again: {len(made.deeds)} step{'s' * (len(made.deeds) != 1)}{tail}.")


async def arrive(run: Run, start: str) -> None:
    """Go where the earlier run began, unless this one is there: tabs of the same conversation have moved on."""
    if not start or (await run.observe()).url == start:
        return
    result = (await run.act(Call(id="start", tool="navigate", args={"action": "goto", "url": start})))[0]
    if not result.ok:
        raise PersonError(f"{start} could not be opened again: {result.error}", "See whether the page is still there.")


def state(number: int, now: int) -> str:
    return "done" if number < now else "doing" if number == now else "open"


async def retry(run: Run, deed: Deed, number: int, result: Result) -> Result:
    """Once more, on the element that a model takes for the right one now."""
    await run.note("mended", f"{result.error} Looking for what takes its place.")
    found = {name: await mend(run, deed, met) for name, met in deed.met.items()}
    return (await run.act(again(deed, found, number)))[0]


async def mend(run: Run, deed: Deed, met: Met) -> int:
    """The number of the element that today stands for what was there."""
    page = await run.observe()
    sought = run.fence.wrap(f"What was done: {deed.text or deed.tool}\nElement: {met}", "done")
    text = f"Task: {run.task}\n{sought}\n{run.fence.wrap(page.text)}"
    messages = [Message(role="system", text=run.prompt("replay")), Message(role="user", text=text)]
    found = await run.decide(Found, messages, purpose="mend", tier="executor")
    if f"[{found.id}]" not in page.text:
        raise PersonError(f"{met} is not on {page.url} any more.", "Do the task by another loop; the page has changed.")
    await run.note("mended", f"{met} is now [{found.id}]: {found.why}", element=str(met))
    return found.id
