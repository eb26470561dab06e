"""The switches that our browser is started with."""

import re
from pathlib import Path

import playwright

from pilotfish.browser.sessions.chromium import DISABLED_FEATURES


def test_the_features_that_playwright_switches_off_stay_off() -> None:
    bundle = Path(str(playwright.__file__)).parent / "driver" / "package" / "lib" / "coreBundle.js"
    listed = re.search(r"disabledFeatures = \[(.*?)\]\.filter", bundle.read_text("utf-8"), re.DOTALL)
    assert listed
    theirs = re.findall(r'^\s*"(\w+)"', listed[1], re.MULTILINE)
    assert len(theirs) > 5
    assert set(theirs) - set(DISABLED_FEATURES) == set()
