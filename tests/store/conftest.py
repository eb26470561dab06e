"""Tests of the store make and migrate their databases themselves."""

import pytest

from prepared_databases import PreparedDatabases


@pytest.fixture(autouse=True)
def unprepared_databases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PreparedDatabases, "used", False)
