"""Reports that pages order: no interception sees what the browser's network service sends by itself."""

import asyncio
import json
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from browser.stage import Answer, Site
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.browser.sessions.chromium import find_executable
from pilotfish.core.settings import BrowserSettings

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]

STARTER = """#!/bin/sh
exec {executable} "$@" --ignore-certificate-errors --short-reporting-delay
"""
"""Reports are sent from sites over TLS only, and after a minute."""


async def test_the_browser_sends_no_report_that_a_page_orders(tmp_path: Path, stranger: Site) -> None:
    (starter := tmp_path / "start").write_text(STARTER.format(executable=find_executable()))
    starter.chmod(0o700)

    def page(_: BaseHTTPRequestHandler) -> Answer:
        endpoints = [{"url": f"{stranger.url}/reports"}]
        headers = {
            "content-type": "text/html",
            "reporting-endpoints": f'default="{stranger.url}/reports"',
            "report-to": json.dumps({"group": "errors", "max_age": 1000, "endpoints": endpoints}),
            "nel": json.dumps({"report_to": "errors", "max_age": 1000, "success_fraction": 1.0}),
            "content-security-policy-report-only": "img-src 'none'; report-to default",
        }
        return 200, headers, b"<h1>Reports</h1><img src=/forbidden.png>"

    pool = BrowserPool(BrowserSettings(executable=str(starter)))
    try:
        await (await pool.lease("reports", tmp_path)).open(stranger.put("/page", page))
        # With the short delay, a report is sent a tenth of a second after its cause.
        await asyncio.sleep(2)
    finally:
        await pool.close()
    assert "GET /forbidden.png" in stranger.hits
    assert [hit for hit in stranger.hits if hit.endswith("/reports")] == []
