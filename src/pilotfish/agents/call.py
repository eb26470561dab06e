"""One tool call that somebody outside decided on: no model, but the same runtime, journal and policy."""

from pilotfish.core.messages import Call
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run


@loop("call")
async def call(run: Run) -> None:
    """Carry out the call that the options name."""
    [result] = await run.act(Call(id="1", tool=run.options["tool"], args=run.options["args"]))
    await run.finish(result.output if result.ok else result.error)
