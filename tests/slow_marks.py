"""Lets only tests that are marked slow start a browser, so that `make quick` stays quick."""

from typing import NoReturn

import pytest

from pilotfish.browser.sessions import browser_pool


@pytest.fixture(autouse=True)
def browsers_for_slow_tests(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> NoReturn:
        raise AssertionError(f"{request.node.name} starts a browser: mark it slow.")

    if not request.node.get_closest_marker("slow"):
        monkeypatch.setattr(browser_pool, "start_reaper", refuse)
