"""Safety rests on the browser that people have."""

import pytest


@pytest.fixture(scope="module")
def whole_browser() -> bool:
    """What is promised is promised of the whole browser."""
    return True
