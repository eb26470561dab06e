"""Data out of pages: rows of the wanted fields, with one question to a model, and null where a page does not say."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from browser.stage import Site, serving
from pilotfish.core import events
from pilotfish.llm.scripted import ScriptedModel
from scripted_app import Open, events_of, script

pytestmark = pytest.mark.slow

GOODS = ((1, "1.299,00", "4.5"), (2, "19,95", ""), (3, "7,00", "3.9"))
SHOP = "<h1>Kettles</h1><ul class=goods>" + "".join(
    f"<li class=item><h3><a href=/p/{n}>Kettle {n}</a></h3><span class=cost>€ {cost}</span> "
    f"<span class=stars>{stars}</span> <button>Add</button>"
    for n, cost, stars in GOODS
)
TABLE = """<h1>Staff</h1><table><tr><th>Name<th>Age<th>Here</tr>
<tr><td>Ann<td>41<td><input type=checkbox checked aria-label=Here><tr><td>Bob<td>n/a<td>
<input type=checkbox aria-label=Here></table>"""


class Offer(BaseModel):
    name: str
    price: float | None = None
    rating: float | None = None
    colour: str | None = None


class Offers(BaseModel):
    offers: list[Offer]


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as site:
        yield site


def end(story: list[Any]) -> events.RunFinished:
    assert isinstance(story[-1], events.RunFinished)
    assert story[-1].outcome == "completed", story[-1].error
    return story[-1]


async def test_a_model_only_names_the_columns_and_every_value_has_its_place(opened: Open, site: Site) -> None:
    app = await opened()
    model = script(app, [json.dumps({"name_1": 1, "price_2": 3, "rating_3": 4, "colour_4": 0})])
    url = site.html(SHOP)
    found = end(await events_of(app, "the offers", output=Offers, tabs=[url]))
    assert Offers.model_validate(found.data).offers == [
        Offer(name="Kettle 1", price=1299.0, rating=4.5),
        Offer(name="Kettle 2", price=19.95, rating=None),
        Offer(name="Kettle 3", price=7.0, rating=3.9),
    ]
    assert found.places[1]["said"] == {"name": "Kettle 2", "price": "€ 19,95"}
    assert (found.places[1]["url"], found.places[1]["row"]) == (url, 2)
    assert isinstance(model, ScriptedModel) and len(model.requests) == 1
    assert "<data-" in model.requests[0].messages[-1].text


async def test_columns_that_are_called_like_the_fields_need_no_model(opened: Open, site: Site) -> None:
    app = await opened()
    rows = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}
    schema = {"type": "array", "items": rows}
    found = end(await events_of(app, "people", output_schema=schema, tabs=[site.html(TABLE)]))
    assert found.data == [{"name": "Ann", "age": 41}, {"name": "Bob", "age": None}]


async def test_pages_of_one_build_are_asked_about_once_and_a_model_names_fields_that_nobody_gave(
    opened: Open, site: Site
) -> None:
    app = await opened()
    named = [{"field": "person", "type": "string", "column": 1}, {"field": "here", "type": "boolean", "column": 3}]
    model = script(app, [json.dumps({"fields": named})])
    tabs = [site.html(TABLE), site.html(TABLE.replace("Ann", "Cy"), "/second")]
    found = end(await events_of(app, "who is here", loop="extract", tabs=tabs))
    assert [row["person"] for row in found.data] == ["Ann", "Bob", "Cy", "Bob"]
    assert [row["here"] for row in found.data] == [True, False, True, False]
    assert len(model.requests) == 1
