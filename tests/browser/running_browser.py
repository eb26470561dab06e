"""A Chromium that somebody else started, with its DevTools on a port of loopback."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from pilotfish.browser.sessions import chromium

PATIENCE = 30


@asynccontextmanager
async def run_browser(profile: Path, *given: str) -> AsyncGenerator[tuple[asyncio.subprocess.Process, str]]:
    """Start one with a profile of its own; yields its process and its address."""
    flags = ["--headless=new", "--no-first-run", "--disable-gpu", f"--user-data-dir={profile}"]
    flags += [] if chromium.can_sandbox() else ["--no-sandbox"]
    process = await asyncio.create_subprocess_exec(
        chromium.find_executable(), *flags, "--remote-debugging-port=0", *given, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        async with asyncio.timeout(PATIENCE):
            while not (profile / "DevToolsActivePort").exists() or not (profile / "DevToolsActivePort").read_text():
                await asyncio.sleep(0.02)
        yield process, f"http://127.0.0.1:{(profile / 'DevToolsActivePort').read_text().split()[0]}"
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
