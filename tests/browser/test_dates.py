"""Dates and times as people write them."""

import pytest

from pilotfish.browser.actions.dates import standard_form


@pytest.mark.parametrize(
    ("kind", "text", "wanted"),
    [
        ("date", "10/20/2017", "2017-10-20"),
        ("date", "20/10/2017", "2017-10-20"),
        ("date", "3.4.2026", "2026-04-03"),
        ("date", "October 3rd, 2026", "2026-10-03"),
        ("date", "2026-10-03", "2026-10-03"),
        ("date", "some day", "some day"),
        ("time", "3:05 PM", "15:05"),
        ("time", "12 am", "00:00"),
        ("time", "09:30", "09:30"),
        ("text", "10/20/2017", "10/20/2017"),
    ],
)
def test_what_people_write_becomes_what_a_field_wants(kind: str, text: str, wanted: str) -> None:
    assert standard_form(kind, text) == wanted
