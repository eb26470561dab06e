"""Carries out tool calls and reports each stage to people: what begins, how it came out, and how many succeeded."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pilotfish.core.events import Stage
from pilotfish.core.messages import ToolCall

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run
    from pilotfish.tools.base import ToolResult

STAGES: Mapping[str, tuple[Stage, str]] = {
    "web_search": ("searching_web", "Searching the web"),
    "web_fetch": ("fetching_content", "Reading pages"),
    "memory_retrieve": ("retrieving_memory", "Looking up what is known about you"),
    "memory_save": ("saving_memory", "Remembering what you said"),
}
LONGEST_ERROR = 200


async def act_in_stages(run: "Run", *calls: ToolCall) -> "list[ToolResult]":
    """Carry out calls as `run.act` does. A stage in which every call failed is reported as failed."""
    tools = [call.tool for call in calls]
    await run.report("executing_tools", "started", f"Using {', '.join(tools)}", tools=tools)
    for name, (stage, text) in STAGES.items():
        if count := tools.count(name):
            await run.report(stage, "started", text, calls=count)
    results = await run.act(*calls)
    pairs = list(zip(calls, results, strict=True))
    for name, (stage, text) in STAGES.items():
        if own := [pair for pair in pairs if pair[0].tool == name]:
            counts = [count_parts(*pair) for pair in own]
            await _report_outcome(run, stage, text, counts, own)
    await _report_outcome(run, "executing_tools", f"Used {', '.join(tools)}", [(r.ok, 1) for r in results], pairs)
    return results


def count_parts(call: ToolCall, result: "ToolResult") -> tuple[int, int]:
    """How many parts of a call succeeded, and of how many: of the pages of web_fetch, else of one call."""
    pages = len(set(call.args.get("urls") or ())) if call.tool == "web_fetch" else 0
    return (int(result.data.get("fetched", 0)) if result.ok else 0, pages) if pages else (int(result.ok), 1)


async def _report_outcome(
    run: "Run",
    stage: Stage,
    text: str,
    counts: Sequence[tuple[int, int]],
    pairs: "Sequence[tuple[ToolCall, ToolResult]]",
) -> None:
    successful, whole = (sum(numbers) for numbers in zip(*counts, strict=True))
    errors = [result.error[:LONGEST_ERROR] for _, result in pairs if not result.ok]
    status = "completed" if successful else "failed"
    sentence = f"{text}: {successful} of {whole} successful"
    await run.report(stage, status, sentence, successful=successful, of=whole, errors=errors)
