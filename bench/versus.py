"""browser-use with the embedded model on MiniWoB++ tasks that ours was tried on, by the same protocol.

    python bench/versus.py --peer PYTHON [--tasks 12] [--patience 300] [--report bench/results/browser-use.json]

The tasks are the first of the 50 drawn ones; ten steps each, a reward above zero, seed 0. browser-use's prompts need a
larger window than ours, so the model gets one here, and a step takes minutes on two cores: a report that is there is
carried on. `python bench/tasks.py` prints the table beside ours.
"""

import argparse
import asyncio
import secrets
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from peer import FOLDER, read_result

from pilotfish.core.settings import Settings
from pilotfish.llm.catalog import ready_file
from pilotfish.llm.embedded_server import ServeOrder, serve
from pilotfish.trials.case import TrialOutcome
from pilotfish.trials.miniwob import MOST_STEPS, MiniwobServer, draw_tasks
from pilotfish.trials.miniwob import serve_miniwob as play
from pilotfish.trials.report import TrialReport, outcome_row

WINDOW = 32_768
MODEL = "qwen2.5-coder-1.5b"


class ServedModel(NamedTuple):
    url: str
    key: str
    server: object


def serve_model(home: Path) -> ServedModel:
    path, key = str(ready_file(MODEL, home)), secrets.token_hex(16)
    order = ServeOrder(path=path, key=key, context=WINDOW, threads=2, adapter="")
    server: Any = serve(order)
    return ServedModel(server.listening_address, key, server)


async def try_task(python: str, arcade: MiniwobServer, task: str, served: ServedModel, patience: float) -> TrialOutcome:
    (case,) = arcade.cases([task])
    key = f"{task}-0"
    start = await case.prepare(key)
    process = await asyncio.create_subprocess_exec(
        *(python, str(FOLDER / "task.py"), start.url, served.url, str(MOST_STEPS)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdin and process.stdout
    told = dict[str, Any]()
    try:
        process.stdin.write(f"{served.key}\n".encode())
        goal = await asyncio.wait_for(start.goal(), 120)
        process.stdin.write(f"{' '.join(goal.split())}\n".encode())
        began = time.perf_counter()
        with suppress(TimeoutError):
            told = read_result(await asyncio.wait_for(process.stdout.read(), patience))
        spent = time.perf_counter() - began
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
            await process.wait()
    return TrialOutcome(
        name=task,
        loop="browser-use",
        model=MODEL,
        seed=0,
        success=await case.passed(key, ""),
        claimed=told.get("claimed", False),
        steps=told.get("steps", 0),
        seconds=round(spent, 2),
        tokens=0,
        cents=None,
        answer=told.get("answer", ""),
        error=told.get("error", f"not done within {patience:g} s"),
    )


async def main() -> None:
    parser = argparse.ArgumentParser(description="Try browser-use with the embedded model.")
    parser.add_argument("--peer", required=True, help="the Python of an environment that has browser-use")
    parser.add_argument("--tasks", type=int, default=12)
    parser.add_argument("--patience", type=float, default=300)
    parser.add_argument("--report", type=Path, default=Path(__file__).parent / "results" / "browser-use.json")
    given = parser.parse_args()
    given.report.parent.mkdir(parents=True, exist_ok=True)
    served = await asyncio.to_thread(serve_model, Settings().home)
    report = TrialReport(suite="miniwob, browser-use", model=MODEL, outcomes=())
    if given.report.exists():
        report = TrialReport.model_validate_json(given.report.read_bytes())
    done = {outcome.name for outcome in report.outcomes}
    async with play() as arcade:
        for task in (task for task in draw_tasks(given.tasks) if task not in done):
            outcome = await try_task(given.peer, arcade, task, served, given.patience)
            report = report.model_copy(update={"outcomes": (*report.outcomes, outcome)})
            given.report.write_text(report.model_dump_json(indent=1), "utf-8")
            print(*outcome_row(outcome), flush=True)
    print(report.summary())


if __name__ == "__main__":
    asyncio.run(main())
