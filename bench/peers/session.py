"""browser-use's browser as the comparisons want it: the same Chromium and window as ours, nothing sent home."""

import json
import os
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

os.environ["ANONYMIZED_TELEMETRY"] = "false"
os.environ["BROWSER_USE_LOGGING_LEVEL"] = "error"
WIDTH, HEIGHT = 1280, 800
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]


@asynccontextmanager
async def open_session() -> AsyncGenerator[Any]:
    from browser_use.browser.profile import BrowserProfile
    from browser_use.browser.session import BrowserSession

    size: Any = {"width": WIDTH, "height": HEIGHT}
    profile: Any = BrowserProfile(
        headless=True,
        executable_path=shutil.which("chromium"),
        chromium_sandbox=False,
        enable_default_extensions=False,
        viewport=size,
        window_size=size,
        no_viewport=False,
        args=FLAGS,
    )
    session = BrowserSession(browser_profile=profile)
    await session.start()
    try:
        yield session
    finally:
        await session.kill()


def tell(found: dict[str, Any]) -> None:
    """One line of JSON for who started this."""
    print(json.dumps(found), flush=True)
