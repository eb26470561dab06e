"""Data out of pages: rows of the wanted fields, with one question to a model, and null where a page does not say."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic import BaseModel

from browser.stage import Answer, Site, serve_site
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
    with serve_site() as site:
        yield site


def end(story: list[Any]) -> events.RunFinished:
    assert isinstance(story[-1], events.RunFinished)
    assert story[-1].outcome == "completed", story[-1].error
    return story[-1]


async def test_a_model_is_asked_only_about_what_is_not_clear_and_every_value_has_its_place(
    opened: Open, site: Site
) -> None:
    app = await opened()
    model = script(app, [json.dumps({"colour": 0})])
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
    rows: dict[str, Any] = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}
    schema = {"type": "array", "items": rows}
    found = end(await events_of(app, "people", output_schema=schema, tabs=[site.html(TABLE)]))
    assert found.data == [{"name": "Ann", "age": 41}, {"name": "Bob", "age": None}]
    rows["properties"]["age"]["maximum"] = 40
    found = end(await events_of(app, "people", output_schema=schema, tabs=[site.html(TABLE)]))
    assert found.data == [{"name": "Ann", "age": None}, {"name": "Bob", "age": None}]
    assert "what 2 rows say of age is not what the schema allows" in found.text


async def test_a_page_that_answers_with_a_bad_status_is_told_beside_its_rows(opened: Open, site: Site) -> None:
    app = await opened()
    rows = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}
    url = site.put("/gone", lambda _: (404, {"content-type": "text/html"}, TABLE.encode()))
    found = end(await events_of(app, "people", output_schema={"type": "array", "items": rows}, tabs=[url]))
    assert found.data == [{"name": "Ann", "age": 41}, {"name": "Bob", "age": None}]
    assert f"{url} answered with status 404" in found.text


async def test_pages_of_one_build_are_asked_about_once_and_a_model_names_fields_that_nobody_gave(
    opened: Open, site: Site
) -> None:
    app = await opened()
    named = [
        {"field": "person", "type": "string", "column": 1},
        {"field": "age", "type": "integer", "column": 1},
        {"field": "here", "type": "boolean", "column": 3},
    ]
    model = script(app, [json.dumps({"fields": named})])
    tabs = [site.html(TABLE), site.html(TABLE.replace("Ann", "Cy"), "/second")]
    found = end(await events_of(app, "who is here", loop="extract", tabs=tabs))
    assert [row["person"] for row in found.data] == ["Ann", "Bob", "Cy", "Bob"]
    assert [row["here"] for row in found.data] == [True, False, True, False]
    assert [row["age"] for row in found.data] == [41, None, 41, None], "not from the column that the model said"
    assert len(model.requests) == 1


COUNTRIES = ("Malta", "Peru", "Fiji", "Oman", "Chad", "Cuba", "Togo", "Mali", "Iran", "Laos", "Nauru")
CRASHING = Path(__file__).with_name("crashing_extraction.py")


def write_lots(page: int) -> str:
    """One page of three lots with a link to the next one."""
    rows = "".join(f"<tr><td>{at + 1}<td>{COUNTRIES[at]}" for at in range(11)[page * 3 : page * 3 + 3])
    onward = f"<nav><a href='/lots?page={page + 1}'>Next</a></nav>" if page < 3 else ""
    return f"<h1>Stamps</h1><table><tr><th>Lot<th>Country</tr>{rows}</table>{onward}"


def serve_lots(site: Site) -> str:
    """Serve all pages of lots; the address of the first one."""

    def answer(handler: BaseHTTPRequestHandler) -> Answer:
        page = int(parse_qs(urlsplit(handler.path).query).get("page", ["0"])[0])
        return 200, {"content-type": "text/html"}, write_lots(page).encode()

    return site.put("/lots", answer)


LOTS = {"type": "object", "properties": {"lot": {"type": "integer"}, "country": {"type": "string"}}}


async def test_rows_come_as_they_are_read_from_page_to_page_and_a_limit_is_told(opened: Open, site: Site) -> None:
    app = await opened()
    wanted: dict[str, Any] = {"output_schema": {"type": "array", "items": LOTS}, "tabs": [serve_lots(site)]}
    story = await events_of(app, "stamps", **wanted)
    parts = [event.details["rows"] for event in story if isinstance(event, events.Progressed) and event.details]
    found = end(story)
    assert [len(part) for part in parts if part] == [3, 3, 3, 2]
    assert [row for part in parts for row in part] == found.data
    assert [row["country"] for row in found.data] == list(COUNTRIES)
    assert [place["page"] for place in found.places] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4]
    assert found.places[-1]["url"].endswith("page=3")
    assert [hit for hit in site.hits if "/lots" in hit] == ["GET /lots", *(f"GET /lots?page={n}" for n in (1, 2, 3))]
    short = end(await events_of(app, "stamps", **wanted, max_pages=2))
    assert len(short.data) == 6 and "there are more; stopped at page 2" in short.text


@pytest.mark.parametrize("build", ["addresses", "script"])
def test_after_a_kill_reading_goes_on_where_it_was_and_no_row_comes_twice(
    tmp_path: Path, site: Site, build: str
) -> None:
    pages = json.dumps([write_lots(page).split("<nav>")[0] for page in range(4)])
    draws = "const draw = () => { m.innerHTML = s[p]; b.disabled = p === 3 }; b.onclick = () => { p++; draw() }; draw()"
    turns = "<nav class=pages><button disabled>Previous</button> <button id=b>Next</button></nav>"
    scripted = f"<main><div id=m></div>{turns}</main><script>let p = 0; const s = {pages}; {draws}</script>"
    url = serve_lots(site) if build == "addresses" else site.html(scripted)
    command = [sys.executable, str(CRASHING), str(tmp_path), url]
    first = subprocess.run([*command, "kill"], capture_output=True, text=True, timeout=90)
    assert first.returncode == -signal.SIGKILL, first.stderr
    second = subprocess.run([*command, "live"], capture_output=True, text=True, timeout=90)
    outcome, data, error = second.stdout.split("\n", 2)
    assert outcome == "completed", error + second.stderr
    assert [row["country"] for row in json.loads(data)] == list(COUNTRIES)
    assert site.hits.count("GET /lots") <= 1, "the first page is not read again"


async def test_of_several_lists_the_one_with_the_fields_as_heads_is_taken_else_the_model_says_which(
    opened: Open, site: Site
) -> None:
    hours = "<h2>Hours</h2><table><tr><th>Day<th>From</tr>" + "".join(f"<tr><td>Day {n}<td>{n}:00" for n in range(9))
    url = site.html(f"{hours}</table>{TABLE.replace('<h1>Staff</h1>', '<h2>Staff</h2>')}")
    app = await opened()
    rows = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}
    found = end(await events_of(app, "people", output_schema={"type": "array", "items": rows}, tabs=[url]))
    assert [row["name"] for row in found.data] == ["Ann", "Bob"]
    fields = [{"field": "person", "type": "string", "column": 1}]
    model = script(app, [json.dumps({"list": 2}), json.dumps({"fields": fields})])
    found = end(await events_of(app, "who works here", loop="extract", tabs=[url]))
    assert [row["person"] for row in found.data] == ["Ann", "Bob"]
    assert "Hours (9 rows): Day | From" in model.requests[0].messages[-1].text


async def test_parts_of_one_text_and_prices_that_are_struck_out_are_told_apart(opened: Open, site: Site) -> None:
    offers = ("<s>$120.00</s> <b>$89.00</b>", "<b>$40.50</b>", "<b>$7.00</b>", "<s>$9.00</s> <b>$8.00</b>")
    cards = "".join(
        f"<div class=tile><h3><a href=/p/{n}>Lamp {n}</a></h3><p class=meta>New · Leith · {n} kg</p>"
        f"<div class=cost>{cost}</div></div>"
        for n, cost in enumerate(offers, 1)
    )
    app = await opened()
    model = script(app, [lambda request: choose_by_samples(request.messages[-1].text)])
    fields = {"name": {"type": "string"}, "place": {"type": "string"}, "price": {"type": "number"}}
    schema = {"type": "array", "items": {"type": "object", "properties": fields}}
    found = end(await events_of(app, "lamps", output_schema=schema, tabs=[site.html(f"<main>{cards}</main>")]))
    assert found.data == [
        {"name": f"Lamp {n}", "place": "Leith", "price": price} for n, price in enumerate((89.0, 40.5, 7.0, 8.0), 1)
    ]
    assert len(model.requests) == 1


def choose_by_samples(text: str) -> str:
    """The number of the column whose first sample is the first lamp's place."""
    lines = dict(re.findall(r"^(\d+)\. [^:\n]+: ([^;\n]+)", text, re.MULTILINE))
    numbers = {sample.strip(): int(number) for number, sample in reversed(lines.items())}
    return json.dumps({"place": numbers["Leith"]})


SHOPS = (
    "<h1>Steel kettle</h1><p>Price: € 34,90</p><p>Delivery: 2 days</p>",
    "<h1>Steel kettle 1.7 l</h1><p>EUR 32.50</p><p>Ships from our own store.</p>",
    "<h1>No goods today</h1><p>Come back tomorrow.</p>",
)
SAID = (
    {"name": "Steel kettle", "price": 34.9, "delivery": "2 days"},
    {"name": "Steel kettle 1.7 l", "price": 32.5, "delivery": "next Monday"},
    {"name": None, "price": 19.99, "delivery": None},
)


async def test_offers_of_several_shops_are_compared_with_what_each_page_says_and_one_that_is_gone_is_told(
    opened: Open, site: Site
) -> None:
    app = await opened()
    model = script(app, list(map(json.dumps, SAID)))
    tabs = [site.html(page, f"/shop{at}") for at, page in enumerate(SHOPS)]
    fields = {"name": {"type": "string"}, "price": {"type": "number"}, "delivery": {"type": "string"}}
    wanted = {"type": "array", "items": {"type": "object", "properties": fields, "required": ["price", "delivery"]}}
    found = end(await events_of(app, "kettles", output_schema=wanted, tabs=[*tabs, "http://127.0.0.1:9/gone"]))
    assert found.data == [SAID[0], {**SAID[1], "delivery": None}], "null rather than what no page says"
    assert [place["url"] for place in found.places] == tabs[:2]
    assert found.places[0]["said"]["price"] == "Price: € 34,90"
    assert f"{tabs[2]}: it says nothing of that" in found.text
    assert "left out: http://127.0.0.1:9/gone" in found.text
    assert "the schema requires delivery, and 1 row has none" in found.text and "requires price" not in found.text
    assert len(model.requests) == 3


async def test_one_record_is_read_from_the_pages_that_say_it(opened: Open, site: Site) -> None:
    app = await opened()
    script(app, list(map(json.dumps, ({**SAID[1], "delivery": None}, SAID[0]))))
    tabs = [site.html(page, f"/page{at}") for at, page in enumerate((SHOPS[1], SHOPS[0]))]
    fields = {"name": {"type": "string"}, "price": {"type": "number"}, "delivery": {"type": "string"}}
    found = end(await events_of(app, "kettle", output_schema={"type": "object", "properties": fields}, tabs=tabs))
    assert found.data == {"name": "Steel kettle 1.7 l", "price": 32.5, "delivery": "2 days"}
    assert [place["url"] for place in found.places] == tabs


async def test_a_page_of_one_thing_with_lists_of_its_properties_gives_one_record(opened: Open, site: Site) -> None:
    properties = "".join(
        f"<tr><th>{name}<td>{value}</tr>" for name, value in (("Made in", "Leith"), ("Holds", "1.2 l"))
    )
    app = await opened()
    model = script(app, [json.dumps({"name": 0, "price": 0}), json.dumps(SAID[0])])
    fields = {"name": {"type": "string"}, "price": {"type": "number"}}
    wanted = {"type": "array", "items": {"type": "object", "properties": fields}}
    page = site.html(f"{SHOPS[0]}<table>{properties}</table>")
    found = end(await events_of(app, "kettle", output_schema=wanted, tabs=[page]))
    assert found.data == [{"name": "Steel kettle", "price": 34.9}], model.requests
