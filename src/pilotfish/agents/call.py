"""Runs one tool call of an outside client without a model, with the same runtime, journal and policy."""

from pilotfish.core.messages import ToolCall
from pilotfish.runtime.loops import loop
from pilotfish.runtime.run import Run


@loop("call", steerable=False)
async def call(run: Run) -> None:
    """Carry out the call that the options name."""
    [result] = await run.act(ToolCall(id="1", tool=run.options["tool"], args=run.options["args"]))
    await run.finish(result.output if result.ok else result.error)
