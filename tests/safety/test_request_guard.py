"""Requests that pages send after the agent's input, in whole runs. The server's record is the truth."""

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from pilotfish import Pilotfish
from pilotfish.core import events
from pilotfish.core.gestures import MouseGesture
from pilotfish.core.settings import BrowserSettings, Settings
from pilotfish.runtime.conversation_browsers import open_run_browser
from pilotfish.safety.address import WebPlace
from pilotfish.safety.audit import build_audit
from pilotfish.safety.secrets import Secret, SecretVault

from .obedient_model import Order, Story, follow_run, start_run
from .sites import Sites, opened_sites

pytestmark = pytest.mark.slow
YES = "Allow once"


class Field:
    """A product and a server that plays all sites."""

    def __init__(self, fish: Pilotfish, sites: Sites) -> None:
        self.fish = fish
        self.sites = sites

    def page(self, body: str, script: str = "", others: Mapping[str, Any] | None = None) -> str:
        html = f"<!doctype html><meta charset=utf-8><title>Shop</title>{body}<script>{script}</script>"
        self.sites.arrived.clear()
        self.sites.pages = {"shop.example/page": html, **(others or {})}
        return f"http://shop.example:{self.sites.port}/page"

    async def run(
        self, url: str, *orders: Order, task: str = "Look after the shop", answers: Sequence[str] = (), **options: Any
    ) -> Story:
        options = {"input_timeout": 0.1, **options} if not answers else options
        return await follow_run(self.fish, await start_run(self.fish, task, url, orders, **options), answers)

    def sent(self) -> list[str]:
        """What arrived that is no plain visit."""
        return [one.line.replace(f":{self.sites.port}", "") for one in self.sites.arrived if one.method != "GET"]


@pytest.fixture(scope="module")
async def field(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Field]:
    settings = Settings(home=tmp_path_factory.mktemp("wire"), browser=BrowserSettings(timeout=10, allow_private=True))
    async with opened_sites() as sites, Pilotfish(settings) as fish:
        yield Field(fish, sites)


POST = """const post = (path, body) => fetch(path, {method: 'POST', headers: {'content-type': 'application/json'},
  body: JSON.stringify(body)}).catch(() => 0);"""
RATE = (
    "<select aria-label=Rate onchange=\"post('/rate', {value: this.value, item: 17})\"><option>Low<option>High</select>"
)
CHOOSE: Order = ("select", "Rate", {"option": "High"})
WAIT: Order = ("wait_for", "", {"kind": "time", "value": "800"})


async def test_a_choice_that_sends_something_is_asked_about_with_method_place_and_data(field: Field) -> None:
    story = await field.run(field.page(RATE, POST), CHOOSE)
    assert field.sent() == []
    [asked] = story.asked
    assert "POST to shop.example" in asked.question and "/rate" in asked.question
    assert "value: “High”" in asked.question and "item: “17”" in asked.question
    assert "which was stopped" in story.answer


async def test_what_the_person_allows_is_sent_as_it_was_and_not_asked_twice_for_its_kind(field: Field) -> None:
    again: Order = ("select", "Rate", {"option": "Low"})
    story = await field.run(field.page(RATE, POST), CHOOSE, again, WAIT, answers=[YES])
    assert field.sent() == ["POST shop.example/rate", "POST shop.example/rate"]
    assert next(one.body for one in field.sites.arrived if one.method == "POST") == '{"value":"High","item":17}'
    assert len(story.asked) == 1
    lines = [line for line in build_audit(story.journal[0].run, story.journal).lines if line.kind == "held_request"]
    assert [line.outcome for line in lines] == ["sent"] and "/rate" in lines[0].what


@pytest.mark.parametrize("preset", ["read_only", "unattended"])
async def test_where_nobody_may_be_asked_it_is_refused(field: Field, preset: str) -> None:
    story = await field.run(field.page(RATE, POST), CHOOSE, policy=preset)
    assert field.sent() == [] and story.asked == []
    report = build_audit(story.journal[0].run, story.journal)
    assert [line.outcome for line in report.lines if line.kind == "held_request"] == ["refused"]
    assert "Requests held: 0 sent, 1 refused." in report.summarize()


async def test_queries_telemetry_and_carts_need_nobody_but_mutations_do(field: Field) -> None:
    script = (
        POST
        + """
    post('/api/session', {id: 1, at: 2});
    const go = () => {
      post('/graphql', {operationName: 'Items', query: 'query Items { items { id } }', variables: {}});
      post('/api/products/search', {term: 'ink'});
      post('/api/track', {event: 'press'}); navigator.sendBeacon('/collect?v=1', 'x');
      post('/cart/items', {sku: 'a1', quantity: 1});
      post('/api/session', {id: 1, at: 99});
      post('/graphql', {operationName: 'Drop', query: 'mutation Drop { dropItem(id: 1) { id } }', variables: {id: 1}});
    };"""
    )
    story = await field.run(field.page("<button onclick=go()>Show</button>", script), ("click", "Show", {}))
    assert len([line for line in field.sent() if line.endswith("/graphql")]) == 1
    assert len(field.sent()) == 7, field.sent()
    assert len(story.asked) == 1 and "mutation Drop" in story.asked[0].question


async def test_text_that_the_person_gave_is_saved_and_other_text_is_not(field: Field) -> None:
    body = "<label>Note <input oninput=save(this.value)></label>"
    script = POST + "const save = (text) => text.length > 14 && setTimeout(() => post('/notes/7', {text}), 300);"
    write: Order = ("type", "Note", {"text": "water the ferns"})
    await field.run(field.page(body, script), write, WAIT, task="Note down: water the ferns")
    assert field.sent() and {*field.sent()} == {"POST shop.example/notes/7"}
    story = await field.run(field.page(body, script), write, WAIT, task="Tell me what the page says")
    assert field.sent() == [] and story.asked


async def test_a_hand_that_only_rests_on_something_sends_nothing(field: Field) -> None:
    page = field.page("<button onmouseover=\"post('/claim', {})\">Gift</button>", POST)
    story = await field.run(page, ("hover", "Gift", {}))
    assert field.sent() == [] and story.asked


async def test_stop_refuses_what_waits(field: Field) -> None:
    record = await start_run(field.fish, "Look", field.page(RATE, POST), [CHOOSE])
    async for event in field.fish.follow(record.id):
        if isinstance(event, events.InputRequested):
            await field.fish.command(record.id, "stop", by="ada")
    await asyncio.sleep(0.3)
    assert field.sent() == [] and (await field.fish.record(record.id)).outcome == "stopped"
    await field.fish.browsers.close(record.conversation)


async def test_what_a_run_set_off_is_refused_after_its_end_but_the_person_is_free(field: Field) -> None:
    button = "<button style='position: fixed; inset: 0; width: 400px; height: 400px' onclick=go()>Go</button>"
    script = POST + "const go = () => setTimeout(() => post('/late', {}), 1500);"
    record = await start_run(field.fish, "Look", field.page(button, script), [("click", "Go", {})])
    await follow_run(field.fish, record, keep=True)
    await asyncio.sleep(2.5)
    assert field.sent() == []
    window = field.fish.views.of(record.conversation)
    await window.apply_gesture(MouseGesture(type="mouse", action="click", x=100, y=100))
    for _ in range(40):
        await asyncio.sleep(0.1)
        if field.sent():
            break
    assert field.sent() == ["POST shop.example/late"]
    await field.fish.browsers.close(record.conversation)


async def test_redirects_and_new_tabs_that_leave_the_task_are_asked_about(field: Field) -> None:
    there = f"http://evil.example:{field.sites.port}/gift"
    others = {"shop.example/out": {"status": 302, "headers": {"Location": there}}}
    page = field.page(
        f"<a href=/out>More</a><button onclick=\"window.open('{there}?w=1')\">Window</button>", "", others
    )
    story = await field.run(page, ("click", "More", {}), ("click", "Window", {}))
    assert not [one for one in field.sites.arrived if one.host == "evil.example"]
    assert [one.details["effect"] for one in story.asked] == ["leave"], "the second way to the same place is no news"
    allowed = await field.run(page, ("click", "More", {}), answers=[YES])
    assert "POST" not in str(field.sent()) and [one for one in field.sites.arrived if one.host == "evil.example"]
    assert len(allowed.asked) == 1


async def test_a_page_that_sends_without_end_is_asked_about_once_and_the_run_ends(field: Field) -> None:
    script = POST + "const go = () => setInterval(() => post('/orders/buy', {item: 17}), 50);"
    page = field.page("<button onclick=go()>Show</button>", script)
    async with asyncio.timeout(45):
        story = await field.run(page, ("click", "Show", {}), WAIT)
    assert field.sent() == [] and [one.details["effect"] for one in story.asked] == ["buy"]


async def test_a_page_that_sends_something_else_each_time_is_asked_about_three_times(field: Field) -> None:
    script = POST + "const go = () => [...'abcdefgh'].forEach((name) => post('/rate/' + name, {item: 17}));"
    story = await field.run(field.page("<button onclick=go()>Show</button>", script), ("click", "Show", {}), WAIT)
    assert field.sent() == [] and len(story.asked) == 3


async def test_a_page_that_an_input_led_to_does_nothing_strong_by_itself_but_small_things(field: Field) -> None:
    others = {
        "shop.example/next": f"<script>{POST} post('/rate', {{a: 1}}); post('/orders/buy', {{item: 17}})</script>Next"
    }
    page = field.page("<a href=/next>More</a>", "", others)
    story = await field.run(page, ("click", "More", {}), WAIT)
    assert field.sent() == ["POST shop.example/rate"]
    assert [one.details["effect"] for one in story.asked] == ["buy"]


async def test_what_a_page_sends_before_any_input_it_may_send_on_the_next_page(field: Field) -> None:
    script = POST + "post('/account/session', {id: 1})"
    page = field.page("<a href=/next>More</a>", script, {"shop.example/next": f"<script>{script}</script>Next"})
    story = await field.run(page, ("click", "More", {}), WAIT)
    assert field.sent() == ["POST shop.example/account/session"] * 2 and not story.asked


async def test_an_input_in_one_tab_counts_for_other_tabs_of_its_host(field: Field) -> None:
    listener = f"<script>{POST} new BroadcastChannel('c').onmessage = () => post('/rate', {{a: 1}})</script>"
    button = "<button onclick=\"new BroadcastChannel('c').postMessage('go')\">Show</button>"
    page = field.page(button, "", {"shop.example/inner": listener})
    inner = page.replace("/page", "/inner")
    opened: list[Order] = [("manage_tabs", "", {"action": "open", "url": inner})]
    back: Order = ("manage_tabs", "", {"action": "switch", "tab_id": 1})
    story = await field.run(page, *opened, back, ("click", "Show", {}), WAIT)
    assert field.sent() == [] and len(story.asked) == 1


async def test_a_redirect_to_an_effect_is_asked_about_but_not_the_answer_to_what_was_sent(field: Field) -> None:
    others = {
        "shop.example/read": {"status": 302, "headers": {"Location": "/account/delete"}},
        "shop.example/rate": {"status": 302, "headers": {"Location": "/item/delete"}},
    }
    page = field.page("<a href=/read>More</a>", "", others)
    story = await field.run(page, ("click", "More", {}))
    assert not [one for one in field.sites.arrived if "delete" in one.line]
    assert [one.details["effect"] for one in story.asked] == ["delete"]
    form = field.page("<form method=post action=/rate><button>Rate</button></form>", "", others)
    story = await field.run(form, ("click", "Rate", {}), answers=[YES])
    assert len(story.asked) == 1 and [one for one in field.sites.arrived if "delete" in one.line]


async def test_a_second_run_in_a_conversation_does_not_widen_the_first(field: Field) -> None:
    page = field.page(RATE, POST)
    first = await start_run(field.fish, "Look", page, [CHOOSE], sites=["shop.example"])
    async for event in field.fish.follow(first.id):
        if isinstance(event, events.InputRequested):
            break
    browser = field.fish.browsers.of(first.conversation)
    other = WebPlace("http", "other.example", 80)
    assert browser.limits.refuse_name(other)
    open_run_browser(field.fish.driver.context, first.model_copy(update={"id": "second", "options": {}}))
    assert browser.limits.refuse_name(other)
    await field.fish.command(first.id, "stop", by="ada")
    async for _ in field.fish.follow(first.id):
        pass
    open_run_browser(field.fish.driver.context, first.model_copy(update={"id": "third", "options": {}}))
    assert not browser.limits.refuse_name(other)
    await field.fish.browsers.close(first.conversation)


async def test_messages_of_a_frames_socket_wait_after_an_input_beside_it(field: Field) -> None:
    inner = """<script>const ws = new WebSocket(`ws://${location.host}/live`); ws.onopen = () => ws.send('hello');
    onmessage = (event) => ws.send(event.data)</script>"""
    button = (
        "<iframe id=f src=/inner></iframe><button onclick=\"f.contentWindow.postMessage('transfer', '*')\">Go</button>"
    )
    story = await field.run(field.page(button, "", {"shop.example/inner": inner}), WAIT, ("click", "Go", {}), WAIT)
    assert [one.body for one in field.sites.arrived if one.method == "WS"] == ["hello"]
    assert "a message to shop.example" in story.asked[0].question


async def test_messages_of_a_socket_wait_after_input_and_those_sent_before_go_on(field: Field) -> None:
    script = """const ws = new WebSocket(`ws://${location.host}/live`);
    ws.onopen = () => { ws.send('{"type": "hello", "n": 1}'); };"""
    button = """<button onclick="ws.send('{&quot;type&quot;: &quot;hello&quot;, &quot;n&quot;: 2}');
    ws.send('{&quot;type&quot;: &quot;transfer&quot;, &quot;to&quot;: &quot;mallory&quot;}')">Go</button>"""
    story = await field.run(field.page(button, script), ("click", "Go", {}))
    said = [one.body for one in field.sites.arrived if one.method == "WS"]
    assert said == ['{"type": "hello", "n": 1}', '{"type": "hello", "n": 2}']
    assert "a message to shop.example" in story.asked[0].question and "mallory" in story.asked[0].question
    await field.run(field.page(button, script), ("click", "Go", {}), answers=[YES, YES])
    assert any("mallory" in one.body for one in field.sites.arrived if one.method == "WS")


LOGIN = POST + "const go = (p) => post('/account/login', {how: 'password', password: p});"


async def test_a_page_signs_in_with_the_password_that_the_person_gave_for_it_and_with_no_other(field: Field) -> None:
    page = field.page("<button onclick=\"go('harbour-4711')\">Enter</button>", LOGIN)
    own = await field.run(page, ("click", "Enter", {}), task="Sign me in there, the password is harbour-4711")
    assert (own.asked, field.sent()) == ([], ["POST shop.example/account/login"])
    other = await field.run(
        field.page("<button onclick=\"go('another')\">Enter</button>", LOGIN), ("click", "Enter", {})
    )
    assert len(other.asked) == 1 and field.sent() == []
    change = LOGIN.replace("/account/login", "/account/password")
    page = field.page("<button onclick=\"go('harbour-4711')\">Enter</button>", change)
    changed = await field.run(page, ("click", "Enter", {}), task="Sign me in there, the password is harbour-4711")
    assert len(changed.asked) == 1 and field.sent() == []


async def test_a_page_that_was_given_no_file_uploads_none(field: Field) -> None:
    script = POST + "const go = () => post('/sync/upload-user-file', {rows: 17});"
    story = await field.run(field.page("<button onclick=go()>Show</button>", script), ("click", "Show", {}))
    assert [one.details["effect"] for one in story.asked] == ["submit"]


async def test_a_question_shows_no_secret(field: Field, tmp_path: Path) -> None:
    secret = Secret(
        name="mine", value=SecretStr("tr0ub4dor-and-3"), origins=(f"http://shop.example:{field.sites.port}",)
    )
    await SecretVault(field.fish.store, field.fish.settings.home).keep("local", secret)
    script = POST + "const go = () => post('/rate', {hint: 'tr0ub4dor-and-3', password: 'other-word', open: 'shown'});"
    story = await field.run(field.page("<button onclick=go()>Show</button>", script), ("click", "Show", {}))
    [asked] = story.asked
    assert "tr0ub4dor" not in str(story.journal) and "other-word" not in asked.question and "shown" in asked.question


HELD = """
import asyncio, sys
from pathlib import Path
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.core.settings import BrowserSettings
from pilotfish.runtime.conversation_browsers import ConversationBrowsers

class Waiting:
    action_ended = False
    def end(self):
        pass
    async def check(self, request):
        if not request.reads:
            print("held", flush=True)
            await asyncio.sleep(60)
        return ""

async def main():
    pool = BrowserPool(BrowserSettings(allow_private=True))
    tabs = ConversationBrowsers(pool, Path(sys.argv[1])).of("c")
    with tabs.guard_requests(Waiting()):
        await (await tabs.session()).open(sys.argv[2])
        await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_a_crash_while_a_request_waits_sends_nothing(field: Field, tmp_path: Path) -> None:
    page = field.page("", POST + "post('/rate', {a: 1}); post('/rate', {a: 2});").replace("shop.example", "127.0.0.1")
    field.sites.pages = {"/page": field.sites.pages["shop.example/page"]}
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", HELD, str(tmp_path), page, stdout=asyncio.subprocess.PIPE
    )
    assert child.stdout is not None
    assert await asyncio.wait_for(child.stdout.readline(), 60) == b"held\n"
    child.kill()
    await child.wait()
    await asyncio.sleep(1.5)
    assert field.sent() == []
