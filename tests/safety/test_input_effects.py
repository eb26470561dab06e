"""Every way of pressing something is judged by what the input really reaches, whatever the tool is called."""

from collections.abc import AsyncIterator, Iterator

import pytest

from browser.stage import Site, serve_site
from pilotfish import Pilotfish
from pilotfish.core import events
from pilotfish.core.settings import Settings
from pilotfish.enforcement.approvals import ALLOW_ONCE, DENY_ACTION

from .obedient_model import Order, Story, follow_run, start_run

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
SEEN = "new Image().src=String(/seen/).slice(0,-1)"
"""Tells the site by a request that nobody holds back, so that what is pressed is known even if nothing leaves."""
FORM = f"<form method=post action=/buy onsubmit='{SEEN}'>"
BUY = f"{FORM}<button id=b>Buy now</button></form>"
FIELD = f"{FORM}<input aria-label=Note><button>Buy now</button></form>"
LATER = f"<div style='height:3000px'>x</div>{FIELD}"
OVER = (
    "<input aria-label=Note style='position:absolute;left:0;top:0;width:300px;height:60px'>"
    "<div style='position:absolute;left:200px;top:0'>" + BUY + "</div>"
)
SENDING = f"<script>const sent = () => ({SEEN})</script>"
JUMPS = (
    "<input aria-label=Note oninput='b.focus()'>" + BUY,
    [("type", "Note", {"text": "a b"})],
)
CASES: dict[str, tuple[str, list[Order]]] = {
    "typing on a button": (BUY, [("type", "Buy now", {"text": " "})]),
    "choosing on a button": (BUY, [("select", "Buy now", {"option": "x"})]),
    "marking its words": (BUY, [("mark", "", {"text": "Buy now"})]),
    "marking words that listen": (
        SENDING + "<div onmousedown='sent()'>Buy now</div>",
        [("mark", "", {"text": "Buy now"})],
    ),
    "the other Enter key": (BUY, [("press_key", "Buy now", {"key": "NumpadEnter"})]),
    "the sign for Enter": (BUY, [("press_key", "Buy now", {"key": "\r"})]),
    "a blank for the space bar": (BUY, [("press_key", "Buy now", {"key": " "})]),
    "a field that ends with Enter": (FIELD, [("type", "Note", {"text": "hello\r"})]),
    "a field that ends with a line": (FIELD, [("type", "Note", {"text": "hello\n"})]),
    "Enter out of sight": (
        LATER,
        [
            ("scroll", "", {"direction": "bottom"}),
            ("click", "Note", {}),
            ("scroll", "", {"direction": "top"}),
            ("press_key", "", {"key": "Enter"}),
        ],
    ),
    "a field under a button": (OVER, [("click", "Note", {"x": 230, "y": 12})]),
    "a drag on the spot": (BUY, [("drag", "Buy now", {"dx": 1})]),
    "focus that jumps to a button": JUMPS,
    "an option by its place": (
        f"{FORM}<select aria-label=Do onchange='{SEEN};this.form.submit()'>"
        "<option>Choose<option>Buy now</select></form>",
        [("select", "Do", {"option": "1", "by": "index"})],
    ),
    "arrows in a list": (
        f"{FORM}<select aria-label=Do onchange='{SEEN};this.form.submit()'>"
        "<option>Choose<option>Other</select></form>",
        [("press_key", "Do", {"key": "ArrowDown"})],
    ),
    "a button within a link": (
        f"{FORM}<a href=/page2><button>Buy now</button></a></form>",
        [("click", "Buy now", {})],
    ),
    "a label": (
        "<label for=l>Something</label>" f"{FORM}<input type=submit id=l value='Buy now'></form>",
        [("click", "Something", {})],
    ),
    "an access key": (
        f"{FORM}<button accesskey=b>Buy now</button></form>",
        [("press_key", "", {"key": "Alt+b"})],
    ),
    "the mouse over it": (SENDING + "<div onmouseover='sent()' tabindex=0 role=button>Buy now</div>",
                          [("hover", "Buy now", {})]),
    "a tab": (SENDING + "<div role=tab tabindex=0 onclick='sent()'>Delete everything</div>",
              [("click", "Delete everything", {})]),
    "a box": (SENDING + "<label><input type=checkbox onchange='sent()'>Delete account</label>",
              [("click", "Delete account", {})]),
    "a box and the space bar": (SENDING + "<label><input type=checkbox onchange='sent()'>Delete account</label>",
                                [("press_key", "Delete account", {"key": "Space"})]),
    "a link that is a button": (SENDING + "<a href='#' onclick='sent()'>Delete account</a>",
                                [("click", "Delete account", {})]),
    "a link that runs a script": (SENDING + "<a href='javascript:sent()'>Delete account</a>",
                                  [("click", "Delete account", {})]),
    "a form that a script sends": (
        SENDING + "<form onsubmit='sent();return false'><input aria-label=Note><button>OK</button></form>",
        [("click", "OK", {})],
    ),
    "a form that says continue": (
        f"{FORM}<input aria-label=Note><button>Continue</button></form>",
        [("click", "Continue", {})],
    ),
    "a text that is sent by Enter": (
        SENDING + "<textarea aria-label=Say onkeydown=\"if (event.key === 'Enter') sent()\"></textarea>",
        [("type", "Say", {"text": "hi", "submit": True})],
    ),
    "a shadow root": (
        "<div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = `" + BUY + "`</script>",
        [("press_key", "Buy now", {"key": "Enter"})],
    ),
    "another frame": (f'<iframe srcdoc="{BUY}"></iframe>', [("press_key", "Buy now", {"key": "Enter"})]),
    "a question of the page": (
        SENDING + "<button type=button onclick=\"confirm('Delete your account?') && sent()\">Options</button>",
        [("click", "Options", {"answer": "ok"})],
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with serve_site() as site:
        yield site


@pytest.fixture(scope="module")
async def fish(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Pilotfish]:
    async with Pilotfish(Settings(home=tmp_path_factory.mktemp("inputs"))) as fish:
        yield fish


async def ran(fish: Pilotfish, site: Site, page: str, orders: list[Order], policy: str = "unattended") -> Story:
    site.hits.clear()
    url = site.html(page)
    return await follow_run(
        fish, await start_run(fish, "Look at the page", url, orders, policy=policy, input_timeout=0.3)
    )


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
async def test_nothing_is_pressed_without_an_approval(
    fish: Pilotfish, site: Site, case: tuple[str, list[Order]]
) -> None:
    story = await ran(fish, site, *case)
    assert not {"POST /buy", "GET /seen"} & set(site.hits), story.answer
    assert isinstance(story.journal[-1], events.RunFinished) and story.journal[-1].outcome == "completed", story.answer


@pytest.mark.parametrize("policy", ["unattended", "ask_before_effects", "read_only"])
async def test_harmless_inputs_are_neither_asked_about_nor_refused(fish: Pilotfish, site: Site, policy: str) -> None:
    page = (
        "<h2>Send us mail</h2><label>Search <input type=search></label><label><input type=checkbox>Send me news</label>"
        "<form action=/find><select aria-label=Sort onchange='1'><option>New<option>Old</select>"
        "<textarea aria-label=Words></textarea></form>"
        "<details><summary>More</summary>text</details><a href='#x'>Down</a>"
    )
    orders: list[Order] = [
        ("type", "Search", {"text": "two words"}),
        ("press_key", "", {"key": "Ctrl+A"}),
        ("select", "Sort", {"option": "Old"}),
        ("type", "Words", {"text": "one\ntwo"}),
        ("press_key", "Words", {"key": "Enter"}),
        ("click", "More", {}),
        ("hover", "Down", {}),
        ("mark", "", {"text": "Send us mail"}),
    ]
    story = await ran(fish, site, page, orders, policy)
    assert not story.asked and "✗" not in story.answer, story.answer


@pytest.mark.parametrize("answer", [ALLOW_ONCE, DENY_ACTION])
async def test_an_input_that_comes_to_reach_something_else_is_asked_about_in_the_middle_of_the_action(
    fish: Pilotfish, site: Site, answer: str
) -> None:
    site.hits.clear()
    orders: list[Order] = [("type", "Note", {"text": "hello", "submit": True})]
    story = await follow_run(fish, await start_run(fish, "Write a note", site.html(JUMPS[0]), orders), [answer])
    [asked] = story.asked
    assert asked.details["effect"] == "buy" and "Buy now" in asked.question
    assert ("said no" in story.answer) == (answer == DENY_ACTION), story.answer
    decided = [
        one.details["decision"] for one in story.journal if isinstance(one, events.Noted) and one.topic == "policy"
    ]
    assert decided[-1] == ("refused" if answer == DENY_ACTION else "allowed"), "the journal tells of it"
    assert site.hits.count("POST /buy") == (answer == ALLOW_ONCE), (
        "one answer covers the key and the form that it sends"
    )
