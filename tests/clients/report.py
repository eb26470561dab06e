"""What the scripts in Python share: where the server is, and one line of JSON for each feature that was tried."""

import asyncio
import json
import os
import urllib.parse
import urllib.request
from collections.abc import Awaitable, Callable
from typing import Any

URL, TOKEN, PAGE = (os.environ[f"PILOTFISH_{name}"] for name in ("URL", "TOKEN", "PAGE"))
BLOCK = "It weighs 4 kg [1].\n\nSources:\n1. [Anchors](https://anchors.example/)"
PICTURE = "Here is your red circle.\n\n![picture.png](data:image/png;base64,cmVk)"
PEOPLE = [{"name": "Ann", "age": 41}, {"name": "Bob", "age": None}]


async def check(feature: str, work: Callable[[], Awaitable[None]]) -> None:
    why = ""
    try:
        await asyncio.wait_for(work(), 90)
    except BaseException as error:  # noqa: BLE001, whatever fails is reported
        why = f"{type(error).__name__}: {error}"[:500]
    print(json.dumps({"feature": feature, "why": why}), flush=True)


def same(found: Any, wanted: Any) -> None:
    if found != wanted:
        raise AssertionError(f"{found!r} is not {wanted!r}")


def runs(task: str) -> list[dict[str, Any]]:
    """The runs that were given this task."""
    query = urllib.parse.urlencode({"text": task})
    asked = urllib.request.Request(f"{URL}/api/runs?{query}", headers={"authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(asked) as answer:
        return [run for run in json.load(answer)["items"] if run["task"] == task]


async def wait_for_start(task: str) -> None:
    for _ in range(100):
        if runs(task):
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"no run of {task}")


async def wait_for_stop(task: str) -> None:
    for _ in range(100):
        found = runs(task)
        if found and found[0]["outcome"]:
            return same(found[0]["outcome"], "stopped")
        await asyncio.sleep(0.1)
    raise AssertionError(f"the run of {task} goes on")
