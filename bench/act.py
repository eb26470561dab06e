"""How long an action takes on a static page, and where the time goes.

    python bench/act.py [ROUNDS]

Prints medians in milliseconds: finding and checking the element with the real input, waiting for rest, looking and
comparing. The whole should stay under 150 ms.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import quote

from pilotfish.browser.actions import fields, navigation, pointer, text_entry
from pilotfish.browser.perception.changes import ChangeReport
from pilotfish.browser.sessions import waiting
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.settings import BrowserSettings

ROWS = "".join(f"<tr><td>Row {n}<td><a href=#{n}>Open {n}</a><td><input aria-label='Amount {n}'>" for n in range(60))
PAGE = f"""<!doctype html><title>Bench</title><h1>Bench</h1>
<button onclick="out.textContent = 1 + Number(out.textContent)">Count</button><p id=out>0</p><button>Idle</button>
<label>Name <input></label><select aria-label=Size><option>Small<option>Medium<option>Large</select>
<table>{ROWS}</table>"""

Action = Callable[[BrowserSession], Awaitable[ChangeReport]]


async def main(rounds: int) -> None:
    pool = BrowserPool(BrowserSettings())
    session = await pool.lease("bench", Path(tempfile.mkdtemp()))
    tab = await session.tab()
    await tab.goto("data:text/html," + quote(PAGE))
    ids = {element.name: element.id for element in (await tab.look()).elements}
    actions: dict[str, Action] = {
        "click, text changes": lambda s: pointer.click(s, ids["Count"]),
        "click, nothing changes": lambda s: pointer.click(s, ids["Idle"]),
        "hover": lambda s: pointer.hover(s, ids["Idle"]),
        "type 12 characters": lambda s: fields.type_text(s, ids["Name"], "Ada Lovelace"),
        "select": lambda s: fields.select(s, ids["Size"], "Large"),
        "press a key": lambda s: navigation.press_key(s, "Escape"),
    }
    spent = measure_parts()
    print(f"{'action':<24}{'all':>7}{'touch':>8}{'wait':>7}{'report':>8}   (medians of {rounds}, ms)")
    for name, action in actions.items():
        times: dict[str, list[float]] = defaultdict(list)
        for _ in range(rounds):
            spent.clear()
            start = time.perf_counter()
            await action(session)
            whole = time.perf_counter() - start
            for part, value in (*spent.items(), ("touch", whole - sum(spent.values())), ("all", whole)):
                times[part].append(value * 1000)
        middle = {part: statistics.median(values) for part, values in times.items()}
        print(f"{name:<24}{middle['all']:>7.0f}{middle['touch']:>8.0f}{middle['wait']:>7.0f}{middle['report']:>8.0f}")
    await pool.close()


def measure_parts() -> dict[str, float]:
    """Take the time of waiting and reporting apart from the rest."""
    spent: dict[str, float] = {}

    def timed(part: str, work: Callable[..., Awaitable[object]]) -> Callable[..., Awaitable[object]]:
        async def run(*args: object) -> object:
            start = time.perf_counter()
            try:
                return await work(*args)
            finally:
                spent[part] = spent.get(part, 0.0) + time.perf_counter() - start

        return run

    pointer.wait_until_settled = timed("wait", waiting.wait_until_settled)
    pointer.report_change = text_entry.report_change = timed("report", pointer.report_change)
    return spent


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 15))
