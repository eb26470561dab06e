"""Taking data out of a page from the command line."""

import json
from pathlib import Path

import pytest

from .conftest import Command

pytestmark = pytest.mark.slow

PAGE = """<title>Staff</title><h1>Staff</h1><table><tr><th>Name<th>Age</tr>
<tr><td>Ann, the first<td>41<tr><td>Bob<td>unknown</table>"""


def test_data_is_printed_in_the_format_that_was_asked_for(pilotfish: Command, tmp_path: Path) -> None:
    page = tmp_path / "staff.html"
    page.write_text(PAGE)
    asked = ("extract", str(page), "everybody", "--fields", "name,age:integer")
    said = pilotfish(*asked, "--format", "json")
    assert said.returncode == 0, said.stderr
    assert json.loads(said.stdout) == [{"name": "Ann, the first", "age": 41}, {"name": "Bob", "age": None}]
    assert "2 rows of 1 page" in said.stderr
    written = pilotfish(*asked, "--format", "csv", "--output", str(tmp_path / "staff.csv"))
    assert (written.returncode, written.stdout) == (0, ""), written.stderr
    assert (tmp_path / "staff.csv").read_text().splitlines() == ["name,age", '"Ann, the first",41', "Bob,"]


def test_rows_of_several_pages_say_where_they_were_found(pilotfish: Command, tmp_path: Path) -> None:
    pages = [tmp_path / name for name in ("north.html", "south.html")]
    pages[0].write_text(PAGE)
    pages[1].write_text(PAGE.replace("Ann, the first", "Cy"))
    asked = ("extract", *map(str, pages), "everybody", "--fields", "name,age:integer", "--format", "csv")
    said = pilotfish(*asked)
    assert said.returncode == 0, said.stderr
    lines = said.stdout.splitlines()
    assert lines[0] == "name,age,found_at"
    assert [line.rpartition(",")[2] for line in lines[1:]] == ["north.html", "north.html", "south.html", "south.html"]
    assert pilotfish(*asked, "--no-places").stdout.splitlines()[0] == "name,age"


def test_wrong_wishes_are_refused_before_a_run_begins(pilotfish: Command) -> None:
    assert "There is no format" in pilotfish("extract", "a.example", "names", "--format", "doc").stderr
    assert "no field" in pilotfish("extract", "a.example", "names", "--fields", "price:money").stderr
    assert "A page and what is wanted" in pilotfish("extract", "names").stderr
