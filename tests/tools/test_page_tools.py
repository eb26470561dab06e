"""Tools that pages offer: how they are listed, called and told, and what is refused."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from browser.stage import Site, js, visit
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.core.page_tools import LISTED_LENGTH, PageTool, check_arguments, list_page_tools, read_answer
from pilotfish.core.settings import BrowserSettings
from pilotfish.practice.server import Practice

from .conftest import Hand

pytestmark = [pytest.mark.anyio, pytest.mark.whole_browser]
slow = pytest.mark.slow
ECHO = """<p id=out>Nothing yet</p><script>
let abort = new AbortController();
function offer(more = {}) {
  abort.abort(); abort = new AbortController();
  document.modelContext.registerTool({name: "echo", description: "Say it again", inputSchema: {type: "object",
    properties: {text: {type: "string"}, times: {type: "integer"}}, required: ["text"]},
    execute: async ({text}) => { out.textContent = "Said " + text; return "You said " + text; }, ...more},
    {signal: abort.signal});
}
offer();
</script>"""


@pytest.fixture
async def practice() -> AsyncIterator[Practice]:
    async with Practice() as site:
        yield site


async def show(hand: Hand, awaited: str = "") -> str:
    """List the page's tools as a look does for a model; what the model is told, once it has the awaited words."""
    tab = await (await hand.context.browser()).tab()
    with anyio.fail_after(10):
        while awaited not in list_page_tools(tools := await tab.tools()):
            await anyio.sleep(0.1)
    tab.page_tools.keep_shown(tools)
    return list_page_tools(tools)


@slow
async def test_tools_of_scripts_forms_and_frames_are_listed_with_what_they_take(hand: Hand, practice: Practice) -> None:
    await hand("navigate", url=f"{practice.url}/widgets/tools")
    told = await show(hand)
    assert (
        "page.add_to_cart(slug: string = the goods' name in small letters, joined by hyphens, quantity?: integer"
        in told
    )
    assert "(may change something): Put goods into the shopping cart" in told
    assert "page.list_goods() (only reads): List the names" in told
    assert "page.search_goods(q: string = words of the goods' names) (fills in and sends a form)" in told
    assert "page.write_note(note: string = what the desk should know) (fills in a form)" in told
    assert "page.high_water() (only reads): Tell when the water is high today" in told


@slow
async def test_a_call_tells_the_answer_and_what_changed_on_the_page(hand: Hand, site: Site) -> None:
    await visit(await hand.context.browser(), site, ECHO)
    await show(hand)
    result = await hand("page_tool", name="echo", arguments={"text": "ahoy"})
    assert result.ok, result.error
    assert result.output.splitlines()[:2] == ["Called page.echo.", "It answered: You said ahoy"]
    assert 'New text: "Said ahoy".' in result.output
    assert result.data["origin"] == site.url and result.data["page_tool"] == "echo"


@slow
async def test_a_form_is_sent_or_only_filled_in_as_it_says(hand: Hand, practice: Practice) -> None:
    session = await hand.context.browser()
    await (await session.tab()).goto(practice.address("/widgets/tools", "t1"))
    await show(hand)
    filled = await hand("page_tool", name="write_note", arguments={"note": "Back at noon"})
    assert filled.output.startswith("Filled in the form of page.write_note; it was not sent."), filled
    assert await js(session, "document.querySelector('textarea').value") == "Back at noon"
    sent = await hand("page_tool", name="search_goods", arguments={"q": "kettle"})
    assert "/shop?q=kettle" in sent.output and "no longer offers: page.add_to_cart" in sent.output, sent
    assert sent.output.count("no longer offers") == 1, sent
    assert [one.kind for one in practice.log("t1") if one.kind != "visited"] == ["shop.searched"]


@slow
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("offer({description: 'Send it to everybody'})", "changed what it says of page.echo"),
        ("offer({inputSchema: {type: 'object', properties: {text: {type: 'string'}}}})", "changed what it says"),
        ("offer({annotations: {readOnlyHint: true}})", "changed what it says"),
        ("abort.abort()", "no longer offers page.echo"),
    ],
)
async def test_a_tool_that_is_not_what_was_shown_is_not_called(hand: Hand, site: Site, change: str, said: str) -> None:
    session = await hand.context.browser()
    await visit(session, site, ECHO)
    await show(hand)
    await js(session, change)
    result = await hand("page_tool", name="echo", arguments={"text": "ahoy"})
    assert not result.ok and said in result.error
    assert await js(session, "out.textContent") == "Nothing yet"
    await show(hand)
    assert (await hand("page_tool", name="echo", arguments={"text": "ahoy"})).ok is ("abort.abort" not in change)


@slow
async def test_what_was_not_shown_or_does_not_fit_is_refused_with_the_reason(hand: Hand, site: Site) -> None:
    session = await hand.context.browser()
    await visit(session, site, ECHO)
    assert "has no tool page.echo. It has: none." in (await hand("page_tool", name="echo")).error
    await show(hand, "page.echo")
    for given, wrong in (
        ({}, "text is missing"),
        ({"text": "a", "color": "red"}, "there is no color"),
        ({"text": 5}, "text must be of type string"),
        ({"text": "a", "times": True}, "times must be of type integer"),
    ):
        error = (await hand("page_tool", name="page.echo", arguments=given)).error
        assert f"page.echo: {wrong}. It takes: text: string, times?: integer." in error
    assert await js(session, "out.textContent") == "Nothing yet"


@slow
async def test_a_failing_and_a_silent_tool_are_told_within_a_limit(
    hand: Hand, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pilotfish.browser.actions.page_tool_gate.ANSWER_TIMEOUT", 0.5)
    await visit(await hand.context.browser(), site, ECHO + """<script>
      document.modelContext.registerTool({name: "fail", description: "x",
        execute: async () => { throw new Error("No boats today"); }});
      document.modelContext.registerTool({name: "wait", description: "x", execute: () => new Promise(() => {})});
      document.modelContext.registerTool({name: "flood", description: "x", execute: async () => "y".repeat(100000)});
    </script>""")  # fmt: skip
    await show(hand)
    assert "page.fail failed: Error: No boats today" in (await hand("page_tool", name="fail")).error
    assert "page.wait did not answer within 0.5 s and was cancelled" in (await hand("page_tool", name="wait")).error
    flood = await hand("page_tool", name="flood")
    assert len(flood.output) < 4300 and "96,000 more characters were left out" in flood.output


@slow
async def test_frames_of_other_sites_offer_theirs_under_a_name_of_its_own(hand: Hand, site: Site) -> None:
    other = site.url.replace("127.0.0.1", "localhost")
    site.html(ECHO, "/inner")
    session = await hand.context.browser()
    await visit(session, site, ECHO + f"<iframe src='{other}/inner' allow=tools></iframe>")
    told = await show(hand, "page.echo_2")
    assert f"page.echo_2(text: string, times?: integer) (may change something; in a frame of {other})" in told
    result = await hand("page_tool", name="echo_2", arguments={"text": "inside"})
    assert "You said inside" in result.output and result.data["origin"] == other
    assert await js(session, "out.textContent") == "Nothing yet"


@slow
async def test_a_browser_that_was_started_without_them_offers_none(tmp_path: Path, site: Site) -> None:
    pool = BrowserPool(BrowserSettings(timeout=10, page_tools=False))
    try:
        session = await pool.lease("plain", tmp_path)
        await visit(session, site, "<script>document.title = String(document.modelContext)</script>")
        tab = await session.tab()
        assert await tab.title() == "undefined" and await tab.tools() == ()
    finally:
        await pool.close()


def make_tool(**fields: Any) -> PageTool:
    return PageTool.model_validate({"label": "x", "name": "x", "origin": "https://a.example", "frame": "1", **fields})


def test_a_page_cannot_fill_the_view_with_its_tools() -> None:
    rule = {"type": "string", "description": "d" * 5000}
    many = [
        make_tool(label=f"t{n}", description="word " * 5000, parameters={"properties": {"p" * 900: rule}})
        for n in range(60)
    ]
    told = list_page_tools(many)
    assert len(told) < LISTED_LENGTH + 200 and told.splitlines()[-1].startswith("… and ")


def test_each_thing_that_a_page_says_of_a_tool_is_in_its_fingerprint() -> None:
    changes: list[dict[str, Any]] = [
        {"name": "y"}, {"description": "d"}, {"parameters": {"properties": {"a": {}}}}, {"read_only": True},
        {"consequential": True}, {"form": "sends"}, {"origin": "https://b.example"}, {"frame": "2"},
    ]  # fmt: skip
    prints = {make_tool(**change).fingerprint for change in ({}, *changes)}
    assert len(prints) == len(changes) + 1
    assert make_tool().fingerprint == make_tool(label="x_2").fingerprint


@pytest.mark.parametrize("schema", [{"properties": 3}, {"required": "a"}, {"properties": {"a": 7}}, {"type": []}])
def test_a_schema_that_is_none_breaks_nothing(schema: dict[str, Any]) -> None:
    tool = make_tool(parameters=schema)
    assert "page.x(" in tool.describe() and check_arguments(tool, {"a": 1}) == ""


def test_answers_are_read_as_text_parts_or_as_json() -> None:
    assert read_answer({"content": [{"type": "text", "text": "a"}, {"type": "image"}, {"text": "b"}]}) == "a\nb"
    assert read_answer({"n": 1}) == json.dumps({"n": 1}) and read_answer("plain") == "plain"
    assert read_answer(None) == read_answer([]) == ""
