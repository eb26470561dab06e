"""One action at a time: decide, act, observe. A model describes the action, and the executor model turns it into a tool
call. A small model works in the short form instead (`small_model/short_loop.py`)."""

from pilotfish.core.errors import UnansweredError
from pilotfish.loop_support.model_decider import TwoModelDecider
from pilotfish.loop_support.named_choices import find_choices
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run
from pilotfish.small_model.short_loop import run_short_loop


@loop("pilot")
async def pilot(run: Run) -> None:
    """Decide on one action, carry it out, observe the page, until the run is finished."""
    if (await run.facts("decision")).small:
        return await run_short_loop(run)
    history: list[str] = []
    decider, checking = TwoModelDecider(run), False
    await run.find_limit()
    while run.open:
        page = await run.observe(marks=True)
        step = await decider.next(page, history)
        if step.ask:
            answer = await run.request_input(step.ask, find_choices(step.ask, page.text))
            history.append(f"asked: {step.ask} → the person says: {answer or 'nothing'}")
            if answer is None:
                raise UnansweredError(step.ask)
        elif step.call:
            await decider.record_step(step, (await run.act(step.call))[0])
            checking = False
        elif not checking and not step.sure:
            # After an action the page may still change, so "done" is checked by one more look.
            checking = True
            history.append(f"you said: {step.words} → check on the page that this is true")
        else:
            await run.finish(step.words)
    return None
