"""A server that a test may kill: `python server_process.py HOME PORT`. It prints its address, then serves."""

import asyncio
import sys
from pathlib import Path

from pilotfish.app import loop
from pilotfish.core.errors import BrowserError, ToolError
from pilotfish.core.settings import ModelSettings, ServerSettings, Settings
from pilotfish.interfaces.web_server.app import serve
from pilotfish.runtime.run import Run


@loop("test-killed")
async def looks(run: Run) -> None:
    """Look again and again, until the page says that it is enough."""
    while run.open:
        try:
            if "enough" in (await run.observe()).title:
                await run.finish("The page says enough.")
        except (BrowserError, ToolError):
            pass
        await asyncio.sleep(0.2)


if __name__ == "__main__":
    chosen = Settings(
        home=Path(sys.argv[1]), models=ModelSettings(main="scripted"), server=ServerSettings(port=int(sys.argv[2]))
    )
    asyncio.run(serve(chosen, ready=lambda url: print(url, flush=True)))
