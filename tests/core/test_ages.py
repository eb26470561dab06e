"""How long ago something was, as people write it."""

from datetime import timedelta

import pytest

from pilotfish.core.ages import read_age
from pilotfish.core.errors import PersonError


@pytest.mark.parametrize(
    ("text", "age"),
    [("30d", timedelta(days=30)), ("12 h", timedelta(hours=12)), ("90M", timedelta(minutes=90)), ("2w", timedelta(14))],
)
def test_a_number_with_its_unit_is_read(text: str, age: timedelta) -> None:
    assert read_age(text) == age


@pytest.mark.parametrize("text", ["", "d", "30", "-3d", "3 months"])
def test_anything_else_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(PersonError) as refused:
        read_age(text)
    assert "30d" in refused.value.fix
