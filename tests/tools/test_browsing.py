"""The page, browser and read tools, as a model calls them: by name, with plain arguments."""

import struct
from collections.abc import Sequence
from pathlib import Path

import pytest

import pilotfish.tools.browser
import pilotfish.tools.page
import pilotfish.tools.read
from browser.stage import Site
from pilotfish.agents import horizon, strict
from pilotfish.loop_support import model_decider
from pilotfish.tools.base import TOOLS
from pilotfish.tools.read import model_for_schema, shorten_text

from .conftest import Hand

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]

NAMES = [
    "click", "type", "select", "press_key", "hover", "drag", "upload", "scroll",
    "navigate", "manage_tabs", "wait_for",
    "get_schema", "get_html", "get_text", "find", "extract", "screenshot", "refresh",
]  # fmt: skip


def test_the_tools_of_the_table_are_there_with_their_schemas() -> None:
    assert [name for name in NAMES if name not in TOOLS] == []
    spec = TOOLS.get("click").spec
    assert list(spec.parameters["properties"])[:2] == ["id", "kind"]
    assert spec.parameters["required"] == ["id"]
    assert TOOLS.get("extract").spec.parameters["required"] == ["schema"]
    assert all(TOOLS.get(name).description for name in NAMES)


def test_only_what_changes_the_world_is_marked_so() -> None:
    quiet = {name for name in NAMES if not TOOLS.get(name).effect}
    assert quiet == {
        "scroll", "wait_for", "get_schema", "get_html", "get_text", "find", "extract", "screenshot", "refresh"
    }  # fmt: skip


@pytest.mark.parametrize("wanted", [horizon.TOOLS, model_decider.ACTION_TOOLS, strict.GROUPS])
def test_every_loop_that_acts_has_all_kinds_of_clicks_hovering_boxes_that_scroll_and_search(
    wanted: Sequence[str],
) -> None:
    offered = {name for name in TOOLS if name in wanted or TOOLS.get(name).group in wanted}
    assert {"click", "hover", "scroll", "find"} <= offered
    assert {"double", "right"} <= set(TOOLS.get("click").spec.parameters["properties"]["kind"]["enum"])
    assert "target" in TOOLS.get("scroll").spec.parameters["properties"]


async def test_a_chore_is_done_by_tools_alone(hand: Hand, site: Site) -> None:
    site.html("<h1>Thanks, Ada</h1>", "/done")
    url = site.html(
        """<h1>Order</h1><form action=/done><label>Name <input name=n></label>
        <label>Size <select name=s><option>Small<option>Large</select></label>
        <label><input type=checkbox name=ok> Agree</label><button>Send</button></form>""",
    )
    opened = await hand("navigate", url=url)
    assert opened.ok and 'textbox "Name"' in opened.output
    schema = (await hand("get_schema")).data["elements"]
    ids = {element["label"]: element["id"] for element in schema}
    assert (await hand("type", id=ids["Name"], text="Ada")).ok
    assert (await hand("select", id=ids["Size"], option="Large")).ok
    assert "checked" in (await hand("click", id=ids["Agree"])).output
    sent = await hand("click", id=ids["Send"])
    assert "Thanks, Ada" in sent.output
    assert "GET /done?n=Ada&s=Large&ok=on" in site.hits


async def test_errors_go_back_in_words(hand: Hand, site: Site) -> None:
    await hand("navigate", url=site.html("<button>One</button>"))
    assert "There is no element [9999]" in (await hand("click", id=9999)).error
    assert "Wrong arguments for click" in (await hand("click", number=1)).error
    assert "cannot be opened" in (await hand("navigate", url="file:///etc/passwd")).error
    assert "could not be opened" in (await hand("navigate", url="http://127.0.0.1:1/")).error
    assert "goto needs url" in (await hand("navigate")).error
    assert "switch needs tab_id" in (await hand("manage_tabs", action="switch")).error


async def test_the_page_is_read_in_every_form(hand: Hand, site: Site, tmp_path: Path) -> None:
    body = "<main><h1>Green tea</h1><p>It costs 4.50.</p><script>1</script><button>Buy</button></main>"
    await hand("navigate", url=site.html(body + "<p style='margin-top:3000px'>Far below</p>"))
    assert "# Green tea" in (await hand("get_text")).output
    assert "It costs 4.50" in (await hand("get_text", selector="p")).output
    html = (await hand("get_html", selector="main")).output
    assert "<button>Buy</button>" in html and "script" not in html
    assert "Nothing on the page matches" in (await hand("get_html", selector=".none")).error
    assert "Far below" in (await hand("find", text="far below")).output
    assert "Read the page again" in (await hand("refresh")).output
    shot = await hand("screenshot")
    assert (tmp_path / shot.files[0]).read_bytes()[:2] == b"\xff\xd8"
    assert (await hand("screenshot", full=True)).files != shot.files
    part = (tmp_path / (await hand.on("Buy", "screenshot")).files[0]).read_bytes()
    height, width = struct.unpack_from(">HH", part, part.index(b"\xff\xc0") + 5)
    assert width < 200 and height < 100, "only the button"


async def test_one_element_is_read_by_its_number_but_never_a_password(hand: Hand, site: Site) -> None:
    body = """<button aria-label="Buy now">Buy <b>now</b>
    <span style="position:absolute;left:-9999px">or die</span></button><textarea aria-label=Note>one
    two</textarea><input type=password aria-label=Code value=geheim><input aria-label=Empty>"""
    await hand("navigate", url=site.html(body))
    read = {label: (await hand.on(label, "get_text")).output for label in ("Buy now", "Note", "Code", "Empty")}
    assert read == {"Buy now": "Buy now", "Note": "one\n    two", "Code": "(It is empty.)", "Empty": "(It is empty.)"}


async def test_facts_are_taken_in_the_shape_that_was_asked_for(hand: Hand, site: Site) -> None:
    await hand("navigate", url=site.html("<h1>Green tea</h1><p>It costs 4.50.</p>"))
    shape = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}}
    assert (await hand("extract", schema=shape)).data == {"name": "Green tea", "price": 4.5}


async def test_tabs_and_waiting(hand: Hand, site: Site) -> None:
    await hand("navigate", url=site.html("<script>setTimeout(() => document.body.append('Ready'), 200)</script>"))
    assert (await hand("wait_for", kind="element", value="Ready", timeout=600_000)).ok
    assert "did not appear" in (await hand("wait_for", kind="element", selector="#never", timeout=100)).error
    assert "is still there" in (await hand("wait_for", kind="gone", value="Ready", timeout=100)).error
    fading = "<p id=a hidden>Busy</p><p id=b>Busy</p><script>setTimeout(() => b.remove(), 200)</script>"
    await hand("navigate", url=site.html(fading, "/fading"))
    assert (await hand("wait_for", kind="gone", value="Busy", timeout=600_000)).ok, "what is hidden is not there"
    assert (await hand("wait_for", kind="network_idle", timeout=2000)).ok
    assert (await hand("wait_for", kind="time", value="10")).ok
    assert "did not go elsewhere" in (await hand("wait_for", kind="navigation", timeout=50)).error
    assert "Opened tab 2" in (await hand("manage_tabs", action="open", url=site.html("Two", "/two"))).output
    assert "2: Stage" in (await hand("manage_tabs", action="list")).output
    assert (await hand("manage_tabs", action="switch", tab_id=1)).ok
    assert (await hand("manage_tabs", action="close", tab_id=2)).ok


def test_a_schema_may_be_nested_or_just_names_with_types() -> None:
    model = model_for_schema(
        "Found",
        {
            "properties": {
                "items": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}}
            }
        },
    )
    assert model.model_validate({"items": [{"n": 1}]}).model_dump() == {"items": [{"n": 1}]}
    assert model_for_schema("Found", {"price": "number"}).model_validate({}).model_dump() == {"price": None}


def test_long_texts_are_cut_at_a_line_and_say_so() -> None:
    cut = shorten_text("a line of words\n" * 3000)
    assert cut.count("\n") < 1600 and "more characters" in cut


def test_the_tools_are_registered_by_their_modules() -> None:
    assert pilotfish.tools.page.click is TOOLS.get("click")
    assert pilotfish.tools.browser.navigate is TOOLS.get("navigate")
    assert pilotfish.tools.read.find is TOOLS.get("find")
