"""Which Chromium tests start: the light one where this machine has it, the whole one in modules that need that.

The light one (headless shell) has the same engine without profile, window, extensions and viewers. It opens a session
sooner and takes less of the processor. Child processes of tests start the whole one.
"""

import shutil
from collections.abc import Iterator

import pytest

from pilotfish.browser.sessions import chromium

LIGHT = "chromium-headless-shell"
PLACES = "chromium_headless_shell-*/*/*headless*shell"
"""Where Playwright keeps its own."""


def find_light() -> str:
    """The path of the light one; empty if there is none."""
    return shutil.which(LIGHT) or next((str(path) for path in sorted(chromium.cache().glob(PLACES), reverse=True)), "")


@pytest.fixture(scope="module")
def whole_browser(request: pytest.FixtureRequest) -> bool:
    """Whether the tests of a module need the whole Chromium: by its mark, or in a folder whose conftest says so."""
    return request.node.get_closest_marker("whole_browser") is not None


@pytest.fixture(scope="module", autouse=True)
def started_browser(whole_browser: bool) -> Iterator[None]:
    """Lets the product find the light one first."""
    with pytest.MonkeyPatch.context() as patch:
        if not whole_browser:
            patch.setattr(chromium, "NAMES", (*filter(None, [find_light()]), *chromium.NAMES))
        yield
