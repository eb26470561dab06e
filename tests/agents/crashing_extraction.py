"""A run that takes data out of a paged table; its process ends, if told to, by SIGKILL when the second page was read.

    python crashing_extraction.py HOME URL kill|live

The second process takes the run over and prints the data.
"""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

from pilotfish import Pilotfish
from pilotfish.core.events import Progressed, RunFinished
from pilotfish.core.settings import Settings

FIELDS = {"lot": {"type": "integer"}, "country": {"type": "string"}}
SCHEMA = {"type": "array", "items": {"type": "object", "properties": FIELDS}}


async def main(home: str, url: str, end: str) -> None:
    async with Pilotfish(Settings(home=Path(home))) as fish:
        known = await fish.runs()
        run = (known[0] if known else await fish.start("stamps", tabs=[url], output_schema=SCHEMA)).id
        parts = 0
        async with asyncio.timeout(80):
            async for event in fish.follow(run):
                parts += isinstance(event, Progressed) and "rows" in event.details
                if parts == 2 and end == "kill":
                    os.kill(os.getpid(), signal.SIGKILL)
                if isinstance(event, RunFinished):
                    print(event.outcome, json.dumps(event.data), event.error, sep="\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
